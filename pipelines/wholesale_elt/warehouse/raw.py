"""Raw dataset: the tables as they stand in the destination, and marks of what is gone."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
from dlt.common.destination.exceptions import DestinationUndefinedEntity
from dlt.common.schema import Schema

from wholesale.api import ColumnType, Resource
from wholesale.compare import IS_DELETED, NOTHING, Stored, part_due
from wholesale.dlt_hints import stored_columns
from wholesale.tables import DELETED_AT, TableShape
from wholesale_elt.warehouse.history import as_utc, read_history

IDS_A_STATEMENT = 500
ROWS_A_BATCH = 50_000


class Raw:
    """The dataset over one open connection: `client` is dlt's for the destination."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self._sql = client.sql_client

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

    def execute(self, sql: str, *parameters: Any) -> None:
        self._sql.execute_sql(sql, *parameters)

    def schema(self) -> Schema:
        """The tables as dlt knows them, by what the destination says; empty at first."""
        stored = self.client.get_stored_schema(self.client.schema.name)
        if stored is None:
            return Schema(self.client.schema.name)
        return Schema.from_stored_schema(json.loads(stored.schema))

    def columns(self) -> Mapping[str, Mapping[str, ColumnType]]:
        """The columns of our tables, by table, as earlier runs left them."""
        return stored_columns(self.schema().tables)

    def count(self, table: str) -> int:
        rows = self.rows(f"select count(*) from {self.name(table)}")
        return int(rows[0][0]) if rows else 0

    def count_alive(self, table: str) -> int:
        """Rows of a root table that are not marked as deleted."""
        rows = self.rows(f"select count(*) from {self.name(table)} where {DELETED_AT} is null")
        return int(rows[0][0]) if rows else 0

    def stored(self, resource: Resource, shape: TableShape) -> Stored:
        """What is stored of a resource, to be compared with what the service lists."""
        version, parent = resource.version.value, resource.parent
        columns = [name for name in resource.summary if name != "id"]
        columns += [version] if version and version not in columns else []
        columns += [parent.column] if parent else []
        fields = [shape.schema.field(name) for name in ("id", *columns)]
        schema = pa.schema([*fields, pa.field(IS_DELETED, pa.bool_())])
        names = ", ".join(self._sql.escape_column_name(field.name) for field in fields)
        sql = (
            f"select {names}, {DELETED_AT} is not null as {IS_DELETED}"
            f" from {self.name(resource.name)}"
        )
        try:
            stored = Stored.of(
                (table.cast(schema) for table in self._tables(sql)),
                columns=columns,
                version=version,
                parent=parent.column if parent else None,
            )
        except DestinationUndefinedEntity:
            return NOTHING
        past = read_history(self, resource.name, since=self._made_at())
        if not resource.summary:
            return stored.with_history(dirty_since=past.dirty_since)
        return stored.with_history(
            dirty_since=past.dirty_since,
            audit_part=part_due(past.read_again_at, datetime.now(UTC)),
            last_pass_at=past.swept_at if past.is_order_trusted else None,
            stopped_at=past.stopped_at,
        )

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

    def _made_at(self) -> datetime | None:
        """When the first table was made: no run has begun before, also of those that died."""
        version = self.name(self.client.schema.version_table_name)
        rows = self.rows(f"select min(inserted_at) from {version}")
        return as_utc(rows[0][0]) if rows else None

    def _tables(self, sql: str) -> Iterator[pa.Table]:
        """The answer in batches, so that it is never in memory as a whole."""
        with self._sql.execute_query(sql) as cursor:
            native = cursor.native_cursor
            if hasattr(native, "to_arrow_reader"):  # dlt calls what newer DuckDB versions warn of
                for batch in native.to_arrow_reader(ROWS_A_BATCH):
                    yield pa.Table.from_batches([batch])
            else:
                yield from cursor.iter_arrow(ROWS_A_BATCH)


def _batches(ids: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (ids[start : start + size] for start in range(0, len(ids), size))
