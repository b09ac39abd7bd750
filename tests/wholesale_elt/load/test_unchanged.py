"""A run that finds all as it was writes nothing, and puts right what was changed by hand."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from conftest import Loader
from support.few import few
from support.records.samples import guid, line, order
from support.records.truth import CHILDREN
from wholesale.api.resources import RESOURCE
from wholesale.settings import ApiSettings
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_elt.warehouse.ports.duckdb_raw import DuckDBRaw
from wholesale_sandbox.responses import OrderForm, order_form
from wholesale_sandbox.routes import sending
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

CHILD_TABLES = {child.table for children in CHILDREN.values() for child in children}


def test_an_identical_second_load_changes_no_row(sandbox: Sandbox, loader: Loader) -> None:
    for number in range(7):
        sandbox.put("orders", order(f"A{number}", order_line_items=[line("x")] * (number % 3)))
    loader.load()
    before = loader.contents()

    assert loader.load().is_complete

    assert loader.contents() == before
    assert len(before["orders"]) == 7
    assert len(before["orders__order_line_items"]) == 0 + 1 + 2 + 0 + 1 + 2 + 0


def put_one_of_each(sandbox: Sandbox) -> None:
    sandbox.put("orders", order("A", order_line_items=[line("x"), line("y")]))
    for title in ("Mug", "Cup"):
        sizes = [{"name": "Size", "values": ["S", "L"]}, {"name": "Colour", "values": []}]
        sandbox.put("items", {"id": guid(title), "title": title, "options": sizes, "mood": "good"})
        small = {"id": guid(f"{title} S"), "unit_price": "two", "options": [{"value": "S"}]}
        sandbox.put("variants", small, parent_id=guid(title))
        price = {"id": guid(f"{title} price"), "item_id": guid(title), "unit_price": 9}
        sandbox.put("prices", price)
    sandbox.put("vendors", {"id": guid("vendor"), "zip": 2134, "shipping_scheme": {"a": [1]}})


def test_where_nothing_changed_only_the_account_of_the_run_is_written(
    sandbox: Sandbox, loader: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_one_of_each(sandbox)
    loader.load()
    loader.load()  # which notes what does not fit
    written: list[str] = []
    append, begin = DuckDBRaw.append, DuckDBRaw.begin

    def note(raw: DuckDBRaw, table: str, rows: pa.Table) -> None:
        written.append(table)
        append(raw, table, rows)

    def note_begin(raw: DuckDBRaw) -> None:
        written.append("begin")
        begin(raw)

    monkeypatch.setattr(DuckDBRaw, "append", note)
    monkeypatch.setattr(DuckDBRaw, "begin", note_begin)

    assert loader.load().is_complete

    assert written == ["begin", '"wholesale_raw"."sync_runs"']


@dataclass(frozen=True)
class First:
    """One of each, as a first run left it."""

    loader: Loader
    contents: dict[str, list[tuple[Any, ...]]]

    def copy(self, folder: Path) -> Loader:
        database = shutil.copy(self.loader.warehouse.database, folder)
        return Loader(self.loader.settings, Warehouse(Path(database)))


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Iterator[First]:
    with Sandbox(SandboxSettings(empty=True)) as running:
        put_one_of_each(running)
        settings = ApiSettings.of(
            base_url=running.base_url, api_key="sandbox", page_size=3, attempts=2
        )
        loader = Loader(settings, Warehouse(tmp_path_factory.mktemp("first") / "test.duckdb"))
        loader.load()
        yield First(loader, loader.contents())


BY_HAND = {
    "a value": "update items set title = 'Jug' where title = 'Mug'",
    "a null": "update vendors set zip = null",
    "a found value": "update items set mood = 'bad' where title = 'Cup'",
    "what did not fit": "update variants set _extra = null",
    "JSON": "update vendors set shipping_scheme = '{}'",
    "a value of an entry": "update variants__options set value = 'XL'",
    "a mark": "update prices set _deleted_at = '2026-01-01'",
}


@pytest.mark.slow
@pytest.mark.parametrize("change", few(BY_HAND, 3))
def test_what_was_changed_by_hand_is_as_the_service_has_it_after_the_next_run(
    first: First, tmp_path: Path, change: str
) -> None:
    loader, before = first.copy(tmp_path), first.contents
    assert loader.contents() == before
    loader.execute(BY_HAND[change])
    assert loader.contents() != before

    assert loader.load().is_complete

    after = loader.contents()
    tables = {*RESOURCE, *CHILD_TABLES}  # the logs tell of it
    assert {name: after[name] for name in tables} == {name: before[name] for name in tables}


def test_a_field_that_only_the_summaries_have_is_stored_and_tells_no_change_by_itself(
    sandbox: Sandbox, loader: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    def basic(record: bytes, form: OrderForm) -> bytes:
        return order_form(record, "summary" if form == "summary" else "basic")

    monkeypatch.setattr(sending, "order_form", basic)
    for number in range(4):
        sandbox.put("orders", order(f"A{number}", invoice_status=f"status {number}"))

    loader.load("orders")
    sandbox.requests.clear()
    again = loader.load("orders")

    assert loader.rows("select order_number, invoice_status from orders order by 1") == [
        (f"A{number}", f"status {number}") for number in range(4)
    ]
    assert again.is_complete
    assert sandbox.requests.counts().keys() == {"list_orders"}
