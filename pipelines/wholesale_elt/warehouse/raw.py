"""Raw dataset: the raw tables in the destination, by SQL and as Arrow."""

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import pyarrow as pa
from dlt.common.destination.exceptions import DestinationUndefinedEntity
from dlt.common.schema import Schema

from wholesale.api import RESOURCE, ColumnType
from wholesale.dlt_hints import stored_columns
from wholesale.tables import DELETED_AT, TableShape
from wholesale_elt.warehouse.dialect import Dialect

ARROW_TYPE = {
    "text": pa.string(),
    "json": pa.string(),
    "decimal": pa.decimal128(38, 9),
    "bigint": pa.int64(),
    "bool": pa.bool_(),
    "timestamp": pa.timestamp("us", "UTC"),
}

WITHOUT_TEXT = re.compile(
    r"(?i)(u?(tiny|small|big|huge)?int(eger)?\d*|decimal|numeric|double|real|float\d*|bool(ean)?"
    r"|date|time(stamp)?|interval|uuid|blob|bytea|bit|oid)\b(?!.*\[)"
)
"""Types of columns that hold no text; lists of them aside."""


def types_of(rows: Sequence[tuple[Any, ...]]) -> Mapping[str, Mapping[str, str]]:
    """Types by table and column, in one spelling."""
    found: dict[str, dict[str, str]] = {}
    for table, column, type_ in rows:
        found.setdefault(table, {})[column] = type_.lower().replace(" ", "")
    return found


Part = Callable[[str], str]
"""A part of all records: given the name of a column with ids, an SQL condition on it."""


def everything(_ids: str) -> str:
    """The part that is all records."""
    return "true"


class Raw(ABC):
    """The dataset over one open connection; `client` is dlt's for the destination.

    Destinations move rows in and out in their own ways; the rest is SQL that all of them share.
    """

    def __init__(self, client: Any) -> None:
        self.client = client
        self._sql = client.sql_client

    @abstractmethod
    def append(self, table: str, rows: pa.Table) -> None:
        """Append rows to a table of the dataset, or a temporary one, by column name."""

    @abstractmethod
    def batches(self, sql: str, schema: pa.Schema) -> Iterator[pa.Table]:
        """The result of a query with this schema, in batches, never in memory as a whole."""

    @abstractmethod
    def begin(self) -> None:
        """Begin a transaction; others see nothing of it until `commit`."""

    @abstractmethod
    def commit(self) -> None: ...

    @abstractmethod
    def prepare_load(self) -> None:
        """Prepare the connection for a load."""

    def fill(self, *, is_filling: bool) -> None:  # noqa: B027
        """Note that rows will only be appended to tables that have none, or that this is over."""

    def hold_keys(self, keys: Mapping[str, Sequence[str]]) -> None:  # noqa: B027
        """Let the database hold these keys of raw tables, where that costs little; of tables that
        have rows it holds those that it held before."""

    def index_growing(self, tables: Collection[str], columns: Sequence[str]) -> None:  # noqa: B027
        """Let the database find the greatest values of these columns, which grow from row to row,
        without reading all of a table, where it does not do so by itself."""

    dialect: Dialect
    """The name of the SQL that it speaks."""

    has_columns_of_views = True
    """Whether columns of a view take a comment, as those of a table do."""

    @abstractmethod
    def prepare_making(self, schemas: Sequence[str], temporary: str) -> None:
        """Prepare the connection, within its transaction, to make the tables of a build.

        Names without a schema are found in `schemas`, which are there; `temporary` is the schema of
        what is gone at the end.
        """

    @abstractmethod
    def make_view(self, schema: str, name: str, sql: str) -> None:
        """Create or replace a view, whose readers are not held up until the build is in force."""

    @abstractmethod
    def make_table(
        self, schema: str, name: str, columns: Mapping[str, str], sql: str, key: Sequence[str]
    ) -> None:
        """Replace a table by the result of a query, in the same way.

        Where that costs little, the database holds the `key`, once what is made is in force.
        """

    @abstractmethod
    def types_of_query(self, name: str, sql: str) -> Sequence[tuple[str, str]]:
        """The columns of a query with their types; `name` is that of no other table of the build
        that is gone at its end."""

    @abstractmethod
    def make_temporary(self, name: str, sql: str, *, is_view: bool) -> None:
        """Create a table or view that is gone at the end of the build."""

    def put_in_force(self) -> None:  # noqa: B027
        """Put in force what was made, before the transaction is committed."""

    @abstractmethod
    def column_types(self) -> Mapping[str, Mapping[str, str]]:
        """The columns of the raw tables that there are, with their types in SQL, in small letters
        without blanks."""

    def key_parts(self, shape: TableShape) -> Sequence[Part]:
        """The parts in which every key of these tables can be checked in bounded memory."""
        return [everything]

    def name(self, table: str) -> str:
        """The table's name as SQL takes it."""
        return str(self._sql.make_qualified_table_name(table))

    def rows(self, sql: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """The rows of a query; a table that does not exist yet has none."""
        try:
            with self._sql.execute_query(sql, *parameters) as cursor:
                return list(cursor.fetchall())
        except DestinationUndefinedEntity:
            return []

    def first_rows(self, sql: str, most: int) -> tuple[list[str], list[tuple[Any, ...]]]:
        """The column names of a query, and at most so many of its rows."""
        with self._sql.execute_query(f"{sql} limit {most}") as cursor:
            names = [column[0] for column in cursor.native_cursor.description]
            return names, list(cursor.fetchall())

    def column_names(self, table: str) -> frozenset[str]:
        """The columns that the table has; none when it does not exist yet."""
        try:
            with self._sql.execute_query(f"select * from {self.name(table)} limit 0") as cursor:
                return frozenset(column[0] for column in cursor.native_cursor.description)
        except DestinationUndefinedEntity:
            return frozenset()

    def execute(self, sql: str, *parameters: Any) -> None:
        self._sql.execute_sql(sql, *parameters)

    def transaction(self) -> AbstractContextManager[Any]:
        """A transaction around the block: all of it is written, or nothing."""
        transaction: AbstractContextManager[Any] = self._sql.begin_transaction()
        return transaction

    def quoted(self, column: str) -> str:
        """The column's name as SQL takes it."""
        return str(self._sql.escape_column_name(column))

    def declared(self, column: str, type_: str) -> str:
        """The column as a table that is made declares it."""
        return f"{self.quoted(column)} {type_}"

    def column_as(self, name: str, type_: pa.DataType) -> str:
        """The column in a query for this type; JSON as text."""
        quoted = self.quoted(name)
        return f"cast({quoted} as varchar) as {quoted}" if pa.types.is_string(type_) else quoted

    def schema(self) -> Schema:
        """dlt's schema as stored in the destination; empty at first."""
        stored = self.client.get_stored_schema(self.client.schema.name)
        if stored is None:
            return Schema(self.client.schema.name)
        return Schema.from_stored_schema(json.loads(stored.schema))

    def columns(self) -> Mapping[str, Mapping[str, ColumnType]]:
        """The columns of our tables by table, as earlier runs left them."""
        return stored_columns(self.schema().tables)

    def schema_of(self, table: str) -> pa.Schema:
        """The columns of a table by dlt's schema, in Arrow's types; JSON is text."""
        columns = self.schema().tables[table]["columns"].values()
        return pa.schema(
            [pa.field(str(hint["name"]), ARROW_TYPE[str(hint["data_type"])]) for hint in columns]
        )

    def count(self, table: str) -> int:
        rows = self.rows(f"select count(*) from {self.name(table)}")
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

    is_readable = "true"
    """The condition for a table of the catalogue, `columns`, that may be read."""

    def drop_staging(self) -> None:
        """Drop the dataset in which pipelines of dlt leave the rows that they merged last."""
        if self.has_schema(self.staging):
            self.execute(f"drop schema {self.quoted(self.staging)} cascade")

    @property
    def staging(self) -> str:
        """The name of that dataset."""
        return str(self._sql.staging_dataset_name)

    def has_schema(self, name: str) -> bool:
        """Whether that schema has any table."""
        return bool(
            self.rows(
                "select 1 from information_schema.tables where table_schema = %s limit 1", name
            )
        )

    def count_alive(self, table: str) -> int:
        """Rows of a root table that are not marked as deleted."""
        rows = self.rows(f"select count(*) from {self.name(table)} where {DELETED_AT} is null")
        return int(rows[0][0]) if rows else 0
