"""Stored tables: a snapshot of a built table as DuckDB reads it, from its files alone."""

from glob import escape

import duckdb
import pyarrow as pa
from pyiceberg.io.pyarrow import PyArrowFileIO, schema_to_pyarrow
from pyiceberg.table import Table

from wholesale_elt.warehouse import StoredTable, quoted
from wholesale_lake.months import JSON

LOCAL = "file"


def stored_table(
    connection: duckdb.DuckDBPyConnection, table: Table, snapshot: int
) -> StoredTable | None:
    """None if its files are not on a disk of this machine, or it has none.

    An engine's files have the columns of their snapshot, by name, and may have other types.
    """
    scan = table.scan(snapshot_id=snapshot)
    found = [task.file for task in scan.plan_files()]
    places = [PyArrowFileIO.parse_location(file.file_path) for file in found]
    if not places or any(scheme != LOCAL for scheme, *_ in places):
        return None
    files = sorted(path for *_, path in places)
    listed = ", ".join(quoted(escape(path)) for path in files)
    source = f"read_parquet([{listed}], hive_partitioning => false)"
    wanted = schema_to_pyarrow(scan.projection(), include_field_ids=False)
    documented = {field.name for field in scan.projection().fields if field.doc == JSON}
    types = _types(connection, wanted)
    held = {
        name: type_ for name, type_, *_ in connection.execute(f"describe from {source}").fetchall()
    }
    columns = ", ".join(
        _column(name, "JSON" if name in documented else type_, held[name])
        for name, type_ in types.items()
    )
    rows = sum(file.record_count for file in found)
    return StoredTable(f"select {columns} from {source}", rows, snapshot, tuple(files))


def _types(connection: duckdb.DuckDBPyConnection, columns: pa.Schema) -> dict[str, str]:
    """The types that DuckDB has for these."""
    empty = connection.from_arrow(columns.empty_table())
    return dict(zip(empty.columns, map(str, empty.types), strict=True))


def _column(name: str, type_: str, held: str) -> str:
    return f'"{name}"' if type_ == held else f'cast("{name}" as {type_}) as "{name}"'
