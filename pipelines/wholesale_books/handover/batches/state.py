"""State: which content of each order a receiver was handed last, as a Parquet file.

The file says in its own metadata of which version it is and by what orders were chosen and
compared, so that both are replaced at once.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import duckdb
import msgspec

from wholesale_books.handover.batches.content import literal
from wholesale_books.handover.settings import Filter
from wholesale_elt.process import budget

FILE = "state.parquet"
ABOUT = "about"
COLUMNS = {
    "order_id": "varchar",
    "standing": "varchar",
    "rule": "varchar",
    "whole": "uuid",
    "plain": "uuid",
    "is_cancelled": "boolean",
    "number": "bigint",
}
"""A row is an order. `standing`: the receiver has it (`held`), was told that it is gone (`gone`),
or the filter keeps it out (`outside`), by `rule`. `whole` and `plain` are digests of the content
that was handed in batch `number`, with and without what can identify a person."""


class About(msgspec.Struct, frozen=True, kw_only=True):
    """Which version was looked at last, of which account, and how."""

    source: str
    only: str | None
    version: str
    as_of: str
    built_at: str
    filter: Filter
    columns: Mapping[str, Sequence[str]]
    personal: Sequence[str]


def read_about(file: Path) -> About:
    with budget.connect() as connection:
        found = connection.execute(
            f"select value from parquet_kv_metadata({literal(file)}) where decode(key) = ?", [ABOUT]
        ).fetchone()
    assert found
    return msgspec.json.decode(found[0], type=About)


def relation(file: Path | None) -> str:
    """SQL: the rows of a state; of none, if there is no file."""
    if file is None:
        nulls = ", ".join(f"cast(null as {type_}) as {name}" for name, type_ in COLUMNS.items())
        return f"(select {nulls} where false)"
    return f"(select {', '.join(COLUMNS)} from read_parquet({literal(file)}))"


def write(connection: duckdb.DuckDBPyConnection, rows: str, about: About, file: Path) -> None:
    """Write the rows of a query as a state."""
    text = literal(msgspec.json.encode(about).decode())
    connection.execute(
        f"copy (select {', '.join(COLUMNS)} from ({rows})) to {literal(file)}"
        f" (format parquet, compression zstd, kv_metadata {{{ABOUT}: {text}}})"
    )
