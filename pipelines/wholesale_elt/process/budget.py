"""Budget: what DuckDB may hold in memory in each part of a run; beyond it, it spills to disk.

The parts of a run follow each other, so that its peak is that of the largest, not their sum.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

OPENING = "500MB"
"""While a file is opened, as what a run that was killed left in its log has to fit, and while it is
only asked."""
LOADING = "70MB"
"""While a sync inserts: a row group or two."""
COMPARING = 4
"""While a sync compares what came with what is stored: so many times what is compared, besides what
it may hold while it inserts, because a comparison that has begun cannot spill all of it. More would
only fill with pages of the tables."""
LEAST_COMPARED = 2**23
"""Bytes: however little is compared, there is room for what was written and is not in the file."""
A_FOUND_COLUMN = 2**18
"""Bytes to compare for each column that the description does not know, of which there may be
hundreds: a block, however little is in it."""
BUILDING = "1GB"
"""While dbt builds: joins and windows over all orders, of two models at once."""
MAKING = "280MB"
"""While models are made without dbt, one at a time. A million orders are made within 260; where it
is too little, dbt builds."""
STAGING = "300MB"
"""While a copy of a lake is made, or put in force there, and rows are sorted by month."""
COPYING = "500MB"
"""While tables are copied, to compact them, or to take them into a catalogue."""
PUBLISHING = "220MB"
"""While a version is written, in both forms at once. More saves no time: what is in memory at once
are some row groups, and what is sorted or joined."""
SHOWING = "170MB"
"""While the site reads its reports."""


def widened(memory: str, more: int) -> str:
    """That many megabytes, and so many bytes more."""
    return f"{int(memory.removesuffix('MB')) + -(-more // 10**6)}MB"


@contextmanager
def open_within(
    memory: str, database: Path | None = None, *, spill: Path | None = None
) -> Iterator["duckdb.DuckDBPyConnection"]:
    """DuckDB within this memory: a file that is only read, or none, to attach some.

    It spills into a folder of its own in `spill`, or in the system's for temporary files, and
    prints no progress, which it else does where it takes the process for an interactive one.
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
