"""Datasets of dlt on DuckDB 2: `pipeline.dataset()` answers in Arrow there, too.

dlt 1.31 asks a cursor for `fetch_arrow_table`, a name that DuckDB 2 has no more. dlt loads this as
a plugin wherever a pipeline is made; with another DuckDB it changes nothing.
"""

import warnings
from collections.abc import Generator

import duckdb
import pyarrow as pa
from dlt.destinations.impl.duckdb.sql_client import DuckDBDBApiCursorImpl

in_chunks = DuckDBDBApiCursorImpl.iter_arrow


def iter_arrow(self: DuckDBDBApiCursorImpl, chunk_size: int) -> Generator[pa.Table, None, None]:
    """The answer in tables of so many rows, or in one where that is 0."""
    if chunk_size:
        yield from in_chunks(self, chunk_size)
        return
    with warnings.catch_warnings():  # DuckDB says that rows are copied, as they always were
        warnings.simplefilter("ignore", UserWarning)
        table = self.native_cursor.to_arrow_table()
    yield table


if not hasattr(duckdb.DuckDBPyConnection, "fetch_arrow_table"):
    DuckDBDBApiCursorImpl.iter_arrow = iter_arrow  # type: ignore[method-assign]
