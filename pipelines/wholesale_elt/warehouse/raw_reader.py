"""Raw reader: the raw tables in the destination, to be read by SQL and as Arrow.

To read a DuckDB file takes neither dlt nor Arrow, which take longer to import than most questions
take to answer.
"""

import json
import re
from abc import ABC, abstractmethod
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol
from zlib import decompress

from wholesale.api import RESOURCE, ColumnType
from wholesale.names import DELETED_AT
from wholesale.stored_columns import COLUMN_TYPE_OF, stored_columns
from wholesale_elt.warehouse.dialect import Dialect
from wholesale_elt.warehouse.names import PIPELINE, SCHEMAS, STAGING

if TYPE_CHECKING:
    import pyarrow as pa

    from wholesale.tables import TableShape

WITHOUT_TEXT = re.compile(
    r"(?i)(u?(tiny|small|big|huge)?int(eger)?\d*|decimal|numeric|double|real|float\d*|bool(ean)?"
    r"|date|time(stamp)?|interval|uuid|blob|bytea|bit|oid)\b(?!.*\[)"
)
"""Types of columns that hold no text; lists of them aside."""
Row = tuple[Any, ...]
Part = Callable[[str], str]
"""A part of all records: given the name of a column with ids, an SQL condition on it."""


def everything(_ids: str) -> str:
    """The part that is all records."""
    return "true"


def types_of(rows: Sequence[Row]) -> Mapping[str, Mapping[str, str]]:
    """Types by table and column, in one spelling."""
    found: dict[str, dict[str, str]] = {}
    for table, column, type_ in rows:
        found.setdefault(table, {})[column] = type_.lower().replace(" ", "")
    return found


class Found(Protocol):
    """The result of a query, of which only the DB-API is used (PEP 249)."""

    @property
    def description(self) -> Any: ...

    def fetchall(self) -> Any: ...


class RawReader(ABC):
    """The dataset over one open connection, to be read; the SQL is what destinations share."""

    dialect: Dialect
    """The name of the SQL that it speaks."""

    absent: type[Exception]
    """What a query raises for a table that does not exist."""

    is_readable = "true"
    """The condition for a table of the catalogue, `columns`, that may be read."""

    staging = STAGING
    """The name of the dataset in which pipelines of dlt leave the rows that they merged last."""

    @abstractmethod
    def name(self, table: str) -> str:
        """The table's name as SQL takes it."""

    @abstractmethod
    def quoted(self, column: str) -> str:
        """The column's name as SQL takes it."""

    @abstractmethod
    def found(self, sql: str, *parameters: Any) -> AbstractContextManager[Found]:
        """The result of a query, in which each `%s` stands for a parameter, if there are any."""

    @abstractmethod
    def batches(self, sql: str, schema: "pa.Schema") -> "Iterator[pa.Table]":
        """The result of a query with this schema, in batches, never in memory as a whole."""

    @abstractmethod
    def column_types(self) -> Mapping[str, Mapping[str, str]]:
        """The columns of the raw tables that there are, with their types in SQL, in small letters
        without blanks."""

    def key_parts(self, shape: "TableShape") -> Sequence[Part]:
        """The parts in which every key of these tables can be checked in bounded memory."""
        return [everything]

    @abstractmethod
    def each(self, sql: str, columns: Mapping[str, ColumnType]) -> Iterator[Row]:
        """The rows of a query with these columns, one after the other, never all in memory."""

    def rows(self, sql: str, *parameters: Any) -> list[Row]:
        """The rows of a query; a table that does not exist yet has none."""
        try:
            with self.found(sql, *parameters) as found:
                return list(found.fetchall())
        except self.absent:
            return []

    def first_rows(self, sql: str, most: int) -> tuple[list[str], list[Row]]:
        """The column names of a query, and at most so many of its rows."""
        with self.found(f"{sql} limit {most}") as found:
            return [column[0] for column in found.description], list(found.fetchall())

    def column_names(self, table: str) -> frozenset[str]:
        """The columns that the table has; none when it does not exist yet."""
        try:
            with self.found(f"select * from {self.name(table)} limit 0") as found:
                return frozenset(column[0] for column in found.description)
        except self.absent:
            return frozenset()

    def column_as(self, name: str, type_: "pa.DataType") -> str:
        """The column in a query for this type; JSON as text."""
        import pyarrow as pa

        return self.as_text(name) if pa.types.is_string(type_) else self.quoted(name)

    def as_text(self, column: str) -> str:
        """The column in a query for text; JSON, too."""
        quoted = self.quoted(column)
        return f"cast({quoted} as varchar) as {quoted}"

    def stored_schema(self) -> Mapping[str, Any] | None:
        """dlt's schema as it is stored in the destination; None before the first load."""
        rows = self.rows(
            f"select {self.quoted('schema')} from {self.name(SCHEMAS)} where schema_name = %s"
            " order by inserted_at desc limit 1",
            PIPELINE,
        )
        return json.loads(_plain(str(rows[0][0]))) if rows else None

    def tables(self) -> Mapping[str, Any]:
        """The tables in it, each with its `columns`, and what dlt knows of them."""
        stored = self.stored_schema()
        return stored["tables"] if stored else {}

    def columns(self) -> Mapping[str, Mapping[str, ColumnType]]:
        """The columns of our tables by table, as earlier runs left them."""
        return stored_columns(self.tables())

    def schema_of(self, table: str) -> "pa.Schema":
        """The columns of a table by dlt's schema, in Arrow's types; JSON is text."""
        from wholesale.tables import arrow_schema

        columns = self.tables()[table]["columns"].items()
        return arrow_schema({name: COLUMN_TYPE_OF[hint["data_type"]] for name, hint in columns})

    def count(self, table: str) -> int:
        rows = self.rows(f"select count(*) from {self.name(table)}")
        return int(rows[0][0]) if rows else 0

    def count_alive(self, table: str) -> int:
        """Rows of a root table that are not marked as deleted."""
        rows = self.rows(f"select count(*) from {self.name(table)} where {DELETED_AT} is null")
        return int(rows[0][0]) if rows else 0

    def has_records(self) -> bool:
        """Whether any record was ever loaded."""
        return any(self.count(name) for name in RESOURCE)

    def text_columns(self) -> Mapping[tuple[str, str], Sequence[str]]:
        """The columns that can hold text, by schema and table, of all tables of the database that
        may be read, whoever made them."""
        found: dict[tuple[str, str], list[str]] = {}
        for schema, table, column, type_ in self.rows(
            "select columns.table_schema, columns.table_name, column_name, data_type"
            " from information_schema.columns as columns join information_schema.tables as tables"
            " on columns.table_catalog = tables.table_catalog"
            " and columns.table_schema = tables.table_schema"
            " and columns.table_name = tables.table_name"
            " where columns.table_catalog = current_database() and table_type = 'BASE TABLE'"
            " and columns.table_schema not in ('information_schema', 'pg_catalog')"
            f" and {self.is_readable} order by 1, 2, ordinal_position"
        ):
            if not WITHOUT_TEXT.match(type_):
                found.setdefault((schema, table), []).append(column)
        return found

    def has_schema(self, name: str) -> bool:
        """Whether that schema has any table."""
        return bool(
            self.rows(
                "select 1 from information_schema.tables where table_schema = %s limit 1", name
            )
        )


def _plain(schema: str) -> str:
    """The text of a stored schema, which dlt may have compressed."""
    try:
        return decompress(b64decode(schema, validate=True)).decode()
    except ValueError:  # it is no base64
        return schema
