"""The DuckDB file: the memory that its connection may use, and where it leaves things."""

from pathlib import Path

import pyarrow as pa
import pytest

from wholesale_elt.warehouse.destination import Warehouse

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
        raw.prepare_load()
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
