"""Lease: one run at a time in a place that machines share; it expires if it is not renewed.

The place keeps a note of the holder, and takes another note only while the one that was read last
is still there. So of two runs at the same moment only one gets the lease. It only saves work: what
it protects is written under conditions of its own, so a wrong clock costs a run, but no data.
"""

import os
import re
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from wholesale_elt.process.lock import AlreadyRunning

LENGTH = timedelta(minutes=10)
"""A lease that its holder has not renewed for so long is free."""
PROCESS = re.compile(r"process (\d+) on (\S+),")


@dataclass(frozen=True, slots=True)
class Note:
    """Who holds the lease, in words, and until when unless it is renewed."""

    holder: str
    until: datetime


class NotePlace(Protocol):
    """Where the note of a lease is kept; `passing` are errors for which a renewal can wait."""

    passing: tuple[type[Exception], ...]

    def read(self) -> Note | None:
        """The present note; None while nobody has the lease."""

    def write(self, note: Note | None) -> bool:
        """Replace the note that this run has read or written last; False if it is another now."""


class Lease:
    """The lease on `what`, whose note is kept in a place."""

    def __init__(self, place: NotePlace, what: str) -> None:
        self._place = place
        self._what = what
        self._written_at = 0.0

    @contextmanager
    def held(self) -> Iterator["Lease"]:
        """Hold the lease until the block ends.

        Raises: AlreadyRunning naming the holder.
        """
        self._take()
        try:
            yield self
        except BaseException:
            with suppress(Exception):  # what failed first is to be told
                self._place.write(None)
            raise
        self._place.write(None)

    def renew(self) -> None:
        """Renew the lease, unless that was done a moment ago.

        Raises: AlreadyRunning if another run has taken it.
        """
        if time.monotonic() - self._written_at <= LENGTH.total_seconds() / 10:
            return
        with suppress(*self._place.passing):
            if not self._write():
                raise AlreadyRunning(
                    f"this run said nothing for too long, and another one has taken its place at"
                    f" {self._what}, which is whole: see what that one did"
                )

    def _take(self) -> None:
        found = self._place.read()
        is_free = found is None or found.until < datetime.now(UTC) or _is_dead(found.holder)
        if is_free and self._write():
            return
        found = (None if is_free else found) or self._place.read()
        holder, until = (found.holder, found.until) if found else ("another one", datetime.now(UTC))
        raise AlreadyRunning(
            f"another run is at work on {self._what}: {holder}; wait for it to end; if it died, the"
            f" next run may start at {until:%H:%M} UTC"
        )

    def _write(self) -> bool:
        self._written_at = time.monotonic()
        return self._place.write(Note(_holder(), datetime.now(UTC) + LENGTH))


def _holder() -> str:
    """The time to the microsecond makes each note unique."""
    now = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S.%f}"
    return f"process {os.getpid()} on {machine()}, at {now} UTC"


@cache
def machine() -> str:
    """The name of this host, and digits that tell where its process numbers count: two containers
    may have one name, and each its own processes."""
    places = []
    with suppress(OSError):  # only Linux tells
        places += [Path("/proc/sys/kernel/random/boot_id").read_text("utf-8")]
        places += [os.readlink("/proc/self/ns/pid")]
    return f"{socket.gethostname()}/{sha256(''.join(places).encode()).hexdigest()[:8]}"


def _is_dead(holder: str) -> bool:
    """Whether the holder was a process of this machine, or container, that has ended."""
    found = PROCESS.match(holder)
    if found is None or found[2] != machine():
        return False
    try:
        os.kill(int(found[1]), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass
    return False
