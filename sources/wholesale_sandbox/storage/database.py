"""Database: all data of the sandbox in one SQLite file, safe for several threads."""

import sqlite3
import threading
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from wholesale_sandbox.contract import RESOURCE
from wholesale_sandbox.storage.changes import ChangeLog
from wholesale_sandbox.storage.collection import BaseRecords, Collection
from wholesale_sandbox.storage.outbox import Outbox
from wholesale_sandbox.storage.past import PastRecords
from wholesale_sandbox.storage.uploads import Uploads

ResourceRecord = tuple[str, str | None, str, bytes]


class Storage:
    """A collection a resource, the outbox and the uploads; a reopened file has all as before.

    `changes` begin anew with each start, and know nothing of what a storage is filled with.
    """

    def __init__(
        self, path: str | Path = ":memory:", base_orders: BaseRecords | None = None
    ) -> None:
        self._lock = threading.RLock()
        self._depth = 0
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        # A storage that nobody closes must not leave its connection to the garbage collector.
        self._closing = weakref.finalize(self, self._connection.close)
        self._connection.execute("pragma journal_mode = wal")
        self._connection.execute("pragma synchronous = normal")
        self._connection.execute(
            "create table if not exists origin (one integer primary key, text text not null)"
        )
        self.changes = ChangeLog()
        past = PastRecords()
        self._collections = {
            resource: Collection(
                resource,
                self._connection,
                self.transaction,
                base_orders if resource == "orders" else None,
                self.changes.add,
                past,
            )
            for resource in RESOURCE
        }
        self.outbox = Outbox(self._connection, self.transaction)
        self.uploads = Uploads(self._connection, self.transaction)

    def collection(self, resource: str) -> Collection:
        return self._collections[resource]

    def fill(self, records: Iterable[ResourceRecord]) -> None:
        """Put many (resource, parent id, id, body) that are all new, in one transaction."""
        with self.transaction():
            for resource, group in groupby(records, itemgetter(0)):
                self.collection(resource).put_all(
                    (record_id, body, parent_id) for _, parent_id, record_id, body in group
                )

    @property
    def origin(self) -> str | None:
        """What the records were first filled from; None for a new database."""
        with self.transaction():
            row = self._connection.execute("select text from origin").fetchone()
        return None if row is None else str(row[0])

    @origin.setter
    def origin(self, text: str) -> None:
        with self.transaction():
            self._connection.execute("insert or replace into origin values (1, ?)", (text,))

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All changes inside, or none; nothing of another thread in between. May be nested."""
        with self._lock:
            outermost = self._depth == 0
            begun = False
            self._depth += 1
            try:
                if outermost:
                    self._connection.execute("begin")
                    begun = True
                yield
                if outermost:
                    self._connection.execute("commit")
            except BaseException:
                if begun:
                    self._connection.execute("rollback")
                    for collection in self._collections.values():
                        collection.forget()
                raise
            finally:
                self._depth -= 1

    def close(self) -> None:
        with self._lock:
            self._closing()
