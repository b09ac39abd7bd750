"""Walks: what a page passes from the socket to DuckDB, and an order's total to the dashboard.

Both are found by dye, a value that stands nowhere else. A page comes to a module when one of its
functions takes, or hands on, something that holds the dye, and enters it when another module calls
that function; a total comes to a column that holds it.

`poe walk` fills the places of the walks in CONTRIBUTING.
"""

import dataclasses
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, NamedTuple

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from support.documents.readmes import fill
from support.paths import ROOT
from support.records.samples import order
from wholesale.api.resources import RESOURCE
from wholesale.settings import ApiSettings
from wholesale.tables import Lines
from wholesale_elt.load.sync import sync_resources
from wholesale_elt.models.build import build_models
from wholesale_elt.publish.publisher import publish_marts
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

CONTRIBUTING = ROOT / ".github/CONTRIBUTING.md"
WORD = "a word that stands nowhere else"
TOTAL = Decimal("98765432.101234567")
PACKAGES = ("wholesale.", "wholesale_elt.")
DEPTH = 3
"""Of values within values that are looked through for the dye."""


class Station(NamedTuple):
    """A call that the word comes to: its module, and the one that called, empty in a new thread."""

    module: str
    caller: str


def holds_word(value: Any, depth: int = DEPTH) -> bool:
    """Whether bytes, a text, a table, or what is made of such holds the word."""
    match value:
        case bytes() | bytearray() | memoryview() | pa.Buffer():
            return WORD.encode() in bytes(value)
        case Lines():  # what follows the text is memory of anything that was freed
            return holds_word(value.text)
        case str():
            return WORD in value
        case pa.Table() | pa.RecordBatch():
            return any(map(holds_word, value.columns))
        case pa.Array() | pa.ChunkedArray() if pa.types.is_string(value.type):
            return bool(pc.any(pc.match_substring(value, WORD)).as_py())
        case list() | tuple() if depth:
            return any(holds_word(entry, depth - 1) for entry in value)
        case Mapping() if depth:
            return any(holds_word(entry, depth - 1) for entry in value.values())
    if depth and dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value)]
        return any(holds_word(getattr(value, name, None), depth - 1) for name in names)
    return False


def taken(frame: FrameType) -> Iterator[Any]:
    """The arguments of a call."""
    code = frame.f_code
    for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
        yield frame.f_locals.get(name)


def module_of(frame: FrameType) -> str:
    """The module of ours that a frame belongs to; empty for other code, and for what Python
    generates."""
    name: str = frame.f_globals.get("__name__", "")
    return name if name.startswith(PACKAGES) and frame.f_code.co_filename != "<string>" else ""


def caller_of(frame: FrameType) -> str:
    """The module of ours that called; empty where a thread begins."""
    caller = frame.f_back
    while caller and not module_of(caller):
        caller = caller.f_back
    return module_of(caller) if caller else ""


@contextmanager
def traced() -> Iterator[list[Station]]:
    """The stations of the word while the block runs.

    What a value that holds it is asked itself is no station.
    """
    stations: list[Station] = []
    known: set[FrameType] = set()

    def look(frame: FrameType, event: str, value: Any) -> None:
        module = module_of(frame)
        if frame in known or not module:
            return
        if event == "call":
            comes = any(map(holds_word, taken(frame)))
        else:
            comes = event == "return" and holds_word(value)
        if comes and not holds_word(frame.f_locals.get("self")):
            known.add(frame)
            stations.append(Station(module, caller_of(frame)))

    threading.setprofile(look)
    sys.setprofile(look)
    try:
        yield stations
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def walk_of_a_page() -> Mapping[str, int]:
    """The modules that a page comes to in a first sync, in order, and how often it enters each.

    It is the second page of the orders: the first is also looked at for what the rest may hold.
    One is asked for at a time, so that the walk is the same each time.
    """
    with Sandbox(SandboxSettings(empty=True)) as running, TemporaryDirectory() as folder:
        for name in ("A", "B", "C"):
            running.put("orders", order(name))
        running.put("orders", order("D", po_number=WORD))
        settings = ApiSettings.of(
            base_url=running.base_url, api_key="sandbox", page_size=2, concurrency=1
        )
        with traced() as stations:
            assert sync_resources(
                settings, Warehouse(Path(folder) / "page.duckdb"), ["orders"]
            ).is_complete
    walk: Counter[str] = Counter()
    for module, caller in stations:
        walk[module] += caller not in ("", module)
    return walk


def walk_of_a_total(folder: Path) -> Sequence[str]:
    """Where the total of an order shows: columns in the order in which they are made, then data.

    The order has a vendor and a buyer of its own, so that it is all that their reports sum up.
    """
    warehouse = Warehouse(folder / "total.duckdb")
    with Sandbox(SandboxSettings(orders=50)) as running:
        running.put("vendors", {"id": "vendor", "name": "Vendor"})
        running.put("buyers", {"id": "buyer", "company_name": "Buyer"})
        parties = {"vendor_id": "vendor", "buyer_id": "buyer", "billing_country": "US"}
        lists: dict[str, list[object]] = {"order_line_items": [], "order_comments": []}
        running.put("orders", order("D", total=str(TOTAL), sub_total="1", **parties, **lists))
        settings = ApiSettings.of(base_url=running.base_url, api_key="sandbox")
        assert sync_resources(settings, warehouse, tuple(RESOURCE)).is_complete
    build_models(warehouse)
    published = Path(publish_marts(warehouse, str(folder / "published")).place)
    files = (
        path.relative_to(data).parts[0]
        for data in published.glob("dashboard/*/data")
        for path in data.rglob("*.js")
        if str(TOTAL) in path.read_text("utf-8")
    )
    return [
        *columns(warehouse.database, ("raw", "staging", "intermediate", "marts", "bi")),
        *(f"dashboard/data/{name}" for name in sorted(set(files))),
    ]


def columns(database: Path, layers: Sequence[str]) -> Iterator[str]:
    """The columns that hold the total, layer by layer."""
    with duckdb.connect(str(database), read_only=True) as connection:
        for layer in layers:
            found = connection.execute(
                "select schema_name, table_name, column_name from duckdb_columns()"
                " where schema_name = ? and data_type like 'DECIMAL%' order by all",
                [f"wholesale_{layer}"],
            ).fetchall()
            for schema, table, column in found:
                asked = f"select count(*) from {schema}.{table} where {column} = {TOTAL}"
                if connection.execute(asked).fetchall() != [(0,)]:
                    yield f"{schema}.{table}.{column}"


def page_list(walk: Mapping[str, int]) -> str:
    """Markdown: each module in order, and how often it was entered."""
    rows = [
        f"| {number} | `{name}` | {entries} |"
        for number, (name, entries) in enumerate(walk.items(), start=1)
    ]
    return "\n".join(["| | Module | Entered |", "| --: | --- | --: |", *rows])


def total_list(walk: Sequence[str]) -> str:
    """Markdown: each place, in order."""
    return "\n".join(f"1. `{place}`" for place in walk)


def lists(folder: Path) -> Mapping[str, str]:
    """Both walks as they stand in CONTRIBUTING."""
    return {"page": page_list(walk_of_a_page()), "total": total_list(walk_of_a_total(folder))}


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        made = lists(Path(folder))
    CONTRIBUTING.write_text(fill(CONTRIBUTING.read_text("utf-8"), made), "utf-8")
    print(*made.values(), sep="\n\n")
