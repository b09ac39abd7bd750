"""Lease: one run at a time per catalogue, noted in snapshots of the table of versions.

A commit is accepted only on top of the snapshot that its run knows, so of two runs at the same
moment one gets the lease. It only saves work: safety comes from the condition under which a version
is put in force.
"""

import os
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from operator import attrgetter

from pyiceberg.exceptions import CommitFailedException, RESTError
from pyiceberg.table import Table
from pyiceberg.table.snapshots import Snapshot
from sqlalchemy.exc import SQLAlchemyError

from wholesale_elt.process import AlreadyRunning
from wholesale_lake.iceberg.versions import summary_value

HOLDER = "wholesale.holder"
UNTIL = "wholesale.held-until"
LENGTH = timedelta(minutes=10)
"""A lease that its holder has not renewed for so long is free."""
FREE = "nobody"
PROCESS = re.compile(r"process (\d+) on (\S+),")


class CatalogLease:
    """A lease on the tables whose versions stand in `versions`."""

    def __init__(self, versions: Table, what: str) -> None:
        self._versions = versions
        self._what = what
        self._holder = _this_process()
        self._written_at = datetime.now(UTC)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lease until the block ends.

        Raises: AlreadyRunning naming the holder.
        """
        self._take()
        try:
            yield
        finally:
            if self._last() == self._holder:
                self._write(FREE, datetime.now(UTC))

    def renew(self) -> None:
        """Renew the lease, unless that was done a moment ago.

        A failure is ignored: a version is put in force under a condition of its own.
        """
        if datetime.now(UTC) - self._written_at > LENGTH / 10:
            with suppress(CommitFailedException, OSError, RESTError, SQLAlchemyError):
                self._versions.refresh()
                self._write(self._holder, datetime.now(UTC) + LENGTH)

    def _take(self) -> None:
        holder = self._last()
        if holder is None:
            try:
                self._write(self._holder, datetime.now(UTC) + LENGTH)
                return
            except CommitFailedException:
                holder = self._last() or "one that came a moment before"
        raise AlreadyRunning(
            f"another run is at work on {self._what}: {holder}; wait for it to end; if it died, the"
            f" next run may start {LENGTH.seconds // 60} minutes after its last word"
        )

    def _last(self) -> str | None:
        """The holder of the lease; None where it is free, expired, or its process is dead."""
        written = [
            found for found in self._versions.refresh().snapshots() if summary_value(found, HOLDER)
        ]
        if not written:
            return None
        last: Snapshot = max(written, key=attrgetter("sequence_number"))
        holder, until = summary_value(last, HOLDER), summary_value(last, UNTIL) or ""
        if holder is None or holder == FREE or datetime.fromisoformat(until) < datetime.now(UTC):
            return None
        return None if _is_dead(holder) else holder

    def _write(self, holder: str, until: datetime) -> None:
        lease = {HOLDER: holder, UNTIL: until.isoformat()}
        with self._versions.transaction() as change:
            change.update_snapshot(lease).fast_append().commit()
        self._written_at = datetime.now(UTC)


def _this_process() -> str:
    now = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}"
    return f"process {os.getpid()} on {socket.gethostname()}, since {now} UTC"


def _is_dead(holder: str) -> bool:
    """Whether the holder was a process of this machine that has ended."""
    found = PROCESS.match(holder)
    if found is None or found[2] != socket.gethostname():
        return False
    try:
        os.kill(int(found[1]), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass
    return False
