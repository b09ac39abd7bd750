"""Lake snapshots: the rows of a snapshot of an Iceberg table, as Parquet files or in DuckDB."""

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb
import pyarrow as pa
from pyiceberg.io.pyarrow import ArrowScan, schema_to_pyarrow
from pyiceberg.table import DataScan, Table

from wholesale.errors import WholesaleError
from wholesale_lake.months import JSON, OF_PARENT


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


def _reader(table: Table, scan: DataScan) -> pa.RecordBatchReader:
    """Reads file by file; pyiceberg by default reads all files ahead of the consumer."""
    columns = schema_to_pyarrow(scan.projection())
    reading = ArrowScan(table.metadata, table.io, scan.projection(), scan.row_filter)
    batches = (batch for file in scan.plan_files() for batch in reading.to_record_batches([file]))
    return pa.RecordBatchReader.from_batches(columns, batches).cast(columns)


def raw_name(name: str) -> str:
    """A table's name without its namespace."""
    return name.rpartition(".")[2]
