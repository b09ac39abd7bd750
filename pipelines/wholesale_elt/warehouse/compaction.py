"""Compaction: a warehouse whose file is mostly free room is written anew, without it.

DuckDB uses again what deletes and updates leave free, but gives none of it back to the system. The
new file is written beside, compared with the old one and put in its place by a rename, while this
process holds the old one as its only user: a run that dies leaves one or the other.
"""

import shutil
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb

from wholesale.errors import WholesaleError
from wholesale_elt.process import AlreadyRunning, budget, hold, put_in_place
from wholesale_elt.warehouse.destination import STORAGE_VERSION, Warehouse, quoted

SMALLEST = 64 * 2**20
"""Files of fewer bytes are left as they are."""
LEAST_FREE_SHARE = 2 / 3
"""Of the file. Half of it is free after any build, as tables are made beside those in force."""
CATALOG = """
    select 'table' as kind, schema_name, table_name as name, sql from duckdb_tables()
    where database_name = $1
    union all
    select 'view', schema_name, view_name, sql from duckdb_views()
    where database_name = $1 and not internal
    union all
    select 'index', schema_name, index_name, sql from duckdb_indexes() where database_name = $1
    union all
    select 'sequence', schema_name, sequence_name, sql from duckdb_sequences()
    where database_name = $1
    union all
    select 'macro', schema_name, function_name, macro_definition from duckdb_functions()
    where database_name = $1 and not internal
    union all
    select 'type', schema_name, type_name, logical_type from duckdb_types()
    where database_name = $1 and not internal
    order by all
"""


@dataclass(frozen=True, slots=True)
class Compacted:
    """How many bytes the file had, and has."""

    before: int
    after: int


class NotTheSame(WholesaleError):
    """The copy of a warehouse differs from it."""


def compact(warehouse: Warehouse) -> Compacted | None:
    """Give back what is free in the warehouse's file, if that is most of a large one.

    None when there is nothing to gain, or somebody else is at work on the file or has it open.

    Raises: NotTheSame, and what DuckDB and the system raise; the file is as it was then.
    """
    path = warehouse.database.resolve()
    if not warehouse.is_duckdb or not path.exists() or path.stat().st_size < SMALLEST:
        return None
    try:
        with hold(warehouse.state_folder / "lock"):
            return _compact(path)
    except AlreadyRunning:
        return None


def _compact(path: Path) -> Compacted | None:
    before = path.stat().st_size
    for left in path.parent.glob(f".{path.name}.compact*"):
        shutil.rmtree(left)
    with (
        TemporaryDirectory(prefix=f".{path.name}.compact", dir=path.parent) as folder,
        budget.open_within(budget.COPYING, spill=Path(folder)) as both,
    ):
        try:
            both.execute(f"attach {quoted(path)} as old")
        except duckdb.IOException as error:
            if "lock" in str(error):
                return None
            raise
        both.execute("checkpoint old")
        ((free, total),) = both.execute(
            "select free_blocks, total_blocks from pragma_database_size()"
            " where database_name = 'old'"
        ).fetchall()
        if free < LEAST_FREE_SHARE * total:
            return None
        new = Path(folder) / path.name
        both.execute(f"attach {quoted(new)} as new (storage_version '{STORAGE_VERSION}')")
        both.execute("copy from database old to new (schema)")
        for schema, table in _tables(both):  # each in a transaction of its own, which stays small
            both.execute(f'insert into new."{schema}"."{table}" from old."{schema}"."{table}"')
        if contents_of(both, "old") != contents_of(both, "new"):
            raise NotTheSame(f"{path} was copied to be compacted, and the copy is not the same")
        both.execute("detach new")
        shutil.copymode(path, new)
        # `old` stays attached: nobody else can write to the file until it has lost its name.
        put_in_place(new, path)
    return Compacted(before, path.stat().st_size)


def _tables(connection: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
    return connection.execute(
        "select schema_name, table_name from duckdb_tables() where database_name = 'old'"
    ).fetchall()


def contents_of(connection: duckdb.DuckDBPyConnection, database: str) -> list[Any]:
    """Everything that the catalog names, and how many rows each table has."""
    catalog = connection.execute(CATALOG, [database]).fetchall()
    counts = [
        connection.execute(f'select count(*) from {database}."{schema}"."{table}"').fetchall()
        for schema, table in _tables(connection)
    ]
    return [*catalog, *counts]
