"""Whichever way a destination is loaded, the same tables come of it, column by column."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

import wholesale_elt.load.sync as sync
from conftest import Loader
from support.records.samples import guid, line, order
from wholesale_elt.load.dlt_loader import DltLoader
from wholesale_elt.load.duckdb_writer import DuckDBWriter
from wholesale_elt.load.loader import loader_for
from wholesale_elt.load.observations import WATCHED, log_of
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_sandbox.server import Sandbox

LATER = "2026-03-01T10:00:00Z"
RESOURCES = ("orders", "vendors", "items", "variants", "prices", "brands")
"""All that have children, a parent, or an odd value, and one of which there is no record."""
OF_ONE_RUN = {
    "sync_runs": ("run_id", "started_at", "ended_at", "changed", "silent", "complete_as_of"),
    "sync_suspects": ("run_id",),
    "sync_profiles": ("run_id",),
    "quarantine": ("run_id", "found_at"),
    **{log_of(name): ("observed_at",) for name in WATCHED},
}
"""Columns that differ from run to run, and what is known of a record only where it is compared
with the stored one as a whole, which dlt does not do."""


def read(database: Path, sql: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(str(database), read_only=True) as connection:
        connection.execute("set timezone = 'UTC'; set schema = 'wholesale_raw'")
        return connection.execute(sql).fetchall()


def columns(database: Path) -> list[tuple[Any, ...]]:
    """Every column of every table of ours, in the order of the tables' columns.

    But for the one by which dlt takes a parent's last entry away: nothing else has it.
    """
    return read(
        database,
        "select table_name, rank() over (partition by table_name order by column_index),"
        " column_name, data_type, is_nullable from duckdb_columns()"
        " where schema_name = 'wholesale_raw' and not starts_with(table_name, '_')"
        " and column_name <> '_removed' order by 1, 2",
    )


def has_column_of_dlt(database: Path) -> bool:
    return bool(read(database, "from duckdb_columns() where column_name = '_removed'"))


def rows(database: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table of ours, in a fixed order; of the time of deletion, whether."""
    found = {}
    for table in sorted({row[0] for row in columns(database)}):
        own = OF_ONE_RUN.get(table, ())
        names = (row[2] for row in columns(database) if row[0] == table and row[2] not in own)
        chosen = ", ".join(f'"{name}"' for name in names)
        chosen = chosen.replace('"_deleted_at"', "_deleted_at is not null")
        found[table] = read(database, f"select {chosen} from {table} order by all")
    return found


def fill(sandbox: Sandbox) -> None:
    two = [line("x", unit_price="0.000000001"), line("y", quantity="three")]
    sandbox.put("orders", order("A", order_line_items=two, order_comments=[{"body": "?"}]))
    sandbox.put("orders", order("B", order_line_items=two, colour="red", weight=1.25, tags=["a"]))
    sandbox.put("orders", order("C", total="12345678901234567890123456789.123456789"))
    sandbox.put("orders", order("D", total="12,50", sub_total=0.1234567891, updated_at="never"))
    sandbox.put("orders", order("E", order_comments=[{"body": "a"}, None, {"body": ""}]))
    sandbox.put("items", {"id": guid("item"), "options": [{"name": "Size", "values": ["S"]}]})
    sandbox.put("items", {"id": guid("bare"), "title": "", "variants_count": 1})
    variant = {"id": guid("red"), "options": [{"name": "Colour", "value": "red"}]}
    sandbox.put("variants", variant, parent_id=guid("bare"))
    sandbox.put("vendors", {"id": guid("vendor"), "zip": 2134, "shipping_scheme": {"a": [1]}})
    sandbox.put("prices", {"id": guid("price"), "variant_id": guid("red"), "unit_price": 9})
    sandbox.storage.collection("vendors").put("odd", b'{"id":null,"name":"nobody"}')


def edit(sandbox: Sandbox) -> None:
    sandbox.put("orders", order("A", updated_at=LATER))
    sandbox.put("orders", order("B", order_line_items=[line("z")], updated_at=LATER, size="L"))
    sandbox.put("orders", order("E", status="shipped", updated_at=LATER))
    sandbox.put("prices", {"id": guid("price"), "item_id": guid("bare"), "unit_price": "8.5"})
    sandbox.delete("orders", guid("C"))
    sandbox.put("orders", order("F", order_line_items=[line("f")]))
    sandbox.put("items", {"id": guid("item"), "options": []})
    sandbox.put("variants", {"id": guid("red"), "sku": "R", "options": []}, parent_id=guid("bare"))
    sandbox.delete("vendors", guid("vendor"))


@pytest.fixture
def by_dlt(loader: Loader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Path]:
    """Load through dlt's packages into a DuckDB file of its own."""
    database = tmp_path / "dlt.duckdb"

    def load() -> Path:
        with monkeypatch.context() as patch:
            patch.setattr(sync, "loader_for", DltLoader)
            Loader(loader.settings, Warehouse(database)).load(*RESOURCES)
        return database

    return load


def test_both_loaders_leave_the_same_columns_and_rows(
    sandbox: Sandbox, loader: Loader, by_dlt: Callable[[], Path]
) -> None:
    for change in (fill, edit):
        change(sandbox)
        loader.load(*RESOURCES)
        other = by_dlt()

        assert columns(other) == columns(loader.warehouse.database)
        assert rows(other) == rows(loader.warehouse.database)

    found = rows(other)
    assert {table: len(found[table]) for table in ("orders", "vendors", "quarantine")} == {
        "orders": 6,
        "vendors": 1,
        "quarantine": 1,
    }
    assert len(found["orders__order_line_items"]) == 2
    states = {(row[0], row[1], row[-1]) for row in found["orders__observations"]}
    assert {row for row in states if row[0] in (guid("C"), guid("E"))} == {
        *((guid("C"), "received", is_deleted) for is_deleted in (False, True)),
        *((guid("E"), state, False) for state in ("received", "shipped")),
    }
    assert len(found["prices__observations"]) == 2
    assert (found["items__options"], found["variants__options"]) == ([], [])


def test_dlt_goes_on_where_the_writer_of_duckdb_began_and_the_other_way_round(
    sandbox: Sandbox, loader: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A warehouse of an earlier version has the column of dlt's merge as well."""
    one = "orders__order_line_items"
    sandbox.put("orders", order("A", order_line_items=[line("x")]))
    sandbox.put("orders", order("B", order_line_items=[line("y")]))
    loader.load("orders")
    assert not has_column_of_dlt(loader.warehouse.database)

    sandbox.put("orders", order("A", order_line_items=[], updated_at=LATER))
    with monkeypatch.context() as patch:
        patch.setattr(sync, "loader_for", DltLoader)
        loader.load("orders")
    assert has_column_of_dlt(loader.warehouse.database)
    by_dlt = read(loader.warehouse.database, f"select sku from {one}")

    sandbox.put("orders", order("B", order_line_items=[line("z")], updated_at=LATER))
    sandbox.put("orders", order("C", order_line_items=[line("c")]))
    outcome = loader.load("orders")

    assert by_dlt == [("y",)]
    assert outcome.is_complete
    assert read(loader.warehouse.database, f"select sku, _removed from {one} order by 1") == [
        ("c", None),
        ("z", None),
    ]


def test_duckdb_is_written_straight_and_any_other_destination_by_dlt() -> None:
    assert isinstance(loader_for(Warehouse(Path("a.duckdb")), "run"), DuckDBWriter)
    assert isinstance(loader_for(Warehouse(Path("unused"), "postgres"), "run"), DltLoader)
