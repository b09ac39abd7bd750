"""A full disk is told from other errors, however those that meet it word it."""

import errno
import sqlite3

import duckdb
import pytest

from wholesale.errors import ServiceError
from wholesale_elt.process import causes, is_full_disk, is_out_of_memory

FULL = "database or disk is full"


@pytest.mark.parametrize(
    ("error", "is_full"),
    [
        (OSError(errno.ENOSPC, "No space left on device", "a"), True),
        (OSError(errno.ENOENT, f"{FULL}.duckdb"), False),
        (sqlite3.OperationalError(FULL), True),
        (duckdb.IOException('Could not write to file "a": No space left on device'), True),
        (duckdb.IOException('Could not read from file "a"'), False),
        (ServiceError(f"GET /orders answered 500 {FULL}"), False),
    ],
)
def test_a_full_disk_is_known_by_number_and_by_words(error: Exception, is_full: bool) -> None:
    assert is_full_disk(error) is is_full


@pytest.mark.parametrize(
    ("error", "is_out"),
    [
        (duckdb.OutOfMemoryException("Out of Memory Error: failed to allocate"), True),
        (duckdb.TransactionException("Failed to commit: failed to pin block of size 256"), True),
        (duckdb.IOException("Could not read"), False),
        (ServiceError("GET /orders answered 500 Out of Memory Error"), False),
    ],
)
def test_memory_beyond_the_limit_is_known_by_words(error: Exception, is_out: bool) -> None:
    assert is_out_of_memory(error) is is_out


def test_what_led_to_an_error_is_followed_once_and_into_what_dlt_wraps() -> None:
    wrapped, outer = OSError(errno.ENOSPC, "full"), RuntimeError("outer")
    middle = ValueError("middle")
    outer.__cause__, middle.exception = middle, wrapped  # type: ignore[attr-defined]
    wrapped.__context__ = outer

    assert list(causes(outer)) == [outer, middle, wrapped]
