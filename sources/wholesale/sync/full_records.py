"""Full records: read one by one, or as whole pages of their list."""

import numpy as np
import pyarrow as pa

from wholesale.compare import BEFORE, Step
from wholesale.errors import ContentError, ServiceError, Unavailable
from wholesale.prove import Asked
from wholesale.sync.changes import Changes
from wholesale.sync.reading import Reading
from wholesale.sync.singles import read_singles
from wholesale.tables import KEY, Decoded, Keys, Mask

BYTES_A_REQUEST_COSTS = 10_000
"""About the number of bytes that take as long as a round trip."""
BYTES_A_RECORD_HAS = 3_000
"""About the size of a full order."""


class FullRecords:
    """Reads records of one resource in full, and hands them to `changes`."""

    def __init__(self, reading: Reading, changes: Changes) -> None:
        self._reading = reading
        self._changes = changes
        self._were_pages_read = False

    def read(self, step: Step, keys: Keys, listed: int) -> None:
        """Read these records: as whole pages, once a run, if that costs less than one by one;
        their list shows `listed` records."""
        self._reading.tally.want(len(keys))
        if self.is_by_page(len(keys), listed):
            if self._read_pages(step):
                return
            keys = np.intersect1d(keys, self._reading.ledger.due(), assume_unique=True)
        if len(keys):
            self.ask(step, keys)

    def ask(self, step: Step, keys: Keys) -> Asked:
        """Read each of these records by its id, as it is now."""
        alive: list[Keys] = []
        not_found: list[Keys] = []
        for found in read_singles(self._reading, keys, not_found):
            alive.append(found.ids.keys)
            is_settled = self._is_settled(found)
            self._changes.see_alive(step, found.keep(pa.array(is_settled)))
            self._changes.read(step, found.keep(pa.array(~is_settled)), is_best=True)
        return Asked(_in_order(alive), _in_order(not_found))

    def is_by_page(self, wanted: int, listed: int) -> bool:
        """Whether so many records would be read as whole pages."""
        reading = self._reading
        if self._were_pages_read or not reading.has_summaries or reading.lacks_fields:
            return False
        return is_cheaper_by_page(wanted, -(-listed // reading.page_size), listed)

    def _is_settled(self, found: Decoded) -> Mask:
        """Which of these records stay as the list has shown them in full in this run: those without
        a version that tells the newer of two states, as a replica that lags may have answered."""
        if self._reading.version:
            return np.zeros(len(found.root), np.bool_)
        ledger, keys = self._reading.ledger, found.ids.keys
        is_settled: Mask = (ledger.last_seen(keys) != BEFORE) & ~np.isin(keys, ledger.due())
        return is_settled

    def _read_pages(self, step: Step) -> bool:
        """Read all pages in full, and return whether all of them can be read: one record that the
        service cannot send makes its page fail."""
        self._were_pages_read = True
        reading, failures = self._reading, list[ServiceError]()
        pages = reading.fetcher.list_reader(reading.resource.query, failures)
        paginator = pages.paginator(reading.page_size)
        try:
            for decoded in reading.decoder.decode(pages.read(paginator)):
                self._changes.read(step, decoded)
        except (Unavailable, ContentError) as error:
            failures.append(error)
        reading.tally.add_pages(paginator.pages)
        for failure in failures:
            reading.tolerate(failure)
        return not failures


def is_cheaper_by_page(wanted: int, pages: int, records: int) -> bool:
    """Whether `wanted` full records cost less as all pages of the list than one by one."""
    by_id = wanted * (BYTES_A_REQUEST_COSTS + BYTES_A_RECORD_HAS)
    by_page = pages * BYTES_A_REQUEST_COSTS + records * BYTES_A_RECORD_HAS
    return wanted > 0 and by_page < by_id


def _in_order(parts: list[Keys]) -> Keys:
    return np.unique(np.concatenate([np.empty(0, KEY), *parts]))
