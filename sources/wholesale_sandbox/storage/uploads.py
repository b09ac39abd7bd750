"""Uploads: files in the bodies of requests (§4.12: the logo of a brand)."""

import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Upload:
    content_type: str
    content: bytes


class Uploads:
    """Files by the path they are served under."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        transaction: Callable[[], AbstractContextManager[object]],
    ) -> None:
        self._connection = connection
        self._transaction = transaction
        connection.execute(
            "create table if not exists uploads"
            " (path text primary key, content_type text not null, content blob not null)"
        )

    def put(self, path: str, upload: Upload) -> None:
        with self._transaction():
            self._connection.execute(
                "insert or replace into uploads values (?, ?, ?)",
                (path, upload.content_type, upload.content),
            )

    def get(self, path: str) -> Upload | None:
        with self._transaction():
            row = self._connection.execute(
                "select content_type, content from uploads where path = ?", (path,)
            ).fetchone()
        return Upload(row[0], bytes(row[1])) if row else None
