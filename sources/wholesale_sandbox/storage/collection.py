"""Collection: the records of one resource in list order: stored ones, else computed ones."""

import sqlite3
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Protocol

import msgspec

from wholesale_sandbox.storage.changes import What
from wholesale_sandbox.storage.lookup import Lookup
from wholesale_sandbox.storage.past import PastRecords
from wholesale_sandbox.storage.rows import RowTable, StoredRow
from wholesale_sandbox.storage.sequence import ListOrder, Sequence, shuffled

# Stored rows are numbered from here, so that the base may be larger when a file is reopened.
FIRST_OWN_NUMBER = 1 << 40

_CHUNK = 500


class BaseRecords(Protocol):
    """Records that are computed instead of stored, numbered 0..len-1 from the oldest on."""

    def __len__(self) -> int: ...

    def id(self, number: int) -> str: ...

    def number(self, record_id: str) -> int | None:
        """The inverse of `id`; None for an id that is not of this base."""

    def body(self, number: int) -> bytes:
        """The JSON object; the same bytes each time."""

    def updated_at(self, number: int) -> int:
        """Microseconds since the epoch, UTC."""


class _Stamp(msgspec.Struct):
    updated_at: datetime | None = None


_stamp = msgspec.json.Decoder(_Stamp)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def updated_at(body: bytes) -> int | None:
    """When the record says it was updated, in microseconds since the epoch, if it does."""
    try:
        stamp = _stamp.decode(body).updated_at
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
    if stamp is None:
        return None
    return ((stamp if stamp.tzinfo else stamp.replace(tzinfo=UTC)) - _EPOCH) // _MICROSECOND


def changed_at(body: bytes) -> int:
    """When the record says it was updated; else now."""
    stamp = updated_at(body)
    return time.time_ns() // 1000 if stamp is None else stamp


class Collection:
    """Records of one resource: each the bytes of one JSON object, exactly as served.

    A stored record wins over the base's record of the same id, and a deleted one stays deleted.
    A page costs the same at any depth: the numbers of all records are in memory, 8 bytes each
    and order, from the first time an order is asked for.
    """

    def __init__(
        self,
        resource: str,
        connection: sqlite3.Connection,
        transaction: Callable[[], AbstractContextManager[object]],
        base: BaseRecords | None = None,
        changed: Callable[[str, str, What], None] = lambda resource, record_id, what: None,
        past: PastRecords | None = None,
    ) -> None:
        self.resource = resource
        self._rows = RowTable(resource, connection)
        self._transaction = transaction
        self._base = base
        self._changed = changed
        self._past = past or PastRecords()
        self.forget()

    def forget(self) -> None:
        """Drop what is cached in memory; it is read again when needed."""
        numbers = self._rows.numbers()
        first_own = bisect_left(numbers, FIRST_OWN_NUMBER)
        self._next_number = numbers[-1] + 1 if first_own < len(numbers) else FIRST_OWN_NUMBER
        self._covered = set(numbers[:first_own])
        self._gone = self._rows.gone()
        self._count = len(self._base_numbers()) + len(numbers) - first_own
        self._sequences: dict[ListOrder, Sequence] = {}
        self._lookups: dict[str, Lookup] = {}

    def count(self, parent_id: str | None = None) -> int:
        with self._transaction():
            return self._count if parent_id is None else self._rows.count_children(parent_id)

    def page(
        self,
        offset: int,
        limit: int,
        *,
        parent_id: str | None = None,
        order: ListOrder = "oldest",
    ) -> list[bytes]:
        """At most `limit` records from `offset` (0 is the first) in list order."""
        with self._transaction():
            if parent_id is not None:
                numbers = self._children(parent_id, order)[offset : offset + limit]
            elif order == "newest":
                stop = max(self._count - offset, 0)
                numbers = self._sequence("oldest").slice(max(stop - limit, 0), stop)[::-1]
            else:
                numbers = self._sequence(order).slice(offset, offset + limit)
            return [body for _, body in self._found(numbers)]

    def get(self, record_id: str) -> bytes | None:
        with self._transaction():
            row = self._rows.find(record_id)
            if row is not None:
                return row.body
            number = self._base_number(record_id)
            if number is None or number in self._gone or self._base is None:
                return None
            return self._base.body(number)

    def before(self, moment: datetime) -> Mapping[str, bytes | None]:
        """The records that have changed since, by id, as they were then; None: not there."""
        return self._past.at(self.resource, moment)

    def parent_of(self, record_id: str) -> str | None:
        with self._transaction():
            row = self._rows.find(record_id)
            return row.parent_id if row else None

    def parent_beside(self, parent_id: str) -> str:
        """Another parent that has children, always the same; itself where it is the only one."""
        with self._transaction():
            return self._rows.parent_beside(parent_id)

    def put(self, record_id: str, body: bytes, *, parent_id: str | None = None) -> None:
        """Insert or replace. A replaced record keeps its place, but in the order "updated"."""
        with self._transaction():
            stamp = updated_at(body)
            changed = time.time_ns() // 1000 if stamp is None else stamp
            number, former = self._standing(record_id)
            self._past.add(self.resource, record_id, self.get(record_id))
            self._rows.put(StoredRow(number, record_id, parent_id, changed, body))
            if number >= FIRST_OWN_NUMBER:
                self._next_number = max(self._next_number, number + 1)
            else:
                self._covered.add(number)
                self._gone.discard(number)
                self._rows.restore(number)
            for order, sequence in self._sequences.items():
                if former is not None:
                    sequence.remove(_key(order, number, former), number)
                sequence.insert(_key(order, number, changed), number)
            for lookup in self._lookups.values():
                lookup.put(record_id, body)
            self._count += former is None
            if former is None:
                self._changed(self.resource, record_id, "inserted")
            else:
                is_silent = stamp == former
                self._changed(
                    self.resource, record_id, "edited silently" if is_silent else "edited"
                )

    def put_all(self, records: Iterable[tuple[str, bytes, str | None]]) -> None:
        """Put many (id, body, parent id) that are all new; much faster than one by one."""
        with self._transaction():
            self._rows.insert(
                StoredRow(number, record_id, parent_id, changed_at(body), body)
                for number, (record_id, body, parent_id) in enumerate(records, self._next_number)
            )
            self.forget()

    def delete(self, record_id: str) -> bool:
        """False where there is no such record."""
        with self._transaction():
            number, former = self._standing(record_id)
            if former is None:
                return False
            self._past.add(self.resource, record_id, self.get(record_id))
            self._rows.delete(number)
            if number < FIRST_OWN_NUMBER:
                self._covered.discard(number)
                self._gone.add(number)
                self._rows.mark_deleted(number)
            for order, sequence in self._sequences.items():
                sequence.remove(_key(order, number, former), number)
            for lookup in self._lookups.values():
                lookup.remove(record_id)
            self._count -= 1
            self._changed(self.resource, record_id, "deleted")
            return True

    def ids_where(self, field: str, value: str) -> list[str]:
        """Ids of the stored records (not of the base) whose text `field` is `value`, sorted."""
        with self._transaction():
            if field not in self._lookups:
                self._lookups[field] = Lookup(field, self._rows.bodies())
            return self._lookups[field].ids(value)

    def records(self) -> Iterator[tuple[str | None, bytes]]:
        """All records as (parent id, body), oldest first; other threads may write in between.

        Records that come while this runs are left out, and so are those that go before their turn.
        """
        with self._transaction():
            chunks = self._sequence("oldest").chunks(_CHUNK)
        for chunk in chunks:
            with self._transaction():
                found = self._found([number for number in chunk if number not in self._gone])
            yield from found

    def _standing(self, record_id: str) -> tuple[int, int | None]:
        """Number, and time of change or None for a record that is not there."""
        row = self._rows.find(record_id)
        if row is not None:
            return row.number, row.changed
        number = self._base_number(record_id)
        if number is None or self._base is None:
            return self._next_number, None
        return number, None if number in self._gone else self._base.updated_at(number)

    def _base_number(self, record_id: str) -> int | None:
        return None if self._base is None else self._base.number(record_id)

    def _base_numbers(self) -> range | list[int]:
        numbers = range(0 if self._base is None else len(self._base))
        if not self._gone and all(number in numbers for number in self._covered):
            return numbers
        return sorted((self._covered | set(numbers)) - self._gone)

    def _sequence(self, order: ListOrder) -> Sequence:
        if order not in self._sequences:
            numbers = chain(self._base_numbers(), self._own_numbers())
            self._sequences[order] = Sequence(numbers, self._key_of(order))
        return self._sequences[order]

    def _own_numbers(self) -> list[int]:
        numbers = self._rows.numbers()
        return numbers[bisect_left(numbers, FIRST_OWN_NUMBER) :]

    def _key_of(self, order: ListOrder) -> Callable[[int], int] | None:
        if order == "oldest":
            return None
        if order == "shuffled":
            return shuffled
        changes, base = self._rows.changes(), self._base

        def latest_first(number: int) -> int:
            changed = changes.get(number)
            return -(base.updated_at(number) if changed is None and base else changed or 0)

        return latest_first

    def _children(self, parent_id: str, order: ListOrder) -> list[int]:
        rows = self._rows.children(parent_id)
        rows.sort(key=lambda row: _key(order, *row), reverse=order == "newest")
        return [number for number, _ in rows]

    def _found(self, numbers: list[int]) -> list[tuple[str | None, bytes]]:
        """Parent id and body of the records with these numbers; one deleted since is left out."""
        base, covered = self._base, self._covered
        stored = [n for n in numbers if n >= FIRST_OWN_NUMBER or n in covered]
        rows = self._rows.numbered(stored)
        if base is None or len(stored) == len(numbers):
            return [rows[number] for number in numbers if number in rows]
        return [
            rows[number] if number in rows else (None, base.body(number))
            for number in numbers
            if number in rows or number < FIRST_OWN_NUMBER
        ]


def _key(order: ListOrder, number: int, changed: int) -> int:
    if order == "updated":
        return -changed
    return shuffled(number) if order == "shuffled" else number
