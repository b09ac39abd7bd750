"""Budget: how much memory DuckDB may use in each part of a run before it spills to disk.

The parts of a run follow each other, so its peak is that of the largest part, not their sum.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

OPENING = "500MB"
"""While a file is opened, as the log that a killed run left must fit, and while it is queried."""
WRITING = "70MB"
"""While a file is open to be written, except while a sync inserts."""
LOADING = "42MB"
"""While a sync inserts: a row group or two, of a table and its children with COLUMNS together."""
COLUMNS = 75
A_COLUMN = 5 * 2**18
"""Bytes for each column beyond COLUMNS: orders or their lines may have hundreds of columns that the
description does not know, and a commit holds two or three blocks of each that it reads or writes,
however little is in them."""
CHECKING = 20
"""Bytes for each row of a part of the largest table while a sync looks at every key, on top of
WRITING and of what cannot be evicted, as rows that were replaced: for five million lines of a
million orders 12 are enough, and 8 are not."""
COMPARING_FACTOR = 2
"""While a sync compares what came with what is stored: LOADING and this many times the compared
bytes, because a comparison cannot spill all of them: once is too little. More memory would only be
filled with cached pages of the tables."""
LEAST_COMPARED = 2**24
"""The least bytes to compare, which leave room for what was written but is not in the file yet."""
A_FOUND_COLUMN = 2**19
"""Bytes to compare for each column that the description does not know: two blocks, however little
is in it. There may be hundreds of them."""
MAKING = "500MB"
"""While models are built, one at a time. A million orders take 260 MB."""
STAGING = "300MB"
"""While the working copy of a lake is made or put in force there, which sorts rows by month."""
COPYING = "500MB"
"""While tables are copied, to compact them or to take them into a catalogue."""
PUBLISHING = "220MB"
"""While a version is written, as DuckDB and as Parquet at once. More saves no time: only some row
groups and what is sorted or joined are in memory at once."""
SHOWING = "170MB"
"""While the site reads its reports."""


def widened(memory: str, more: int) -> str:
    """An amount such as `42MB`, increased by so many bytes."""
    return f"{int(memory.removesuffix('MB')) + -(-more // 10**6)}MB"


def beyond_usual(columns: int) -> int:
    """The bytes for the columns of a table beyond COLUMNS."""
    return A_COLUMN * max(0, columns - COLUMNS)


@contextmanager
def open_within(
    memory: str, database: Path | None = None, *, spill: Path | None = None
) -> Iterator["duckdb.DuckDBPyConnection"]:
    """DuckDB limited to this memory, on a file that is read only, or on none, to attach others.

    It spills into a folder of its own below `spill`, by default the system's folder for temporary
    files. It prints no progress bar, as it would in a process that it takes for an interactive one.
    """
    import duckdb

    with (
        TemporaryDirectory(dir=spill) as folder,
        duckdb.connect(
            str(database or ":memory:"),
            read_only=database is not None,
            config={"memory_limit": memory, "temp_directory": folder},
        ) as connection,
    ):
        connection.execute("set enable_progress_bar = false")
        yield connection
