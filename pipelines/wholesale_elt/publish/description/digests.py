"""Digests: what a table of a published DuckDB file has in one line of text, so that any copy can be
proved."""

import re
from collections.abc import Iterator, Sequence

import duckdb
import pyarrow as pa

from wholesale.compare import Digest, digest_of

HASHED = re.compile(r"VARCHAR|DECIMAL\(\d+,\d+\)|BIGINT|BOOLEAN|TIMESTAMP WITH TIME ZONE")
"""Types of which values are hashed as they are; all others as text."""
ROWS_A_BATCH = 10_000
"""Of wide tables so many take some ten megabytes, and five times as many seventy more."""


def digest_of_table(
    connection: duckdb.DuckDBPyConnection, schema: str, table: str, key: Sequence[str]
) -> Digest:
    """The digest of all rows and columns of a table; the columns `key` tell its rows apart."""
    digest = Digest()
    for rows in rows_of_table(connection, schema, table):
        digest += digest_of(rows, f"{schema}.{table}", key)
    return digest


def rows_of_table(
    connection: duckdb.DuckDBPyConnection, schema: str, table: str
) -> Iterator[pa.Table]:
    """All rows of a table of the database in use, in batches, as they are hashed."""
    place = f'{schema}."{table}"'
    told = connection.execute(f"describe {place}").fetchall()
    named = ((name.replace('"', '""'), type_) for name, type_, *_ in told)
    columns = ", ".join(
        f'"{name}"' if HASHED.fullmatch(type_) else f'cast("{name}" as varchar) as "{name}"'
        for name, type_ in named
    )
    reader = connection.sql(f"select {columns} from {place}").to_arrow_reader(ROWS_A_BATCH)
    for batch in reader:
        yield pa.Table.from_batches([batch])
