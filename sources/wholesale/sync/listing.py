"""Listing: the steps of a course, carried out at the service and noted in the ledger."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import numpy as np

from wholesale.compare import (
    NO_VERSION,
    DistinctVersions,
    Noted,
    Sorting,
    Step,
    combine,
    is_in_part,
)
from wholesale.errors import NotFound, ServiceError, Unprocessable
from wholesale.json import Page, RawPage
from wholesale.pages import Order, Paginator, Profile
from wholesale.prove import OVERLAP, Asked, Glance, Look, Sweep
from wholesale.sync.bodies import Bodies
from wholesale.sync.changes import Changes, Shown
from wholesale.sync.reading import Reading
from wholesale.tables import KEY, Decoded, Keys, Mask

LONGER = 5
"""How many times as many summaries a page are asked for as records in full: as many bytes, about.
The service gives fewer where it has a maximum (§8 shows none)."""
LEAST_SHOWN = 0.9
"""If a sweep by longer pages shows a smaller share of the records that are counted, it is made anew
by pages of the usual size, as a service may page longer ones wrongly."""
LEAST_SORTED = 20
"""Fewer records may be sorted by chance."""


@dataclass(slots=True)
class _Seen:
    """What a sweep has shown so far: how many records, how many of them again, in which order, and
    one number for them all and their states."""

    versions: DistinctVersions
    sorting: Sorting = field(default_factory=Sorting)
    records: int = 0
    duplicates: int = 0
    fingerprint: int = 0

    def add(self, decoded: Decoded, shown: Shown, noted: Noted) -> None:
        """Take a batch of pages into account."""
        seen = shown.seen
        self.versions.see(decoded.root)
        self.sorting.see(seen.versions)
        self.fingerprint ^= combine(seen.keys[noted.is_first], seen.states[noted.is_first])
        fresh = int(np.count_nonzero(noted.is_first))
        self.records += fresh
        self.duplicates += len(decoded.root) - fresh

    def as_sweep(
        self, step: Step, at: datetime, size: int, paginator: Paginator, usual_size: int
    ) -> Sweep:
        """The sweep that began at this time, and was cut into pages of `size` records."""
        is_one_page = paginator.pages == 1 or paginator.filled == 1
        are_counted = paginator.totals == (self.records, self.records)
        return Sweep(
            step=step,
            at=at,
            pages=paginator.pages_by(usual_size),
            records=self.records,
            duplicates=self.duplicates,
            fingerprint=self.fingerprint,
            page_size=size,
            totals=paginator.totals,
            fault=paginator.fault,
            is_dense=paginator.is_dense,
            is_one_answer=is_one_page and are_counted and not paginator.fault,
        )


class ServiceListing:
    """The list of one resource at the service; implements `prove.Listing`.

    `audited` are the keys of records that are read again although nothing says that they changed.
    `nameless` counts the records of the last sweep that have no id, and `paginator` tells of the
    pages of that sweep. `profile` is what is known of the list.
    """

    def __init__(self, reading: Reading, changes: Changes, profile: Profile) -> None:
        self.profile = profile
        self.audited = np.empty(0, KEY)
        self.nameless = 0
        self.paginator = Paginator()
        self._counted = 0
        self._reading = reading
        self._changes = changes
        self._bodies = Bodies(reading, changes)
        self._has_begun = False

    @property
    def unread_keys(self) -> Keys:
        """Records that cannot be read by themselves."""
        return self._reading.unread_keys

    def look(self, step: Step, index: int) -> Glance:
        """One page by itself; `index` counts from 0."""
        at = datetime.now(UTC)
        reading = self._reading
        known = len(reading.ledger)
        try:
            page, decoded = self.peek(step, index)
        except (NotFound, Unprocessable):
            if not index:
                raise
            return Glance(Look(step, at, None), 0, None)  # after the window that the list shows
        is_stored = reading.stored.is_there(decoded)
        unknown = min(len(reading.ledger) - known, int(np.count_nonzero(~is_stored)))
        total = page.total_count
        if total is not None and total < page.count:
            total = None  # it shows more than it counts, and so counts nothing
        self._counted = total or 0
        fills_its_page = page.fills(reading.fetcher.page_size)
        is_alone = index == 0 and page.next is None and not fills_its_page
        is_whole = is_alone and total == page.count == len(decoded.root)
        return Glance(Look(step, at, total, is_whole), unknown, _pages_of(page))

    def peek(self, step: Step, index: int) -> tuple[Page, Decoded]:
        """One page by itself, noted as seen in that step."""
        reading = self._reading
        page = reading.fetcher.page(index, reading.query)
        raw = RawPage(page.records, index + 1)
        decoded = reading.decoder.decode_page(raw, is_summary=reading.has_summaries)
        reading.report.pages += 1
        if reading.has_summaries and (reading.is_full or not len(reading.stored)):
            self._bodies.samples.learn_form(decoded.root)
        self._note(step, decoded)
        return page, decoded

    def sweep(self, step: Step, cut: int = 0) -> Sweep:
        """Read the whole list, by summaries where it has them; `cut` as in `prove.Listing`."""
        usual, longest = self._reading.fetcher.page_size, self._longest_page()
        if longest:
            sweep = self._sweep(step, longest)
            if sweep.records >= LEAST_SHOWN * (self.paginator.last_total or 0):
                return sweep
            step = self._reading.ledger.next_step()
        if cut and self.profile.page_cap:  # pages that are capped alike would be cut alike
            usual = min(usual, self.profile.page_cap)
        size = max(1, usual - cut * max(1, usual // 10))
        if cut and size > 1 and self.paginator.records % size == 0:
            size -= 1  # a last page that is full would not show that the list ends there
        return self._sweep(step, size)

    def read_what_comes(self, step: Step) -> None:
        """Read the list once more, and leave out the pages that fail: one record that the service
        cannot send must not keep all others from being loaded."""
        failures: list[ServiceError] = []
        self._sweep(step, self._reading.fetcher.page_size, failures)
        for failure in failures:
            self._reading.tolerate(failure)
        if self._reading.has_summaries:
            ledger = self._reading.ledger
            self._bodies.read(ledger.next_step(), ledger.due(), self.paginator)

    def _sweep(self, step: Step, size: int, failures: list[ServiceError] | None = None) -> Sweep:
        """Read the whole list in pages of `size` records; `failures`: as in `Fetcher.read_list`."""
        at = datetime.now(UTC)
        reading, is_short = self._reading, self._reading.has_summaries
        reading.decoder.summaries.begin(is_all=self._changes.has_refused)
        paginator = self.paginator = Paginator()
        pages = reading.fetcher.read_list(paginator, reading.query, size, failures)
        self.nameless = 0
        seen = _Seen(DistinctVersions(reading.version))
        with_odd: list[Decoded] = []
        for decoded in reading.decoder.decode(pages, is_summary=is_short):
            self.nameless += len(decoded.quarantined)
            shown, noted = self._note(step, decoded)
            seen.add(decoded, shown, noted)
            if not noted.is_first.any() and paginator.records > seen.records:
                paginator.end("pages bring nothing new")
            if not (is_short or self._changes.is_list_short):
                reading.report.wanted = paginator.last_total
                self._changes.take(step, shown)
                continue
            if decoded.quarantined:
                with_odd.append(decoded)
            reading.report.tell("listed", len(reading.ledger), paginator.last_total)
        if is_short and not seen.versions.tell_changes(at_least=LEAST_SORTED, of=seen.records):
            reading.ledger.doubt_unread()
        reading.report.see_list(paginator, seen.duplicates)
        self.profile = self.profile.after(paginator, size, self._order(seen.sorting))
        self._pass_on_odd(with_odd)
        if not paginator.fault:
            reading.ledger.end_sweep(step)
        return seen.as_sweep(step, at, size, paginator, reading.fetcher.page_size)

    def _pass_on_odd(self, listed: Sequence[Decoded]) -> None:
        """Pass on what of these summaries is in quarantine, unless it comes again in full."""
        if not self._bodies.is_by_page(len(self._reading.ledger.due()), self.paginator):
            for decoded in listed:
                self._changes.pass_on_odd(decoded)

    def bodies(self, step: Step, keys: Keys) -> None:
        """Read these records in full."""
        self._bodies.read(step, keys, self.paginator)

    def ask(self, step: Step, keys: Keys) -> Asked:
        """Read each of these records by itself, as it is now."""
        return self._bodies.ask(step, keys)

    def _note(self, step: Step, decoded: Decoded) -> tuple[Shown, Noted]:
        """Note in the ledger what a page of the list shows."""
        reading = self._reading
        shown = self._changes.show(decoded)
        samples = self._bodies.samples
        is_first, self._has_begun = not self._has_begun, True
        if not reading.has_summaries:
            return shown, self._changes.note(step, shown)
        if is_first and not reading.is_full and samples.see_first(shown.decoded):
            shown = self._changes.show(decoded)
        noted = reading.ledger.note(step, shown.seen, self._is_held(shown))
        reading.decoder.summaries.keep(shown.decoded.root, noted.is_due)
        return shown, noted

    def _longest_page(self) -> int:
        """How many records to ask for per page where more than usual pay, else 0: in the first
        sweep of a long list by summaries."""
        reading = self._reading
        usual = reading.fetcher.page_size
        is_long = reading.has_summaries and self._counted >= 2 * LONGER * usual
        if not is_long or reading.report.sweeps or self.profile.list_window:
            return 0
        given = reading.fetcher.longest_page(reading.query, LONGER * usual)
        return given if given > usual else 0

    def _is_held(self, shown: Shown) -> Mask:
        """Which records are stored in this state, and not due for another read."""
        stored, seen, compared = self._reading.stored, shown.seen, shown.compared
        if self._reading.is_full or not len(stored):
            return np.zeros(len(seen), np.bool_)
        self._count_missed(shown)
        is_held = ~(compared.differs | compared.is_dirty)
        if stored.past.audit_part is not None:
            is_audited = is_held & is_in_part(seen.keys, stored.past.audit_part)
            self.audited = np.union1d(self.audited, seen.keys[is_audited])
            is_held &= ~is_audited
        return is_held

    def _count_missed(self, shown: Shown) -> None:
        """Count changes that the last early stop should have seen and did not."""
        stopped_at, report = self._reading.stored.past.stopped_at, self._reading.report
        if report.sweeps or not stopped_at:
            return
        limit = int((stopped_at - OVERLAP).timestamp() * 1_000_000)
        versions = shown.seen.versions
        is_missed = shown.compared.differs & (versions != NO_VERSION) & (versions < limit)
        report.missed += int(np.count_nonzero(is_missed))

    def _order(self, sorting: Sorting) -> Order | None:
        if not self._reading.version or len(self._reading.ledger) < LEAST_SORTED:
            return None
        if sorting.falls and sorting.rises:
            return None  # all of one version
        if sorting.falls:
            return "newest first"
        return "oldest first" if sorting.rises else "other"


def _pages_of(page: Page) -> int | None:
    """How many pages the list has, according to one of them."""
    if page.total_pages is not None or page.total_count is None or not page.count:
        return page.total_pages
    return -(-page.total_count // page.count)
