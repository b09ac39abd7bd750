"""Compaction: gives back disk space of a DuckDB file.

A DuckDB file reuses the space of deleted rows but never shrinks, so one that is mostly free space
is rewritten: the new file is written beside the old one, compared with it and renamed over it,
while this process holds the old one as its only user. A run that dies leaves one or the other.
"""

import shutil
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from wholesale.errors import WholesaleError
from wholesale_elt.process import budget, put_in_place
from wholesale_elt.warehouse.port import Compacted
from wholesale_elt.warehouse.ports.files import STORAGE_VERSION, quoted

SMALLEST = 64 * 2**20
"""Files of fewer bytes are left as they are."""
LEAST_FREE_SHARE = 2 / 3
"""A build alone leaves half of the file free, as tables are built beside those in force."""


class CompactionDiffers(WholesaleError):
    """The copy of a warehouse differs from it."""


class InUse(WholesaleError):
    """Another program has the file open."""


def compact_file(path: Path, *, is_forced: bool = False) -> Compacted | None:
    """Write the file anew if it is large and mostly free space, or if that `is_forced`; None if it
    was not, as when another program has it open.

    Raises: CompactionDiffers, and what DuckDB and the system raise; the file is as it was then.
    """
    before = path.stat().st_size
    if before < SMALLEST and not is_forced:
        return None
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
