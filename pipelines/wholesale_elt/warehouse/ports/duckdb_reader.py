"""DuckDB raw reader: the raw tables in DuckDB, read by its own connection."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import duckdb

from wholesale.api import ColumnType
from wholesale_elt.warehouse.dialect import Dialect
from wholesale_elt.warehouse.names import RAW_DATASET
from wholesale_elt.warehouse.raw_reader import Found, Part, RawReader, Row, everything, types_of

if TYPE_CHECKING:
    import pyarrow as pa

    from wholesale.tables import TableShape

ROWS_A_BATCH = 50_000
ROWS_FETCHED = 2_048
ROWS_A_PART = 2_500_000
"""Rows whose keys are checked at once: each further part reads the keys of all rows again."""


class DuckDBReader(RawReader):
    """The dataset in DuckDB, over a connection that finds other schemas by their names."""

    dialect = Dialect("duckdb")
    absent: type[Exception] = duckdb.CatalogException

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._duckdb = connection
        self._readers: list[pa.RecordBatchReader] = []

    def close(self) -> None:
        """End what is still being read, as after an error: DuckDB would wait for it for ever when
        this process opens the file again."""
        for reader in self._readers:
            reader.close()

    def name(self, table: str) -> str:
        return f"{self.quoted(RAW_DATASET)}.{self.quoted(table)}"

    def quoted(self, column: str) -> str:
        return '"{}"'.format(column.replace('"', '""'))

    @contextmanager
    def found(self, sql: str, *parameters: Any) -> Iterator[Found]:
        if parameters:
            sql = sql.replace("%s", "?")
        yield self._duckdb.execute(sql, parameters or None)

    def batches(self, sql: str, schema: "pa.Schema") -> "Iterator[pa.Table]":
        import pyarrow as pa

        self._duckdb.execute("")  # DuckDB 2 waits for whoever has not read a result to its end
        reader = self._duckdb.sql(sql).to_arrow_reader(ROWS_A_BATCH)
        self._readers.append(reader)
        try:
            for batch in reader:
                yield pa.Table.from_batches([batch]).cast(schema)
        finally:
            self._readers.remove(reader)

    def each(self, sql: str, columns: Mapping[str, ColumnType]) -> Iterator[Row]:
        [(catalog, zone)] = self._duckdb.execute(
            "select current_catalog(), current_setting('TimeZone')"
        ).fetchall()
        # One of its own, as whoever reads these rows may ask something else between two of them.
        with self._duckdb.cursor() as cursor:
            cursor.execute(f"use {self.quoted(catalog)}; set TimeZone = '{zone}'")
            cursor.execute(sql)
            while rows := cursor.fetchmany(ROWS_FETCHED):
                yield from rows

    def key_parts(self, shape: "TableShape") -> Sequence[Part]:
        rows = max(self.count(table.table) for table in shape.tables)
        parts = max(1, -(-rows // ROWS_A_PART))
        return [partial(_belongs, part, parts) for part in range(parts)]

    def column_types(self) -> Mapping[str, Mapping[str, str]]:
        return types_of(
            self.rows(
                "select table_name, column_name, data_type from information_schema.columns"
                f" where table_schema = '{RAW_DATASET}'"
            )
        )


def _belongs(part: int, parts: int, ids: str) -> str:
    """Whether an id belongs to that of so many parts."""
    return f"hash({ids}) % {parts} = {part}" if parts > 1 else everything(ids)
