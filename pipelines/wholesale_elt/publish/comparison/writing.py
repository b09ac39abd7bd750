"""Writing: the rows of tables of a comparison, in the DuckDB file of a version."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import duckdb
import pyarrow as pa

from wholesale_elt.publish.description import DescribedTable

DRAFT = "version"
"""The name under which the DuckDB file of the next version is attached."""
ARROW = {
    "VARCHAR": pa.string(),
    "BIGINT": pa.int64(),
    "BOOLEAN": pa.bool_(),
    "DATE": pa.date32(),
    "DECIMAL(38,6)": pa.decimal128(38, 6),
    "DECIMAL(38,9)": pa.decimal128(38, 9),
    "TIMESTAMP WITH TIME ZONE": pa.timestamp("us", "UTC"),
}
Row = Mapping[str, Any]


class Rows:
    """Some tables of the next version, empty at first. `written` are the names of those that its
    file did not have so: in a copy of a file, what is replaced leaves its space."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, tables: Sequence[DescribedTable]
    ) -> None:
        self._connection = connection
        self.written: set[str] = set()
        for table in tables:
            if not self._is_empty(table):
                self._create(table)

    def append(self, table: DescribedTable, rows: Collection[Row] | pa.Table) -> None:
        """Add these rows."""
        if not len(rows):
            return
        if table.name not in self.written:
            self._create(table)
        schema = pa.schema([(name, ARROW[of.type]) for name, of in table.columns.items()])
        added = (
            rows.cast(schema)
            if isinstance(rows, pa.Table)
            else pa.Table.from_pylist(list(rows), schema)
        )
        self._connection.register("added", added)
        self._connection.execute(f"insert into {_place(table)} from added")
        self._connection.unregister("added")

    def _is_empty(self, table: DescribedTable) -> bool:
        try:
            rows = self._connection.execute(f"from {_place(table)} limit 1").fetchall()
        except duckdb.CatalogException:
            return False
        return not rows

    def _create(self, table: DescribedTable) -> None:
        columns = ", ".join(f"{name} {of.type}" for name, of in table.columns.items())
        self._connection.execute(f"create or replace table {_place(table)} ({columns})")
        self.written.add(table.name)


def _place(table: DescribedTable) -> str:
    return f"{DRAFT}.{table.place}"
