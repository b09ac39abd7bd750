"""Bodies: records read in full, one by one or as whole pages of their list."""

import numpy as np
import pyarrow as pa

from wholesale.compare import BEFORE, Step, say_that_they_are_deleted
from wholesale.errors import ContentError, ServiceError, Unavailable
from wholesale.pages import Paginator
from wholesale.prove import CONTROLS, Asked
from wholesale.sync.changes import Changes
from wholesale.sync.reading import MANY_UNREAD, Reading
from wholesale.sync.samples import Samples
from wholesale.tables import KEY, Decoded, Keys, Mask

BYTES_A_REQUEST_COSTS = 10_000
"""About the number of bytes that take as long as a round trip."""
BYTES_A_BODY_HAS = 3_000
"""About the size of a full order."""


class Bodies:
    """Reads records of one resource in full, and hands them to `changes`."""

    def __init__(self, reading: Reading, changes: Changes) -> None:
        self.samples = Samples(reading, changes.form)
        self._reading = reading
        self._changes = changes
        self._were_pages_read = False
        if not reading.has_summaries:
            changes.see_first = self.samples.see_list
        if not reading.has_summaries and reading.decoder.shape.children:
            changes.learn = self.samples.learn_omissions

    def read(self, step: Step, keys: Keys, listed: Paginator) -> None:
        """Read these records: as whole pages, once a run, if that costs less than one by one;
        `listed` has read their list by summaries."""
        self._reading.report.wanted = len(keys)
        if self.is_by_page(len(keys), listed):
            self.samples.compare_pages()
        if self.is_by_page(len(keys), listed):  # unless pages turned out to lack what records have
            if self._read_pages(step, listed.records):
                return
            keys = np.intersect1d(keys, self._reading.ledger.due(), assume_unique=True)
        if self._changes.has_refused and self._reading.has_summaries:
            self.samples.learn_form()
        if len(keys) and not len(self.ask(step, keys).alive) and self._are_pages_needed(keys):
            self._read_pages(step)

    def _are_pages_needed(self, keys: Keys) -> bool:
        """Whether single reads fail for all records, and not only for these, of which none answers:
        then only whole pages may show them."""
        if not self._reading.has_summaries or self._were_pages_read:
            return False
        ledger = self._reading.ledger
        others = np.setdiff1d(ledger.alive(), keys, assume_unique=True)
        return not len(self.ask(ledger.step, others[:CONTROLS]).alive)

    def ask(self, step: Step, keys: Keys) -> Asked:
        """Read each of these records by its id, as it is now.

        As denied counts also a record that shows nothing but its id, and one that says that it is
        deleted and that no list has shown in this run.
        """
        alive: list[Keys] = []
        denied: list[Keys] = []
        for answered in self._reading.singles(keys, denied):
            found = self._changes.as_known(answered, is_body=True)
            is_unseen = self._reading.ledger.last_seen(found.ids.keys) == BEFORE
            is_deleted = is_unseen & say_that_they_are_deleted(found.root)
            is_denied = self._changes.form.is_hollow(found) | is_deleted
            denied.append(found.ids.keys[is_denied])
            decoded = found.keep(pa.array(~is_denied))
            alive.append(decoded.ids.keys)
            is_settled = self._is_settled(decoded)
            self._changes.see_alive(step, decoded.keep(pa.array(is_settled)))
            self._changes.read(step, decoded.keep(pa.array(~is_settled)))
        return Asked(_in_order(alive), _in_order(denied))

    def _is_settled(self, found: Decoded) -> Mask:
        """Which of these records stay as the list has shown them in full in this run: those without
        a version that tells the newer of two states, as a replica that lags may have answered."""
        if self._reading.version:
            return np.zeros(len(found.root), np.bool_)
        ledger, keys = self._reading.ledger, found.ids.keys
        is_settled: Mask = (ledger.last_seen(keys) != BEFORE) & ~np.isin(keys, ledger.due())
        return is_settled

    def is_by_page(self, wanted: int, listed: Paginator) -> bool:
        """Whether so many records would be read as whole pages."""
        may_be = self._reading.has_summaries and listed.records > 0
        may_be = may_be and self.samples.are_pages_whole and not self._were_pages_read
        is_needed = len(self._reading.unread) >= MANY_UNREAD
        pages = listed.pages_by(self._reading.fetcher.page_size)
        return may_be and (is_needed or is_cheaper_by_page(wanted, pages, listed.records))

    def _read_pages(self, step: Step, expected: int | None = None) -> bool:
        """Read all pages in full, and return whether all of them can be read: one record that the
        service cannot send makes its page fail."""
        self._were_pages_read = True
        reading, paginator = self._reading, Paginator(expected=expected)
        failures: list[ServiceError] = []
        pages = reading.fetcher.read_list(paginator, reading.resource.query, failures=failures)
        try:
            for decoded in reading.decoder.decode(pages):
                self._changes.read(step, decoded)
        except (Unavailable, ContentError) as error:
            failures.append(error)
        reading.report.pages += paginator.pages
        for failure in failures:
            reading.tolerate(failure)
        return not failures


def is_cheaper_by_page(wanted: int, pages: int, records: int) -> bool:
    """Whether `wanted` full records cost less as all pages of the list than one by one."""
    by_id = wanted * (BYTES_A_REQUEST_COSTS + BYTES_A_BODY_HAS)
    by_page = pages * BYTES_A_REQUEST_COSTS + records * BYTES_A_BODY_HAS
    return wanted > 0 and by_page < by_id


def _in_order(parts: list[Keys]) -> Keys:
    return np.unique(np.concatenate([np.empty(0, KEY), *parts]))
