"""Journal: when each command began and how it ended; one file a command, which survives a kill."""

import logging
import os
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, Literal

import msgspec

from wholesale_elt.process.disk import private
from wholesale_elt.process.lock import require_locks

log = logging.getLogger("wholesale.journal")

BYTES_AN_ENTRY = 4096
"""Size of an entry's file from the start, so that the end can be noted even on a full disk."""
MOST_CHARACTERS = 1000
"""Of a message that does not fit; it is cut further if JSON takes too many bytes for it."""
KEPT = 50
CLOCKS_DIFFER_BY = timedelta(minutes=5)
"""What lies further ahead of the clock was dated by one that was wrong, and proves nothing."""

BEGAN = "%Y%m%dT%H%M%S.%f"
"""How a file's name begins: with the moment at which its command began."""

_open: dict[int, "JournalEntry"] = {}
"""The entries of commands of this process that have not ended, by their files."""
State = Literal["running", "ended", "killed"]


@dataclass
class JournalEntry:
    """One command. Times are UTC; without `ended_at` it is running or was killed.

    `process` is its id and machine; `message` says in one line why the exit code is not 0;
    `is_in_use` whether that is another run, beside which this one did nothing.
    """

    command: str
    process: str
    started_at: datetime
    ended_at: datetime | None = None
    exit_code: int | None = None
    message: str | None = None
    state: State = "running"
    is_in_use: bool = False

    @property
    def trouble(self) -> str | None:
        """Why it did not end well, in a line; None if it did, or still runs."""
        if self.state == "killed":
            return "killed, or the machine went down"
        return (self.message or f"exit code {self.exit_code}") if self.exit_code else None


@dataclass(frozen=True)
class Journal:
    """The journal in a local folder."""

    folder: Path

    @contextmanager
    def note(self, command: str) -> Iterator[JournalEntry]:
        """Note that a command begins, and at its end the exit code and message that the block set.

        If the journal cannot be written, only a warning is logged, and the command goes on.

        Raises: ConfigurationError as `require_locks`.
        """
        require_locks()
        import fcntl  # the doors that only read do without it

        process = f"{os.getpid()} on {socket.gethostname()}"
        entry = JournalEntry(command, process, datetime.now(UTC))
        try:
            with private():
                self.folder.mkdir(parents=True, exist_ok=True)
            path = self.folder / f"{entry.started_at:{BEGAN}}-{os.getpid()}.json"
            file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as error:
            log.warning("no journal is kept in %s: %s", self.folder, error.strerror)
            yield entry
            return
        try:
            fcntl.flock(file, fcntl.LOCK_EX)  # the system releases it when the process ends
            _write(file, entry)
            _open[file] = entry
            yield entry
        finally:
            _open.pop(file, None)
            _end(file, entry)
            os.close(file)
            for old in self._paths()[KEPT:]:
                old.unlink(missing_ok=True)

    def entries(self, most: int = KEPT) -> Sequence[JournalEntry]:
        """The entries, newest first; one without an end is running while its file is locked. None
        of a journal that this user may not read, and none that has ended ahead of the clock."""
        try:
            paths = self._paths()
        except PermissionError:
            return []
        found = (_read(path) for path in paths[:most])
        until = latest_believed()
        return [
            entry
            for entry in found
            if entry and (entry.state == "running" or entry.started_at <= until)
        ]

    def _paths(self) -> Sequence[Path]:
        """The files, newest first; those that lie ahead of the clock come last."""
        until = f"{latest_believed():{BEGAN}}"
        paths = self.folder.glob("*.json")
        return sorted(paths, key=lambda path: (path.name <= until, path.name), reverse=True)


def latest_believed(now: datetime | None = None) -> datetime:
    """The latest time (UTC) that another clock which is right can have told by now."""
    return (now or datetime.now(UTC)) + CLOCKS_DIFFER_BY


def end_open(exit_code: int, message: str) -> None:
    """Note that the commands of this process end, which will not come to their own end."""
    for file, entry in list(_open.items()):
        entry.exit_code, entry.message = exit_code, message
        _end(file, entry)


def _end(file: int, entry: JournalEntry) -> None:
    entry.ended_at, entry.state = datetime.now(UTC), "ended"
    _write(file, entry)


def _write(file: int, entry: JournalEntry) -> None:
    """Overwrite the file in one call, so that a kill leaves either the old or the new entry."""
    text = msgspec.json.encode(entry)
    most = MOST_CHARACTERS
    while len(text) > BYTES_AN_ENTRY:
        text = msgspec.json.encode(replace(entry, message=(entry.message or "")[:most]))
        most //= 2
    try:
        os.pwrite(file, text.ljust(BYTES_AN_ENTRY), 0)
    except OSError as error:
        log.warning("the journal cannot be written: %s", error.strerror)


def last_ended(runs: Sequence[JournalEntry]) -> JournalEntry | None:
    """Of entries, newest first, the first that does not run any more."""
    return next((run for run in runs if run.state != "running"), None)


def _read(path: Path) -> JournalEntry | None:
    """The entry in a file; None for one that just begins, or is not ours."""
    try:
        with path.open("rb") as file:
            entry = msgspec.json.decode(file.read(), type=JournalEntry)
            if entry.state != "running" or _is_locked(file):
                return entry
            # The command may have ended between the two calls.
            file.seek(0)
            entry = msgspec.json.decode(file.read(), type=JournalEntry)
            if entry.state == "running":
                entry.state = "killed"
            return entry
    except (OSError, msgspec.DecodeError):
        return None


def _is_locked(file: IO[bytes]) -> bool:
    """Whether the command still runs that locked this file; else it is locked here until it is
    closed. Windows cannot tell, as of a run in a container."""
    try:
        import fcntl
    except ModuleNotFoundError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False
