"""Tables: what is published of each table of the warehouse, written as DuckDB and Parquet files."""

import json
import os
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from itertools import count
from pathlib import Path

import duckdb

from wholesale_elt.dashboard import CELLS, Cells
from wholesale_elt.publish.manifest import DATABASE, Table
from wholesale_elt.publish.store import Source, Standing
from wholesale_elt.warehouse import quoted

STORAGE_VERSION = "v1.0.0"
"""Every DuckDB since 1.0 reads such files, so that BI tools may be older than the publisher."""
MOST_CHANGED = 5
"""A DuckDB file is made from a copy of the last one if at most one row of so many changed: what
these had stays in the file as free room."""
FEW = 256
"""Rows of a table that is written whole rather than compared, which would take longer."""
COMPRESSION = "compression zstd, compression_level 1, dictionary_size_limit 5000"
"""Of Parquet files: as small as by DuckDB's own choice, level 3 and dictionaries of up to 24,576
values, and written in a quarter less time."""
HASHES = "row_hashes"
"""A temporary table of the hash of each row that is to be published: to make them is most of what
it takes to compare, so they are made once."""
FORMS = 2
"""Files of DuckDB and of Parquet are written at the same time."""
Observe = Callable[[int, int, str], None]
"""Told of each table of a file that is done with: the how manyth, of how many, its name."""
Tell = Callable[[Source], None]


def read_sources(
    connection: duckdb.DuckDBPyConnection, schemas: Mapping[str, str], without: Collection[str]
) -> Sequence[Source]:
    """What is published of the tables of these schemas of the attached warehouse.

    `without` are the columns that are left out, as `table.column`.
    """
    tables = [
        (schema, table, {name: types[name] for name in types if f"{table}.{name}" not in without})
        for (schema, table), types in _columns(connection, "warehouse", schemas).items()
    ]
    connection.execute(f"set threads = {max(1, (os.cpu_count() or 1) // FORMS)}")
    # In one statement, as of the many small tables each would take longer to ask than to read.
    connection.execute(
        f"create temp table {HASHES} as "
        + " union all ".join(
            f"select {number}::usmallint as number, rowid as row_id,"
            f' {_row_hash(columns)} as row_hash from warehouse.{schema}."{table}"'
            for number, (schema, table, columns) in enumerate(tables)
        )
    )
    contents = {
        number: (rows, total)
        for number, rows, total in connection.execute(
            f"select number, count(*), sum(row_hash) from {HASHES} group by number"
        ).fetchall()
    }
    sources = []
    for number, (schema, table, columns) in enumerate(tables):
        made = sha256(json.dumps([duckdb.__version__, columns]).encode()).hexdigest()
        place = f'warehouse.{schema}."{table}"'
        hashes = f"select row_id, row_hash from {HASHES} where number = {number}"
        rows, total = contents.get(number, (0, 0))
        sources.append(Source(schemas[schema], table, columns, place, hashes, rows, total, made))
    return sorted(sources, key=lambda source: (source.schema, source.table))


def write_tables(
    connection: duckdb.DuckDBPyConnection,
    folder: Path,
    sources: Sequence[Source],
    standing: Standing,
    observe: Observe,
) -> None:
    """Copy these tables of the attached warehouse into `folder`, in both forms at once; `observe`
    is told of each that is done with."""
    done = count(1)

    def tell(source: Source) -> None:
        observe(next(done), FORMS * len(sources), source.table)

    for schema in {source.schema for source in sources}:
        (folder / "parquet" / schema).mkdir(parents=True)
    files = {
        source: folder / "parquet" / source.schema / f"{source.table}.parquet" for source in sources
    }
    with connection.cursor() as other, ThreadPoolExecutor(1) as beside:
        written: list[Future[None]] = []
        for source, path in files.items():
            if standing.take_parquet(source, path):
                tell(source)
            else:
                written.append(beside.submit(_write_parquet, other, source, path, tell))
        try:
            _write_database(connection, folder / DATABASE, sources, standing, tell)
        except BaseException:
            beside.shutdown(wait=False, cancel_futures=True)
            raise
        for future in written:
            future.result()


def _write_parquet(
    connection: duckdb.DuckDBPyConnection, source: Source, path: Path, tell: Tell
) -> None:
    connection.execute(f"copy ({source.query}) to {quoted(path)} (format parquet, {COMPRESSION})")
    tell(source)


def _write_database(
    connection: duckdb.DuckDBPyConnection,
    database: Path,
    sources: Sequence[Source],
    standing: Standing,
    tell: Tell,
) -> None:
    if standing.take_database():
        connection.execute(f"attach {quoted(database)} as version")
        if _change_tables(connection, sources, standing, tell):
            connection.execute("detach version")
            return
        connection.execute("detach version")
        database.unlink()
    connection.execute(
        f"attach {quoted(database)} as version (storage_version '{STORAGE_VERSION}')"
    )
    for schema in {source.schema for source in sources}:
        connection.execute(f"create schema version.{schema}")
    for source in sources:
        connection.execute(f"create table {_copy(source)} as {source.query}")
        tell(source)
    connection.execute("detach version")


def _change_tables(
    connection: duckdb.DuckDBPyConnection,
    sources: Sequence[Source],
    standing: Standing,
    tell: Tell,
) -> bool:
    """Make the tables of the attached copy of the last version those of the next.

    False, and they are as they were, where less stays behind if all are written anew.
    """
    known = _columns(connection, "version", {source.schema for source in sources})
    changes = [
        _compare(connection, source, standing.last(source), f"changes_{number}")
        if known.get((source.schema, source.table)) == source.types and source.rows > FEW
        else Changes(source)
        for number, source in enumerate(sources)
        if not standing.is_same(source)
    ]
    if sum(entry.rows for entry in changes) * MOST_CHANGED > sum(source.rows for source in sources):
        return False
    by_table = {entry.source.table: entry for entry in changes}
    standing.note_changed(
        {
            cells: _changed_files(connection, cells, by_table[cells.table])
            for cells in CELLS
            if cells.table in by_table
        }
    )
    for source in sources:
        if standing.is_same(source):
            tell(source)
    for entry in changes:
        _apply(connection, entry)
        tell(entry.source)
    return True


@dataclass(frozen=True, slots=True)
class Changes:
    """What makes a table of the last version that of the next: rows that go and rows that come, by
    their row ids, in the temporary table `listed`; None where it is to be written whole."""

    source: Source
    listed: str | None = None
    count: int = 0

    @property
    def rows(self) -> int:
        return self.count if self.listed else self.source.rows

    @property
    def gone(self) -> str:
        return f"(select gone from {self.listed} where gone is not null)"

    @property
    def come(self) -> str:
        return f"(select come from {self.listed} where come is not null)"


def _compare(
    connection: duckdb.DuckDBPyConnection, source: Source, last: Table, listed: str
) -> Changes:
    """How the attached copy of the last version differs from what is next.

    Rows are told apart by their hashes, so a row that is there twice is not seen to come or go:
    counts and sums of hashes tell whether there was such a one.
    """
    last_hashes = f"select rowid as row_id, {_row_hash(source.types)} as row_hash"
    connection.execute(
        f"""
        create temp table {listed} as
        select
            last.row_id as gone,
            next.row_id as come,
            case when come is null then -1 else 1 end as change,
            row_hash::hugeint as row_hash
        from ({last_hashes} from {_copy(source)}) as last
        full join ({source.hashes}) as next using (row_hash)
        where gone is null or come is null
        """
    )
    ((count, rows, total),) = connection.execute(
        "select count(*), coalesce(sum(change), 0), coalesce(sum(change * row_hash), 0)"
        f" from {listed}"
    ).fetchall()
    is_all = (last.rows + rows, last.total + total) == (source.rows, source.total)
    return Changes(source, listed if is_all else None, count)


def _changed_files(
    connection: duckdb.DuckDBPyConnection, cells: Cells, changes: Changes
) -> Set[str] | None:
    """The data files of the dashboard in which these cells of some row are others, as the sums of
    their hashes tell; None where it may be any."""
    if not (cells.name and changes.listed):
        return None
    row_hash = f"hash(hash({cells.columns}))::hugeint"
    found = connection.execute(
        f"""
        with moved as (
            select {cells.name} as file, {row_hash} as change
            from {changes.source.place} where rowid in {changes.come}
            union all
            select {cells.name} as file, -{row_hash} as change
            from {_copy(changes.source)} where rowid in {changes.gone}
        )
        select file from moved group by file having sum(change) <> 0
        """
    ).fetchall()
    return {name for (name,) in found}


def _apply(connection: duckdb.DuckDBPyConnection, changes: Changes) -> None:
    source, copy = changes.source, _copy(changes.source)
    if not changes.listed:
        connection.execute(f"create or replace table {copy} as {source.query}")
        return
    connection.execute(f"delete from {copy} where rowid in {changes.gone}")
    connection.execute(f"insert into {copy} {source.query} where rowid in {changes.come}")
    connection.execute(f"drop table {changes.listed}")


def _columns(
    connection: duckdb.DuckDBPyConnection, database: str, schemas: Collection[str]
) -> Mapping[tuple[str, str], Mapping[str, str]]:
    """The types of the columns of each table, by its schema and name."""
    found = connection.execute(
        "select schema_name, table_name, list(column_name order by column_index),"
        " list(data_type order by column_index) from duckdb_columns()"
        " where database_name = ? and list_contains(?, schema_name)"
        " group by all order by all",
        [database, list(schemas)],
    ).fetchall()
    return {
        (schema, table): dict(zip(names, types, strict=True))
        for schema, table, names, types in found
    }


def _row_hash(columns: Collection[str]) -> str:
    """The outer hash, as the inner one takes the last column in by XOR, unmixed."""
    chosen = ", ".join(f'"{name}"' for name in columns)
    return f"hash(hash({chosen}))"


def _copy(source: Source) -> str:
    return f'version.{source.schema}."{source.table}"'
