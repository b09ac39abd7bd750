"""Failures: what led to an error, and whether it tells of a full disk."""

import errno
import os
from collections.abc import Iterator

import duckdb

NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error and what led to it, outermost first; dlt wraps errors deeply."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__ or getattr(error, "exception", None)


def is_full_disk(error: BaseException) -> bool:
    """Whether this error itself tells of it, by its number, or as DuckDB in the system's words."""
    if isinstance(error, OSError) and error.errno in NO_SPACE:
        return True
    return isinstance(error, duckdb.Error) and any(
        os.strerror(number) in str(error) for number in NO_SPACE
    )
