"""The DuckDB file: the memory that its connection may use, and where it leaves things."""

from pathlib import Path

import pyarrow as pa
import pytest

from wholesale.api import RESOURCE
from wholesale.tables import shape_of
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_elt.warehouse.ports.duckdb_file import DuckDBRaw

TABLES = ("orders", "orders__order_line_items", "orders__order_comments")
MANY = 100_000
COLUMNS, ROWS, APPENDS = 50, 1000, 60
"""Of each table fewer rows than a row group has: the commit holds them all."""


@pytest.mark.slow
def test_children_of_many_columns_are_written_with_those_of_their_parent(tmp_path: Path) -> None:
    texts = [[f"field {column} of row {row}" for row in range(ROWS)] for column in range(COLUMNS)]
    rows = pa.table(texts, names=[f"field_{column}" for column in range(COLUMNS)])
    columns = ", ".join(f"{name} varchar" for name in rows.column_names)
    with Warehouse(tmp_path / "wide.duckdb").open() as raw:
        raw.execute("create schema wholesale_raw")
        for table in map(raw.name, TABLES):
            raw.execute(f"create table {table} ({columns})")
        raw.prepare_load(())
        with raw.inserting():
            raw.begin()
            for table in map(raw.name, TABLES):
                for _ in range(APPENDS):
                    raw.append(table, rows)
            raw.commit()
        copies = f"select field_0, count(*) from {{}} group by all having count(*) <> {APPENDS}"
        assert [raw.rows(copies.format(raw.name(table))) for table in TABLES] == [[], [], []]
        assert [raw.count(table) for table in TABLES] == [ROWS * APPENDS] * 3


@pytest.mark.parametrize("name", ["wholesale.duckdb", "memory.duckdb", "main", "a b.c.duckdb"])
def test_a_file_may_have_any_name_and_what_is_spilled_lies_beside_it(
    name: str, tmp_path: Path
) -> None:
    database = tmp_path / name
    with Warehouse(database).open() as raw:
        raw.execute("create schema wholesale_raw")
        raw.execute(f"create table {raw.name('brands')} as select 'B1' as id")
        assert raw.rows("select current_setting('temp_directory')") == [(f"{database}.tmp",)]
    with Warehouse(database).open(is_read_only=True) as raw:
        assert raw.rows(f"select * from {raw.name('brands')}") == [("B1",)]


def test_keys_are_checked_beside_what_an_open_transaction_holds_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DuckDBRaw, "writing", "8MB")
    with Warehouse(tmp_path / "open.duckdb").open() as raw:
        table = raw.name("brands")
        raw.execute("create schema wholesale_raw")
        raw.execute(f"create table {table} as select uuid()::varchar as id from range({MANY})")
        raw.prepare_load(())
        raw.execute("set memory_limit = '100MB'")
        raw.begin()
        raw.execute(f"update {table} set id = id || ' '")  # stays in memory until the commit
        with raw.checking(shape_of(RESOURCE["brands"])) as parts:
            found = [raw.rows(f"select count(*) from {table} where {part('id')}") for part in parts]
        raw.commit()

        assert found == [[(MANY,)]]
        assert raw.rows(f"select count(*) from {table} where ends_with(id, ' ')") == [(MANY,)]


def test_marks_of_replaced_rows_are_allowed_beside_the_budget_after_a_comparison(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DuckDBRaw, "writing", "8MB")
    with Warehouse(tmp_path / "marks.duckdb").open() as raw:
        table = raw.name("brands")
        raw.execute("create schema wholesale_raw; set memory_limit = '100MB'")
        raw.execute(f"create table {table} as select range as id from range({20 * MANY})")
        raw.prepare_load(())
        raw.prepare_comparison(0)
        raw.begin()
        raw.execute(f"delete from {table} where id % 1000 = 0")
        raw.commit()
        raw.end_comparison()

        assert raw.count("brands") == 20 * MANY - 2000
