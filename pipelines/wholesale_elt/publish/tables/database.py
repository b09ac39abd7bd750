"""Database: the DuckDB file of a version, from a copy of the last one where few rows changed."""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

import duckdb

from wholesale_elt.dashboard import ALL_COLUMNS, CELLS, ShownCells
from wholesale_elt.publish.tables.alterations import Alteration, find_alterations
from wholesale_elt.publish.tables.last import LastVersion
from wholesale_elt.publish.tables.sources import PartDigest, Source, columns_of, row_hash
from wholesale_elt.warehouse import declared, quoted

STORAGE_VERSION = "v1.0.0"
"""A storage version that every DuckDB since 1.0 reads, as BI tools may have an older one."""
MOST_CHANGED = 5
"""The last DuckDB file is copied and changed if at most one row of so many changed: the space of
replaced rows stays in the file."""
FEW = 256
"""Tables with at most so many rows are written whole, as comparing them would take longer."""
Tell = Callable[[Source], None]
"""Called with each table that is done."""


@dataclass(frozen=True, slots=True)
class TableChanges:
    """The changes of a table since the last version; `is_alike` if its columns are the same.

    If so, `listed` may name a temporary table with the removed rows and their row ids, and with the
    row ids of the added rows, which are in a table of their own. Without it all rows are replaced.
    """

    source: Source
    is_alike: bool
    listed: str | None = None
    count: int = 0

    @property
    def rows(self) -> int:
        return self.count if self.listed else self.source.rows

    @property
    def gone(self) -> str:
        """The removed rows, as an SQL relation."""
        if not self.listed:
            return _copy(self.source)
        chosen = ", ".join(f'"{name}"' for name in self.source.types)
        return f"(select {chosen} from {self.listed} where gone is not null)"

    @property
    def come(self) -> str:
        """The added rows, as an SQL relation."""
        return f"{self.listed}_come" if self.listed else self.source.place


@dataclass(frozen=True, slots=True)
class Found:
    """The changes of all tables with a changed row, and by table and number the alterations of
    parts of tables in pieces."""

    changes: Sequence[TableChanges]
    alterations: Mapping[Source, Mapping[int, Alteration]]


def find_changes(
    connection: duckdb.DuckDBPyConnection,
    database: Path,
    sources: Sequence[Source],
    last: LastVersion,
    parts: Mapping[Source, Set[PartDigest]],
) -> Found | None:
    """The changes of the tables since the last version, whose copy is put at `database` and
    attached as `version`; None if writing all tables is better.

    `parts` are those of a table in the last version, if they are known.
    """
    if not last.take_database(database):
        return None
    connection.execute(f"attach {quoted(database)} as version")
    known = columns_of(connection, "version", {source.schema for source in sources})
    changes = [
        _compare(connection, source, last.count(source), parts[source], f"changes_{number}")
        if (is_alike := known.get((source.schema, source.table)) == source.types)
        and source.rows > FEW
        else TableChanges(source, is_alike)
        for number, source in enumerate(sources)
        if not last.is_same(source)
    ]
    if sum(entry.rows for entry in changes) * MOST_CHANGED > sum(source.rows for source in sources):
        connection.execute("detach version")
        database.unlink()
        return None
    listed = [entry for entry in changes if entry.listed]
    for entry in listed:
        come = f"{entry.source.query} where rowid in (select come from {entry.listed})"
        connection.execute(f"create temp table {entry.come} as {come}")
    last.note_changed(
        {
            cells: _changed_files(connection, cells, entry)
            for entry in changes
            for cells in CELLS
            if cells.table == entry.source.table
        }
    )
    alterations = {
        entry.source: find_alterations(connection, entry.source, entry.gone, entry.come)
        for entry in listed
        if parts[entry.source]
    }
    return Found(changes, alterations)


def write_database(
    connection: duckdb.DuckDBPyConnection,
    database: Path,
    sources: Sequence[Source],
    found: Found | None,
    last: LastVersion,
    tell: Tell,
) -> None:
    """Write the file of all tables: apply the changes found to the attached copy, or make a new
    file."""
    if found:
        # Trying how texts compress best would take half the time of so small a change.
        connection.execute("set disabled_compression_methods = 'fsst'")
        for source in sources:
            if last.is_same(source):
                tell(source)
        for entry in found.changes:
            _apply(connection, entry)
            tell(entry.source)
    else:
        connection.execute(
            f"attach {quoted(database)} as version (storage_version '{STORAGE_VERSION}')"
        )
        for schema in {source.schema for source in sources}:
            connection.execute(f"create schema version.{schema}")
        for source in sources:
            _write_whole(connection, source)
            tell(source)
    connection.execute("detach version")


def _compare(
    connection: duckdb.DuckDBPyConnection,
    source: Source,
    counted: tuple[int, int],
    parts: Set[PartDigest],
    listed: str,
) -> TableChanges:
    """List how the attached copy of the last version differs from the next one, in parts that are
    not among the last ones.

    Rows are compared by their hashes, so the change of a duplicate is not seen: counts and sums of
    hashes show whether there was one.
    """
    numbers = sorted({part.number for part in parts ^ set(source.parts)})
    within = f"list_contains({numbers}, {{}})".format if parts else "true".format
    chosen = ", ".join(f'"{name}"' for name in source.types)
    connection.execute(
        f"""
        create temp table {listed} as
        with last as (
            select {chosen}, rowid as gone, {row_hash(source.types)} as row_hash
            from {_copy(source)}
            where {within(source.part)}
        ),
        next as (select row_id as come, row_hash from {source.hashes} where {within("part")})
        select
            {chosen},
            gone,
            come,
            case when come is null then -1 else 1 end as change,
            row_hash::hugeint as row_hash
        from last
        full join next using (row_hash)
        where gone is null or come is null
        """
    )
    ((count, rows, total),) = connection.execute(
        "select count(*), coalesce(sum(change), 0), coalesce(sum(change * row_hash), 0)"
        f" from {listed}"
    ).fetchall()
    is_all = (counted[0] + rows, counted[1] + total) == (source.rows, source.total)
    return TableChanges(source, True, listed if is_all else None, count)


def _changed_files(
    connection: duckdb.DuckDBPyConnection, cells: ShownCells, changes: TableChanges
) -> Set[str] | None:
    """The data files of the dashboard in which any of these cells changed, by sums of hashes; None
    if it can be any file."""
    if not (cells.name and changes.is_alike):
        return None
    moved = f"select {cells.name} as file, {_shown(changes.source, cells)} as change from"
    come, gone = f"{moved} {changes.come}", f"{moved} {changes.gone}"
    found = connection.execute(
        f"select file from ({come} union all select file, -change from ({gone}))"
        " group by file having sum(change) <> 0"
    ).fetchall()
    return {name for (name,) in found}


def _shown(source: Source, cells: ShownCells) -> str:
    columns = (
        row_hash(source.types) if cells.columns == ALL_COLUMNS else f"hash(hash({cells.columns}))"
    )
    return f"{columns}::hugeint"


def _apply(connection: duckdb.DuckDBPyConnection, changes: TableChanges) -> None:
    source, copy = changes.source, _copy(changes.source)
    if not changes.listed:
        _write_whole(connection, source)
        return
    connection.execute(f"delete from {copy} where rowid in (select gone from {changes.listed})")
    connection.execute(f"insert into {copy} from {changes.come}")
    connection.execute(f"drop table {changes.listed}")
    connection.execute(f"drop table {changes.come}")


def _write_whole(connection: duckdb.DuckDBPyConnection, source: Source) -> None:
    columns = ", ".join(declared(name, type_) for name, type_ in source.types.items())
    connection.execute(f"create or replace table {_copy(source)} ({columns})")
    connection.execute(f"insert into {_copy(source)} {source.query}")


def _copy(source: Source) -> str:
    return f'version.{source.schema}."{source.table}"'
