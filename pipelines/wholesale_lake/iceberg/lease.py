"""Lease: its note in a catalogue, which is in snapshots of the table of versions.

A commit is accepted only on top of the snapshot that its run knows.
"""

from datetime import datetime
from operator import attrgetter

from pyiceberg.exceptions import CommitFailedException, RESTError
from pyiceberg.table import Table
from pyiceberg.table.snapshots import Snapshot
from sqlalchemy.exc import SQLAlchemyError

from wholesale_elt.process import Note
from wholesale_lake.iceberg.versions import summary_value

HOLDER = "wholesale.holder"
UNTIL = "wholesale.held-until"
FREE = "nobody"


class CatalogNote:
    """The note in the table `versions`."""

    passing: tuple[type[Exception], ...] = (OSError, RESTError, SQLAlchemyError)

    def __init__(self, versions: Table) -> None:
        self._versions = versions
        self._last: Note | None = None

    def read(self) -> Note | None:
        self._last = self._read()
        return self._last

    def write(self, note: Note | None) -> bool:
        if self._read() != self._last:
            return False
        until = note.until.isoformat() if note else ""
        lease = {HOLDER: note.holder if note else FREE, UNTIL: until}
        try:
            with self._versions.transaction() as change:
                change.update_snapshot(lease).fast_append().commit()
        except CommitFailedException:
            return False
        self._last = note
        return True

    def _read(self) -> Note | None:
        snapshots = self._versions.refresh().snapshots()
        noted = [found for found in snapshots if summary_value(found, HOLDER)]
        if not noted:
            return None
        last: Snapshot = max(noted, key=attrgetter("sequence_number"))
        holder, until = summary_value(last, HOLDER), summary_value(last, UNTIL)
        if holder is None or holder == FREE or not until:
            return None
        return Note(holder, datetime.fromisoformat(until))
