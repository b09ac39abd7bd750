"""Stored: the stored records of a resource, to compare them with what the service lists."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property

import pyarrow as pa

from wholesale.api import Resource
from wholesale.compare import (
    IS_DELETED,
    NOTHING,
    Past,
    Stored,
    found_columns,
    part_due,
)
from wholesale.names import DELETED_AT, EXTRA
from wholesale.tables import TableShape, in_order
from wholesale_elt.runs.history import (
    History,
    as_utc,
    has_changed_since,
    read_histories,
    read_refused,
    read_suspects,
)
from wholesale_elt.warehouse import SCHEMAS, RawReader


class StoredReader:
    """Reads the stored records of a resource, with what earlier runs found about them."""

    def __init__(self, raw: RawReader) -> None:
        self._raw = raw

    def read(self, resource: Resource, shape: TableShape) -> Stored:
        """The stored records: those columns that summaries have, or all if it has no summaries."""
        there = self._raw.column_names(resource.name)
        if not there:
            return NOTHING
        stored = self._records(resource, shape, there).after(self._past(resource))
        return stored.doubting(self._refused.get(resource.name, ()))

    def _records(self, resource: Resource, shape: TableShape, there: frozenset[str]) -> Stored:
        version, parent = resource.version.value, resource.parent
        columns = [name for name in resource.summary if name != "id"]
        columns += [version] if version and version not in columns else []
        columns += [parent.column] if parent else []
        found = found_columns(shape) if resource.summary else ()
        is_whole = not resource.summary
        names = shape.schema.names if is_whole else ("id", *columns, *found, EXTRA)
        stored = Stored.of(
            self._rows_of(shape, there.intersection(names), IS_DELETED),
            columns=columns,
            is_whole=is_whole,
            found=found,
            version=version,
            parent=parent.column if parent else None,
        )
        for child in shape.children if is_whole else ():
            rows = self._rows_of(child, self._raw.column_names(child.table))
            stored = stored.with_entries(child, rows)
        return stored

    def _past(self, resource: Resource) -> Past:
        """What earlier runs left behind; of a list without summaries all is read in any case."""
        history = self._histories.get(resource.name) or History(first_at=self._made_at())
        past = Past(
            dirty_since=history.dirty_since,
            absent=in_order(self._suspects.get(resource.name, ())),
            is_proved=history.is_proved,
            is_restless=history.is_restless,
        )
        if not resource.summary:
            return past
        past = replace(past, audit_part=part_due(history.read_again_at, datetime.now(UTC)))
        scanned_at = history.scanned_at
        if not scanned_at:
            return past
        old_names = self._old_names(resource)
        if any(has_changed_since(self._raw, name, scanned_at) for name in old_names):
            return replace(past, old_names=old_names)
        return replace(
            past,
            scanned_at=scanned_at if history.is_order_trusted else None,
            stopped_at=history.stopped_at,
            old_names=old_names,
        )

    def _rows_of(
        self, table: TableShape, names: Collection[str], is_deleted: str = ""
    ) -> Iterator[pa.Table]:
        """These columns of a table, as far as its shape has them; `is_deleted` is the name of a
        column that tells whether a row is marked as deleted."""
        fields = [
            field for field in table.schema if field.name in names and field.name != DELETED_AT
        ]
        columns = [self._raw.column_as(field.name, field.type) for field in fields]
        if is_deleted:
            fields.append(pa.field(is_deleted, pa.bool_()))
            columns.append(f"{DELETED_AT} is not null as {is_deleted}")
        sql = f"select {', '.join(columns)} from {self._raw.name(table.table)}"
        return self._raw.batches(sql, pa.schema(fields))

    @cached_property
    def _histories(self) -> Mapping[str, History]:
        """Those of all resources, read once: no other run ends while this one is at work."""
        return read_histories(self._raw)

    @cached_property
    def _suspects(self) -> Mapping[str, Sequence[str]]:
        return read_suspects(self._raw)

    @cached_property
    def _refused(self) -> Mapping[str, Sequence[str]]:
        return read_refused(self._raw)

    def _old_names(self, resource: Resource) -> frozenset[str]:
        """The resources whose names its records contain in an outdated form."""
        return frozenset(
            copied.resource
            for copied in resource.copied_names
            if self._raw.rows(
                "select 1 from"
                f" (select distinct {copied.key}, {copied.column}"
                f" from {self._raw.name(resource.name)} where {DELETED_AT} is null) as record"
                f" join {self._raw.name(copied.resource)} as named"
                f" on named.id = record.{copied.key}"
                f" where named.{copied.name} <> record.{copied.column} limit 1"
            )
        )

    def _made_at(self) -> datetime | None:
        """When the first table was made: no run began before, not even a killed one."""
        rows = self._raw.rows(f"select min(inserted_at) from {self._raw.name(SCHEMAS)}")
        return as_utc(rows[0][0]) if rows else None
