"""Changes: how each record, and each line, differs between two moments, by the rows of then.

Only records that a sync wrote in between are read.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

import pyarrow as pa

from wholesale.api import RESOURCE, class_of
from wholesale.errors import ConfigurationError, counted
from wholesale.sync import moment_of
from wholesale.tables import DELETED_AT, EXTRA, TableShape, shape_of
from wholesale_elt.past import forgotten_until, past_of, rows_as_of, written_between
from wholesale_elt.warehouse import CERTIFICATES, Raw, Warehouse

Kind = Literal["new", "found late", "edited", "state changed", "cancelled", "deleted", "reappeared"]
ORDERS = "orders"
CREATED_AT, STATUS, UPDATED_AT = "created_at", "status", "updated_at"
Row = Mapping[str, Any]
Rows = Mapping[tuple[Any, ...], Row]
Fields = Mapping[str, tuple[Any, Any]]
HIDDEN = "(may be personal)"
"""In the place of values that may tell of a person."""


@dataclass(frozen=True, slots=True)
class Change:
    """What became of a record, or of a line or another entry of one that was there before.

    `resource` is its table, `id` that of the record, `number` the place of an entry in it, and
    `fields` has what differs, as it was and as it is.
    """

    kind: Kind
    resource: str
    id: str
    order_number: str | None = None
    number: int | None = None
    fields: Fields = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Changes:
    """How what is stored differs between two moments; a sync counts from when it began."""

    since: datetime
    until: datetime
    changes: Sequence[Change]


def find_changes(
    warehouse: Warehouse,
    since: datetime | None = None,
    until: datetime | None = None,
    *,
    cancelled: Collection[str] = (),
) -> Changes:
    """The changes between two moments; by default those of the last sync. `cancelled` are states of
    orders that mean so.

    Raises: ConfigurationError for a moment of which nothing is stored; NotLoaded.
    """
    until = until or datetime.now(UTC)
    with warehouse.open(is_read_only=True) as raw:
        synced = _last_sync(raw, warehouse, since)
        since, columns = since or synced, raw.columns()
        found = [
            change
            for resource in RESOURCE.values()
            if past_of(resource.name) in columns
            for change in _Between(raw, since, until, synced, frozenset(cancelled)).changes(
                shape_of(resource, columns)
            )
        ]
    return Changes(since, until, found)


def _last_sync(raw: Raw, warehouse: Warehouse, since: datetime | None) -> datetime:
    """When the last sync before this moment began; by default the one before the last of all.

    Raises: ConfigurationError if there is none, or the past is not kept for so long.
    """
    rows = raw.rows(f"select distinct run_id from {raw.name(CERTIFICATES)}")
    began = sorted(moment_of(run_id) for (run_id,) in rows)
    earlier = [moment for moment in began if moment <= since] if since else began[:-1]
    kept = forgotten_until(raw)
    if not earlier or (kept and (since or earlier[-1]) < kept):
        raise ConfigurationError(
            f"{warehouse.name} has nothing to compare with: it knows {counted(len(began), 'sync')}"
            + (f", the first of {began[0].isoformat()}" if began else "")
            + (f", and nothing that was replaced before {kept.isoformat()}" if kept else "")
        )
    return earlier[-1]


@dataclass(frozen=True, slots=True)
class _Between:
    """Two moments, and when the last sync before the first of them began."""

    raw: Raw
    since: datetime
    until: datetime
    synced: datetime
    cancelled: frozenset[str]

    def changes(self, root: TableShape) -> Iterator[Change]:
        """The changes of one resource, and of the entries of its records."""
        touched = " union ".join(
            f"select {table.parent_key or 'id'} as id from ({query}) as written"
            for table in root.tables
            for query in written_between(self.raw, table.table, self.since, self.until)
        )
        if not self.raw.rows(f"select 1 from ({touched}) as touched limit 1"):
            return
        was, now = (
            {table.table: _rows(self.raw, table, moment, touched) for table in root.tables}
            for moment in (self.since, self.until)
        )
        for (key, *_), row in now[root.table].items():
            before = was[root.table].get((key,))
            number = row.get("order_number") if root.table == ORDERS else None
            fields = _differing(before, row)
            if kind := self._kind(before, row, fields):
                shown = _shown(root.table, fields) if before else {}
                yield Change(kind, root.table, key, number, fields=shown)
        for child in root.children:
            yield from _entries(child, root, was, now)

    def _kind(self, before: Row | None, row: Row, fields: Mapping[str, object]) -> Kind | None:
        """What became of a record; None if nothing did, or it came and went in between."""
        is_gone, was_gone = row[DELETED_AT] is not None, before is not None and before[DELETED_AT]
        if is_gone:
            return None if before is None or was_gone else "deleted"
        if before is None:
            created = row.get(CREATED_AT)
            return "found late" if created and created < self.synced else "new"
        if was_gone:
            return "reappeared"
        if not fields:
            return None
        if STATUS in fields and str(row[STATUS]).strip().lower() in self.cancelled:
            return "cancelled"
        are_states = all(name.endswith(STATUS) or name == UPDATED_AT for name in fields)
        return "state changed" if are_states and fields.keys() - {UPDATED_AT} else "edited"


def _entries(
    child: TableShape, root: TableShape, was: Mapping[str, Rows], now: Mapping[str, Rows]
) -> Iterator[Change]:
    """Changes in entries of records that were there, and still are."""
    before, after = was[child.table], now[child.table]
    for key in sorted({*before, *after}):
        owner, number = key
        then, today = was[root.table].get((owner,)), now[root.table].get((owner,))
        if then is None or today is None or then[DELETED_AT] or today[DELETED_AT]:
            continue
        of = today.get("order_number") if root.table == ORDERS else None
        old, new = before.get(key), after.get(key)
        if old is None or new is None:
            kind: Kind = "deleted" if old else "new"
            fields = _shown(child.table, _differing(old or {}, new or {}))
            yield Change(kind, child.table, owner, of, number, fields)
        elif fields := _differing(old, new):
            yield Change("edited", child.table, owner, of, number, _shown(child.table, fields))


def _differing(old: Row | None, new: Row) -> Fields:
    before = old or {}
    return {
        name: (before.get(name), new.get(name))
        for name in dict.fromkeys((*new, *before))
        if name != DELETED_AT and before.get(name) != new.get(name)
    }


def _shown(table: str, fields: Fields) -> Fields:
    """The same, without values that may tell of a person: what changed goes into logs and mails."""
    hidden = (HIDDEN, HIDDEN)
    return {
        name: hidden if name == EXTRA or class_of(table, name) else pair
        for name, pair in fields.items()
    }


def _rows(raw: Raw, table: TableShape, moment: datetime, touched: str) -> Rows:
    """The rows of these records at a moment, by key; of an entry without its key."""
    there = raw.column_names(table.table)
    schema = pa.schema([column for column in table.schema if column.name in there])
    columns = [raw.column_as(column.name, column.type) for column in schema]
    keys = (table.parent_key, table.number) if table.parent_key else ("id",)
    sql = rows_as_of(
        raw, table.table, columns, moment, f"{keys[0]} in (select id from ({touched}) as touched)"
    )
    rows = (row for batch in raw.batches(sql, schema) for row in batch.to_pylist())
    return {tuple(row.pop(key) for key in keys): row for row in rows}
