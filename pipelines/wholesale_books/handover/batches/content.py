"""Content: what is handed over of an order, and the digest by which its changes are seen.

Whole is an order with its lines and comments, each with all columns that are published, but for
those that tell of our own reading. A published decimal has as many places as its column needs in
that version, so amounts are compared, and written as text, without zeros at the end.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from wholesale.errors import ConfigurationError
from wholesale_elt.publish import Manifest

TABLES = {"orders": "fct_orders", "order_lines": "fct_order_lines"} | {
    "order_comments": "fct_order_comments"
}
"""The parts of an order, by the name under which they are handed over."""
ORDERS = "orders"
NUMBER_IN_ORDER = {"order_lines": "line_number", "order_comments": "comment_number"}
OF_OUR_READING = re.compile(
    r"_.*|valid_(from|to)|run_id|(synced|loaded|built|seen|observed|first_seen|last_seen)_at"
)
"""Names of columns that tell when and how we read an order, and nothing of it. `deleted_at` is none
of them: it is all that is known of when an order went."""
TEXT_OF_TIME = "%Y-%m-%dT%H:%M:%S.%fZ"

Columns = Mapping[str, Mapping[str, str]]
"""Types of columns, by part of an order and name."""


@dataclass(frozen=True, slots=True)
class Content:
    """The columns of a version, and which of them can identify a person."""

    columns: Columns
    personal: frozenset[str]
    """As `part.column`."""

    def plain(self) -> Columns:
        """The columns without those that can identify a person."""
        return {
            part: {
                name: type_
                for name, type_ in columns.items()
                if f"{part}.{name}" not in self.personal
            }
            for part, columns in self.columns.items()
        }


def content_of(connection: duckdb.DuckDBPyConnection, manifest: Manifest) -> Content:
    """Raises: ConfigurationError for a version without these tables."""
    found: dict[str, dict[str, str]] = {}
    for part, table in TABLES.items():
        rows = connection.execute(
            "select column_name, data_type from duckdb_columns() where schema_name ="
            " 'wholesale_marts' and table_name = ? and database_name = current_database()"
            " order by column_index",
            [table],
        ).fetchall()
        if not rows:
            raise ConfigurationError(
                f"version {manifest.version} has no {table}, as it was published with --only-bi:"
                " publish it with the marts, from which orders are handed over"
            )
        found[part] = {
            name: stable_type(type_) for name, type_ in rows if not OF_OUR_READING.fullmatch(name)
        }
    personal = {
        f"{part}.{name}"
        for part, table in TABLES.items()
        for name in found[part]
        if f"{table}.{name}" in manifest.personal
    }
    return Content(found, frozenset(personal))


def stable_type(type_: str) -> str:
    """The type in which a column is handed over, whatever a version needs."""
    return "DECIMAL(38,9)" if type_.startswith("DECIMAL") else type_


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def value(name: str, type_: str) -> str:
    """SQL: a value as JSON and CSV have it, amounts and times as text."""
    column = quoted(name)
    if type_.startswith("DECIMAL"):
        return f"rtrim(rtrim(cast(cast({column} as decimal(38, 9)) as varchar), '0'), '.')"
    if type_ == "TIMESTAMP WITH TIME ZONE":
        return f"strftime({column}, '{TEXT_OF_TIME}')"
    if type_ in ("BOOLEAN", "BIGINT", "INTEGER", "VARCHAR"):
        return column
    return f"cast({column} as varchar)"


def digests(relations: Mapping[str, str], columns: Columns, name: str) -> str:
    """SQL: `order_id`, and the digest of each order under a name. An order is the text of its
    values, each with its name and length, so that no two are written alike; what is NULL is left
    out, so a column without values changes nothing. Lines have numbers: their order is in them."""
    parts = [part for part in NUMBER_IN_ORDER if columns[part]]
    ctes = ", ".join(
        f"{part}_of_order as (select order_id, bit_xor(md5_number({_text(columns[part])}))"
        f" as digest from {relations[part]} group by order_id)"
        for part in parts
    )
    joins = " ".join(f"left join {part}_of_order using (order_id)" for part in parts)
    children = ", ".join(f"'|', {part}_of_order.digest" for part in parts)
    return (
        f"with {ctes} select order_id, cast(md5(concat({_text(columns[ORDERS])}, {children}))"
        f" as uuid) as {name} from {relations[ORDERS]} {joins}"
    )


def _text(columns: Mapping[str, str]) -> str:
    """SQL: one text of the columns of a row."""
    return f"concat({', '.join(_written(*column) for column in sorted(columns.items()))})"


def _written(name: str, type_: str) -> str:
    text = f"cast({value(name, type_)} as varchar)"
    return f"'{name}=' || strlen({text}) || ':' || {text}"


def cast_all(columns: Mapping[str, str], prefix: str = "") -> str:
    """SQL: the columns in the types in which they are handed over."""
    return ", ".join(
        f"cast({prefix}{quoted(name)} as {type_}) as {quoted(name)}"
        for name, type_ in columns.items()
    )


def names(columns: Columns) -> Mapping[str, Sequence[str]]:
    return {part: sorted(found) for part, found in columns.items()}


def among(columns: Columns, wanted: Mapping[str, Collection[str]]) -> Columns | None:
    """These columns by the names of earlier ones; None where one of those is no more."""
    if any(set(wanted[part]) - columns[part].keys() for part in columns):
        return None
    return {
        part: {name: type_ for name, type_ in found.items() if name in wanted[part]}
        for part, found in columns.items()
    }


def literal(text: Any) -> str:
    return "'" + str(text).replace("'", "''") + "'"
