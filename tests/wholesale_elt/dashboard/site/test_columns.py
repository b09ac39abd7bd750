"""Columns: whatever form a column was written in, the page reads the values that were there."""

import duckdb
import pytest

from support.warehouses.javascript import Scripts
from support.warehouses.sites import rows_of
from wholesale_elt.dashboard.columnar import read_table

MOMENTS = "timestamptz '1969-12-31 23:59:58+00' + to_seconds(cast(n * n * 86399 as integer))"


@pytest.mark.parametrize(
    "column",
    [
        MOMENTS,
        f"'{'0' * 8}-1111-2222-3333-' || lpad(n::text, 12, '4')",
        "cast(n // 2 as bigint)",
        "cast(5 - n as bigint)",
        "'v' || n % 2",
        "if(n = 1, null, 'v' || n % 2)",
        "cast(n as decimal(9, 2)) * 0.5",
    ],
)
def test_a_column_is_read_as_it_was(scripts: Scripts, column: str) -> None:
    with duckdb.connect() as connection:
        table = read_table(connection, f"select {column} as c from range(7) as t(n) order by n")
    read = scripts.call("columns.listOf", table, "c")
    assert read == [row["c"] for row in rows_of(table)]
