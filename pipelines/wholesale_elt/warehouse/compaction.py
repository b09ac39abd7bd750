"""Compaction: gives back disk space that is no longer needed.

A lake keeps each of its states for a while, then the files that only old states need are removed.
A DuckDB file reuses the space of deleted rows but never shrinks, so one that is mostly free space
is rewritten: the new file is written beside the old one, compared with it and renamed over it,
while this process holds the old one as its only user. A run that dies leaves one or the other.
"""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from wholesale.errors import WholesaleError
from wholesale_elt.process import AlreadyRunning, budget, put_in_place
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_elt.warehouse.guarantees import DUCKLAKE
from wholesale_elt.warehouse.ports.duckdb_file import STORAGE_VERSION, quoted
from wholesale_elt.warehouse.ports.ducklake import LAKE, DuckLake
from wholesale_elt.warehouse.ports.lake import Lake
from wholesale_elt.warehouse.raw import Raw

SMALLEST = 64 * 2**20
"""Files of fewer bytes are left as they are."""
LEAST_FREE_SHARE = 2 / 3
"""A build alone leaves half of the file free, as tables are built beside those in force."""
AGE_KEPT = timedelta(days=1)
STATES_KEPT = "1 day"
"""How long states of a lake stay, for readers that began with one."""
LAKE_BYTES = (
    "select coalesce(sum(file_size_bytes), 0)::bigint"
    f" from __ducklake_metadata_{LAKE}.ducklake_data_file"
)


@dataclass(frozen=True, slots=True)
class Compacted:
    """The size of the warehouse in bytes, before and after."""

    before: int
    after: int


class CompactionDiffers(WholesaleError):
    """The copy of a warehouse differs from it."""


class InUse(WholesaleError):
    """Another program has the file open."""


def compact(warehouse: Warehouse) -> Compacted | None:
    """Shrink the warehouse's file if it is large and mostly free space; of a lake, remove what no
    state of the last day needs.

    None when there is nothing to gain, or another program works on the file or has it open.

    Raises: CompactionDiffers, and what DuckDB and the system raise; the file is as it was then.
    """
    try:
        with warehouse.hold():
            if warehouse.destination == DUCKLAKE:
                return _checkpoint(warehouse)
            if isinstance(warehouse.port, Lake):
                warehouse.port.prune(AGE_KEPT)
                return None
            path = warehouse.database.resolve()
            if warehouse.is_duckdb and path.exists() and path.stat().st_size >= SMALLEST:
                return _compact(path)
    except AlreadyRunning:
        pass
    return None


def rewrite(warehouse: Warehouse) -> str:
    """Remove from the disk everything that was deleted from tables; return what was done, in words.

    Raises: AlreadyRunning, InUse, CompactionDiffers, and what DuckDB and the system raise.
    """
    with warehouse.hold():
        if warehouse.is_duckdb:
            if _compact(warehouse.database.resolve(), is_forced=True) is None:
                raise InUse(
                    f"{warehouse.name} is open in another program, and so was not written anew:"
                    " close it there and run again"
                )
            return "the file was written anew"
        if isinstance(warehouse.port, Lake):
            _compact(warehouse.port.copy, is_forced=True)
            forgotten = warehouse.port.prune(timedelta(0))
            return f"{forgotten} states were forgotten"
        if isinstance(warehouse.port, DuckLake):
            with warehouse.open() as raw:
                done = _forget_states(raw)
            warehouse.port.vacuum_catalogue()
            return done
        with warehouse.open() as raw:
            tables = raw.rows(
                "select table_schema, table_name from information_schema.tables"
                " where table_schema like 'wholesale%%' and table_type = 'BASE TABLE'"
            )
            for schema, table in tables:
                raw.execute(f'vacuum (full, analyze) "{schema}"."{table}"')
            return f"{len(tables)} tables were vacuumed in full"


def _forget_states(raw: Raw) -> str:
    """Rewrite files with deleted rows, then remove all states but the last."""
    raw.execute(f"call ducklake_flush_inlined_data('{LAKE}')")
    raw.execute(f"call ducklake_rewrite_data_files('{LAKE}', delete_threshold => 0)")
    expired = raw.rows(f"call ducklake_expire_snapshots('{LAKE}', older_than => now())")
    removed = raw.rows(f"call ducklake_cleanup_old_files('{LAKE}', cleanup_all => true)")
    return f"{len(expired)} states were forgotten, {len(removed)} files removed"


def _checkpoint(warehouse: Warehouse) -> Compacted | None:
    with warehouse.open() as raw:
        ((before,),) = raw.rows(LAKE_BYTES)
        for option in ("expire_older_than", "delete_older_than"):
            raw.execute(f"call {LAKE}.set_option('{option}', '{STATES_KEPT}')")
        raw.execute(f"checkpoint {LAKE}")
        ((after,),) = raw.rows(LAKE_BYTES)
    return Compacted(before, after) if after < before else None


def _compact(path: Path, *, is_forced: bool = False) -> Compacted | None:
    before = path.stat().st_size
    for left in path.parent.glob(f".{path.name}.compact*"):
        shutil.rmtree(left)
    with (
        TemporaryDirectory(prefix=f".{path.name}.compact", dir=path.parent) as folder,
        budget.open_within(spill=Path(folder)) as both,
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
        if free < LEAST_FREE_SHARE * total and not is_forced:
            return None
        new = Path(folder) / path.name
        both.execute(f"attach {quoted(new)} as new (storage_version '{STORAGE_VERSION}')")
        both.execute("copy from database old to new (schema)")
        rows = row_counts(both, "old")
        for schema, table in rows:  # each in a transaction of its own, which stays small
            both.execute(f'insert into new."{schema}"."{table}" from old."{schema}"."{table}"')
        if row_counts(both, "new") != rows:
            raise CompactionDiffers(
                f"{path} was copied to be compacted, and the copy is not the same"
            )
        both.execute("detach new")
        shutil.copymode(path, new)
        # `old` stays attached: nobody else can write to the file until it has lost its name.
        put_in_place(new, path)
    return Compacted(before, path.stat().st_size)


def row_counts(
    connection: duckdb.DuckDBPyConnection, database: str
) -> Mapping[tuple[str, str], int]:
    """The number of rows of each table, by its schema and name."""
    tables = connection.execute(
        "select schema_name, table_name from duckdb_tables() where database_name = ?", [database]
    ).fetchall()
    counts = {}
    for schema, table in tables:
        sql = f'select count(*) from {database}."{schema}"."{table}"'
        ((counts[schema, table],),) = connection.execute(sql).fetchall()
    return counts
