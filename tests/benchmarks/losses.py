"""What extractors lose in the same worlds: ours, watermarks, and dlt's own `rest_api` source.

`poe losses` measures, and fills the table of the README.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import dlt
import duckdb
import httpx
import requests
from dlt.pipeline.exceptions import PipelineStepFailed
from dlt.sources.helpers.requests import Client
from dlt.sources.rest_api import rest_api_source
from requests.adapters import BaseAdapter

from support.documents.readmes import fill
from support.paths import ROOT
from support.records.model import COMMENTS, LINES, Model
from support.services.worlds import BASE_PATH, QUIET, Record, World
from wholesale.errors import ServiceError

README = ROOT / "sources/wholesale/sync/README.md"
AS_DESCRIBED: Mapping[str, Any] = {
    "shape": "envelope",
    "omitted": frozenset(),
    "total": "right",
    "past_the_end": "empty",
}
"""Lists as §2.3 describes them, so that nobody loses rows for not knowing another form."""
ATTEMPTS = 5
STARTS = 5
"""How often a run that failed is started, as a scheduler does."""
FAILURES = (ServiceError, httpx.HTTPError, json.JSONDecodeError, PipelineStepFailed)


@dataclass(frozen=True, slots=True)
class Version:
    """What of an order changes with its versions: texts and counts alone, exact in any type."""

    fields: tuple[str | None, ...]
    entries: tuple[tuple[str, int] | str, ...]

    @staticmethod
    def of(order: Record, lines: Iterable[Record], comments: Iterable[Record]) -> "Version":
        return Version(
            (order.get("status"), order.get("payment_status")),
            (
                *((line["sku"], line["quantity"]) for line in lines),
                *(comment["text"] for comment in comments),
            ),
        )


Versions = dict[str, Version]
"""Orders that count as alive, by id."""


class Extractor(Protocol):
    """Loads one world again and again."""

    def run(self) -> bool:
        """Whether all is well as far as the run can tell. Raises what it fails with."""

    def held(self) -> Versions: ...


class Ours:
    """The reader, and the model of the load that the worlds are tested with."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._model = Model()

    def run(self) -> bool:
        return not self._model.sync(self._world).doubts.sentences()

    def held(self) -> Versions:
        lines, comments = (self._model.children[table] for table in (LINES, COMMENTS))
        return {
            key: Version.of(row, lines[key], comments[key])
            for key, row in self._model.rows.items()
            if key not in self._model.deleted
        }


class Watermark:
    """Takes what is not older than the newest `updated_at` of its last run, replacing by id.

    With `stops_early` it reads no page after one that holds nothing of that resource.
    """

    def __init__(self, world: World, *, stops_early: bool) -> None:
        self._world = world
        self._stops_early = stops_early
        self._newest = ""
        self._orders: dict[str, Record] = {}

    def run(self) -> bool:
        newest, number = self._newest, 1
        with _client(self._world) as client:
            while number:
                body = json.loads(_page(self._world, client, number))
                stamps = [order["updated_at"] or "" for order in body["data"]]
                for order, stamp in zip(body["data"], stamps, strict=True):
                    if stamp >= self._newest or not stamp:
                        self._orders[order["id"]] = order
                newest = max([newest, *stamps])
                if self._stops_early and stamps and max(stamps) < self._newest:
                    break
                number = body["pagination"]["next"]
        self._newest = newest
        return True

    def held(self) -> Versions:
        return {
            key: Version.of(order, order["order_line_items"], order["order_comments"])
            for key, order in self._orders.items()
        }


class Reload:
    """Keeps the pages as they came, and lets DuckDB's `read_json` make the table anew each time."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._orders: list[Record] = []

    def run(self) -> bool:
        number = 1
        with (
            TemporaryDirectory() as folder,
            _client(self._world) as client,
            duckdb.connect() as connection,
        ):
            while number:
                text = _page(self._world, client, number)
                (Path(folder) / f"{number}.json").write_text(text, "utf-8")
                number = json.loads(text)["pagination"]["next"]
            rows = connection.execute(
                f"select sent from (select unnest(data) as sent"
                f" from read_json('{folder}/*.json', columns = {{data: 'json[]'}}))"
                " qualify row_number() over"
                " (partition by sent ->> 'id' order by sent ->> 'updated_at' desc) = 1"
            ).fetchall()
        self._orders = [json.loads(text) for (text,) in rows]
        return True

    def held(self) -> Versions:
        return {
            order["id"]: Version.of(order, order["order_line_items"], order["order_comments"])
            for order in self._orders
        }


class RestApi:
    """dlt's `rest_api` source as its documentation declares it: page numbers, a cursor, a merge.

    Its own session asks again where its own rules say so, only without the waiting between.
    """

    def __init__(self, world: World, folder: Path) -> None:
        self._world = world
        self._database = folder / "warehouse.duckdb"
        client = Client(raise_for_status=False, request_backoff_factor=0)
        client.session.mount("http://", InProcess(world.transport()))
        self._session = client.session
        self._pipeline = dlt.pipeline(
            "peer",
            destination=dlt.destinations.duckdb(str(self._database)),
            dataset_name="peer",
            pipelines_dir=str(folder / "pipelines"),
        )

    def run(self) -> bool:
        self._pipeline.abort_packages()
        source = rest_api_source(
            {
                "client": {
                    "base_url": f"http://127.0.0.1{BASE_PATH}/",
                    "headers": {"X-API-Key": "world"},
                    "session": self._session,
                },
                "resources": [
                    {
                        "name": "orders",
                        "primary_key": "id",
                        "write_disposition": "merge",
                        "endpoint": {
                            "path": "orders",
                            "params": {"verbose": "true", "limit": self._world.habits.page_size},
                            "data_selector": "data",
                            "paginator": {
                                "type": "page_number",
                                "base_page": 1,
                                "page_param": "page",
                                "total_path": "pagination.total_pages",
                            },
                            "incremental": {
                                "cursor_path": "updated_at",
                                "on_cursor_value_missing": "include",
                            },
                        },
                    }
                ],
            }
        )
        self._pipeline.run(source).raise_on_failed_jobs()
        return True

    def held(self) -> Versions:
        if not self._database.exists():
            return {}
        with duckdb.connect(str(self._database), read_only=True) as connection:
            orders = _records(connection, "orders", "id")
            lines = _by_parent(_records(connection, "orders__order_line_items", "_dlt_list_idx"))
            comments = _by_parent(_records(connection, "orders__order_comments", "_dlt_list_idx"))
        return {
            order["id"]: Version.of(
                order, lines.get(order["_dlt_id"], []), comments.get(order["_dlt_id"], [])
            )
            for order in orders
        }


class InProcess(BaseAdapter):
    """Lets `requests` talk to a service in this process."""

    def __init__(self, transport: httpx.MockTransport) -> None:
        super().__init__()
        self._transport = transport

    def __deepcopy__(self, memo: object) -> "InProcess":
        return self  # dlt copies its configuration to validate it

    def send(self, request: requests.PreparedRequest, *_: Any, **__: Any) -> requests.Response:
        headers = {name: str(value) for name, value in request.headers.items()}
        sent = httpx.Request(request.method or "GET", request.url or "", headers=headers)
        try:
            answer = self._transport.handle_request(sent)
            content = answer.read()
        except httpx.ReadError as error:
            raise requests.exceptions.ChunkedEncodingError(str(error)) from None
        except httpx.TransportError as error:
            raise requests.ConnectionError(str(error)) from None
        response = requests.Response()
        response.status_code = answer.status_code
        response.headers.update(answer.headers)
        response.url, response.request = str(sent.url), request
        response._content = content
        return response

    def close(self) -> None:
        pass


def _client(world: World) -> httpx.Client:
    return httpx.Client(
        base_url=f"http://127.0.0.1{BASE_PATH}",
        headers={"X-API-Key": "world"},
        transport=world.transport(),
    )


def _page(world: World, client: httpx.Client, number: int) -> str:
    """A page of orders in full; a request that fails is sent again at once."""
    query = {"page": str(number), "limit": str(world.habits.page_size), "verbose": "true"}
    for attempt in range(1, ATTEMPTS + 1):
        try:
            text = client.get("/orders", params=query).raise_for_status().text
            json.loads(text)
            return text
        except (httpx.HTTPError, json.JSONDecodeError):
            if attempt == ATTEMPTS:
                raise
    raise AssertionError("the last attempt returns or raises")


def _records(connection: duckdb.DuckDBPyConnection, table: str, order: str) -> list[Record]:
    if not connection.execute(
        "from duckdb_tables() where schema_name = 'peer' and table_name = ?", [table]
    ).fetchall():
        return []
    cursor = connection.execute(f"select * from peer.{table} order by {order}")
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _by_parent(entries: Iterable[Record]) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = {}
    for entry in entries:
        found.setdefault(entry["_dlt_parent_id"], []).append(entry)
    return found


@dataclass(frozen=True, slots=True)
class Losses:
    """What is wrong after a run in peace, as numbers of orders.

    `lost` are not held, `stale` are held as they were, `ghosts` are held though deleted, and
    `wrong_lines` have other lines or comments. `is_certain`: the last run said that all is well.
    `failed_runs` broke off with an error, and were started again.
    """

    orders: int
    lost: int
    stale: int
    ghosts: int
    wrong_lines: int
    is_certain: bool
    failed_runs: int

    @property
    def is_wrong(self) -> bool:
        return bool(self.lost or self.stale or self.ghosts or self.wrong_lines)

    @property
    def is_untold(self) -> bool:
        return self.is_wrong and self.is_certain


def lose(world: World, extractor: Extractor, *, is_calm: bool = False) -> Losses:
    """What an extractor has lost once the world has come to rest; a calm one never moves."""
    random = Random(world.seed)
    failures = 0
    if random.random() < 0.5:
        failures += _run(extractor)[1]
    for _ in range(random.randint(1, 2)):
        if not is_calm:
            world.mutate_at_rest(random.choice((0, 3, 30)))
            world.drift = world.draw_drift()
        failures += _run(extractor)[1]
    world.drift = QUIET
    is_certain, failed = _run(extractor)
    truth, held = _truth(world), extractor.held()
    both = [(truth[key], held[key]) for key in truth.keys() & held.keys()]
    return Losses(
        orders=len(truth),
        lost=len(truth.keys() - held.keys()),
        stale=sum(is_.fields != had.fields for is_, had in both),
        ghosts=len(held.keys() - truth.keys()),
        wrong_lines=sum(is_.entries != had.entries for is_, had in both),
        is_certain=is_certain,
        failed_runs=failures + failed,
    )


def _run(extractor: Extractor) -> tuple[bool, int]:
    """Run until a run does not fail: whether that one says that all is well, and the failures."""
    for failures in range(STARTS):
        try:
            return extractor.run(), failures
        except FAILURES:
            pass
    return False, STARTS


def _truth(world: World) -> Versions:
    return {
        key: Version.of(order.fields, order.lines, order.comments)
        for key, order in world.orders.items()
    }


@contextmanager
def _rest_api(world: World) -> Iterator[Extractor]:
    with TemporaryDirectory() as folder:
        yield RestApi(world, Path(folder))


CONTENDERS: Mapping[str, Callable[[World], AbstractContextManager[Extractor]]] = {
    "wholesale sync": lambda world: nullcontext(Ours(world)),
    "watermark, stops early": lambda world: nullcontext(Watermark(world, stops_early=True)),
    "watermark, reads every page": lambda world: nullcontext(Watermark(world, stops_early=False)),
    "DuckDB read_json, all pages each run": lambda world: nullcontext(Reload(world)),
    "dlt rest_api, incremental": _rest_api,
}


def measure(name: str, seed: int, *, is_calm: bool = False) -> Losses:
    """One contender in the world of this seed; a calm one has no faults either."""
    habits = {**AS_DESCRIBED, "fault_share": 0.0} if is_calm else AS_DESCRIBED
    world = World(seed, **habits)
    with CONTENDERS[name](world) as extractor:
        return lose(world, extractor, is_calm=is_calm)


def table(found: Mapping[str, Sequence[Losses]]) -> str:
    """Markdown: how many orders are wrong, and in which share of the worlds."""
    head = (
        "| | Worlds | Orders | Lost | Stale | Deleted, still there | Other lines or comments"
        " | Worlds wrong | Wrong, and said nothing | Runs that failed openly |"
    )
    rule = "| --- " + "| --: " * 9 + "|"
    return "\n".join([head, rule, *(_row(name, losses) for name, losses in found.items())])


def _row(name: str, losses: Sequence[Losses]) -> str:
    def share(of: Callable[[Losses], Any]) -> str:
        count = sum(bool(of(found)) for found in losses)
        return f"{count / len(losses):.1%}" if count else "0"

    def cell(of: Callable[[Losses], int]) -> str:
        total = sum(of(found) for found in losses)
        return f"{total:,} ({share(of)})" if total else "0"

    cells = [
        f"{len(losses):,}",
        f"{sum(found.orders for found in losses):,}",
        cell(lambda found: found.lost),
        cell(lambda found: found.stale),
        cell(lambda found: found.ghosts),
        cell(lambda found: found.wrong_lines),
        share(lambda found: found.is_wrong),
        share(lambda found: found.is_untold),
        f"{sum(found.failed_runs for found in losses):,}",
    ]
    return f"| {name} | " + " | ".join(cells) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", type=int, default=1_000)
    parser.add_argument("--dlt-worlds", type=int, default=200, help="a run of dlt takes a second")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    chosen = parser.parse_args()
    os.environ.setdefault("RUNTIME__LOG_LEVEL", "CRITICAL")  # dlt's, also of runs that fail
    found: dict[str, list[Losses]] = {}
    with ProcessPoolExecutor(chosen.processes) as pool:
        for name in CONTENDERS:
            worlds = chosen.dlt_worlds if name.startswith("dlt") else chosen.worlds
            found[name] = list(pool.map(partial(measure, name), range(worlds), chunksize=5))
            print(f"{name}: {worlds} worlds", file=sys.stderr)
    README.write_text(fill(README.read_text("utf-8"), {"losses": table(found)}), "utf-8")


if __name__ == "__main__":
    main()
