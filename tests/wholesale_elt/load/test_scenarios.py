"""Each scenario of the sandbox, and what a sync ends with in it."""

import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import httpx
import pytest

from support.records.changes import LATER
from support.records.samples import guid
from support.records.truth import Record, Records, read_holding, read_only, read_truth
from support.services.trust import NOBODY
from support.services.worlds import Clock
from wholesale.api.resources import RESOURCE
from wholesale.http.client import Client
from wholesale.http.transport import open_transport
from wholesale.settings import ApiSettings
from wholesale_elt.cli.errors import Exit, failure_of
from wholesale_elt.load.sync import Outcome, sync_resources
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_sandbox.faults.scenarios import SCENARIO
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

ORDERS = 120
RESOURCES = tuple(RESOURCE)
LISTS = tuple(name for name, row in RESOURCE.items() if row.parent is None)
"""Resources that have one list: the others cost a request a parent."""
MANY = 50
CLOCKS_DIFFER = 0.05
"""Seconds between reading a date in Retry-After here and in the client."""
PAGE_SIZE = 10
PATIENCE = 145.0
"""Seconds for which a dead service is asked."""
MOST_REQUESTS_TO_THE_DEAD = 30


class Wire(httpx.BaseTransport):
    """HTTP, and when each request was sent by the client's clock.

    `silences` are what answers asked for: when they came, and until when nothing may be sent.
    """

    def __init__(self, http: httpx.BaseTransport, clock: Clock) -> None:
        self.sent: list[float] = []
        self.silences: list[tuple[float, float]] = []
        self._clock = clock
        self._http = http

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.sent.append(self._clock.seconds())
        answer = self._http.handle_request(request)
        if asked := answer.headers.get("Retry-After", ""):
            now = self._clock.seconds()
            self.silences.append((now, now + _seconds(asked)))
        return answer


def _seconds(retry_after: str) -> float:
    if retry_after.isdigit():
        return float(retry_after)
    return (parsedate_to_datetime(retry_after) - datetime.now(UTC)).total_seconds()


@dataclass
class Bench:
    """A sandbox, and a warehouse that is synced from it by a client that never waits."""

    sandbox: Sandbox
    warehouse: Warehouse
    patch: pytest.MonkeyPatch
    resources: Sequence[str] = RESOURCES
    clock: Clock = field(default_factory=Clock)
    outcome: Outcome | None = None
    wire: Wire = field(init=False)

    def begin(self, scenario: str) -> None:
        self.sandbox.dials.change(SCENARIO[scenario].dials)
        self.sandbox.requests.clear()

    def sync(self, *, is_full: bool = False, **settings: Any) -> Exit:
        """How `wholesale sync` exits; `wire` notes what was sent."""
        of = ApiSettings.of(base_url=self.sandbox.base_url, api_key="sandbox", **settings)
        try:
            with closing(open_transport(of)) as http:
                self.wire = Wire(http, self.clock)
                client = partial(
                    Client, transport=self.wire, sleep=self.clock.skip, clock=self.clock.seconds
                )
                self.patch.setattr("wholesale.pages.service.Client", client)
                self.outcome = sync_resources(of, self.warehouse, self.resources, is_full=is_full)
        except Exception as error:
            return failure_of(error).exit
        if self.outcome.failures:
            return Exit.FAILED
        return Exit.DONE if self.outcome.is_complete else Exit.INCOMPLETE

    @property
    def incomplete(self) -> set[str]:
        assert self.outcome
        return {row.resource for row in self.outcome.certificates if row.verdict != "complete"}

    @property
    def faults(self) -> int:
        """Requests that a fault of the sandbox applied to."""
        return sum(bool(entry.faults) for entry in self.sandbox.requests.entries())

    def truth(self, resource: str) -> Records:
        """The records that have an id, by its text."""
        answer = httpx.get(
            f"{self.sandbox.admin_url}/truth/{resource}", verify=NOBODY
        ).raise_for_status()
        lines = answer.content.decode("utf-8", "surrogatepass").split("\n")
        records = read_truth("\n".join(line for line in lines if _has_id(line)))
        return {str(key): record for key, record in records.items()}

    def differing(
        self, resource: str, besides: Collection[str] = ()
    ) -> dict[str, tuple[Record | None, Record | None]]:
        """Records that are not as in the truth, by id: what is held, and what is so.

        Of the ones named `besides` it counts only that they are there. One that says when it was
        deleted must not be alive.
        """
        with read_only(self.warehouse.database) as connection:
            return self._differing(connection, resource, besides)

    def _differing(
        self,
        connection: duckdb.DuckDBPyConnection,
        resource: str,
        besides: Collection[str] = (),
    ) -> dict[str, tuple[Record | None, Record | None]]:
        holding = read_holding(connection, resource)
        assert holding is not None, f"{resource} has no table"
        assert holding.faults == ()
        truth = {
            key: holding.alive.get(key, record) if key in besides else holding.as_held(record)
            for key, record in self.truth(resource).items()
            if not record.get("deleted_at")
        }
        return {
            key: (holding.alive.get(key), truth.get(key))
            for key in truth.keys() | holding.alive.keys()
            if holding.alive.get(key) != truth.get(key)
        }

    def assert_exact(self) -> None:
        with read_only(self.warehouse.database) as connection:
            for resource in self.resources:
                assert self._differing(connection, resource) == {}, resource


def _has_id(line: str) -> bool:
    return bool(line) and json.loads(line).get("id") is not None


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    with Sandbox(SandboxSettings(orders=ORDERS)) as sandbox:
        yield Bench(sandbox, Warehouse(tmp_path / "test.duckdb"), monkeypatch)


@pytest.mark.parametrize("concurrency", [1, pytest.param(32, marks=pytest.mark.slow)])
def test_a_storm_is_outlasted_and_costs_little_more_than_its_failures(
    bench: Bench, tmp_path: Path, concurrency: int
) -> None:
    bench.resources = RESOURCES if concurrency > 1 else LISTS
    assert bench.sync(concurrency=concurrency) is Exit.DONE
    calm = len(bench.wire.sent)
    bench.warehouse = Warehouse(tmp_path / "storm.duckdb")
    bench.begin("storm")

    assert bench.sync(concurrency=concurrency) is Exit.DONE

    bench.assert_exact()
    assert bench.faults > 0.1 * calm
    assert len(bench.wire.sent) - calm <= 1.1 * bench.faults
    assert bench.wire.silences
    if concurrency == 1:  # else what is under way when a silence begins is sent already
        for told, until in bench.wire.silences:
            assert [at for at in bench.wire.sent if told < at < until - CLOCKS_DIFFER] == []


@pytest.mark.slow
def test_broken_answers_are_asked_for_again(bench: Bench) -> None:
    bench.resources = LISTS
    bench.begin("broken-answers")

    assert bench.sync(page_size=PAGE_SIZE) is Exit.DONE

    assert bench.faults > MANY
    for resource in LISTS:
        for held, _ in bench.differing(resource).values():
            assert held
            assert "1e400" in held["_extra"].values()  # JSON, and a number: it is kept as sent
    assert bench.sync(page_size=PAGE_SIZE) is Exit.DONE
    bench.assert_exact()


@pytest.mark.slow
def test_slow_answers_are_awaited_or_asked_for_again(bench: Bench) -> None:
    bench.begin("slow")

    assert bench.sync(timeout_seconds=4) is Exit.DONE

    assert bench.faults > 0
    bench.assert_exact()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scenario", "exit"), [("dead", Exit.FAILED), ("locked-out", Exit.CONFIGURATION)]
)
def test_a_service_that_is_lost_halfway_takes_nothing_with_it(
    bench: Bench, scenario: str, exit: Exit
) -> None:
    bench.resources = LISTS
    assert bench.sync() is Exit.DONE
    before = next(iter(bench.truth("orders").values()))
    bench.sandbox.put("orders", before | {"status": "shipped"})
    bench.begin(scenario)

    assert bench.sync(page_size=PAGE_SIZE) is exit

    for resource in LISTS:
        found = bench.differing(resource)
        assert found.keys() <= ({before["id"]} if resource == "orders" else set())
    bench.sandbox.dials.reset()
    assert bench.sync() is Exit.DONE
    bench.assert_exact()


@pytest.mark.parametrize("scenario", ["drift", "swap"])
def test_what_stands_still_is_exact_while_the_rest_moves(bench: Bench, scenario: str) -> None:
    bench.resources = ("orders",)
    assert bench.sync(page_size=PAGE_SIZE) is Exit.DONE
    bench.begin(scenario)

    exit = bench.sync(page_size=PAGE_SIZE)

    moved = {change.id for change in bench.sandbox.storage.changes.all()}
    assert moved
    assert exit in (Exit.DONE, Exit.INCOMPLETE)
    assert exit is Exit.INCOMPLETE or bench.differing("orders").keys() <= moved
    bench.sandbox.dials.change({"drift": 0})
    assert bench.sync(page_size=PAGE_SIZE) is Exit.DONE
    bench.assert_exact()


def test_silent_edits_are_found_by_a_run_in_full(bench: Bench) -> None:
    bench.resources = ("orders",)
    assert bench.sync(page_size=PAGE_SIZE) is Exit.DONE
    bench.begin("silent")
    assert bench.sync(page_size=PAGE_SIZE) in (Exit.DONE, Exit.INCOMPLETE)
    assert bench.sandbox.storage.changes.all()
    bench.sandbox.dials.change({"drift": 0})

    assert bench.sync(page_size=PAGE_SIZE, is_full=True) is Exit.DONE

    bench.assert_exact()


@pytest.mark.parametrize("fault", ["version-of-all", "version-missing"])
def test_an_edit_that_no_version_and_no_summary_tells_of_is_found(bench: Bench, fault: str) -> None:
    bench.resources = ("orders",)
    bench.sandbox.dials.change({"faults": [{"fault": fault}]})
    assert bench.sync(page_size=PAGE_SIZE) is Exit.DONE
    before = next(iter(bench.truth("orders").values()))
    bench.sandbox.put("orders", before | {"po_number": "edited"})

    assert bench.sync(page_size=PAGE_SIZE) is Exit.DONE

    with read_only(bench.warehouse.database) as connection:
        found = connection.execute(
            "select id from wholesale_raw.orders where po_number = 'edited'"
        ).fetchall()
    assert found == [(before["id"],)]


@pytest.mark.parametrize("fault", ["410-for-404", "null-for-404"])
def test_records_are_gone_whichever_answer_says_so(bench: Bench, fault: str) -> None:
    bench.resources = ("orders",)
    assert bench.sync(page_size=PAGE_SIZE) is Exit.DONE
    bench.sandbox.dials.change({"faults": [{"fault": fault}]})
    for order in list(bench.truth("orders"))[:MANY]:
        bench.sandbox.delete("orders", order)

    assert bench.sync(page_size=PAGE_SIZE) is Exit.DONE

    assert bench.faults > 0
    bench.assert_exact()


def test_a_list_that_fails_in_large_pages_is_read_in_smaller_ones(bench: Bench) -> None:
    bench.resources = ("items", "brands")
    fault = {"fault": "500-when-large", "number": 10_000, "resources": ["items"]}
    bench.sandbox.dials.change({"faults": [fault]})

    assert bench.sync() is Exit.DONE

    assert bench.faults > 0
    bench.assert_exact()


def test_lists_of_any_shape_are_read(bench: Bench) -> None:
    bench.begin("odd-lists")

    assert bench.sync() is Exit.DONE

    bench.assert_exact()


def test_lists_that_lie_about_their_pages_lose_nothing(bench: Bench) -> None:
    bench.resources = LISTS
    bench.begin("lying-pages")

    bench.sync()

    for resource in LISTS:
        differing = bench.differing(resource)
        assert all(held and is_so for held, is_so in differing.values()), resource
        # an older copy beside a record is told by its version alone
        assert not differing or (
            resource in bench.incomplete and not RESOURCE[resource].version.value
        )
    bench.sandbox.dials.reset()
    assert bench.sync() is Exit.DONE
    bench.assert_exact()


def test_lines_that_all_orders_lose_at_once_are_kept(bench: Bench) -> None:
    bench.resources = ("orders",)
    assert bench.sync() is Exit.DONE
    bench.sandbox.dials.change({"faults": [{"fault": "lines-missing"}]})

    assert bench.sync(is_full=True) is Exit.INCOMPLETE

    bench.sandbox.dials.reset()
    bench.assert_exact()


def test_strange_values_are_kept_as_they_were_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = SandboxSettings(orders=ORDERS, plants=SCENARIO["strange-values"].plants)
    with Sandbox(settings) as sandbox:
        bench = Bench(sandbox, Warehouse(tmp_path / "test.duckdb"), monkeypatch, LISTS)
        planted = {change.id for change in sandbox.storage.changes.all()}

        assert bench.sync() is Exit.INCOMPLETE

        assert bench.incomplete == {"orders"}
        for resource in LISTS:
            assert bench.differing(resource, besides=planted) == {}
        with read_only(bench.warehouse.database) as connection:
            assert connection.execute(
                "select resource, count(*) from wholesale_raw.quarantine group by all"
            ).fetchall() == [("orders", 2)]
            assert connection.execute(
                "select count(*) from wholesale_raw.orders where _extra ->> '$.total' = '12,50'"
            ).fetchall() == [(3,)]


def test_records_that_say_that_they_are_deleted_are_marked_and_loaded_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = SandboxSettings(orders=ORDERS, plants=SCENARIO["soft-deletions"].plants)
    with Sandbox(settings) as sandbox:
        bench = Bench(sandbox, Warehouse(tmp_path / "test.duckdb"), monkeypatch)
        planted = {change.id for change in sandbox.storage.changes.all()}

        assert bench.sync() is Exit.DONE
        marked = _marked(bench)
        assert bench.sync() is Exit.DONE
        assert bench.outcome
        assert {row.resource for row in bench.outcome.certificates if row.changed} == set()
        assert bench.sync(is_full=True) is Exit.DONE

        assert _marked(bench) == marked
        assert {row[0] for row in marked} == planted
        for resource in RESOURCES:
            assert bench.differing(resource) == {}


def _marked(bench: Bench) -> Sequence[Any]:
    with read_only(bench.warehouse.database) as connection:
        return connection.execute(
            " union all ".join(
                f"select id, _deleted_at, deleted_at from wholesale_raw.{resource}"
                " where _deleted_at is not null"
                for resource in ("orders", "items", "vendors")
            )
            + " order by id"
        ).fetchall()


def test_a_record_whose_id_is_written_either_way_is_loaded_once(bench: Bench) -> None:
    bench.resources = ("items", "variants", "prices")
    bench.begin("two-spellings")

    for _ in range(3):
        assert bench.sync(page_size=PAGE_SIZE) is Exit.DONE

    assert bench.outcome
    assert [row.changed or row.new for row in bench.outcome.certificates] == [0, 0, 0]
    with read_only(bench.warehouse.database) as connection:
        for resource in bench.resources:
            ids = connection.execute(f"select lower(id) from wholesale_raw.{resource}").fetchall()
            assert sorted(key for (key,) in ids) == sorted(bench.truth(resource))


def test_a_child_is_gone_though_it_spells_its_parent_otherwise(bench: Bench) -> None:
    bench.resources = ("items", "variants", "buyers", "buyer_users")
    bench.begin("other-references")
    assert bench.sync() is Exit.DONE
    gone = next(iter(bench.truth("variants").values()))
    parent = bench.truth("items")[gone["parent_id"]]
    bench.sandbox.delete("variants", gone["id"])
    bench.sandbox.put("items", parent | {"variants_count": parent["variants_count"] - 1})

    assert bench.sync() is Exit.DONE

    assert bench.outcome
    (certificate,) = (row for row in bench.outcome.certificates if row.resource == "variants")
    assert (certificate.new, certificate.changed, certificate.deleted) == (0, 0, 1)


def test_lines_in_another_order_each_time_are_no_change(bench: Bench) -> None:
    bench.resources = ("orders",)
    bench.begin("shuffled-lines")
    assert bench.sync(is_full=True) is Exit.DONE
    bench.sandbox.requests.clear()

    assert bench.sync(is_full=True) is Exit.DONE

    assert bench.faults > 0
    assert bench.outcome
    (certificate,) = bench.outcome.certificates
    assert (certificate.changed, certificate.silent) == (0, 0)


def test_a_list_that_comes_from_a_replica_that_lags_is_not_certified(bench: Bench) -> None:
    bench.resources = ("orders",)
    assert bench.sync() is Exit.DONE
    bench.sandbox.dials.change({"faults": [{"fault": "rows-older", "after": 1}]})

    assert bench.sync(concurrency=1) is Exit.INCOMPLETE

    assert bench.outcome
    (certificate,) = bench.outcome.certificates
    assert "listed in an older version than before" in (certificate.reason or "")
    bench.sandbox.dials.reset()
    assert bench.sync() is Exit.DONE
    bench.assert_exact()


@pytest.mark.slow
@pytest.mark.parametrize(("fault", "orders"), [("text-50kb", 2000), ("text-200kb", 400)])
def test_orders_with_long_texts_are_loaded_and_compared_like_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str, orders: int
) -> None:
    settings = SandboxSettings(orders=orders, plants=({"fault": fault, "times": orders},))
    with Sandbox(settings) as sandbox:
        bench = Bench(sandbox, Warehouse(tmp_path / "test.duckdb"), monkeypatch, ("orders",))
        assert bench.sync() is Exit.DONE
        bench.assert_exact()

        assert bench.sync(is_full=True) is Exit.DONE

        assert bench.outcome
        assert [row.changed for row in bench.outcome.certificates] == [0]
        bench.assert_exact()


@pytest.mark.parametrize(("alive_for", "concurrency"), [(0, 1), (0, 32), (20, 1)])
def test_a_dead_service_is_left_alone(bench: Bench, alive_for: int, concurrency: int) -> None:
    bench.sandbox.dials.change({"faults": [{"fault": "503-after-nothing", "after": alive_for}]})

    assert bench.sync(concurrency=concurrency) is Exit.FAILED

    assert bench.faults == len(bench.wire.sent) - alive_for
    assert bench.faults <= MOST_REQUESTS_TO_THE_DEAD
    assert bench.wire.sent[-1] - bench.wire.sent[alive_for] <= PATIENCE


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scenario", "resources"),
    [
        ("large-pages", ("orders",)),
        ("capped-totals", LISTS),
        ("wrong-totals", LISTS),
        ("no-totals", LISTS),
        ("empty-once", LISTS),
        ("late-replica", ("orders",)),
        ("partial-bodies", ("orders",)),
        ("missing-fields", ("orders",)),
        ("unlike-lists", ("orders", "items", "variants", "buyers", "buyer_users", "vendors")),
        ("other-summaries", ("orders",)),
        ("basic-lists", ("orders",)),
        ("two-spellings", ("orders",)),
        ("dashless-ids", ("orders",)),
        ("odd-lists", LISTS),
    ],
)
def test_what_stands_still_is_proved_however_it_is_shown(
    bench: Bench, scenario: str, resources: Sequence[str]
) -> None:
    bench.resources = resources
    bench.begin(scenario)

    for _ in range(2):
        assert bench.sync(page_size=PAGE_SIZE) is Exit.DONE
        bench.assert_exact()


@pytest.mark.parametrize(
    ("scenario", "resources"),
    [
        ("gaps", LISTS),
        ("null-lists", LISTS),
        ("poor-pages", ("orders",)),
        ("from-zero", LISTS),
        ("from-zero", ("vendors",)),  # one page, and page 1 is denied
        ("from-zero", ("price_lists",)),  # and is empty
        ("endless-lists", LISTS),
        ("endless-lists", ("vendors",)),  # and shows page 0
        ("dashless-ids", ("orders", "vendors")),
    ],
)
def test_what_changes_between_two_runs_is_found_however_it_is_shown(
    bench: Bench, scenario: str, resources: Sequence[str]
) -> None:
    bench.resources = resources
    page_size = 2 * PAGE_SIZE
    bench.begin(scenario)
    assert bench.sync(page_size=page_size) is Exit.DONE
    bench.assert_exact()
    for resource in resources[:2]:
        (_, edited), (gone, _), *_ = bench.truth(resource).items()
        bench.sandbox.put(resource, edited | {"status": "edited", "updated_at": LATER})
        bench.sandbox.delete(resource, gone)
        bench.sandbox.put(resource, edited | {"id": guid("new"), "updated_at": LATER})

    assert bench.sync(page_size=page_size) is Exit.DONE

    bench.assert_exact()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scenario", "resources", "doubted"),
    [
        ("lost-bodies", ("orders",), {"orders"}),
        ("closed-window", ("orders",), {"orders"}),
        ("thin-lists", ("items", "variants"), {"items", "variants"}),
        (
            "lost-children",
            ("items", "variants", "buyers", "buyer_users"),
            {"variants", "buyer_users"},
        ),
        ("uncounted-children", ("items", "variants"), {"variants"}),
        ("mixed-up-children", ("items", "variants"), {"variants"}),
        (
            "failing-records",
            ("items", "orders", "variants", "vendors"),
            {"orders", "variants", "vendors"},
        ),
        ("failing-pages", ("orders", "vendors"), {"orders"}),
        ("forbidden", ("vendors", "prices"), {"prices"}),
    ],
)
def test_what_cannot_be_read_is_said_and_costs_nothing_else(
    bench: Bench, scenario: str, resources: Sequence[str], doubted: Collection[str]
) -> None:
    bench.resources = resources
    bench.begin(scenario)

    for _ in range(2):
        assert bench.sync(page_size=PAGE_SIZE) in (Exit.INCOMPLETE, Exit.FAILED)
        assert bench.incomplete == doubted
        for resource in resources:
            missing = bench.differing(resource)
            assert resource in doubted or missing == {}
            assert all(is_so for _, is_so in missing.values()), "nothing is deleted or made up"

    bench.sandbox.dials.reset()
    assert bench.sync(page_size=PAGE_SIZE) is Exit.DONE
    bench.assert_exact()


def test_all_but_the_orders_that_the_service_fails_at_is_loaded(bench: Bench) -> None:
    bench.resources = ("orders",)
    bench.begin("failing-records")

    for is_full in (False, True, False):
        assert bench.sync(page_size=PAGE_SIZE, is_full=is_full) is Exit.INCOMPLETE

        missing = bench.differing("orders")
        assert 0 < len(missing) < ORDERS / 8
        assert bench.outcome
        (certificate,) = bench.outcome.certificates
        assert certificate.reason
        assert certificate.reason.startswith(f"{len(missing)} records cannot be read: GET /orders/")
        assert any(key in certificate.reason for key in missing)

    bench.sandbox.dials.reset()
    assert bench.sync(page_size=PAGE_SIZE) is Exit.DONE
    bench.assert_exact()


def test_a_record_that_names_its_id_twice_is_set_aside_alone(bench: Bench) -> None:
    bench.resources = ("vendors",)
    vendors = httpx.get(
        f"{bench.sandbox.base_url}/vendors?limit=100",
        headers={"X-API-Key": "sandbox"},
        verify=NOBODY,
    ).json()["data"]
    first = vendors[0]["id"]
    bench.begin("failing-records")

    for is_full in (False, True, False):
        assert bench.sync(page_size=100, is_full=is_full) is Exit.INCOMPLETE

        assert bench.differing("vendors").keys() == {first}
        with read_only(bench.warehouse.database) as connection:
            aside = connection.execute(
                "select resource, page, index, reason, json_extract_string(body, '$.name')"
                " from wholesale_raw.quarantine"
            ).fetchall()
        reason = "an object of the body names its key 'id' twice"
        assert aside == [("vendors", 1, 0, reason, vendors[0]["name"])]

    bench.sandbox.dials.reset()
    assert bench.sync(page_size=100) is Exit.DONE
    bench.assert_exact()


@pytest.mark.slow
def test_a_server_without_data_makes_nothing_gone(bench: Bench) -> None:
    bench.resources = ("orders", "vendors")
    assert bench.sync(page_size=PAGE_SIZE) is Exit.DONE
    gone = {resource: min(bench.truth(resource)) for resource in bench.resources}
    for resource, key in gone.items():
        bench.sandbox.delete(resource, key)
    bench.begin("server-without-data")

    for _ in range(3):
        ended = bench.sync(page_size=PAGE_SIZE)
        assert ended in (Exit.DONE, Exit.INCOMPLETE)
        for resource in bench.resources:
            is_proved = resource not in bench.incomplete
            assert bench.differing(resource).keys() <= (set() if is_proved else {gone[resource]})

    bench.sandbox.dials.reset()
    assert bench.sync(page_size=PAGE_SIZE) is Exit.DONE
    bench.assert_exact()


@pytest.mark.slow
@pytest.mark.parametrize(
    "scenario",
    [
        "moving-children",
        "unversioned",
        "hidden-edits",
        "backward",
        "stale-bodies",
        "lagging-totals",
    ],
)
def test_what_moves_is_there_once_it_stands_still(bench: Bench, scenario: str) -> None:
    """While it moves the certificate is of a moment; whatever came later comes with a later run."""
    bench.resources = ("items", "variants", "orders")
    bench.begin(scenario)
    assert bench.sync(page_size=PAGE_SIZE) in (Exit.DONE, Exit.INCOMPLETE)
    bench.sandbox.dials.reset()

    assert bench.sync(page_size=PAGE_SIZE, is_full=True) is Exit.DONE
    bench.assert_exact()


@pytest.mark.slow
def test_a_service_that_never_rests_is_certified_run_after_run(tmp_path: Path) -> None:
    """Two changes a second, while each run takes some seconds."""
    dials = {"latency_seconds": 0.05}
    settings = SandboxSettings(orders=5_000, live_per_minute=120, dials=dials)
    with Sandbox(settings) as sandbox:
        of = ApiSettings.of(base_url=sandbox.base_url, api_key="sandbox")
        found = [
            sync_resources(of, Warehouse(tmp_path / "live.duckdb"), ["orders"]).certificates[0]
            for _ in range(8)
        ]

    assert sum(certificate.new for certificate in found) > settings.orders
    assert sum(certificate.verdict == "complete" for certificate in found) >= 7
    assert sum(certificate.sweeps for certificate in found) <= 2 * len(found)
