"""PostgreSQL: a place that takes a batch in one transaction, each order of it once.

`wholesale_hand_over.batches` has a row a batch, `wholesale_hand_over.orders` one for each record,
as the JSON that the format `jsonl` has in its lines.
"""

from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

from wholesale.errors import ConfigurationError, one_line
from wholesale_books.handover.places.place import NotDelivered, require_same
from wholesale_books.handover.receiver import Batch, masked
from wholesale_elt.process import import_extra

SCHEMA = "wholesale_hand_over"
TABLES = f"""
    create schema if not exists {SCHEMA};
    create table if not exists {SCHEMA}.batches (
        receiver text not null,
        number bigint not null,
        manifest_sha256 text not null,
        manifest text not null,
        delivered_at timestamptz not null default now(),
        primary key (receiver, number)
    );
    create table if not exists {SCHEMA}.orders (
        receiver text not null,
        number bigint not null,
        position bigint not null,
        order_id text not null,
        kind text not null,
        why text,
        record json not null,
        primary key (receiver, number, order_id),
        foreign key (receiver, number) references {SCHEMA}.batches on delete cascade
    );
"""
LINES = "copy lines from stdin (format csv, delimiter e'\\x01', quote e'\\x02', escape e'\\x02')"
"""A line of JSON as it is: JSON has no such characters but as `\\u0001`."""
INSERT = f"""
    insert into {SCHEMA}.orders (receiver, number, position, order_id, kind, why, record)
    select %s, %s, (head ->> 'position')::bigint, head ->> 'order_id', head ->> 'kind',
        head ->> 'why', line::json
    from (
        select line, (split_part(line, ',"order":', 1) || '}}')::json as head from lines
    ) as read_lines
"""
"""Only the head of a line is looked into: texts of an order may have `\\u0000`, which the server
keeps and refuses to read."""


class Database:
    """A PostgreSQL database, by its URI; what that leaves out is found as by `psql`."""

    def __init__(self, uri: str) -> None:
        try:
            if urlsplit(uri).port == 0:
                raise ValueError("0 is no port")
            if urlsplit(uri).netloc.count("@") > 1:  # the driver would take the rest for the host
                raise ValueError("it has @ twice, which is written %40 in a password")
        except ValueError as error:
            raise ConfigurationError(
                f"{masked(uri)} is no place for batches: {one_line(error)}; write"
                " postgres://USER@HOST:PORT/DATABASE"
            ) from None
        self._uri = uri
        self.name = masked(uri)
        self._driver: Any = import_extra("psycopg2")

    def deliver(self, batch: Batch, *, is_again: bool, is_known: bool) -> None:
        if batch.manifest.format != "jsonl":
            raise ConfigurationError(
                f"batch {batch.number} is written as {batch.manifest.format}, and {self.name} takes"
                " jsonl: deliver it to a folder or a bucket with --to, or name another receiver"
            )
        try:
            with (
                closing(self._driver.connect(self._uri)) as connection,
                connection,  # a transaction
                connection.cursor() as cursor,
            ):
                self._write(cursor, batch, is_again=is_again)
        except (self._driver.Error, ValueError) as error:
            raise NotDelivered(
                f"batch {batch.number} was not delivered to {self.name}: {self._told(error)}; it is"
                " kept, and delivered first by the next hand-over"
            ) from None

    def _write(self, cursor: Any, batch: Batch, *, is_again: bool) -> None:
        manifest = batch.manifest
        key = (manifest.receiver, manifest.number)
        cursor.execute("select pg_advisory_xact_lock(hashtext(%s))", (SCHEMA,))
        cursor.execute(TABLES)
        cursor.execute(
            f"select manifest from {SCHEMA}.batches where receiver = %s and number = %s", key
        )
        if found := cursor.fetchone():
            old = require_same(found[0].encode(), batch, self.name)
            if old.sha256 == manifest.sha256 and not is_again:
                return
            cursor.execute(f"delete from {SCHEMA}.batches where receiver = %s and number = %s", key)
        cursor.execute(
            f"insert into {SCHEMA}.batches (receiver, number, manifest_sha256, manifest)"
            " values (%s, %s, %s, %s)",
            (*key, manifest.sha256, manifest.as_json().decode()),
        )
        cursor.execute("create temporary table lines (line text) on commit drop")
        for file in manifest.files:
            with (batch.folder / file.path).open("rb") as lines:
                cursor.copy_expert(LINES, lines)
        cursor.execute(INSERT, key)

    def _told(self, error: Exception) -> str:
        """What the server says, without a password: a message can repeat the URI."""
        lines = str(error).strip().splitlines() or [type(error).__name__]
        text = one_line(lines[0].replace(self._uri, self.name))
        password = urlsplit(self._uri).password
        return text.replace(password, "…") if password else text
