"""Errors: the line and the exit code for each kind of failure."""

import errno
import os
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import duckdb

from wholesale.errors import (
    ConfigurationError,
    Unanswerable,
    Unauthorized,
    WholesaleError,
    counted,
    installing,
    one_line,
)
from wholesale_elt.cli.output import Exit, Failure, stopped
from wholesale_elt.process import (
    AlreadyRunning,
    budget,
    causes,
    is_full_disk,
    is_out_of_memory,
)

if TYPE_CHECKING:  # so that a sync need not import what builds, nor a build what loads
    from wholesale_elt.load import Outcome, Reread
    from wholesale_elt.models import Built
    from wholesale_elt.warehouse import Warehouse

NAMINGS = "dlt.common.normalizers.naming"
"""Where dlt looks for a naming convention."""
HTTP_STATUS = re.compile(r"\(HTTP code ([0-9]{3})\)")
"""How DuckDB tells the status of a response."""
NO_MORE = (
    *("can't start new thread", "std::bad_alloc", "bad allocation", "Allocation failure"),
    os.strerror(errno.ENOMEM),
)
"""Parts of messages where the system gives no more threads or memory."""
HOLDER = re.compile(r"held in (.*?PID (\d+)\)?)")
LOCK_REASON = re.compile(r'^ *"[^"]*": *|[.,] *(?:See also|cannot open).*$', re.DOTALL)
"""What stands around the reason for which DuckDB has no lock."""
FILE = re.compile(r'"([^"]*[/\\][^"]*)"')
"""How DuckDB names a file."""
MOST_IDS = 3
"""So many orders are named; --json names all."""
CORRUPT = ("Corrupt database file", "Could not read enough bytes")
"""DuckDB's messages for a file with a damaged block, or without its end."""


OUTPUT_CLOSED = Failure(
    "stopped, as nobody reads what it prints any more; what was loaded before is whole, run again"
    " to go on",
    Exit.FAILED,
)


def failure_in(outcome: "Outcome") -> Failure | None:
    """Why a sync that ended is incomplete."""
    if outcome.failures:
        reasons = (f"{name} could not be read: {why}" for name, why in outcome.failures.items())
        return Failure("; ".join(reasons), Exit.FAILED)
    if not outcome.is_complete:
        reasons = (
            f"{found.resource} is not certified complete: {found.reason}"
            for found in outcome.certificates
            if found.verdict != "complete"
        )
        return Failure("; ".join(reasons), Exit.INCOMPLETE)
    return None


def failure_in_own(built: "Built") -> Failure | None:
    """Why nothing is in force of what users added."""
    if not built.left_out:
        return None
    return Failure(
        f"nothing of [build] models and metrics is in force, all else is: {built.left_out}",
        Exit.INCOMPLETE,
    )


def failure_of_reread(read: "Reread") -> Failure | None:
    """Why records that were asked for are not all up to date."""
    doubts = read.doubts
    reasons = [
        f"{read.tally.resource} {id_} could not be read: {why}"
        for id_, why in doubts.unread.items()
    ]
    if read.not_found:
        reasons.append(
            f"the service answers 404 for {_few(read.not_found)}: if one was deleted, the next"
            " sync marks it"
        )
    if reasons:
        return Failure("; ".join(reasons), Exit.FAILED)
    if doubts.mismatch:
        reasons.append(f"{doubts.mismatch}, so that others may be as new: run it again")
    if doubts.quarantined:
        reasons.append(f"{counted(doubts.quarantined, 'record')} in quarantine")
    if doubts.refused:
        reasons.append(f"of {_few(doubts.refused)} what was stored stays")
    if reasons:
        reasons += map(doubts.with_remedies, doubts.faults)
        return Failure("; ".join(reasons), Exit.INCOMPLETE)
    return None


def _few(ids: Sequence[str]) -> str:
    more = len(ids) - MOST_IDS
    return ", ".join(ids[:MOST_IDS]) + (f" and {more:,} more (--json)" if more > 0 else "")


def failure_of(error: BaseException, warehouse: "Warehouse | None" = None) -> Failure:
    """The outermost cause that tells a person what to do."""
    for cause in causes(error):
        if failure := _failure_in_own_words(cause):
            return failure
        where = warehouse.name if warehouse else "the database"
        if message := _message_about(cause, where):
            return Failure(message, Exit.FAILED)
    last = list(causes(error))[-1]
    text = one_line(last)
    return Failure(
        f"{type(last).__name__}: {text or 'no message'}; run again with --debug for the traceback",
        Exit.FAILED,
    )


def _failure_in_own_words(error: BaseException) -> Failure | None:
    """The failure of an error whose message is meant for people; None for any other."""
    if isinstance(error, ConfigurationError | Unauthorized | Unanswerable):
        return Failure(str(error), Exit.CONFIGURATION)
    if "dlt" in sys.modules and (failure := _failure_of_dlt(error)):
        return failure
    if isinstance(error, KeyboardInterrupt):  # DuckDB's error for it, in the midst of a query
        return stopped()
    if isinstance(error, AlreadyRunning):
        return Failure(str(error), Exit.FAILED, is_in_use=True)
    return Failure(str(error), Exit.FAILED) if isinstance(error, WholesaleError) else None


def _failure_of_dlt(error: BaseException) -> Failure | None:
    from dlt.common.configuration.exceptions import ConfigProviderException
    from dlt.common.normalizers.naming.exceptions import NormalizersException

    from wholesale.configuration import broken_file

    if isinstance(error, ConfigProviderException):
        return Failure(broken_file(error), Exit.CONFIGURATION)
    if isinstance(error, NormalizersException) or NAMINGS in (getattr(error, "name", None) or ""):
        return Failure(
            "setting schema.naming names no naming convention that dlt has: leave it away, or write"
            " snake_case",
            Exit.CONFIGURATION,
        )
    return None


def _message_about(error: BaseException, where: str) -> str | None:
    """What an error of the system or of a database means; None if that is not known."""
    if is_full_disk(error):
        *_, innermost = filter(is_full_disk, causes(error))
        file = getattr(innermost, "filename", None) or _file_named_in(innermost)
        what = f"while writing {file}" if file else f"for {where}"
        if os.strerror(errno.EFBIG) in str(innermost):
            return (
                f"a file may not grow as large as is needed {what}: nothing half written is used;"
                " raise the limit of the size of files (ulimit -f) and run again"
            )
        return (
            f"no space left on the disk {what}: nothing half written is used; free some space and"
            " run again"
        )
    if isinstance(error, MemoryError) or any(sign in str(error) for sign in NO_MORE):
        return (
            f"the system gives this process no more memory or threads, for {where}: nothing half"
            " written is used; raise its limits (ulimit -v, ulimit -u, those of a container), and"
            " run again"
        )
    if is_out_of_memory(error):
        return (
            f"DuckDB needs more than {budget.limit()} of memory for {where}: nothing half written"
            " is used; set memory.megabytes higher, and run again"
        )
    if isinstance(error, duckdb.Error) and (refusal := _bucket_message(str(error), where)):
        return refusal
    if isinstance(error, duckdb.IOException | duckdb.TransactionException):
        return _duckdb_message(str(error), where)
    if message := _postgres_message(error, where):
        return message
    if isinstance(error, PermissionError):
        return f"no permission for {error.filename or where}"
    if isinstance(error, OSError) and error.strerror:
        return f"cannot use {error.filename or where}: {error.strerror.lower()}"
    return None


def _file_named_in(error: BaseException) -> str | None:
    """The file that an error of DuckDB names, which may be on another disk: as what it spills."""
    found = FILE.search(str(error)) if isinstance(error, duckdb.Error) else None
    return found and found[1]


def _postgres_message(error: BaseException, where: str) -> str | None:
    """The first line of an error of psycopg2, which is of an extra; others may show values of a
    row."""
    kinds = (kind for kind in type(error).__mro__ if kind.__module__.startswith("psycopg2"))
    names = {kind.__name__ for kind in kinds}
    line = str(error).strip().partition("\n")[0]
    if "InsufficientPrivilege" in names:
        return (
            f"{where} refuses: {line}; the role of a run needs the right to create schemas in this"
            " database, and owns those whose names begin with wholesale_: grant it and run again"
        )
    if "LockNotAvailable" in names:
        return (
            f"{where}: another session holds a table, as an open transaction that has read it does"
            f" ({line}); nothing half written is used; end it, pg_stat_activity shows it, and run"
            " again"
        )
    if "OperationalError" in names:
        return f"{where} broke off: {line}; nothing half written is used; run again"
    return f"{where} answered: {line}; run again with --debug for the traceback" if names else None


def _bucket_message(text: str, where: str) -> str | None:
    """What DuckDB's error says of a bucket, without the address of the file."""
    if "Secret Validation Failure" in text:
        return (
            f"no credentials for the bucket of {where} were found: set AWS_ACCESS_KEY_ID and"
            " AWS_SECRET_ACCESS_KEY, or a profile, as for Amazon's own tools"
        )
    if "URL s3://" not in text and "Could not connect to server" not in text:
        return None
    reason = one_line(HTTP_STATUS.split(text)[-1], 200)
    if status := HTTP_STATUS.search(text):
        remedy = "check its name" if status[1] == "404" else "check the credentials"
        return f"the bucket of {where} refuses ({status[1]} {reason}): {remedy}, and run again"
    return (
        f"the bucket of {where} cannot be reached ({reason}): check AWS_ENDPOINT_URL, and run again"
    )


def _lock_message(text: str, where: str) -> str:
    """DuckDB names who holds the lock, as PID 0 if the system does not know; else it says why the
    disk refuses to lock."""
    held, reason = HOLDER.search(text), one_line(LOCK_REASON.sub("", text), 200)
    if held and held[2] == "0":
        return (
            f"{where} cannot be locked, and no program here holds it: one in another container or"
            " on another machine has it open, or its disk refuses locks; close it there, or name a"
            " file on a local disk with --database"
        )
    if held or any(os.strerror(number) in reason for number in (errno.EAGAIN, errno.EACCES)):
        by = f" by {held[1]}" if held else ""
        return (
            f"{where} is open in another program{by}: DuckDB lets one program write and no other"
            " read meanwhile; close it there and run again"
        )
    return (
        f"{where} cannot be locked, as its disk refuses it ({reason}): name a file on a local disk"
        " with --database"
    )


def _duckdb_message(text: str, where: str) -> str:
    if "set lock on file" in text:
        return _lock_message(text.partition("set lock on file")[2], where)
    if "Failed to download extension" in text:
        name = text.partition('"')[2].partition('"')[0]
        return (
            f"DuckDB's extension {name} is not installed, and cannot be downloaded:"
            f" {installing('lake')} installs it, and the DuckDB that it is made for"
        )
    if "not a valid DuckDB database" in text:
        return f"{where} is no DuckDB file: name another one with --database"
    if any(sign in text for sign in CORRUPT):
        return (
            f"{where} is corrupt, as after a failure of the disk or a copy that broke off: put a"
            " copy in its place, or move it away and run again, which loads everything anew"
        )
    return f"{where} cannot be opened or written: {one_line(text, 200)}"
