"""Staging: adds a snapshot of a table that no reader sees, until the table is pointed to it.

A table may be partitioned by month; months that did not change keep their files.
"""

import json
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import pyarrow as pa
from pyiceberg.io.pyarrow import (
    _pyarrow_to_schema_without_ids,
    parquet_file_to_data_file,
    schema_to_pyarrow,
)
from pyiceberg.manifest import DataFile
from pyiceberg.schema import Schema
from pyiceberg.table import Table, TableProperties, Transaction
from pyiceberg.table.snapshots import Snapshot
from pyiceberg.table.update import SetCurrentSchemaUpdate
from pyiceberg.table.update.snapshot import ExpireSnapshots, ManageSnapshots
from pyiceberg.types import IcebergType, ListType, MapType, NestedField, StructType

from wholesale_lake.iceberg.files import PARQUET, Part, data_path, files_below, folder_of, remove

MARK = "wholesale.published"
REMOVED = "wholesale.removed"
"""Table property: the files that were removed last, or are still to be removed (JSON)."""
PROPERTIES = {
    MARK: "true",
    "commit.retry.num-retries": "0",  # a run that was overtaken must fail
    "write.metadata.delete-after-commit.enabled": "true",
    "write.metadata.previous-versions-max": "30",
}
VERSION = "wholesale.version"
"""Key in the summary of a snapshot: the version that added it."""
CHUNK = 2**22
PART = "_part"
"""A column that is not written: the part to which a row belongs."""
NO_PART = "__HIVE_DEFAULT_PARTITION__"
PARTS_AT_ONCE = 100
"""DuckDB keeps so many files open at once; with more it would write several files for a part."""
ROWS_A_GROUP = 122_880
WIDE, PARTS_OF_WIDE, ROWS_OF_WIDE = 60, 4, 4096
"""Of tables with more columns than WIDE, smaller numbers of both: DuckDB holds a row group of each
open file in memory."""


def read_rows(
    connection: duckdb.DuckDBPyConnection, parquet: Path
) -> tuple[duckdb.DuckDBPyRelation, pa.Schema]:
    """The rows of a published file, and their columns as Iceberg has them: decimals as in the
    warehouse, since a table keeps the type of a column, whatever digits a version needs."""
    rows = connection.read_parquet(str(parquet))
    wide = [
        f'"{name}"::decimal(38, 9) as "{name}"'
        for name, kind in zip(rows.columns, rows.types, strict=True)
        if str(kind).startswith("DECIMAL(18,")
    ]
    if wide:
        rows = rows.project(f"* replace ({', '.join(wide)})")
    return rows, rows.limit(0).to_arrow_table().schema


def is_whole(table: Table, snapshot_id: int) -> bool:
    """Whether that snapshot exists, and all its files have their size."""
    snapshot = table.snapshot_by_id(snapshot_id)
    if snapshot is None:
        return False
    try:
        return all(
            len(table.io.new_input(entry.data_file.file_path)) == entry.data_file.file_size_in_bytes
            for manifest in snapshot.manifests(table.io)
            for entry in manifest.fetch_manifest_entry(table.io)
        )
    except FileNotFoundError:
        return False


def stage(
    table: Table,
    rows: duckdb.DuckDBPyRelation,
    columns: pa.Schema,
    folder: Path,
    summary: Mapping[str, str],
    parts: Collection[Part] = (None,),
) -> int:
    """Add a snapshot of these rows, to which nothing points yet, and return its id.

    `parts` are replaced; other parts of the current snapshot keep their files. If the rows have a
    column `PART`, it names the part of each.

    The snapshot has these columns, whatever the others have. A column with the name and type of
    before keeps its id, any other gets a new one. Files carry these ids, so each snapshot is read
    by the columns it was written with.
    """
    columns_before = table.metadata.current_schema_id
    with table.transaction() as change:
        _evolve(change, columns)
        ids = _field_ids(change.table_metadata.schema().fields)
        with change.update_snapshot(dict(summary), branch=None).overwrite() as snapshot:
            for task in table.scan().plan_files():
                if _part_of(task.file) in parts:
                    snapshot.delete_data_file(task.file)
            for part, written in _written(rows, parts, ids, folder):
                path = data_path(table, summary[VERSION], part)
                _upload(table, written, path)
                file = parquet_file_to_data_file(table.io, change.table_metadata, path)
                snapshot.append_data_file(file)
        _set_columns(change, columns_before)
    return snapshot.snapshot_id


def register(table: Table, columns: pa.Schema, summary: Mapping[str, str]) -> int:
    """Add a snapshot, to which nothing points yet, of the files that an engine wrote into
    `folder_of` this version, and return its id. Only their footers are read.

    An engine writes no ids of columns, so the table has a mapping of names, as the format has it.
    """
    folder = folder_of(table, summary[VERSION])
    files = files_below(table, folder)
    columns_before = table.metadata.current_schema_id
    with table.transaction() as change:
        _evolve(change, columns)
        names = change.table_metadata.schema().name_mapping
        change.set_properties({TableProperties.DEFAULT_NAME_MAPPING: names.model_dump_json()})
        with change.update_snapshot(dict(summary), branch=None).overwrite() as snapshot:
            for task in table.scan().plan_files():
                snapshot.delete_data_file(task.file)
            for path in files:
                if path.endswith(PARQUET):
                    file = parquet_file_to_data_file(table.io, change.table_metadata, path)
                    snapshot.append_data_file(file)
        _set_columns(change, columns_before)
    for path in files:
        if not path.endswith(PARQUET):  # checksums, and marks of success
            table.io.delete(path)
    return snapshot.snapshot_id


def point(table: Table, snapshot_id: int) -> None:
    """Make that snapshot, with its columns, the current one of the table."""
    snapshot = table.snapshot_by_id(snapshot_id)
    if snapshot is None or snapshot == table.current_snapshot():
        return
    with table.transaction() as change:
        _set_columns(change, snapshot.schema_id)
        ManageSnapshots(change).set_current_snapshot(snapshot_id).commit()


def expire(table: Table, snapshots: Sequence[Snapshot], unnamed: Iterable[str] = ()) -> None:
    """Remove these snapshots, then the files that only they name.

    Also removed are `unnamed`, files of runs that died before they added a snapshot, and files that
    a run which died did not remove.
    """
    files = {*unnamed, *_files(table, snapshots)}
    if snapshots:
        files |= set(json.loads(table.properties.get(REMOVED, "[]")))
        with table.transaction() as change:
            change.set_properties({REMOVED: json.dumps(sorted(files))})
            ExpireSnapshots(change).by_ids([old.snapshot_id for old in snapshots]).commit()
    if files:
        remove(table, files - _files(table, table.snapshots()))


def _written(
    rows: duckdb.DuckDBPyRelation, parts: Collection[Part], ids: Mapping[str, Any], folder: Path
) -> Iterator[tuple[Part, Path]]:
    """One local file for each part that has rows; it may be deleted once the next is yielded."""
    is_wide = len(rows.columns) > WIDE
    at_once, size = (PARTS_OF_WIDE, ROWS_OF_WIDE) if is_wide else (PARTS_AT_ONCE, ROWS_A_GROUP)
    write = partial(
        duckdb.DuckDBPyRelation.write_parquet,
        compression="zstd",
        field_ids=ids,
        row_group_size=size,
        overwrite=True,
    )
    if PART not in rows.columns:
        path = folder / "all.parquet"
        write(rows, str(path))
        yield None, path
        return
    ordered = sorted(parts, key=lambda part: (part is None, part))
    for start in range(0, len(ordered), at_once):
        some = ordered[start : start + at_once]
        named = ", ".join(str(part) for part in some if part is not None) or "null"
        undated = f" or {PART} is null" if None in some else ""
        with TemporaryDirectory(dir=folder) as files:
            write(rows.filter(f"{PART} in ({named}){undated}"), files, partition_by=[PART])
            for path in sorted(Path(files).rglob("*.parquet")):
                value = path.parent.name.removeprefix(f"{PART}=")
                yield (None if value == NO_PART else int(value)), path


def _upload(table: Table, file: Path, path: str) -> None:
    with file.open("rb") as source, table.io.new_output(path).create() as target:
        shutil.copyfileobj(source, target, CHUNK)


def _part_of(file: DataFile) -> Part:
    return file.partition[0] if len(file.partition) else None


def _evolve(change: Transaction, columns: pa.Schema) -> None:
    """Give the table these columns, in their order."""
    wanted = _pyarrow_to_schema_without_ids(columns)
    present, types = _types(change.table_metadata.schema()), _types(wanted)
    if list(present.items()) == list(types.items()):
        return
    with change.update_schema(allow_incompatible_changes=True) as update:
        for name in present:
            if present[name] != types.get(name):
                update.delete_column((name,))
        for field in wanted.fields:
            if present.get(field.name) != types[field.name]:
                update.add_column((field.name,), field.field_type, field.doc)
    # An update of its own: pyiceberg moves no column that it has yet to add.
    with change.update_schema() as update:
        update.move_first((columns.names[0],))
        for left, right in pairwise(columns.names):
            update.move_after((right,), (left,))


def _set_columns(change: Transaction, schema_id: int | None) -> None:
    change._apply((SetCurrentSchemaUpdate.model_validate({"schema-id": schema_id}),))


def _types(schema: Schema) -> Mapping[str, pa.DataType]:
    return {field.name: field.type for field in schema_to_pyarrow(schema, include_field_ids=False)}


def _field_ids(fields: Iterable[NestedField]) -> dict[str, Any]:
    """The ids of fields in the form that DuckDB takes."""
    return {
        field.name: {"__duckdb_field_id": field.field_id, **_field_ids(_children(field.field_type))}
        for field in fields
    }


def _children(kind: IcebergType) -> Sequence[NestedField]:
    match kind:
        case StructType():
            return kind.fields
        case ListType():
            return (kind.element_field,)
        case MapType():
            return (kind.key_field, kind.value_field)
    return ()


def _files(table: Table, snapshots: Iterable[Snapshot]) -> set[str]:
    """All files that these snapshots name; missing manifests are skipped."""
    found = set()
    for snapshot in snapshots:
        with suppress(FileNotFoundError):
            found.add(snapshot.manifest_list)
            for manifest in snapshot.manifests(table.io):
                found.add(manifest.manifest_path)
                found |= {
                    entry.data_file.file_path for entry in manifest.fetch_manifest_entry(table.io)
                }
    return found
