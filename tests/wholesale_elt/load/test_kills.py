"""A sync that dies at any moment: the file opens, what is in it is whole, the next run repairs."""

import os
import re
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from random import Random

import duckdb
import httpx
import msgspec
import pytest

from support.records.samples import guid
from support.records.truth import Holding, Record, Records, read_holding, read_only, read_truth
from support.services.command import start_command
from support.services.service import Service, serving
from support.services.trust import NOBODY
from wholesale.names import DELETED_AT
from wholesale_elt.past import WATCHED, log_of

RESOURCES = ("orders", "vendors", "items")

COMMITS_OFTEN = """
from wholesale.sync import batches
from wholesale_elt.cli.main import main
from wholesale_elt.load import writer

batches.BATCH_BYTES, writer.RECORDS_A_COMMIT, writer.BYTES_A_COMPARISON = 1, 10, 1
main()
"""
"""The command as it is, but that small loads have as many transactions as large ones."""

_encode = msgspec.json.Encoder(decimal_format="number").encode


class World:
    """The records of a running sandbox in every version that they have had, oldest first."""

    def __init__(self, admin: httpx.Client, seed: int) -> None:
        self._admin = admin
        self._draw = Random(seed)
        self.versions = [{resource: self.ask(resource) for resource in RESOURCES}]

    def ask(self, resource: str) -> Records:
        return read_truth(self._admin.get(f"/truth/{resource}").raise_for_status().text)

    def move_on(self) -> None:
        """The next version: of each resource some records change and one comes; one order goes."""
        now = {resource: dict(records) for resource, records in self.versions[-1].items()}
        number = len(self.versions)
        for resource in RESOURCES:
            chosen = [
                deepcopy(now[resource][key]) for key in self._draw.sample(sorted(now[resource]), 9)
            ]
            chosen[0]["id"] = guid(f"{resource} {number}")
            for record in chosen:
                self._change(resource, record, number)
                path = f"/records/{resource}/{record['id']}"
                self._admin.put(path, content=_encode(record)).raise_for_status()
                now[resource][record["id"]] = record
        gone = self._draw.choice(sorted(now["orders"]))
        self._admin.delete(f"/records/orders/{gone}").raise_for_status()
        del now["orders"][gone]
        self.versions.append(now)

    def change_orders(self, count: int) -> Records:
        """So many orders change, in their entries too."""
        chosen = deepcopy(dict(list(self.versions[-1]["orders"].items())[:count]))
        for key, record in chosen.items():
            self._change("orders", record, 1)
            path = f"/records/orders/{key}"
            self._admin.put(path, content=_encode(record)).raise_for_status()
        return chosen

    def _change(self, resource: str, record: Record, number: int) -> None:
        if resource == "vendors":
            record["phone"] = f"555-{number:04}"
            record["minimum_order_value"] = number
        elif resource == "items":
            record["title"] = f"Item {number}"
            values = [f"value {value}" for value in range(self._draw.randrange(3))]
            record["options"] = [{"name": f"Option {number}", "values": values}] * len(values)
        else:
            record["payment_status"] = f"state {number}"
            lines = record["order_line_items"]
            for line in lines:
                line["quantity"] += 1
                line["total_price"] = line["quantity"] * Decimal(line["unit_price"])
            del lines[self._draw.randrange(len(lines)) + 1 :]
            record["sub_total"] = sum(line["total_price"] for line in lines)
            record["order_comments"] = [{"body": f"{number}"}] * self._draw.randrange(3)
            # Long past, so that no run reads the order again for being changed of late.
            at = datetime.fromisoformat(record["updated_at"]) + timedelta(seconds=number)
            record["updated_at"] = at.isoformat()

    def never(self, holding: Holding, resource: str) -> list[str]:
        """Ids of records that are held as the service never had them, lines and all."""
        return [
            key
            for key, record in holding.alive.items()
            if not any(
                key in version[resource] and record == holding.as_held(version[resource][key])
                for version in self.versions
            )
        ]

    def is_held(self, holding: Holding, resource: str, number: int) -> bool:
        """Whether all records are held as they were in this version, or in a later one."""
        return all(
            any(
                key not in version[resource]
                or holding.alive.get(key) == holding.as_held(version[resource][key])
                for version in self.versions[number:]
            )
            for key in self.versions[number][resource]
        )


@dataclass
class Syncs:
    """Runs of `wholesale sync` into one folder. `began` has the start of each, UTC."""

    folder: Path
    service: Service
    began: list[datetime] = field(default_factory=list)

    @property
    def database(self) -> Path:
        return self.folder / "wholesale.duckdb"

    def run(
        self, seconds: float | None = None, *, until: Callable[[], bool] | None = None
    ) -> int | None:
        """Exit code of a run; None when it was killed: after these seconds, or as soon as `until`
        is true.
        """
        self.began.append(datetime.now(UTC))
        environment = os.environ | {
            "SOURCES__WHOLESALE__BASE_URL": self.service.base_url,
            "SOURCES__WHOLESALE__API_KEY": "sandbox",
        }
        output = self.folder / "output"
        output.write_text("")
        arguments = ("sync", *RESOURCES)
        process = start_command(arguments, self.folder, environment, output, program=COMMITS_OFTEN)
        while until and process.is_alive():
            if until():
                process.kill()
            time.sleep(0.01)
        process.join(seconds)
        if process.is_alive():
            process.kill()
            process.join()
        return None if process.exitcode == -signal.SIGKILL else process.exitcode

    def output(self) -> str:
        return (self.folder / "output").read_text()

    def loaded(self) -> int:
        """How many orders the run says it has loaded."""
        return max(map(int, re.findall(r"orders loaded: (\d+)", self.output())), default=0)

    def began_before(self, run_id: str) -> int:
        """Which run this id is of, from 0."""
        at = datetime.strptime(run_id, "%Y%m%dT%H%M%S.%fZ").replace(tzinfo=UTC)
        return sum(start <= at for start in self.began) - 1


@pytest.fixture
def service() -> Iterator[Service]:
    with serving("--orders", "150") as service:
        yield service


@pytest.mark.parametrize(
    ("kills", "runs_between"),
    [pytest.param(4, 2, marks=pytest.mark.slow), pytest.param(40, 20, marks=pytest.mark.long)],
)
def test_wherever_a_sync_is_killed_what_it_leaves_is_whole_and_the_next_run_repairs(
    service: Service, tmp_path: Path, kills: int, runs_between: int
) -> None:
    duration = _measure(service, tmp_path)
    draw = Random(1)
    moments = [duration * draw.uniform(0.15, 1.0) for _ in range(kills)]
    _kill_at(moments, service, tmp_path, runs_between=runs_between)


@pytest.mark.slow
def test_what_was_committed_before_a_kill_is_not_fetched_again(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Few requests at once, so that some orders are not asked for yet when the others are loaded.
    monkeypatch.setenv("SOURCES__WHOLESALE__CONCURRENCY", "2")
    syncs = Syncs(tmp_path, service)
    with httpx.Client(base_url=service.admin_url, verify=NOBODY, timeout=None) as admin:
        world = World(admin, seed=1)
        assert syncs.run() == 0, syncs.output()
        admin.delete("/requests").raise_for_status()
        assert syncs.run() == 0, syncs.output()
        of_lists = len(_requests(admin))
        changed = world.change_orders(35)
        # The last few orders are never answered, so that it cannot end before it is killed.
        silence = {"fault": "no-answer", "endpoints": ["get_order"], "after": of_lists + 28}
        admin.patch("/dials", json={"faults": [silence]}).raise_for_status()
        admin.delete("/requests").raise_for_status()
        assert syncs.run(until=lambda: syncs.loaded() >= 20) is None, syncs.output()
        assert sorted(_orders_asked_for(admin)) != sorted(changed)
        with read_only(syncs.database) as connection:
            held = read_holding(connection, "orders")
        assert held is not None
        committed = {
            key for key, record in changed.items() if held.alive[key] == held.as_held(record)
        }
        admin.patch("/dials", json={"faults": []}).raise_for_status()
        admin.delete("/requests").raise_for_status()
        assert syncs.run() == 0, syncs.output()
        again = _orders_asked_for(admin)

    assert committed != set()
    # As a set: what the killed run had asked for last may be noted after the log was cleared.
    assert set(again) == changed.keys() - committed


def _requests(admin: httpx.Client) -> list[dict[str, str]]:
    found: list[dict[str, str]] = admin.get("/requests").raise_for_status().json()["requests"]
    return found


def _orders_asked_for(admin: httpx.Client) -> list[str]:
    return [
        request["path"].rpartition("/")[2]
        for request in _requests(admin)
        if request["endpoint"] == "get_order"
    ]


def _measure(service: Service, folder: Path) -> float:
    """Seconds that a run takes which nobody kills."""
    (folder / "measured").mkdir()
    start = time.monotonic()
    syncs = Syncs(folder / "measured", service)
    assert syncs.run() == 0, syncs.output()
    return time.monotonic() - start


def _kill_at(
    moments: Sequence[float], service: Service, folder: Path, *, runs_between: int
) -> None:
    """Kill a run at each moment, and let one end after every so many; the world moves on before."""
    syncs = Syncs(folder, service)
    faults: dict[str, list[str]] = {}
    with httpx.Client(base_url=service.admin_url, verify=NOBODY, timeout=None) as admin:
        world = World(admin, seed=1)
        for number, moment in enumerate(moments, start=1):
            syncs.run(moment)
            if found := _faults(world, syncs):
                faults[f"run {len(syncs.began) - 1}, killed after {moment:.3f} s"] = found
            world.move_on()
            if number % runs_between == 0:
                _assert_repaired(world, syncs)
                world.move_on()
    assert faults == {}


def _faults(world: World, syncs: Syncs) -> list[str]:
    """What a reader of the warehouse could not rely on."""
    if not syncs.database.exists():
        return []
    with read_only(syncs.database) as connection:
        return [
            fault
            for resource in RESOURCES
            for fault in _faults_of(resource, connection, world, syncs)
        ]


def _faults_of(
    resource: str, connection: duckdb.DuckDBPyConnection, world: World, syncs: Syncs
) -> Iterator[str]:
    certified = _certified(connection, resource)
    if len(certified) > len(set(certified)):
        yield f"{resource}: two certificates of one run"
    holding = read_holding(connection, resource)
    if holding is None:
        if certified:
            yield f"{resource}: certified without tables"
        return
    yield from holding.faults[:3]
    if resource in WATCHED:
        yield from _faults_of_log(resource, connection)
    yield from (
        f"{resource}: {key} is held as it never was" for key in world.never(holding, resource)[:3]
    )
    if certified and not world.is_held(holding, resource, syncs.began_before(certified[-1])):
        yield f"{resource}: certified, and older than that"


def _faults_of_log(resource: str, connection: duckdb.DuckDBPyConnection) -> Iterator[str]:
    """The log tells of each record what stands in the table last, and nothing twice in a row."""
    columns = ", ".join(("id", *WATCHED[resource], DELETED_AT))
    of_record = "over (partition by id order by observed_at"
    log = (
        f"select {columns}, row_number() {of_record} desc) as recency, lead(row({columns}))"
        f" {of_record}) is not distinct from row({columns}) as is_repeated"
        f" from {log_of(resource)}"
    )
    last = f"select {columns} from ({log}) where recency = 1"
    if _rows(connection, f"({last} except from (select {columns} from {resource}))"):
        yield f"{resource}: the log does not end with what stands in the table"
    if _rows(connection, f"(select {columns} from {resource} except {last})"):
        yield f"{resource}: the table holds what the log does not end with"
    if _rows(connection, f"select id from ({log}) where is_repeated"):
        yield f"{resource}: the log tells the same twice"


def _certified(connection: duckdb.DuckDBPyConnection, resource: str) -> list[str]:
    """Ids of the runs that certify this resource complete, oldest first."""
    sql = "select run_id from sync_runs where resource = ? and verdict = 'complete' order by 1"
    return [str(run_id) for (run_id,) in _rows(connection, sql, resource)]


def _rows(
    connection: duckdb.DuckDBPyConnection, sql: str, *values: str
) -> list[tuple[object, ...]]:
    """The answer of the raw dataset; none where a table does not exist yet."""
    try:
        connection.execute("set schema = 'wholesale_raw'")
        return connection.execute(sql, values).fetchall()
    except duckdb.CatalogException:
        return []


def _assert_repaired(world: World, syncs: Syncs) -> None:
    """A run that nobody kills makes the warehouse equal to the service, row by row."""
    assert syncs.run() == 0, syncs.output()
    number = len(syncs.began) - 1
    with read_only(syncs.database) as connection:
        for resource in RESOURCES:
            holding = read_holding(connection, resource)
            assert holding is not None
            assert holding.faults == ()
            truth = world.ask(resource)
            assert holding.alive == {key: holding.as_held(truth[key]) for key in truth}
            assert syncs.began_before(_certified(connection, resource)[-1]) == number
