"""Journal: when each command began and how it ended, a file each, which outlives a kill."""

import fcntl
import logging
import os
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec

from wholesale_elt.process.private import private

log = logging.getLogger("wholesale.journal")

BYTES_AN_ENTRY = 4096
"""Taken from the disk when a command begins, so that its end can be noted on a full one."""
MOST_CHARACTERS = 1000
"""Of a message: four bytes each at most, twelve where JSON escapes them; see `_write`."""
KEPT = 50

State = Literal["running", "ended", "killed"]


@dataclass
class Entry:
    """One command. Times are UTC; without an end it is running, or did not live to note one.

    `process` names its id and machine; `message` says in a line why the exit code is not 0.
    """

    command: str
    process: str
    started_at: datetime
    ended_at: datetime | None = None
    exit_code: int | None = None
    message: str | None = None
    state: State = "running"


@dataclass(frozen=True)
class Journal:
    """The entries in a folder of this machine."""

    folder: Path

    @contextmanager
    def note(self, command: str) -> Iterator[Entry]:
        """Note a command; exit code and message, as the block sets them, are noted at its end.

        Where there can be no journal, that is a warning: the command is of more use than its note.
        """
        process = f"{os.getpid()} on {socket.gethostname()}"
        entry = Entry(command, process, datetime.now(UTC))
        try:
            with private():
                self.folder.mkdir(parents=True, exist_ok=True)
            path = self.folder / f"{entry.started_at:%Y%m%dT%H%M%S.%f}-{os.getpid()}.json"
            file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as error:
            log.warning("no journal is kept in %s: %s", self.folder, error.strerror)
            yield entry
            return
        try:
            fcntl.flock(file, fcntl.LOCK_EX)  # the system lets it go when the process ends
            _write(file, entry)
            yield entry
        finally:
            entry.ended_at, entry.state = datetime.now(UTC), "ended"
            _write(file, entry)
            os.close(file)
            for old in sorted(self.folder.glob("*.json"))[:-KEPT]:
                old.unlink(missing_ok=True)

    def entries(self, most: int = KEPT) -> Sequence[Entry]:
        """The newest first; one without an end is running as long as its process holds it."""
        found = (_read(path) for path in sorted(self.folder.glob("*.json"), reverse=True)[:most])
        return [entry for entry in found if entry]


def _write(file: int, entry: Entry) -> None:
    """In one call, over what stood there: a kill leaves the one or the other."""
    text = msgspec.json.encode(entry)
    most = MOST_CHARACTERS
    while len(text) > BYTES_AN_ENTRY:
        text = msgspec.json.encode(replace(entry, message=(entry.message or "")[:most]))
        most //= 2
    try:
        os.pwrite(file, text.ljust(BYTES_AN_ENTRY), 0)
    except OSError as error:
        log.warning("the journal cannot be written: %s", error.strerror)


def _read(path: Path) -> Entry | None:
    """None for what just begins, or is none of ours."""
    try:
        with path.open("rb") as file:
            entry = msgspec.json.decode(file.read(), type=Entry)
            if entry.state == "running":
                try:
                    fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                except BlockingIOError:
                    return entry
                # It may have ended between the two.
                file.seek(0)
                entry = msgspec.json.decode(file.read(), type=Entry)
                if entry.state == "running":
                    entry.state = "killed"
            return entry
    except (OSError, msgspec.DecodeError):
        return None
