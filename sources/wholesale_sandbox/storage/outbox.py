"""Outbox: the mails that the service would send (§4.5), stored instead."""

import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from typing import Literal

MailKind = Literal["invitation", "password_reset"]


@dataclass(frozen=True, slots=True)
class Mail:
    """`sent_at` is ISO 8601, UTC."""

    kind: MailKind
    to: str
    buyer_id: str
    buyer_user_id: str
    sent_at: str


class Outbox:
    """Mails in the order they were sent."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        transaction: Callable[[], AbstractContextManager[object]],
    ) -> None:
        self._connection = connection
        self._transaction = transaction
        connection.execute(
            "create table if not exists outbox (number integer primary key, kind text not null,"
            ' "to" text not null, buyer_id text not null, buyer_user_id text not null,'
            " sent_at text not null)"
        )

    def send(self, mail: Mail) -> None:
        with self._transaction():
            self._connection.execute(
                'insert into outbox (kind, "to", buyer_id, buyer_user_id, sent_at)'
                " values (:kind, :to, :buyer_id, :buyer_user_id, :sent_at)",
                asdict(mail),
            )

    def mails(self) -> list[Mail]:
        with self._transaction():
            rows = self._connection.execute(
                'select kind, "to", buyer_id, buyer_user_id, sent_at from outbox order by number'
            )
            return [Mail(*row) for row in rows]

    def clear(self) -> None:
        with self._transaction():
            self._connection.execute("delete from outbox")
