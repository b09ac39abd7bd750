"""Writing: writes the published columns of each table, as DuckDB and Parquet files."""

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Protocol

import duckdb

from wholesale_elt.publish.manifest import DATABASE
from wholesale_elt.publish.tables.parquet import published_columns, write_parquet
from wholesale_elt.publish.tables.sources import Source
from wholesale_elt.warehouse import StoredTable, quoted

STORAGE_VERSION = "v1.1.0"
"""Every DuckDB since 1.1 reads such files, as BI tools may have an older one. In the format of 1.0
the statistics of each column, however few its rows, take 3 KB."""
FEW_ROWS, SMALL_BLOCK, BLOCK = 100_000, 16_384, 262_144
"""A file of so few rows has small blocks, as each column takes a part of one at least. In large
blocks many rows are better compressed, and read with fewer steps."""
MOST_CHANGED = 5
"""The DuckDB file is a copy of the last one, in which changed tables are replaced, if at most one
row of so many is in these: their former space stays in the file."""
Observe = Callable[[int, int, str], None]
"""Called with each finished table: its number, of how many, its name."""


class LastVersion(Protocol):
    """The files of the version in force; they are taken only if they match their hashes."""

    def is_same(self, source: Source) -> bool:
        """Whether it has that table with the same rows and columns."""

    def copy_database(self) -> bool:
        """Put a copy of its DuckDB file into the draft, if that will have the same tables."""

    def take_parquet(self, source: Source) -> bool:
        """Put the Parquet file of a table into the draft, if the table is the same."""


def write_tables(
    connection: duckdb.DuckDBPyConnection,
    draft: Path,
    sources: Sequence[Source],
    last: LastVersion,
    observe: Observe,
) -> Collection[str]:
    """Write each of these tables of the attached warehouse into a Parquet file of a draft, and all
    of them into its DuckDB file, which is attached as `version` then. Those that are stored for
    readers are views there, and have no file of their own.

    `observe` is called with each finished one. Returned are the names of those that are new in the
    DuckDB file; a copy of the last one has the others as they were.
    """
    copied = [source for source in sources if not source.stored]
    rows = sum(source.rows for source in copied)
    changed = sum(source.rows for source in copied if not last.is_same(source))
    is_copy = changed * MOST_CHANGED <= rows and last.copy_database()
    attach_new(connection, draft / DATABASE, "version", rows)
    for schema in {source.schema for source in sources}:
        connection.execute(f"create schema if not exists version.{schema}")
    written = []
    for number, source in enumerate(sources, start=1):
        path = draft / source.parquet
        if not (source.stored or last.take_parquet(source)):
            path.parent.mkdir(parents=True, exist_ok=True)
            columns = dict(source.columns)
            write_parquet(connection, source.schema, source.table, columns, path)
        if not (is_copy and last.is_same(source)):
            table = f'version.{source.schema}."{source.table}"'
            _drop(connection, source)  # in a copy it may have been the other, a table or a view
            connection.execute(
                f"create view {table} as {_as_stored(connection, source, source.stored)}"
                if source.stored
                else f"create table {table} as from read_parquet({quoted(path)},"
                " hive_partitioning => false)"
            )
            written.append(source.table)
        observe(number, len(sources), source.table)
    return written


def _as_stored(connection: duckdb.DuckDBPyConnection, source: Source, stored: StoredTable) -> str:
    """The SELECT of a table that is stored, as it is published elsewhere."""
    rows = f'warehouse.{source.schema}."{source.table}"'
    listed = published_columns(connection, rows, dict(source.columns))
    return f"select {listed} from ({stored.query})"


def _drop(connection: duckdb.DuckDBPyConnection, source: Source) -> None:
    """Remove what has the name of this table in `version`."""
    found = connection.execute(
        "select 'table' from duckdb_tables() where database_name = 'version' and schema_name = ?1"
        " and table_name = ?2 union all select 'view' from duckdb_views()"
        " where database_name = 'version' and schema_name = ?1 and view_name = ?2",
        [source.schema, source.table],
    ).fetchall()
    for (kind,) in found:
        connection.execute(f'drop {kind} version.{source.schema}."{source.table}"')


def attach_new(connection: duckdb.DuckDBPyConnection, database: Path, name: str, rows: int) -> None:
    """Attach a DuckDB file for about so many rows, which is made if it does not exist."""
    block_size = SMALL_BLOCK if rows <= FEW_ROWS else BLOCK
    connection.execute(
        f"attach {quoted(database)} as {name}"
        f" (storage_version '{STORAGE_VERSION}', block_size {block_size})"
    )
