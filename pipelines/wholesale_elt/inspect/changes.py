"""Changes: how each record, and each line, differs between two moments, by the rows of then.

Only records that a sync wrote in between are read, and one after the other: the rows of both
moments come side by side.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa

from wholesale.api import RESOURCE, class_of
from wholesale.errors import ConfigurationError, counted
from wholesale.sync import moment_of
from wholesale.tables import DELETED_AT, EXTRA, VALID_FROM, VALID_TO, TableShape, shape_of
from wholesale_elt.inspect.kinds import BEFORE, NOW, STATUS, cancelled_words, kind_of_record
from wholesale_elt.past import (
    Kind,
    forgotten_until,
    literal,
    past_of,
    rows_as_of,
    written_between,
)
from wholesale_elt.runs import as_utc, recency
from wholesale_elt.warehouse import CERTIFICATES, Raw, Warehouse

ORDERS = "orders"
NUMBER = "order_number"
AMOUNTS: Mapping[str, str] = {ORDERS: "sub_total", "orders__order_line_items": "total_price"}
"""The column of a table whose amount counts."""
NOTHING = Decimal()
CHANGED_AT = "changed_at"
Row = Mapping[str, Any]
Amounts = tuple[Decimal | None, Decimal | None]
Fields = Mapping[str, tuple[Any, Any]]
Show = Callable[[str, Fields], Fields]
"""Which of the fields of a table may be shown, and what of them."""
HIDDEN = "(may be personal)"
"""In the place of values that may tell of a person."""


@dataclass(frozen=True, slots=True)
class Change:
    """What became of a record, or of a line or another entry of one that was there before.

    `resource` is its table, `id` that of the record, `number` the place of an entry in it, `sku`
    that of a line, and `fields` has what differs, as it was and as it is. `amounts` are what it
    counted with and does: of an order that is gone or cancelled nothing, and None if it has none.
    """

    kind: Kind
    resource: str
    id: str
    order_number: str | None = None
    number: int | None = None
    fields: Fields = field(default_factory=dict)
    sku: str | None = None
    amounts: Amounts | None = None
    changed_at: datetime | None = None

    @property
    def effect(self) -> Decimal | None:
        """What the change added or took away; None if that is not known, or it counts nowhere."""
        was, now = self.amounts or (None, None)
        if (was is None and not now) or (now is None and not was):
            return None
        return (now or NOTHING) - (was or NOTHING)


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
    orders that mean so. Values that may tell of a person are hidden.

    Raises: ConfigurationError for a moment of which nothing is stored; NotLoaded.
    """
    until = until or datetime.now(UTC)
    with warehouse.open(is_read_only=True) as raw:
        since = since or _last_sync(raw, warehouse, None)
        found = list(each_change(raw, warehouse, since, until, cancelled, show=_hidden))
    return Changes(since, until, found)


def each_change(
    raw: Raw,
    warehouse: Warehouse,
    since: datetime,
    until: datetime,
    cancelled: Collection[str],
    *,
    show: Show,
    resources: Collection[str] = tuple(RESOURCE),
) -> Iterator[Change]:
    """The same, one after the other, of these resources, with what is shown of their fields.

    Raises: as `find_changes` does.
    """
    synced = _last_sync(raw, warehouse, since)
    words = cancelled_words(raw, cancelled) if ORDERS in resources else ()
    between = _Between(raw, since, until, synced, words, show)
    columns = raw.columns()
    for name in resources:
        if past_of(name) in columns:
            yield from between.changes(shape_of(RESOURCE[name], columns))


def _last_sync(raw: Raw, warehouse: Warehouse, since: datetime | None) -> datetime:
    """When the last sync before this moment began; by default the one before the last of all.

    Raises: ConfigurationError if there is none, or the past is not kept for so long.
    """
    rows = raw.rows(f"select distinct {recency()} from {raw.name(CERTIFICATES)}")
    began = sorted(moment_of(run_id) for (run_id,) in rows if run_id)
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
    """Two moments, when the last sync before the first of them began, and the words of states that
    mean that an order is cancelled."""

    raw: Raw
    since: datetime
    until: datetime
    synced: datetime
    cancelled: Collection[str]
    show: Show

    def changes(self, root: TableShape) -> Iterator[Change]:
        """The changes of one resource, and of the entries of its records."""
        touched = self._touched(*root.tables)
        if not self.raw.rows(f"select 1 from ({touched}) as touched limit 1"):
            return
        with_lines = self._with_other_lines(root)
        kinds = [
            kind_of_record(self.raw, root.table, self.synced, self.cancelled, has_other_lines=each)
            for each in (False, True)
        ]
        for (key, *_), before, row, at, *found in self._pairs(root, touched, *kinds):
            assert row is not None  # records are marked, never removed
            fields, has_other_lines = _differing(before, row), key in with_lines
            is_another = before is None or bool(before[DELETED_AT]) is not bool(row[DELETED_AT])
            kind = found[has_other_lines]
            if kind and (is_another or fields or has_other_lines):
                yield Change(
                    kind,
                    root.table,
                    key,
                    row.get(NUMBER) if root.table == ORDERS else None,
                    fields=self.show(root.table, fields) if before else {},
                    amounts=self._amounts(root.table, before, row),
                    changed_at=at,
                )
        for child in root.children:
            yield from self._entries(child, root, touched)

    def _touched(self, *tables: TableShape) -> str:
        """A query for the ids of records of which something was written in these tables."""
        return " union ".join(
            f"select {table.parent_key or 'id'} as id from ({query}) as written"
            for table in tables
            for query in written_between(self.raw, table.table, self.since, self.until)
        )

    def _with_other_lines(self, root: TableShape) -> Collection[str]:
        """The ids of records whose lines differ."""
        return {
            key
            for child in root.children
            if child.table in AMOUNTS
            for (key, _), before, row, *_ in self._pairs(child, self._touched(child))
            if _differing(before, row or {})
        }

    def _entries(self, child: TableShape, root: TableShape, touched: str) -> Iterator[Change]:
        """Changes in entries of records that were there, and still are."""
        numbers = self._numbers_of_alive(root, touched)
        for (key, number), before, row, at in self._pairs(child, touched):
            if key not in numbers or not (fields := _differing(before, row or {})):
                continue
            is_there = before is not None and row is not None
            yield Change(
                "edited" if is_there else "deleted" if before else "new",
                child.table,
                key,
                numbers[key],
                number,
                self.show(child.table, fields),
                (row or before or {}).get("sku"),
                self._amounts(child.table, before, row),
                at,
            )

    def _is_cancelled(self, row: Row) -> bool:
        return row.get(STATUS) in self.cancelled

    def _amounts(self, table: str, before: Row | None, after: Row | None) -> Amounts | None:
        if table not in AMOUNTS:
            return None
        was, now = (
            NOTHING
            if row is None or row.get(DELETED_AT) or (table == ORDERS and self._is_cancelled(row))
            else row.get(AMOUNTS[table])
            for row in (before, after)
        )
        return was, now

    def _numbers_of_alive(self, root: TableShape, touched: str) -> Mapping[str, str | None]:
        """The number of each order, or None of another record, that was there and still is."""
        columns = ["id", NUMBER] if root.table == ORDERS else ["id", "null"]
        found = []
        for moment in (self.since, self.until):
            there = f"{DELETED_AT} is null and id in (select id from ({touched}) as touched)"
            found.append(
                dict(self.raw.rows(rows_as_of(self.raw, root.table, columns, moment, there)))
            )
        was, now = found
        return {key: number for key, number in now.items() if key in was}

    def _pairs(self, table: TableShape, touched: str, *told: str) -> Iterator[Any]:
        """The keys of each row, the row of before, `was`, that of after, `today`, since when it is
        so, and what is `told` of both in SQL."""
        raw, there = self.raw, self.raw.column_names(table.table)
        schema = pa.schema([column for column in table.schema if column.name in there])
        keys = (table.parent_key, table.number) if table.parent_key else ("id",)
        columns = [*(raw.column_as(column.name, column.type) for column in schema), VALID_FROM]
        is_touched = f"{keys[0]} in (select id from ({touched}) as touched)"
        sides = {
            name: rows_as_of(raw, table.table, columns, moment, is_touched)
            for name, moment in ((BEFORE, self.since), (NOW, self.until))
        }
        listed = ", ".join(raw.quoted(key) for key in keys)
        gone = (
            f"select {listed}, max({VALID_TO}) as gone_at from {raw.name(past_of(table.table))}"
            f" where {VALID_TO} > {literal(self.since)} and {VALID_TO} <= {literal(self.until)}"
            f" group by {listed}"
        )
        names = [raw.quoted(column.name) for column in schema]
        selected = [
            f"{side}.{name} as {side}_{place}" for side in sides for place, name in enumerate(names)
        ] + [f"{each} as told_{place}" for place, each in enumerate(told)]
        is_same, was_there = (
            " and ".join(f"{left}.{raw.quoted(key)} = {right}.{raw.quoted(key)}" for key in keys)
            for left, right in (("was", "today"), ("gone", "was"))
        )
        order = ", ".join(f"coalesce(today.{name}, was.{name})" for name in map(raw.quoted, keys))
        sql = (
            f"select {', '.join(selected)}, coalesce(today.{VALID_FROM}, gone.gone_at)"
            f" as {CHANGED_AT} from ({sides['was']}) as was"
            f" full join ({sides['today']}) as today on {is_same}"
            f" left join ({gone}) as gone on {was_there} order by {order}"
        )
        wide = [
            *(
                pa.field(f"{side}_{n}", each.type)
                for side in sides
                for n, each in enumerate(schema)
            ),
            *(pa.field(f"told_{place}", pa.string()) for place in range(len(told))),
            pa.field(CHANGED_AT, pa.timestamp("us", "UTC")),
        ]
        for batch in raw.batches(sql, pa.schema(wide)):
            for row in batch.to_pylist():
                at, values = row[CHANGED_AT], list(row.values())
                was, today = values[: len(schema)], values[len(schema) : 2 * len(schema)]
                before, after = (
                    dict(zip(schema.names, side, strict=True)) for side in (was, today)
                )
                found = after if after[keys[0]] is not None else before
                key = tuple(found[name] for name in keys)
                rows = _without(before, keys), _without(after, keys)
                yield key, *rows, at and as_utc(at), *values[2 * len(schema) : -1]


def _without(row: dict[str, Any], keys: Sequence[str]) -> Row | None:
    """The row without its keys; None if it is not there."""
    first, *_ = [row.pop(key) for key in keys]
    return None if first is None else row


def _differing(old: Row | None, new: Row) -> Fields:
    before = old or {}
    return {
        name: (before.get(name), new.get(name))
        for name in dict.fromkeys((*new, *before))
        if name != DELETED_AT and before.get(name) != new.get(name)
    }


def _hidden(table: str, fields: Fields) -> Fields:
    """The same, without values that may tell of a person: what changed goes into logs and mails."""
    hidden = (HIDDEN, HIDDEN)
    return {
        name: hidden if name == EXTRA or class_of(table, name) else pair
        for name, pair in fields.items()
    }
