"""Lake snapshots: the rows of a snapshot of an Iceberg table, as Parquet files or in DuckDB."""

from collections.abc import Sequence
from dataclasses import dataclass
from glob import escape

import duckdb
import pyarrow as pa
from pyiceberg.io.pyarrow import ArrowScan, PyArrowFileIO, schema_to_pyarrow
from pyiceberg.table import DataScan, Table

from wholesale.errors import WholesaleError
from wholesale_elt.warehouse import StoredTable, quoted
from wholesale_lake.months import JSON, OF_PARENT

LOCAL = "file"


class WorkingCopyDiffers(WholesaleError):
    """What is read from the lake is not what was written there."""


@dataclass(frozen=True, slots=True)
class Pinned:
    """One state of a table: its location, its columns, and its Parquet files."""

    location: str
    columns: pa.Schema
    files: Sequence[str]


def pin_snapshot(table: Table, snapshot: int) -> Pinned:
    """The Parquet files of the snapshot.

    Raises: WorkingCopyDiffers where rows were deleted by others.
    """
    scan = table.scan(snapshot_id=snapshot)
    tasks = list(scan.plan_files())
    if any(task.delete_files for task in tasks):
        raise WorkingCopyDiffers(
            f"rows of {table.location()} were deleted by somebody else than its lake"
        )
    columns = schema_to_pyarrow(scan.projection(), include_field_ids=False)
    return Pinned(table.location(), columns, [task.file.file_path for task in tasks])


def copy_snapshot(
    connection: duckdb.DuckDBPyConnection, source: Table, snapshot: int, table: str
) -> None:
    """Create that table in DuckDB, with the rows of the snapshot."""
    scan = source.scan(snapshot_id=snapshot)
    fields = [field for field in scan.projection().fields if field.name != OF_PARENT]
    columns = ", ".join(
        f'"{field.name}"::json as "{field.name}"' if field.doc == JSON else f'"{field.name}"'
        for field in fields
    )
    # DuckDB finds `rows` by name. A statement holds all its rows until it ends, so: one a batch.
    reader = _reader(source, scan.select(*(field.name for field in fields)))
    rows = reader.schema.empty_table()
    connection.execute(f"create table {table} as select {columns} from rows")
    for batch in reader:
        rows = pa.Table.from_batches([batch])  # noqa: F841
        connection.execute(f"insert into {table} select {columns} from rows")


def stored_table(
    connection: duckdb.DuckDBPyConnection, table: Table, snapshot: int
) -> StoredTable | None:
    """None if its files are not on a disk of this machine, or it has none; or if DuckDB would take
    a path for a pattern, as which it reads no file that alone is allowed.

    An engine's files have the columns of their snapshot, by name, and may have other types.
    """
    scan = table.scan(snapshot_id=snapshot)
    found = [task.file for task in scan.plan_files()]
    places = [PyArrowFileIO.parse_location(file.file_path) for file in found]
    if not places or any(scheme != LOCAL or escape(path) != path for scheme, _, path in places):
        return None
    files = sorted(path for *_, path in places)
    listed = ", ".join(map(quoted, files))
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


def _reader(table: Table, scan: DataScan) -> pa.RecordBatchReader:
    """Reads file by file; pyiceberg by default reads all files ahead of the consumer."""
    columns = schema_to_pyarrow(scan.projection())
    reading = ArrowScan(table.metadata, table.io, scan.projection(), scan.row_filter)
    batches = (batch for file in scan.plan_files() for batch in reading.to_record_batches([file]))
    return pa.RecordBatchReader.from_batches(columns, batches).cast(columns)


def raw_name(name: str) -> str:
    """A table's name without its namespace."""
    return name.rpartition(".")[2]


def _types(connection: duckdb.DuckDBPyConnection, columns: pa.Schema) -> dict[str, str]:
    """The types that DuckDB has for these."""
    empty = connection.from_arrow(columns.empty_table())
    return dict(zip(empty.columns, map(str, empty.types), strict=True))


def _column(name: str, type_: str, held: str) -> str:
    return f'"{name}"' if type_ == held else f'cast("{name}" as {type_}) as "{name}"'
