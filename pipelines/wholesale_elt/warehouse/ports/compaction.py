"""Compaction: gives back disk space of a DuckDB file.

A DuckDB file reuses the space of deleted rows but never shrinks, so one that is mostly free space
is rewritten: the new file is written beside the old one, compared with it and renamed over it,
while this process holds the old one as its only user. A run that dies leaves one or the other.
"""

import errno
import os
import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from wholesale.errors import WholesaleError
from wholesale_elt.process import budget, put_in_place
from wholesale_elt.warehouse.port import Compacted
from wholesale_elt.warehouse.ports.file_copy import (
    NotCopied,
    Table,
    copy_definitions,
    copy_rows,
    row_counts,
)
from wholesale_elt.warehouse.ports.files import STORAGE_VERSION, quoted

OURS = "wholesale_"
"""Begins the names of our schemas."""
SMALLEST = 64 * 2**20
"""Files of fewer bytes are left as they are."""
LEAST_FREE_SHARE = 2 / 3
"""A build alone leaves half of the file free, as tables are built beside those in force."""


class CompactionDiffers(WholesaleError):
    """The copy of a warehouse differs from it."""


class InUse(WholesaleError):
    """Another program has the file open."""


class Mounted(WholesaleError):
    """No other file can take the place of this one."""


def compact_file(path: Path, *, is_forced: bool = False) -> Compacted | None:
    """Write the file anew if it is large and mostly free space, or if that `is_forced`; None if it
    was not, as when another program has it open.

    Raises: CompactionDiffers, NotCopied, Mounted, and what DuckDB and the system raise; the file is
    as it was then.
    """
    before = path.stat().st_size
    if before < SMALLEST and not is_forced:
        return None
    with _beside(path) as (new, both):
        if both is None:
            return None
        both.execute("checkpoint old")
        ((free, total),) = both.execute(
            "select free_blocks, total_blocks from pragma_database_size()"
            " where database_name = 'old'"
        ).fetchall()
        if free < LEAST_FREE_SHARE * total and not is_forced:
            return None
        _refuse_mounted(path)
        both.execute(f"attach {quoted(new)} as new (storage_version '{STORAGE_VERSION}')")
        rows = row_counts(both, "old")
        _copied(path, both, rows)
        if row_counts(both, "new") != rows:
            raise CompactionDiffers(
                f"{path} was copied to be compacted, and the copy is not the same"
            )
        both.execute("detach new")
        shutil.copymode(path, new)
        # `old` stays attached: nobody else can write to the file until it has lost its name.
        put_in_place(new, path)
    return Compacted(before, path.stat().st_size)


def rehearse(path: Path) -> bool:
    """Find out whether the file can be written anew: copy everything but the rows of our own
    tables, and throw the copy away; False if another program has it open.

    Raises: NotCopied, Mounted, and what DuckDB and the system raise.
    """
    with _beside(path) as (new, both):
        if both is None:
            return False
        _refuse_mounted(path)
        both.execute(f"attach {quoted(new)} as new (storage_version '{STORAGE_VERSION}')")
        rows = row_counts(both, "old")
        theirs = {table: number for table, number in rows.items() if not table[0].startswith(OURS)}
        _copied(path, both, theirs)
        if (copied := row_counts(both, "new")) != {**dict.fromkeys(rows, 0), **theirs}:
            odd = next(table for table, number in theirs.items() if copied[table] != number)
            raise NotCopied(f"{path}: its table {'.'.join(odd)} cannot be written anew whole")
    return True


@contextmanager
def _beside(path: Path) -> Iterator[tuple[Path, duckdb.DuckDBPyConnection | None]]:
    """The path of a new file in a folder of its own, and a connection that has the file as `old`,
    as its only user; None if another program has it open."""
    for left in path.parent.glob(f".{path.name}.compact*"):
        shutil.rmtree(left)
    with (
        TemporaryDirectory(prefix=f".{path.name}.compact", dir=path.parent) as folder,
        budget.open_within(spill=Path(folder)) as both,
    ):
        new = Path(folder) / path.name
        try:
            both.execute(f"attach {quoted(path)} as old")
        except duckdb.IOException as error:
            if "lock" not in str(error):
                raise
            yield new, None
        else:
            yield new, both


def _copied(path: Path, both: duckdb.DuckDBPyConnection, tables: Collection[Table]) -> None:
    """Raises: NotCopied naming the file."""
    try:
        copy_definitions(both)
        copy_rows(both, tables)
    except NotCopied as error:
        raise NotCopied(f"{path}: {error}; keep that in another file, and run again") from None


def _refuse_mounted(path: Path) -> None:
    """Raises: Mounted if no other file can take the place of this one, as where it is mounted by
    itself, like files of containers: there it cannot be linked to either."""
    link = path.with_name(f".{path.name}.compact-link")
    link.unlink(missing_ok=True)
    try:
        os.link(path, link)
        link.unlink()
    except OSError as error:
        if error.errno in (errno.EXDEV, errno.EBUSY):
            raise Mounted(
                f"{path} is mounted by itself, so no new file can take its place: mount its folder"
            ) from None
