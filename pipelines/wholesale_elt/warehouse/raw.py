"""Raw dataset: the tables as they stand in the destination, and marks of what is gone."""

import json
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

import pyarrow as pa
from dlt.common.destination.exceptions import DestinationUndefinedEntity
from dlt.common.schema import Schema

from wholesale.api import ColumnType, Resource
from wholesale.compare import (
    IS_DELETED,
    NOTHING,
    Past,
    Stored,
    found_columns,
    part_due,
    usual_columns,
)
from wholesale.dlt_hints import stored_columns
from wholesale.errors import ConfigurationError
from wholesale.tables import DELETED_AT, EXTRA, TableShape, in_order
from wholesale_elt.warehouse.history import (
    History,
    as_utc,
    has_changed_since,
    read_histories,
    read_suspects,
)

RAW_DATASET = "wholesale_raw"
PIPELINE = "wholesale"
"""The name of dlt's schema of the raw tables."""
IDS_A_STATEMENT = 500
ROWS_A_SAMPLE = 10_000


ARROW_TYPE = {
    "text": pa.string(),
    "json": pa.string(),
    "decimal": pa.decimal128(38, 9),
    "bigint": pa.int64(),
    "bool": pa.bool_(),
    "timestamp": pa.timestamp("us", "UTC"),
}


@dataclass(frozen=True, slots=True)
class Pinned:
    """One state of a table in files of Parquet: where it lies, its columns, and the files."""

    location: str
    columns: pa.Schema
    files: Sequence[str]


def unpinned(destination: str) -> ConfigurationError:
    return ConfigurationError(
        f"setting build.engine names another engine than DuckDB, which cannot read {destination}:"
        " load into --destination lake, or leave the setting out"
    )


class Raw(ABC):
    """The dataset over one open connection: `client` is dlt's for the destination.

    Each destination has its own way to move rows; all else is the SQL that they have in common.
    """

    def __init__(self, client: Any) -> None:
        self.client = client
        self._sql = client.sql_client

    @abstractmethod
    def append(self, table: str, rows: pa.Table) -> None:
        """Append rows to a table of the dataset, or to a temporary one, by their columns' names."""

    @abstractmethod
    def batches(self, sql: str, schema: pa.Schema) -> Iterator[pa.Table]:
        """The answer to a query in these columns, a batch at a time, never in memory as a whole."""

    @abstractmethod
    def begin(self) -> None:
        """Begin a transaction, which nobody sees anything of until `commit`."""

    @abstractmethod
    def commit(self) -> None: ...

    @abstractmethod
    def prepare_load(self, tables: Sequence[str]) -> None:
        """Make ready to write, into these tables among others."""

    @abstractmethod
    def prepare_comparison(self, size: int) -> None:
        """Make ready to compare so many bytes of Arrow with what is stored."""

    @abstractmethod
    def end_comparison(self) -> None:
        """Give back what comparisons took, once what they replaced is committed."""

    @abstractmethod
    def prepare_making(self, *, is_anew: bool) -> None:
        """Make ready to make models in one transaction, all of them anew or those that are due."""

    def checking(self, shape: TableShape) -> AbstractContextManager[None]:
        """Room to look at every key of these tables at once."""
        return nullcontext()

    def name(self, table: str) -> str:
        """The table's name as SQL takes it."""
        return str(self._sql.make_qualified_table_name(table))

    def rows(self, sql: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """The answer to a query; a table that does not exist yet has no rows."""
        try:
            with self._sql.execute_query(sql, *parameters) as cursor:
                return list(cursor.fetchall())
        except DestinationUndefinedEntity:
            return []

    def first_rows(self, sql: str, most: int) -> tuple[list[str], list[tuple[Any, ...]]]:
        """The columns of a query, and so many rows of its answer."""
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
        """All that is executed within, or nothing of it."""
        transaction: AbstractContextManager[Any] = self._sql.begin_transaction()
        return transaction

    def quoted(self, column: str) -> str:
        """The column's name as SQL takes it."""
        return str(self._sql.escape_column_name(column))

    def column_as(self, name: str, type_: pa.DataType) -> str:
        """The column in a query for this type; JSON comes as its text."""
        quoted = self.quoted(name)
        return f"cast({quoted} as varchar) as {quoted}" if pa.types.is_string(type_) else quoted

    def schema(self) -> Schema:
        """The tables as dlt knows them, by what the destination says; empty at first."""
        stored = self.client.get_stored_schema(self.client.schema.name)
        if stored is None:
            return Schema(self.client.schema.name)
        return Schema.from_stored_schema(json.loads(stored.schema))

    def columns(self) -> Mapping[str, Mapping[str, ColumnType]]:
        """The columns of our tables, by table, as earlier runs left them."""
        return stored_columns(self.schema().tables)

    def schema_of(self, table: str) -> pa.Schema:
        """The columns of a table as dlt knows them, in Arrow's types; JSON is text."""
        columns = self.schema().tables[table]["columns"].values()
        return pa.schema(
            [pa.field(str(hint["name"]), ARROW_TYPE[str(hint["data_type"])]) for hint in columns]
        )

    def count(self, table: str) -> int:
        rows = self.rows(f"select count(*) from {self.name(table)}")
        return int(rows[0][0]) if rows else 0

    def count_alive(self, table: str) -> int:
        """Rows of a root table that are not marked as deleted."""
        rows = self.rows(f"select count(*) from {self.name(table)} where {DELETED_AT} is null")
        return int(rows[0][0]) if rows else 0

    def stored(self, resource: Resource, shape: TableShape) -> Stored:
        """What is stored of a resource, to be compared with what the service lists: by summaries
        where it has them, else by all that it holds."""
        there = self.column_names(resource.name)
        if not there:
            return NOTHING
        version, parent = resource.version.value, resource.parent
        columns = [name for name in resource.summary if name != "id"]
        columns += [version] if version and version not in columns else []
        columns += [parent.column] if parent else []
        found = found_columns(shape) if resource.summary else ()
        is_whole = not resource.summary
        names = shape.schema.names if is_whole else ("id", *columns, *found, EXTRA)
        lists = [child for child in shape.children if self._has_rows(child.table)]
        stored = Stored.of(
            self._rows_of(shape, there.intersection(names), IS_DELETED),
            columns=columns,
            is_whole=is_whole,
            found=found,
            lists=[child.table for child in lists],
            usual=self._usual_columns(resource.name),
            version=version,
            parent=parent.column if parent else None,
        )
        for child in lists if is_whole else ():
            rows = self._rows_of(child, self.column_names(child.table))
            stored = stored.with_entries(child, rows)
        return stored.after(self._past(resource))

    def mark_deleted(self, table: str, ids: Iterable[str], at: datetime) -> None:
        """Mark these records as gone; those that are marked already keep their time."""
        for some in _batches(sorted(ids), IDS_A_STATEMENT):
            places = ", ".join(["%s"] * len(some))
            self.execute(
                f"update {self.name(table)} set {DELETED_AT} = %s"
                f" where {DELETED_AT} is null and id in ({places})",
                at,
                *some,
            )

    def _rows_of(
        self, table: TableShape, names: Collection[str], is_deleted: str = ""
    ) -> Iterator[pa.Table]:
        """Those of these columns of a table that the shape knows, and under that name whether a row
        is marked as deleted."""
        fields = [
            field for field in table.schema if field.name in names and field.name != DELETED_AT
        ]
        columns = [self.column_as(field.name, field.type) for field in fields]
        if is_deleted:
            fields.append(pa.field(is_deleted, pa.bool_()))
            columns.append(f"{DELETED_AT} is not null as {is_deleted}")
        sql = f"select {', '.join(columns)} from {self.name(table.table)}"
        return self.batches(sql, pa.schema(fields))

    @cached_property
    def _histories(self) -> Mapping[str, History]:
        """Of all resources, read once: no run ends while this one is at work."""
        return read_histories(self)

    @cached_property
    def _suspects(self) -> Mapping[str, Sequence[str]]:
        return read_suspects(self)

    def _has_rows(self, table: str) -> bool:
        return bool(self.rows(f"select 1 from {self.name(table)} limit 1"))

    def _usual_columns(self, table: str) -> frozenset[str]:
        """Columns in which almost all records have a value, judged by some."""
        names = sorted(self.column_names(table))
        if not names:
            return frozenset()
        schema = pa.schema([pa.field(name, pa.bool_()) for name in names])
        quoted = [self.quoted(name) for name in names]
        marks = [f"case when {name} is not null then true end as {name}" for name in quoted]
        sql = (
            f"select {', '.join(marks)} from {self.name(table)}"
            f" where {DELETED_AT} is null limit {ROWS_A_SAMPLE}"
        )
        return frozenset().union(*(usual_columns(rows) for rows in self.batches(sql, schema)))

    def _past(self, resource: Resource) -> Past:
        """What earlier runs left behind; of a list without summaries all is read in any case."""
        history = self._histories.get(resource.name) or History(first_at=self._made_at())
        past = Past(
            dirty_since=history.dirty_since,
            absent=in_order(self._suspects.get(resource.name, ())),
            is_proved=history.is_proved,
        )
        if not resource.summary:
            return past
        past = replace(past, audit_part=part_due(history.read_again_at, datetime.now(UTC)))
        swept_at = history.swept_at
        if not swept_at:
            return past
        old_names = self._old_names(resource)
        if any(has_changed_since(self, name, swept_at) for name in old_names):
            return replace(past, old_names=old_names)
        return replace(
            past,
            swept_at=swept_at if history.is_order_trusted else None,
            stopped_at=history.stopped_at,
            old_names=old_names,
        )

    def _old_names(self, resource: Resource) -> frozenset[str]:
        """The resources whose names its records repeat otherwise than they are by now."""
        return frozenset(
            copied.resource
            for copied in resource.copied_names
            if self.rows(
                f"select 1 from {self.name(resource.name)} as record"
                f" join {self.name(copied.resource)} as named on named.id = record.{copied.key}"
                f" where named.{copied.name} <> record.{copied.column}"
                f" and record.{DELETED_AT} is null limit 1"
            )
        )

    def _made_at(self) -> datetime | None:
        """When the first table was made: no run has begun before, also of those that died."""
        version = self.name(self.client.schema.version_table_name)
        rows = self.rows(f"select min(inserted_at) from {version}")
        return as_utc(rows[0][0]) if rows else None


def _batches(ids: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (ids[start : start + size] for start in range(0, len(ids), size))
