"""Changes: how each record, and each line, differs between two moments, by the rows of then.

Only records that a sync wrote in between are read, and one after the other: the rows of both
moments come side by side.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from wholesale.api import RESOURCE, class_of
from wholesale.errors import ConfigurationError, counted
from wholesale.names import DELETED_AT, EXTRA, moment_of
from wholesale_elt.inspect.kinds import ORDERS, STATUS, cancelled_words, kind_of_record
from wholesale_elt.inspect.moments import NUMBER, Moments, Row
from wholesale_elt.inspect.stored_tables import StoredTable, stored_table
from wholesale_elt.past import Kind, forgotten_until, past_of, with_other_content
from wholesale_elt.runs import recency
from wholesale_elt.warehouse import CERTIFICATES, RawReader, Warehouse

AMOUNTS: Mapping[str, str] = {ORDERS: "sub_total", "orders__order_line_items": "total_price"}
"""The column of a table whose amount counts."""
NOTHING = Decimal()
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
    raw: RawReader,
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
    between = _Between(Moments(raw, since, until), synced, words, show)
    columns = raw.columns()
    for name in resources:
        if past_of(name) in columns:
            yield from between.changes(stored_table(raw, name, columns))


def _last_sync(raw: RawReader, warehouse: Warehouse, since: datetime | None) -> datetime:
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

    moments: Moments
    synced: datetime
    cancelled: Collection[str]
    show: Show

    def changes(self, root: StoredTable) -> Iterator[Change]:
        """The changes of one resource, and of the entries of its records."""
        touched = self.moments.touched(*root.tables)
        if not touched:
            return
        with_lines = self._with_other_lines(root)
        by_rows = kind_of_record(self.moments.raw, root, self.synced, self.cancelled)
        for (key, *_), before, row, at, found in self.moments.pairs(root, touched, by_rows):
            assert row is not None  # records are marked, never removed
            fields, has_other_lines = _differing(before, row), key in with_lines
            is_another = before is None or bool(before[DELETED_AT]) is not bool(row[DELETED_AT])
            kind = with_other_content(found) if has_other_lines else found
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
        written = [child for child in root.children if self.moments.touched(child)]
        numbers = self.moments.numbers_of_alive(root, touched) if written else {}
        for child in written:
            yield from self._entries(child, numbers)

    def _with_other_lines(self, root: StoredTable) -> Collection[str]:
        """The ids of records whose lines differ."""
        return {
            key
            for child in root.children
            if child.table in AMOUNTS and self.moments.touched(child)
            for (key, _), before, row, *_ in self.moments.pairs(child, None)
            if _differing(before, row or {})
        }

    def _entries(self, child: StoredTable, numbers: Mapping[str, str | None]) -> Iterator[Change]:
        """Changes in entries of records that were there, and still are: those with `numbers`."""
        for (key, number), before, row, at in self.moments.pairs(child, None):
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
