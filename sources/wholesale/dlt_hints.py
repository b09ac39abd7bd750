"""dlt hints: the keys, exact types and origin of the columns of our tables, as dlt takes them."""

import logging
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import dlt
import numpy as np
import pyarrow as pa
from dlt.common.schema.typing import TColumnSchema

from wholesale.names import REMOVED
from wholesale.tables import (
    QUARANTINE,
    QUARANTINE_SCHEMA,
    Decoded,
    Quarantined,
    TableShape,
    quarantine_table,
)

MERGE = {"disposition": "merge", "strategy": "delete-insert", "deduplicated": True}
REMOVAL: dict[str, TColumnSchema] = {
    REMOVED: {"name": REMOVED, "data_type": "bool", "hard_delete": True}
}
"""The column of child tables by which dlt's merge deletes the last entries of a parent."""


class Loading(NamedTuple):
    """How dlt loads tables: whether they replace those of the run before, and in which files."""

    is_replacing: bool = False
    file_format: str | None = None


class TableHints(dict[str, Any]):
    """What one of our tables says to dlt: arguments of `apply_hints` that no user can give."""

    @property
    def is_root(self) -> bool:
        return "primary_key" in self


def marked(decoded: Decoded, loading: Loading) -> Iterator[Any]:
    """The tables of a resource with their dlt hints, root first; merged, unless they replace."""
    for shape in decoded.shape.tables:
        is_plain = shape.is_root or loading.is_replacing
        yield _mark(
            decoded.tables[shape.table] if is_plain else _with_removals(decoded, shape),
            loading,
            table_name=shape.table,
            write_disposition="replace" if loading.is_replacing else MERGE,
            columns=columns_of(shape) if is_plain else columns_of(shape) | REMOVAL,
            **({"primary_key": "id"} if shape.is_root else _of_parent(decoded.shape, shape)),
        )


def _of_parent(root: TableShape, child: TableShape) -> dict[str, Any]:
    reference = {
        "referenced_table": root.table,
        "columns": [child.parent_key],
        "referenced_columns": ["id"],
    }
    return {"merge_key": child.parent_key, "references": [reference]}


def _mark(table: pa.Table, loading: Loading, **hints: Any) -> Any:
    return dlt.mark.with_hints(
        table,
        TableHints(hints, file_format=loading.file_format),  # type: ignore[arg-type]
        create_table_variant=True,
    )


def _with_removals(decoded: Decoded, shape: TableShape) -> pa.Table:
    """The entries, and for every parent without any a row that is true in `_removed`.

    dlt replaces the children of those parents only that have a row in the child table. The row
    deletes the old entries and does not arrive itself.
    """
    owners = decoded.owners[shape.table].to_numpy(zero_copy_only=False)
    childless = np.setdiff1d(np.arange(len(decoded.root)), owners)
    entries = decoded.tables[shape.table]
    schema = shape.schema.append(pa.field(REMOVED, pa.bool_()))
    removals = {
        shape.parent_key: decoded.root["id"].take(pa.array(childless)),
        shape.number: pa.repeat(pa.scalar(0, pa.int64()), len(childless)),
        REMOVED: pa.repeat(True, len(childless)),
    }
    rows = [removals.get(column.name, pa.nulls(len(childless), column.type)) for column in schema]
    return pa.concat_tables(
        [
            entries.append_column(REMOVED, pa.nulls(len(entries), pa.bool_())),
            pa.table(rows, schema=schema),
        ]
    )


def columns_of(shape: TableShape) -> dict[str, TColumnSchema]:
    """The columns of a table with their exact types, and a description of each."""
    descriptions = {mapping.column: mapping for mapping in shape.mappings}
    columns: dict[str, TColumnSchema] = {}
    for column in shape.schema:
        hint = _hint(column)
        if column.name in shape.json_columns:
            hint["data_type"] = "json"
        if mapping := descriptions.get(column.name):
            found = f"§{mapping.section}" if mapping.section else "not in the API description"
            hint["description"] = f"{mapping.description} ({found})".strip()
        columns[column.name] = hint
    return columns


def hints_of(schema: pa.Schema) -> dict[str, TColumnSchema]:
    """The columns of any other table, by their Arrow types."""
    return {column.name: _hint(column) for column in schema}


def quarantine_columns() -> dict[str, TColumnSchema]:
    """The columns of the quarantine table."""
    columns = hints_of(QUARANTINE_SCHEMA)
    columns["body"]["data_type"] = "json"
    return columns


def _hint(column: pa.Field) -> TColumnSchema:
    hint: TColumnSchema = {"name": column.name, "nullable": column.nullable}
    if pa.types.is_decimal(column.type):
        hint |= {"data_type": "decimal", "precision": column.type.precision}
        hint["scale"] = column.type.scale
    elif pa.types.is_timestamp(column.type):
        hint |= {"data_type": "timestamp", "precision": 6}
    elif pa.types.is_boolean(column.type):
        hint["data_type"] = "bool"
    elif pa.types.is_integer(column.type):
        hint["data_type"] = "bigint"
    else:
        hint["data_type"] = "text"
    return hint


def marked_quarantine(
    quarantined: Sequence[Quarantined], resource: str, run_id: str, loading: Loading
) -> Any:
    """The quarantine table with its dlt hints."""
    return _mark(
        quarantine_table(quarantined, resource, run_id),
        loading,
        table_name=QUARANTINE,
        write_disposition="append",
        columns=quarantine_columns(),
    )


class _HintNotice(logging.Filter):
    """dlt warns on each batch that a JSON column arrives as text, which is how it must arrive."""

    def filter(self, record: logging.LogRecord) -> bool:
        return "when merging arrow schema with dlt schema" not in record.getMessage()


logging.getLogger("dlt").addFilter(_HintNotice())
