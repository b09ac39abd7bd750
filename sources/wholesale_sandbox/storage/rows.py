"""Rows of one resource in SQLite: number, id, parent, time of change, body."""

import sqlite3
from collections.abc import Iterable
from typing import Any, NamedTuple

_CHUNK = 500  # SQLite takes a limited number of values in one statement


class StoredRow(NamedTuple):
    """`changed`: microseconds since the epoch."""

    number: int
    id: str
    parent_id: str | None
    changed: int
    body: bytes


class RowTable:
    """The table of one resource; the caller holds the transaction."""

    def __init__(self, resource: str, connection: sqlite3.Connection) -> None:
        self._table = f'"{resource}"'
        self._gone = f'"{resource}_gone"'
        self._connection = connection
        connection.execute(
            f"create table if not exists {self._table} (number integer primary key,"
            " id text not null unique, parent_id text, changed integer not null,"
            " body blob not null)"
        )
        connection.execute(
            f'create index if not exists "{resource}_parent" on {self._table} (parent_id, number)'
        )
        connection.execute(f"create table if not exists {self._gone} (number integer primary key)")

    def numbers(self) -> list[int]:
        """Of all rows, ascending."""
        return [number for (number,) in self._all(f"select number from {self._table} order by 1")]

    def changes(self) -> dict[int, int]:
        """When each row changed, by its number."""
        return dict(self._all(f"select number, changed from {self._table}"))

    def bodies(self) -> list[tuple[str, bytes]]:
        """Id and body of all rows."""
        return self._all(f"select id, body from {self._table}")

    def find(self, record_id: str) -> StoredRow | None:
        rows = self._all(
            f"select number, id, parent_id, changed, body from {self._table} where id = ?",
            record_id,
        )
        return StoredRow(*rows[0]) if rows else None

    def numbered(self, numbers: list[int]) -> dict[int, tuple[str | None, bytes]]:
        """Parent id and body of the rows with these numbers; a number without a row is missing."""
        found = {}
        for start in range(0, len(numbers), _CHUNK):
            asked = numbers[start : start + _CHUNK]
            marks = ",".join("?" * len(asked))
            for number, parent_id, body in self._all(
                f"select number, parent_id, body from {self._table} where number in ({marks})",
                *asked,
            ):
                found[number] = (parent_id, body)
        return found

    def children(self, parent_id: str) -> list[tuple[int, int]]:
        """Number and time of change of the rows under a parent, by number."""
        return self._all(
            f"select number, changed from {self._table} where parent_id = ? order by 1", parent_id
        )

    def count_children(self, parent_id: str) -> int:
        ((count,),) = self._all(
            f"select count(*) from {self._table} where parent_id = ?", parent_id
        )
        return int(count)

    def parent_beside(self, parent_id: str) -> str:
        """The next parent by its id, after the last one the first."""
        beside = self._all(
            f"select parent_id from {self._table} where parent_id <> ?"
            " order by parent_id < ?, parent_id limit 1",
            parent_id,
            parent_id,
        )
        return str(beside[0][0]) if beside else parent_id

    def put(self, row: StoredRow) -> None:
        self._connection.execute(
            f"insert into {self._table} values (?, ?, ?, ?, ?) on conflict (number) do update"
            " set parent_id = excluded.parent_id, changed = excluded.changed,"
            " body = excluded.body",
            row,
        )

    def insert(self, rows: Iterable[StoredRow]) -> None:
        self._connection.executemany(f"insert into {self._table} values (?, ?, ?, ?, ?)", rows)

    def delete(self, number: int) -> None:
        self._connection.execute(f"delete from {self._table} where number = ?", (number,))

    def gone(self) -> set[int]:
        """Numbers of the base's records that were deleted."""
        return {number for (number,) in self._all(f"select number from {self._gone}")}

    def mark_deleted(self, number: int) -> None:
        self._connection.execute(f"insert or ignore into {self._gone} values (?)", (number,))

    def restore(self, number: int) -> None:
        self._connection.execute(f"delete from {self._gone} where number = ?", (number,))

    def _all(self, query: str, *values: object) -> list[Any]:
        return self._connection.execute(query, values).fetchall()
