"""A failure as a person should meet it: one line that says what to do, and an exit code."""

import errno
import os
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

import duckdb

from wholesale.errors import ConfigurationError, Unauthorized, WholesaleError, one_line
from wholesale_elt.load import Outcome
from wholesale_elt.warehouse import Warehouse

NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
CORRUPT = ("Corrupt database file", "Could not read enough bytes")
"""What DuckDB says of a file with a block that is damaged, or missing at its end."""


class Exit(IntEnum):
    """Exit codes of every command."""

    DONE = 0
    FAILED = 1
    CONFIGURATION = 2
    INCOMPLETE = 3


@dataclass(frozen=True, slots=True)
class Failure:
    """What to print, in one line, and how to exit."""

    message: str
    exit: Exit


def exit_of(outcome: Outcome) -> Exit:
    """How a sync that came to its end exits."""
    if outcome.failures:
        return Exit.FAILED
    return Exit.DONE if outcome.is_complete else Exit.INCOMPLETE


def failure_of(error: BaseException, warehouse: Warehouse | None = None) -> Failure:
    """The innermost cause that a person can act on, however deep dlt has wrapped it."""
    where = warehouse.name if warehouse else "the database"
    for cause in _causes(error):
        if isinstance(cause, ConfigurationError | Unauthorized):
            return Failure(str(cause), Exit.CONFIGURATION)
        if isinstance(cause, WholesaleError):
            return Failure(str(cause), Exit.FAILED)
        if _is_full_disk(cause):
            return Failure(
                f"no space left on the disk while writing for {where}: nothing half written is"
                " used; free some space and run again",
                Exit.FAILED,
            )
        if isinstance(cause, duckdb.IOException):
            return Failure(_duckdb_message(str(cause), where), Exit.FAILED)
        if isinstance(cause, PermissionError):
            return Failure(f"no permission to write {cause.filename or where}", Exit.FAILED)
    last = list(_causes(error))[-1]
    text = one_line(last)
    return Failure(
        f"{type(last).__name__}: {text or 'no message'}; run again with --debug for the traceback",
        Exit.FAILED,
    )


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error and what led to it, outermost first."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__ or getattr(error, "exception", None)


def _is_full_disk(error: BaseException) -> bool:
    if isinstance(error, OSError) and error.errno in NO_SPACE:
        return True
    return isinstance(error, duckdb.Error) and any(
        os.strerror(number) in str(error) for number in NO_SPACE
    )


def _duckdb_message(text: str, where: str) -> str:
    if "set lock on file" in text:
        holder = text.partition("held in ")[2].split(". ")[0].strip()
        by = f" by {holder}" if holder else ""
        return (
            f"{where} is open in another program{by}: DuckDB lets one program write and no other"
            " read meanwhile; close it there and run again"
        )
    if "not a valid DuckDB database" in text:
        return f"{where} is no DuckDB file: name another one with --database"
    if any(sign in text for sign in CORRUPT):
        return (
            f"{where} is corrupt, as after a failure of the disk or a copy that broke off: put a"
            " copy in its place, or move it away and run again, which loads everything anew"
        )
    return f"{where} cannot be opened or written: {one_line(text, 200)}"
