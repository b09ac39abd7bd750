"""Budget: how DuckDB is opened: within the one limit of its memory, beyond which it spills to disk,
and without the optimizer that computes a wrong number."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

M_ARENA_MAX = -8
"""An option of glibc's `mallopt` (malloc.h)."""


def reuse_freed() -> None:
    """Before Arrow is imported: let it and all threads allocate in one place. Arrow's own
    allocator, and glibc's places for each thread, keep for themselves what is free."""
    import ctypes

    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    with suppress(AttributeError, OSError, TypeError):  # another C library, or none without a name
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)


def limit(most: int | None = None) -> str:
    """The memory of each connection, `most` megabytes of it where that is enough; a process has one
    at a time that works. What cannot be spilled must fit: the log that a killed run left, 2,048
    rows with their texts, and some blocks of each column of a table and its children. A million
    orders are checked and built in the default.

    Raises: ConfigurationError for a setting that cannot be right.
    """
    from wholesale_elt.process.memory import read_settings  # pydantic, which `--help` does without

    megabytes = read_settings().megabytes
    return f"{min(megabytes, most or megabytes)}MB"


def limit_beside() -> str:
    """The same while as much is held beside DuckDB: two fifths, and 200 MB where there are."""
    from wholesale_elt.process.memory import read_settings

    megabytes = read_settings().megabytes
    return limit(max(200, megabytes * 2 // 5))


def hold_back(connection: "duckdb.DuckDBPyConnection") -> None:
    """Set its limit to `limit_beside`. DuckDB keeps memory that it has used for what it does next,
    and frees it when a limit is set, even the one that it had."""
    connection.execute(f"set memory_limit = '{limit_beside()}'")


def optimizers_off(*others: str) -> str:
    """The value of DuckDB's setting `disabled_optimizers`: those that are wrong, and `others`.

    DuckDB 2.0.1 takes an outer or an anti join with an empty side for one without rows, and so a
    sum over it for 0 wherever it is compared (tests/sql/test_engine.py).
    """
    import duckdb

    wrong = () if duckdb.__version__.startswith("1.") else ("statistics_propagation",)
    return ",".join((*wrong, *others))


def connect(
    database: str = ":memory:", *, read_only: bool = False, config: Mapping[str, str] | None = None
) -> "duckdb.DuckDBPyConnection":
    """DuckDB on a file, or on none: nothing else calls `duckdb.connect`."""
    import duckdb

    off = {"disabled_optimizers": optimizers_off()}
    return duckdb.connect(database, read_only=read_only, config={**off, **(config or {})})


@contextmanager
def open_within(
    database: Path | None = None, *, spill: Path | None = None
) -> Iterator["duckdb.DuckDBPyConnection"]:
    """DuckDB within this limit, on a file that is read only, or on none, to attach others.

    It spills into a folder of its own below `spill`, by default the system's folder for temporary
    files. It prints no progress bar, as it would in a process that it takes for an interactive one.
    """
    with TemporaryDirectory(dir=spill) as folder:
        connection = connect(
            str(database or ":memory:"),
            read_only=database is not None,
            config={"memory_limit": limit(), "temp_directory": folder},
        )
        try:
            connection.execute("set enable_progress_bar = false")
            yield connection
        except BaseException:
            connection.interrupt()  # else its end may wait until a query is done that was stopped
            raise
        finally:
            _close(connection)


def _close(connection: "duckdb.DuckDBPyConnection") -> None:
    """Close it once its query in another thread has ended, until which DuckDB 2 refuses to."""
    import duckdb

    is_busy = getattr(duckdb, "ResourceInUseException", ())  # DuckDB 1.5 waits instead
    while True:
        try:
            return connection.close()
        except is_busy:
            sleep(0.01)
