"""Tables: the published columns of each table of the warehouse, as DuckDB and Parquet files."""

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Protocol

import duckdb

from wholesale_elt.publish.manifest import DATABASE
from wholesale_elt.publish.parquet import write_parquet
from wholesale_elt.warehouse import quoted

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A table of the warehouse as it is published: the names and types of its `columns`.

    `digest` is of the rows and columns, whatever their order: the sum of the rows' hashes, and how
    these are made.
    """

    schema: str
    table: str
    columns: tuple[tuple[str, str], ...]
    rows: int
    digest: str

    @property
    def parquet(self) -> PurePosixPath:
        """The path of its Parquet file in a version."""
        return PurePosixPath("parquet", self.schema, f"{self.table}.parquet")


class LastVersion(Protocol):
    """The files of the version in force; they are taken only if they match their hashes."""

    def is_same(self, source: Source) -> bool:
        """Whether it has that table with the same rows and columns."""

    def copy_database(self) -> bool:
        """Put a copy of its DuckDB file into the draft, if that will have the same tables."""

    def take_parquet(self, source: Source) -> bool:
        """Put the Parquet file of a table into the draft, if the table is the same."""


def read_sources(
    connection: duckdb.DuckDBPyConnection, schemas: Collection[str], without: Collection[str]
) -> Sequence[Source]:
    """The published tables of these schemas of the attached warehouse.

    `without` are the columns that are left out, as `table.column`.
    """
    tables = [
        (
            schema,
            table,
            {name: type_ for name, type_ in columns if f"{table}.{name}" not in without},
        )
        for schema, table, columns in connection.execute(
            "select schema_name, table_name,"
            " list((column_name, data_type) order by column_index) from duckdb_columns()"
            " where database_name = 'warehouse' and list_contains(?, schema_name)"
            " group by all order by all",
            [list(schemas)],
        ).fetchall()
    ]
    # In one statement: for many small tables the overhead of a query exceeds the reading. Hashed
    # twice, as DuckDB's hash of a row includes the last column by XOR, unmixed.
    digests = connection.execute(
        " union all ".join(
            f"select {number} as number, count(*), sum(hash(hash({_listed(columns)})))"
            f' from warehouse.{schema}."{table}"'
            for number, (schema, table, columns) in enumerate(tables)
        )
        + " order by number"
    ).fetchall()
    sources = []
    for (schema, table, columns), (_, rows, total) in zip(tables, digests, strict=True):
        made = sha256(json.dumps([duckdb.__version__, columns]).encode()).hexdigest()
        sources.append(
            Source(
                schema=schema,
                table=table,
                columns=tuple(columns.items()),
                rows=rows,
                digest=f"{int(total or 0):x}-{made}",
            )
        )
    return sorted(sources, key=lambda source: (source.schema, source.table))


def write_tables(
    connection: duckdb.DuckDBPyConnection,
    draft: Path,
    sources: Sequence[Source],
    last: LastVersion,
    observe: Observe,
) -> Collection[str]:
    """Write each of these tables of the attached warehouse into a Parquet file of a draft, and all
    of them into its DuckDB file, which is attached as `version` then.

    `observe` is called with each finished one. Returned are the names of those that are new in the
    DuckDB file; a copy of the last one has the others as they were.
    """
    rows = sum(source.rows for source in sources)
    changed = sum(source.rows for source in sources if not last.is_same(source))
    is_copy = changed * MOST_CHANGED <= rows and last.copy_database()
    attach_new(connection, draft / DATABASE, "version", rows)
    for schema in {source.schema for source in sources}:
        connection.execute(f"create schema if not exists version.{schema}")
    written = []
    for number, source in enumerate(sources, start=1):
        path = draft / source.parquet
        if not last.take_parquet(source):
            path.parent.mkdir(parents=True, exist_ok=True)
            columns = dict(source.columns)
            write_parquet(connection, source.schema, source.table, columns, path)
        if not (is_copy and last.is_same(source)):
            table = f'version.{source.schema}."{source.table}"'
            connection.execute(
                f"create or replace table {table} as from read_parquet({quoted(path)},"
                " hive_partitioning => false)"
            )
            written.append(source.table)
        observe(number, len(sources), source.table)
    return written


def attach_new(connection: duckdb.DuckDBPyConnection, database: Path, name: str, rows: int) -> None:
    """Attach a DuckDB file for about so many rows, which is made if it does not exist."""
    block_size = SMALL_BLOCK if rows <= FEW_ROWS else BLOCK
    connection.execute(
        f"attach {quoted(database)} as {name}"
        f" (storage_version '{STORAGE_VERSION}', block_size {block_size})"
    )


def _listed(columns: Collection[str]) -> str:
    return ", ".join(f'"{name}"' for name in columns)
