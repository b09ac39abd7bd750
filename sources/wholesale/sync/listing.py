"""Listing: the steps of a course, carried out at the service and noted in the ledger."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime

import numpy as np
import pyarrow as pa

from wholesale.compare import Contents, DistinctVersions, Noted, Step, combine, is_in_part
from wholesale.errors import NotFound, ServiceError, Unprocessable
from wholesale.json import Page, RawPage
from wholesale.pages import Paginator
from wholesale.prove import Asked, Order, Probe, Scan, count_missed
from wholesale.sync.changes import Changes, Shown
from wholesale.sync.full_records import FullRecords
from wholesale.sync.reading import Reading
from wholesale.tables import KEY, Decoded, Keys, Mask

FIRST_PAGES = 20
"""So many pages are read again for those of their rows that contradict full records."""
LEAST_SORTED = 20
"""Fewer records may be sorted by chance."""


@dataclass(slots=True)
class _Seen:
    """What a full scan has shown so far: how many records, how many of them again, how many rows
    without an id, and one number for them all and their states."""

    versions: DistinctVersions
    records: int = 0
    duplicates: int = 0
    fingerprint: int = 0
    nameless: int = 0
    contents: list[Contents] = field(default_factory=list)

    def add(self, shown: Shown, noted: Noted, contents: Contents) -> None:
        """Take a batch of pages into account."""
        seen = shown.seen
        self.versions.see(shown.rows.root)
        self.fingerprint ^= combine(seen.keys[noted.is_first], seen.states[noted.is_first])
        fresh = int(np.count_nonzero(noted.is_first))
        self.records += fresh
        self.duplicates += len(contents) - fresh
        self.contents.append(contents)

    def as_scan(self, step: Step, at: datetime, paginator: Paginator) -> Scan:
        """The full scan that began at this time."""
        are_counted = paginator.totals == (self.records, self.records)
        contents = Contents.of(self.contents if self.duplicates else ())
        repeated, contradicted = contents.repeated()
        return Scan(
            step=step,
            at=at,
            records=self.records,
            duplicates=self.duplicates,
            fingerprint=self.fingerprint,
            page_size=paginator.limit,
            totals=paginator.totals,
            fault=paginator.fault or _ignores_the_limit(paginator, self.duplicates),
            is_one_page=paginator.pages == 1 and are_counted and not paginator.fault,
            repeated=repeated,
            contradicted=contradicted,
            nameless=self.nameless,
        )


class ServiceListing:
    """The list of one resource at the service; implements `prove.Listing`.

    `audited` are the keys of records that are read again although nothing says that they changed.
    `listed` is how many records the last full scan showed, in how many `pages`, and `order` in
    which order; None if too few came to tell, or the list does not show records in short.
    """

    def __init__(self, reading: Reading, changes: Changes) -> None:
        self.audited = np.empty(0, KEY)
        self.listed = 0
        self.pages = 0
        self.order: Order | None = None
        self._fullest = 0
        self._reading = reading
        self._changes = changes
        self._full_records = FullRecords(reading, changes)

    @property
    def unread_keys(self) -> Keys:
        """Records that cannot be read by themselves."""
        return self._reading.unread_keys

    def probe(self, step: Step, index: int) -> Probe:
        """One page by itself; `index` counts from 0."""
        at = datetime.now(UTC)
        reading = self._reading
        known = len(reading.ledger)
        try:
            page, decoded = self.peek(step, index)
        except (NotFound, Unprocessable):
            if not index:
                raise
            return Probe(step, at, None)  # behind what the list shows
        is_stored = reading.stored.is_alive(decoded)
        unknown = min(len(reading.ledger) - known, int(np.count_nonzero(~is_stored)))
        total = page.total_count if reading.profile.counts(reading.resource.name) else None
        shown = len(decoded.root) + len(decoded.quarantined)
        if total is not None and (total < shown or (index and not shown)):
            total = None  # it shows more than it counts, or no part of the list: it counts nothing
        is_alone = index == 0 and page.next is None and not page.fills(reading.page_size)
        is_whole = is_alone and total == len(decoded.root)
        return Probe(step, at, total, is_whole, unknown, _pages_of(page))

    def peek(self, step: Step, index: int) -> tuple[Page, Decoded]:
        """One page by itself, each record once, noted as seen in that step."""
        reading = self._reading
        page = reading.fetcher.list_reader(reading.query).page(index, reading.page_size)
        raw = RawPage(page.records, index + 1)
        decoded = reading.decoder.decode_page(raw, is_summary=reading.has_summaries)
        reading.tally.add_pages(1)
        return page, self._note(step, decoded)[0].decoded

    def first_rows(self) -> Iterator[pa.Table]:
        """The rows of the first pages, read again, as far as the list goes by now."""
        pages = -(-self.listed // self._reading.page_size)
        with suppress(NotFound, Unprocessable):
            for index in range(min(FIRST_PAGES, pages)):
                yield self.peek(self._reading.ledger.next_step(), index)[1].root

    def scan(self, step: Step, cut: int = 0) -> Scan:
        """Read the whole list, in short where it has such rows; `cut` as in `prove.Listing`."""
        reading = self._reading
        usual = reading.fetcher.service.page_size(reading.resource, in_short=True)
        usual = min(usual, self._fullest) if cut and self._fullest else usual
        size = max(1, usual - cut * max(1, usual // 10))
        if cut and self._fullest == self.listed:
            size = self.listed + cut  # it came on one page, and does so again
        while cut and size > 1 and self.listed % size == 0:
            size -= 1  # a last page that is full would not show that the list ends there
        return self._scan(step, size)

    def read_what_comes(self, step: Step) -> None:
        """Read the list once more, and leave out the pages that fail: one record that the service
        cannot send must not keep all others from being loaded."""
        failures: list[ServiceError] = []
        self._scan(step, self._reading.page_size, failures)
        for failure in failures:
            self._reading.tolerate(failure)
        if self._reading.has_summaries:
            ledger = self._reading.ledger
            self._full_records.read(ledger.next_step(), ledger.due(), self.listed)

    def full_records(self, step: Step, keys: Keys) -> None:
        """Read these records in full."""
        self._full_records.read(step, keys, self.listed)

    def ask(self, step: Step, keys: Keys) -> Asked:
        """Read each of these records by itself, as it is now."""
        return self._full_records.ask(step, keys)

    def _scan(self, step: Step, size: int, failures: list[ServiceError] | None = None) -> Scan:
        """Read the whole list in pages of `size` records; `failures`: as in `ListReader`."""
        at = datetime.now(UTC)
        reading, is_summary = self._reading, self._reading.has_summaries
        reading.decoder.summaries.begin()
        pages = reading.fetcher.list_reader(reading.query, failures)
        paginator = pages.paginator(size)
        seen, order = _Seen(DistinctVersions(reading.version)), Order(reading.stored)
        quarantined: list[Decoded] = []
        for decoded in reading.decoder.decode(pages.read(paginator), is_summary=is_summary):
            seen.nameless += len(decoded.quarantined)
            shown, noted = self._note(step, decoded)
            seen.add(shown, noted, self._changes.contents(shown))
            if not noted.is_first.any() and paginator.records > seen.records:
                paginator.end("pages bring nothing new")
            if is_summary:
                order.see(shown.seen)
                if decoded.quarantined:
                    quarantined.append(decoded)
                reading.tally.tell("listed", len(reading.ledger), paginator.last_total)
            else:
                reading.tally.want(paginator.last_total)
                self._changes.take_listed(step, shown)
        if is_summary and not seen.versions.tell_changes(at_least=LEAST_SORTED, of=seen.records):
            reading.ledger.doubt_all_not_read()
        self.listed, self.pages = paginator.records, paginator.pages
        self._fullest = max(self._fullest, paginator.fullest)
        reading.tally.see_list(paginator, seen.duplicates)
        if is_summary and seen.records >= LEAST_SORTED and not paginator.fault:
            self.order = order
        self._pass_on_quarantined(quarantined)
        if not paginator.fault:
            reading.ledger.end_scan(step)
        return seen.as_scan(step, at, paginator)

    def _pass_on_quarantined(self, listed: Sequence[Decoded]) -> None:
        """Pass on what of these rows is in quarantine, unless it comes again in full."""
        if not self._full_records.is_by_page(len(self._reading.ledger.due()), self.listed):
            for decoded in listed:
                self._changes.pass_on_quarantined(decoded)

    def _note(self, step: Step, decoded: Decoded) -> tuple[Shown, Noted]:
        """Note in the ledger what a page of the list shows."""
        reading = self._reading
        shown = self._changes.show(decoded)
        if not reading.has_summaries:
            return shown, self._changes.note(step, shown)
        noted = reading.ledger.note(step, shown.seen, self._is_held(shown))
        reading.decoder.summaries.keep(shown.decoded.root, noted.is_due)
        return shown, noted

    def _is_held(self, shown: Shown) -> Mask:
        """Which records are stored in this state, and not due for another read."""
        stored, seen, compared = self._reading.stored, shown.seen, shown.compared
        if self._reading.is_full or not len(stored):
            return np.zeros(len(seen), np.bool_)
        if not self._reading.tally.full_scans:  # only the first scan shows what was missed
            missed = count_missed(stored.past, seen, compared.differs)
            self._reading.tally.see_missed(missed)
        is_held = ~(compared.differs | compared.is_dirty)
        if stored.past.audit_part is not None:
            is_audited = is_held & is_in_part(seen.keys, stored.past.audit_part)
            self.audited = np.union1d(self.audited, seen.keys[is_audited])
            is_held &= ~is_audited
        return is_held


def _ignores_the_limit(paginator: Paginator, duplicates: int) -> str | None:
    """The fault of a list that does not count what it shows, record by record, and whose pages are
    larger than they were asked for: another scan may be cut into just these pages, and miss the
    same records between two of them."""
    size, limit = paginator.fullest, paginator.limit
    is_counted = paginator.totals is not None and not duplicates
    if is_counted or paginator.records == size or size <= limit:
        return None
    return f"the list shows {size:,} records a page, and not {limit:,}"


def _pages_of(page: Page) -> int | None:
    """How many pages the list has, according to one of them."""
    if page.total_pages is not None or page.total_count is None or not page.count:
        return page.total_pages
    return -(-page.total_count // page.count)
