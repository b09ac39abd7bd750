"""Failures: what led to an error, and whether it means that the disk or the memory is full."""

import errno
import os
from collections.abc import Iterator

from wholesale.errors import WholesaleError

NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
IN_WORDS = (*map(os.strerror, NO_SPACE), "database or disk is full")
"""Parts of the messages of databases: the words of the system, or of SQLite."""

BEYOND_LIMIT = ("Out of Memory Error", "failed to pin block")
"""DuckDB's messages where its limit does not suffice; the second also ends a commit."""


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error and what led to it, outermost first; dlt wraps errors deeply."""
    seen: set[int] = set()
    while isinstance(error, BaseException) and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__ or getattr(error, "exception", None)


def is_full_disk(error: BaseException) -> bool:
    """Whether this error itself, without its causes, means that. Errors of this project never do:
    their own messages say what is wrong."""
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno in NO_SPACE
    return not isinstance(error, WholesaleError) and any(words in str(error) for words in IN_WORDS)


def is_out_of_memory(error: BaseException) -> bool:
    """Whether this error itself, without its causes, means that DuckDB's limit does not suffice."""
    return not isinstance(error, WholesaleError) and any(
        sign in str(error) for sign in BEYOND_LIMIT
    )
