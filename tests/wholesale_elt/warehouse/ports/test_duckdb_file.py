"""The DuckDB file: the memory that its connection may use, and where it leaves things."""

from pathlib import Path

import pyarrow as pa
import pytest

from wholesale_elt.warehouse.destination import Warehouse
from wholesale_elt.warehouse.raw import Raw

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
        raw.fill(is_filling=True)
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


def test_tables_are_filled_in_little_memory_unless_their_rows_are_large(tmp_path: Path) -> None:
    small = pa.table({"id": ["a"], "text": ["short"]})
    large = pa.table({"id": ["b"], "text": ["x" * 40_000]})
    with Warehouse(tmp_path / "a.duckdb").open() as raw:
        raw.execute("create temporary table filled (id varchar, text varchar)")
        limits = [limit_of(raw)]
        for is_filling, rows in ((True, small), (True, large), (True, small), (False, small)):
            raw.fill(is_filling=is_filling)
            raw.append("filled", rows)
            limits.append(limit_of(raw))

    assert limits == ["476.8 MiB", "122.0 MiB", "476.8 MiB", "122.0 MiB", "476.8 MiB"]


def limit_of(raw: Raw) -> str:
    ((limit,),) = raw.rows("select current_setting('memory_limit')")
    return str(limit)
