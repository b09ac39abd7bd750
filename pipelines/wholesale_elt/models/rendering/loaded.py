"""Loaded: the raw tables that a sync may make, as sources of dbt: columns, types, meanings.

A table that was not synced, or a column that the service never sent, is not there; models read them
as empty all the same.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

import pyarrow as pa

from wholesale.api import RESOURCES, Resource
from wholesale.names import VALID_FROM, VALID_TO
from wholesale.tables import QUARANTINE, QUARANTINE_SCHEMA, TableShape, shape_of
from wholesale_elt.models.project import EXTRA
from wholesale_elt.past import OBSERVED_AT, WATCHED, columns_in_log, log_of, past_of
from wholesale_elt.runs import CERTIFICATE_SCHEMA
from wholesale_elt.warehouse import CERTIFICATES, RAW_DATASET

Column = tuple[str, str, str]
"""Name, type and meaning."""
Table = tuple[str, str, Iterable[Column]]

TYPES: Mapping[pa.DataType, str] = {
    pa.string(): "text",
    pa.int64(): "bigint",
    pa.bool_(): "boolean",
    pa.timestamp("us", "UTC"): "timestamptz",
    pa.decimal128(38, 9): "decimal(38, 9)",
}
"""Names of the types that DuckDB and PostgreSQL both understand."""
IN_TIME = ("orders", "orders__order_line_items")
"""Raw tables of which models read the past, too."""
SINCE = ((VALID_FROM, "timestamptz", "When the sync began that brought the row as it is (UTC)."),)
UNTIL = (VALID_TO, "timestamptz", "When the sync began that replaced the row (UTC).")
JSON_TYPES = frozenset({"json", "texts"})
OURS: Mapping[str, str] = {
    "_extra": "JSON of values that did not fit their column, and of fields without one.",
    "_deleted_at": "When the record was found to be gone (UTC); NULL while it lives.",
}


EXTRAS: Iterable[Column] = (
    ("table_name", "text", "The raw table of the record."),
    ("record_id", "text", "Its id."),
    ("field_name", "text", "The name of the field."),
    ("field_value", "text", "Its value as text."),
    ("is_of_its_type", "boolean", "Whether the value is one of the type that its column has."),
)


@cache
def loaded_yaml() -> str:
    """Every raw table and column with its type, meaning and §, from the records of the API."""
    head = {
        "name": RAW_DATASET,
        "schema": RAW_DATASET,
        "description": "What `wholesale sync` loaded, a table a resource or child list, in the"
        " API's names.",
    }
    lines = ["sources:", f"- {_mapping(head)[:-1]}, tables: ["]
    for name, meaning, columns in _tables():
        lines.append(f"  {_mapping({'name': name, 'description': meaning})[:-1]}, columns: [")
        for column, type_, about in columns:
            entry = {
                "name": column,
                "data_type": type_,
                **({"description": about} if about else {}),
            }
            lines.append(f"    {_mapping(entry)},")
        lines.append("  ]},")
    return "\n".join([*lines, "]}", ""])


def _mapping(entries: Mapping[str, str]) -> str:
    return json.dumps(entries, ensure_ascii=False)


def _tables() -> Iterator[Table]:
    for resource in RESOURCES:
        root = shape_of(resource)
        for shape in root.tables:
            columns = [*_columns(shape), *(SINCE if shape.table in IN_TIME else ())]
            yield shape.table, _about(shape, resource), columns
            if shape.table in IN_TIME:
                about = f"Rows of `{shape.table}` as they were, one row a row that was replaced."
                yield past_of(shape.table), about, [*columns, UNTIL]
        if resource.name in WATCHED:
            yield log_of(resource.name), _about_log(root), _columns_of_log(root)
    yield EXTRA, "Values of the undocumented fields that a setting names.", EXTRAS
    about = "Records that could not be loaded, one row a record."
    yield QUARANTINE, about, _columns_of(QUARANTINE_SCHEMA)
    about = "The completeness certificate, one row a run and resource."
    yield CERTIFICATES, about, _columns_of(CERTIFICATE_SCHEMA)


def _about(shape: TableShape, resource: Resource) -> str:
    if shape.is_root:
        return f"{resource.name}, one row a record (§{resource.section})."
    return f"Entries of `{shape.field}`, keyed by {shape.parent_key} and {shape.number}."


def _about_log(root: TableShape) -> str:
    return f"What each sync saw of `{root.table}`, one row a record that was new, changed or gone."


def _columns(shape: TableShape) -> Iterator[Column]:
    mappings = {mapping.column: mapping for mapping in shape.mappings}
    for field in shape.schema:
        type_ = TYPES[field.type]
        if mapping := mappings.get(field.name):
            type_ = "json" if mapping.type in JSON_TYPES else type_
            yield field.name, type_, f"{mapping.description} (§{mapping.section})".strip()
        elif field.name in OURS:
            yield field.name, type_, OURS[field.name]
        elif field.name in (shape.parent_key, shape.number):
            yield field.name, type_, "Key, from the record's place in its parent."


def _columns_of_log(root: TableShape) -> Iterator[Column]:
    logged = columns_in_log(root)
    yield from (column for column in _columns(root) if column[0] in logged)
    yield OBSERVED_AT, "timestamptz", "When the sync wrote it (UTC)."


def _columns_of(schema: pa.Schema) -> Iterator[Column]:
    return ((field.name, TYPES[field.type], "") for field in schema)
