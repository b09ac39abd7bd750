"""Listing: what the steps of a course do at the service, each noted in the ledger."""

import logging
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import repeat

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from wholesale.api import Resource
from wholesale.compare import (
    LEAST_SHOWN_OTHERWISE,
    NO_VERSION,
    UNUSUAL,
    Ledger,
    Noted,
    Sightings,
    Sorting,
    Stamps,
    Step,
    Stored,
    combine,
    is_in_part,
    newest,
    shown_otherwise,
    versions_in,
)
from wholesale.errors import NotFound, Unprocessable
from wholesale.pages import Fetcher, Order, Page, Paginator, Profile, RawPage
from wholesale.sync.batches import Batch, BatchDecoder
from wholesale.sync.changes import Changes
from wholesale.sync.costs import is_cheaper_by_page
from wholesale.sync.course import Asked, Glance
from wholesale.sync.early_stop import OVERLAP
from wholesale.sync.proof import Look, Sweep
from wholesale.sync.report import Report
from wholesale.tables import KEY, Decoded, Keys, Mask

log = logging.getLogger("wholesale.reader")

MOST_SAMPLES = 20
"""Records without a list, asked for by themselves to see whether they lack it there too."""
MOST_LONGEST = 5
"""Records with as many entries as any on a page: where it cuts lists off, most have more."""
LEAST_SORTED = 20
"""Fewer records may be sorted by chance."""


class ServiceListing:
    """The list of one resource at the service; implements `course.Listing`.

    `changes` passes records on. `audited` are keys of records that are read again although nothing
    says that they changed. `nameless` counts the records of the last sweep that have no id.
    `profile` is what is known of the list. With `is_full` every record is read and passed on,
    changed or not.
    """

    def __init__(
        self,
        fetcher: Fetcher,
        resource: Resource,
        decoder: BatchDecoder,
        stored: Stored,
        ledger: Ledger,
        report: Report,
        *,
        profile: Profile,
        is_full: bool = False,
    ) -> None:
        self.fetcher = fetcher
        self.profile = profile
        self.changes = Changes(resource, decoder, stored, ledger, report, is_full=is_full)
        self.audited = np.empty(0, KEY)
        self.paginator = Paginator()
        self._resource = resource
        self._decoder = decoder
        self._stored = stored
        self._ledger = ledger
        self._report = report
        self._is_full = is_full
        self._version = resource.version.value
        self.nameless = 0
        self._may_read_by_page = True
        self._has_learned = False
        self._has_compared = False
        self._has_begun = False

    def look(self, step: Step, index: int) -> Glance:
        """One page by itself; `index` counts from 0."""
        at = datetime.now(UTC)
        known = len(self._ledger)
        try:
            page, decoded = self.peek(step, index)
        except (NotFound, Unprocessable):
            if not index:
                raise
            return Glance(Look(step, at, None), 0, None)  # after the window that the list shows
        is_stored = self._stored.is_alive(decoded)
        unknown = min(len(self._ledger) - known, int(np.count_nonzero(~is_stored)))
        total = page.total_count
        if total is not None and total < page.count:
            total = None  # it shows more than it counts, and so counts nothing
        is_whole = index == 0 and page.next is None and total == page.count == len(decoded.root)
        return Glance(Look(step, at, total, is_whole), unknown, _pages_of(page))

    def peek(self, step: Step, index: int) -> tuple[Page, Decoded]:
        """One page by itself, noted as seen in that step."""
        page = self.fetcher.page(index, self._query)
        raw = RawPage(page.records, index + 1)
        decoded = self._decoder.decode_page(raw, is_summary=self._is_short)
        self._report.pages += 1
        if self._is_short and (self._is_full or not len(self._stored)):
            self._learn_form(decoded.root)
        self.note(step, decoded)
        return page, decoded

    def sweep(self, step: Step, cut: int = 0) -> Sweep:
        """Read the whole list, by summaries where it has them; `cut` as in `course.Listing`."""
        at = datetime.now(UTC)
        size = self.fetcher.page_size
        size = max(1, size - cut * max(1, size // 10))
        self._decoder.summaries.begin(is_all=self.changes.has_refused)
        paginator = self.paginator = Paginator()
        pages = self.fetcher.read_list(paginator, self._query, size)
        mark = records = duplicates = self.nameless = 0
        sorting = Sorting()
        stamps = Stamps(self._version)
        odd: list[Decoded] = []  # in quarantine: passed on here, unless they come again in full
        for decoded in self._decoder.decode(pages, is_summary=self._is_short):
            self.nameless += len(decoded.quarantined)
            sorting.see(versions_in(decoded.root, self._version))
            stamps.see(decoded.root)
            part, seen, noted = self.note(step, decoded)
            mark ^= combine(seen.keys[noted.is_first], seen.states[noted.is_first])
            fresh = int(np.count_nonzero(noted.is_first))
            records += fresh
            duplicates += len(decoded.root) - fresh
            if not fresh and paginator.records > records:
                paginator.end("pages bring nothing new")
            if not self._is_short:
                self._report.wanted = paginator.last_total
                self.changes.take(step, part, seen)
                continue
            if decoded.quarantined:
                odd.append(decoded.keep(pa.repeat(False, len(decoded.root))))
            self._report.tell("listed", len(self._ledger), paginator.last_total)
        if self._is_short and not stamps.tell(at_least=LEAST_SORTED, of=records):
            self._ledger.doubt_unread()
        self._report.see_list(paginator, duplicates)
        self.profile = self.profile.after(paginator, size, self._order(sorting))
        if not self._is_cheaper_by_page(len(self._ledger.due())):
            for decoded in odd:
                self.changes.merge(Batch.of_new(self._decoder.count_odd(decoded)))
        totals, fault = paginator.totals, paginator.fault
        is_one_answer = paginator.pages == 1 and totals == (records, records) and not fault
        return Sweep(
            step=step,
            at=at,
            pages=paginator.filled,
            records=records,
            duplicates=duplicates,
            fingerprint=mark,
            page_size=size,
            totals=totals,
            fault=fault,
            is_dense=paginator.is_dense,
            is_one_answer=is_one_answer,
        )

    def bodies(self, step: Step, keys: Keys) -> None:
        """Read these records in full: as whole pages, once, if that costs less; else one by one."""
        self._report.wanted = len(keys)
        if self._is_cheaper_by_page(len(keys)) and not self._has_compared:
            self._compare_with_single_reads(self._first_page())
        if self._is_cheaper_by_page(len(keys)):
            self._may_read_by_page = False
            paginator = Paginator()
            pages = self.fetcher.read_list(paginator, self._resource.query)
            for decoded in self._decoder.decode(pages):
                self.changes.read(step, decoded)
            self._report.pages += paginator.pages
            return
        if self.changes.has_refused and self._is_short:
            self._learn_form()
        self.ask(step, keys)

    def ask(self, step: Step, keys: Keys) -> Asked:
        """Read each of these records by itself, as it is now."""
        alive: list[Keys] = []
        denied: list[Keys] = []
        for decoded in self._decoder.decode(self._found(keys, denied)):
            alive.append(decoded.ids.keys)
            self.changes.read(step, decoded)
        return Asked(_in_order(alive), _in_order(denied))

    def take(self, step: Step, decoded: Decoded) -> None:
        """Note and pass on the records of a list that shows them in full."""
        part, seen, _ = self.note(step, decoded)
        self.changes.take(step, part, seen)

    def texts_of(self, keys: Keys) -> Iterator[str]:
        """The ids of these records as text."""
        return self.changes.ids(keys).texts()

    def note(self, step: Step, decoded: Decoded) -> tuple[Decoded, Sightings, Noted]:
        """Note in the ledger what a page shows: each record once, in its newest state."""
        part = newest(decoded, self._version)
        if self._is_short and not self._has_begun:
            self._has_begun = True
            differs = self._stored.differs_in_its_version(part, self._version)
            if not self._is_full and _are_almost_all(differs):
                self._learn_what_is_shown_otherwise(part.root, self._first_page())
        seen = self.changes.sightings(part)
        if not self._is_short:
            return part, seen, self._ledger.note(step, self.changes.without_poor(part, seen))
        noted = self._ledger.note(step, seen, self._is_held(part, seen))
        self._decoder.summaries.keep(part.root.filter(pa.array(noted.is_due)))
        return part, seen, noted

    @property
    def _is_short(self) -> bool:
        return bool(self._resource.summary)

    @property
    def _query(self) -> tuple[tuple[str, str], ...]:
        return self._resource.summary_query if self._is_short else self._resource.query

    def _order(self, sorting: Sorting) -> Order | None:
        if not self._version or len(self._ledger) < LEAST_SORTED:
            return None
        if sorting.falls and sorting.rises:
            return None  # all of one version
        if sorting.falls:
            return "newest first"
        return "oldest first" if sorting.rises else "other"

    def _is_cheaper_by_page(self, due: int) -> bool:
        pages, records = self.paginator.pages, self.paginator.records
        may_be = self._is_short and pages > 0 and self._may_read_by_page
        return may_be and is_cheaper_by_page(due, pages, records)

    def _learn_form(self, short: pa.Table | None = None) -> None:
        """Learn, once a run, what full records have, by a page of them and by some single reads;
        and by comparison with the summaries `short`, what only summaries have."""
        if self._has_learned:
            return
        self._has_learned = True
        full = self._first_page()
        if not len(full.root):
            return
        self.changes.form.learn(full)
        if short is None:
            short = self._first_page(is_summary=True).root
        else:
            self._decoder.summaries.compare(short, full.root)
        self._learn_what_is_shown_otherwise(short, full)
        for sample in self._compare_with_single_reads(full, at_least=1):
            self.changes.form.learn(sample)
        lacking = self.changes.form.lacking(full)[:MOST_SAMPLES]
        for sample in self._decoder.decode(self._found(lacking, [])):
            self.changes.form.learn_omissions(sample)

    def _compare_with_single_reads(self, full: Decoded, *, at_least: int = 0) -> Sequence[Decoded]:
        """Learn by the longest records on this page whether pages show all entries of a record.

        Returns their single reads, of which there are `at_least` so many if none has entries.
        """
        self._has_compared = True
        entries = _entries_of(full)
        longest = full.ids.keys[entries == entries.max(initial=0)]
        longest = longest[: MOST_LONGEST if entries.any() else at_least]
        samples = list(self._decoder.decode(self._found(longest, [])))
        on_page = versions_in(full.root, self._version)
        for sample in samples:
            is_same = np.isin(versions_in(sample.root, self._version), on_page)
            if _entries_of(sample)[is_same].max(initial=0) > entries.max():
                log.warning("%s: pages show fewer entries than single reads", self._resource.name)
                self._may_read_by_page = False
        return samples

    def _first_page(self, *, is_summary: bool = False) -> Decoded:
        query = self._query if is_summary else self._resource.query
        raw = RawPage(self.fetcher.page(0, query).records)
        decoded = self._decoder.decode_page(raw, is_summary=is_summary)
        self.changes.note_ids(decoded)
        return decoded

    def _learn_what_is_shown_otherwise(self, short: pa.Table, full: Decoded) -> None:
        """Learn which columns have other values in summaries than in full records, also in those
        that are asked for alone and so are current."""
        otherwise = shown_otherwise(short, full.root, self._version or "")
        if not otherwise:
            return
        for sample in self._decoder.decode(self._found(full.ids.keys[:MOST_SAMPLES], [])):
            otherwise &= shown_otherwise(short, sample.root, self._version or "")
        if otherwise:
            names = ", ".join(sorted(otherwise))
            log.warning(
                "%s: the list shows another %s than single reads", self._resource.name, names
            )
            self._decoder.shown_otherwise = otherwise

    def _found(self, keys: Keys, denied: list[Keys]) -> Iterator[RawPage]:
        """Pages of one record each; keys that the service denies are added to `denied`."""
        parents = self._stored.parents_of(keys) if self._resource.parent else repeat(None)
        asked = zip(self.texts_of(keys), parents, strict=False)
        for place, (_, page) in enumerate(self.fetcher.records(asked)):
            if page:
                yield page
            else:
                denied.append(keys[place : place + 1])

    def _is_held(self, decoded: Decoded, seen: Sightings) -> Mask:
        """Which records are stored in this state, and not due for another read."""
        if self._is_full or not len(self._stored):
            return np.zeros(len(seen), np.bool_)
        comparison = self._stored.compare(decoded, self._decoder.found_in_summaries)
        self._count_missed(seen, comparison.differs)
        is_held = ~(comparison.differs | comparison.is_dirty)
        if self._stored.audit_part is not None:
            is_audited = is_held & is_in_part(seen.keys, self._stored.audit_part)
            self.audited = np.union1d(self.audited, seen.keys[is_audited])
            is_held &= ~is_audited
        return is_held

    def _count_missed(self, seen: Sightings, differs: Mask) -> None:
        """Count changes that the last early stop should have seen and did not."""
        stopped_at = self._stored.stopped_at
        if self._report.sweeps or not stopped_at:
            return
        limit = int((stopped_at - OVERLAP).timestamp() * 1_000_000)
        is_missed = differs & (seen.versions != NO_VERSION) & (seen.versions < limit)
        self._report.missed += int(np.count_nonzero(is_missed))


def _entries_of(decoded: Decoded) -> NDArray[np.int64]:
    """How many entries each record has in its lists."""
    counts = np.zeros(len(decoded.root), np.int64)
    for owners in decoded.owners.values():
        np.add.at(counts, owners.to_numpy(zero_copy_only=False), 1)
    return counts


def _are_almost_all(mask: Mask) -> bool:
    is_many = len(mask) >= LEAST_SHOWN_OTHERWISE
    return is_many and int(np.count_nonzero(~mask)) <= len(mask) // UNUSUAL


def _pages_of(page: Page) -> int | None:
    """How many pages the list has, according to one of them."""
    if page.total_pages is not None or page.total_count is None or not page.count:
        return page.total_pages
    return -(-page.total_count // page.count)


def _in_order(parts: list[Keys]) -> Keys:
    return np.unique(np.concatenate([np.empty(0, KEY), *parts]))
