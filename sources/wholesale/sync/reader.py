"""Reads one resource until nothing tells of drift, and keeps account of it.

A pass over the list is compared with what is stored: new and changed records are passed on,
stored ones that the list did not show are asked for one by one. Whatever tells that the list
moved while it was read leads to another pass, up to a limit.
"""

import logging
from collections.abc import Iterable, Iterator
from random import Random

import numpy as np
import pyarrow as pa

from wholesale.api import Resource
from wholesale.compare import NOTHING, Seen, Stored, is_in_part, versions_of
from wholesale.pages import Fetcher, Page, Paginator, RawPage, Service
from wholesale.sync.batches import Batches
from wholesale.sync.changes import Batch
from wholesale.sync.early_stop import OVERLAP, EarlyStop, EarlyStopRefused, may_read_head
from wholesale.sync.plan import (
    Plan,
    is_cheaper_by_page,
    plan_head,
    plan_list,
    plan_lists,
    plan_manifest,
)
from wholesale.sync.report import FULL_READ, MANIFEST, Observe, Progress, Report
from wholesale.sync.sweep import MAX_SWEEPS, Sweep
from wholesale.tables import KEY, Decoded, Ids, Keys, Mask, TableShape, concat, find, unique

log = logging.getLogger("wholesale.reader")


class Reader:
    """One run's reading of one resource.

    `shape` grows while reading. `late` holds records that came again in a newer version after
    an older one had been passed on: load them after the rest. `gone` are ids of stored records
    that are proved to be deleted. `is_full`: every record is read and passed on, changed or not,
    and any number of deletions is believed.
    """

    def __init__(
        self,
        service: Service,
        resource: Resource,
        shape: TableShape,
        *,
        stored: Stored = NOTHING,
        is_full: bool = False,
        observe: Observe | None = None,
    ) -> None:
        self.resource = resource
        self.report = Report(resource.name, changed=0 if resource.version.value else None)
        self.late: list[Batch] = []
        self.gone: set[str] = set()
        self._service = service
        self._stored = stored
        self._is_full = is_full
        self._observe = observe
        self._version = resource.version.value
        self._passed_on = Seen(self._version)
        self._absent: set[str] = set()
        self._wanted = 0
        self._batches = Batches(resource, shape, self.report)
        self._audited: list[Keys] = []
        self._sweep = Sweep(self._version)

    @property
    def shape(self) -> TableShape:
        """The tables as they are known so far."""
        return self._batches.shape

    def read(self) -> Iterator[Batch]:
        """What has to be merged of a resource that has one list.

        Raises: ServiceError when a page cannot be had; what was yielded before stays good.
        """
        with Fetcher(self._service, self.resource, self.report.traffic) as fetcher:
            changed = self._changed_at_head(fetcher)
            if changed is not None:
                yield from self._read_records(fetcher, changed)
                self.report.finish()
                return
            for number in range(1, MAX_SWEEPS + 1):
                self._sweep = Sweep(self._version)
                self._batches.summaries.clear()
                self.report.begin_sweep(number, is_whole=not self.resource.summary)
                if self.resource.summary:
                    yield from self._read_changed(fetcher)
                else:
                    yield from self._read_all(fetcher)
                yield from self._confirm(fetcher)
                self.report.end_sweep(self._sweep)
                if not self._sweep.doubts() or self.report.faults:
                    break
        self.report.finish()

    def plan(self, lists: int = 1) -> Plan:
        """What `read` would ask for, or `read_lists` of so many parents; nothing is passed on.

        Where summaries tell what has changed they are read for it; of other lists one page.
        """
        with Fetcher(self._service, self.resource, self.report.traffic) as fetcher:
            if self.resource.parent:
                return plan_lists(self.resource.name, lists)
            if not self.resource.summary:
                page = fetcher.first_page()
                return plan_list(self.resource.name, page)
            changed = self._changed_at_head(fetcher)
            if changed is not None:
                return plan_head(self.resource.name, self.report.traffic, len(changed))
            wanted, _ = self._list_changed(fetcher)
            missing = len(self._sweep.missing(self._stored, ()))
            return plan_manifest(
                self.resource.name,
                self._sweep.paginators[0],
                self.report.traffic,
                len(wanted),
                missing,
            )

    def read_lists(self, parents: Iterable[str]) -> Iterator[Batch]:
        """The records in the lists of these parents, which are all there are."""
        with Fetcher(self._service, self.resource, self.report.traffic) as fetcher:
            for decoded in self._batches.of(self._pages_of(fetcher, parents)):
                self._sweep.see(decoded)
                yield self._pass_on(decoded)
            yield from self._confirm(fetcher)
        self.report.end_sweep(self._sweep)
        self.report.finish()

    def settle(self, written: Ids) -> None:
        """Take into account which of the known records turned out to differ when compared whole.

        Those that were audited were edited without a trace in what tells a change.
        """
        audited = np.sort(concat([Ids(keys) for keys in self._audited]).keys)
        silent = int(np.count_nonzero(find(audited, written.keys)[1]))
        self.report.changed = len(written)
        self.report.silent = silent

    def _read_all(self, fetcher: Fetcher) -> Iterator[Batch]:
        paginator = Paginator()
        self._sweep.paginators.append(paginator)
        for decoded in self._batches.of(fetcher.read_list(paginator, self.resource.query)):
            self._sweep.see(decoded)
            yield self._pass_on(decoded)

    def _read_changed(self, fetcher: Fetcher) -> Iterator[Batch]:
        """Read the cheap summaries, then fetch the bodies of what is new or changed."""
        self.report.strategy = FULL_READ if self._is_full else MANIFEST
        wanted, odd = self._list_changed(fetcher)
        (paginator,) = self._sweep.paginators
        self._wanted = len(wanted)
        if is_cheaper_by_page(len(wanted), paginator.pages, paginator.records):
            if len(wanted) == len(self._sweep.seen):
                # Wanted is all that was listed: the keys need not be held a second time.
                wanted = Ids(np.empty(0, KEY), wanted.others)
                yield from self._read_pages(fetcher, None)
                wanted = Ids(self._sweep.seen.beyond(self._passed_on), wanted.others)
            else:
                yield from self._read_pages(fetcher, wanted.keys)
                wanted = wanted.take(~self._passed_on.holds(wanted.keys))
        else:
            yield from (Batch.of_new(self._batches.count(one)) for one in odd)
        yield from self._read_records(fetcher, wanted)

    def _list_changed(self, fetcher: Fetcher) -> tuple[Ids, list[Decoded]]:
        """What is new or changed by the summaries, by key; and those summaries without an id."""
        if not len(self._stored) and self.report.sweeps <= 1:
            self._look_at_a_body(fetcher)
        paginator = Paginator()
        self._sweep.paginators.append(paginator)
        wanted: list[Ids] = []
        odd: list[Decoded] = []
        pages = fetcher.read_list(paginator, self.resource.summary_query)
        for decoded in self._batches.of(pages, is_summary=True):
            for part in self._sweep.see(decoded):
                is_wanted = self._is_wanted(part)
                wanted.append(part.ids.take(is_wanted))
                self._batches.summaries.keep(part.root.filter(pa.array(is_wanted)))
            if decoded.quarantined:
                odd.append(decoded.keep(pa.repeat(False, len(decoded.root))))
            self._tell("listed", len(self._sweep.seen), paginator.last_total)
        return unique(concat(wanted)), odd

    def _changed_at_head(self, fetcher: Fetcher) -> Ids | None:
        """What is new or changed, where the head of the list proves that this is all."""
        stored = self._stored
        is_due = self._is_full or stored.audit_part is not None or not stored.has_versions
        if is_due or not self._version or not may_read_head(stored.swept_at):
            return None

        def look(index: int) -> tuple[Page, Decoded]:
            page = fetcher.page(index, self.resource.summary_query)
            raw = RawPage(page.records, index + 1)
            decoded = self._batches.one(raw, is_summary=True)
            self._batches.summaries.keep(decoded.root)
            return page, decoded

        early_stop = EarlyStop(stored, self._version, look)
        try:
            changed = early_stop.read(Random(self.report.started_at.isoformat()))
        except EarlyStopRefused as reason:
            log.info("%s: the whole list is read, as %s", self.resource.name, reason)
            return None
        finally:
            self.report.pages += early_stop.pages
        self.report.stop_early(len(early_stop.seen), early_stop.total)
        self._wanted = len(changed)
        return changed

    def _look_at_a_body(self, fetcher: Fetcher) -> None:
        """Whether the full form has the fields of the summary too, before all are asked for."""
        page = fetcher.first_page()
        if not page.is_empty:
            full = self._batches.one(RawPage(page.records))
            self._batches.summaries.compare_with(full.root)

    def _read_pages(self, fetcher: Fetcher, wanted: Keys | None) -> Iterator[Batch]:
        """Whole pages of bodies, of which only what is wanted or was not listed is passed on.

        `wanted` is None where that is all that was listed.
        """
        paginator = Paginator()
        for decoded in self._batches.of(fetcher.read_list(paginator, self.resource.query)):
            keys = decoded.ids.keys
            is_listed = self._is_listed(keys)
            self._sweep.strays += int(np.count_nonzero(~is_listed))
            if wanted is not None:
                decoded = decoded.keep(pa.array(find(wanted, keys)[1] | ~is_listed))
            yield self._pass_on(decoded)
        self.report.pages += paginator.pages

    def _is_listed(self, keys: Keys) -> Mask:
        """Which were in the summaries. Where nothing is stored, of which some could be missing,
        what has come need not be known as listed too: a million ids take room twice.
        """
        seen = self._sweep.seen
        if len(self._stored):
            return seen.holds(keys)
        is_listed = seen.take(keys)
        return is_listed if is_listed.all() else is_listed | self._passed_on.holds(keys)

    def _read_records(self, fetcher: Fetcher, ids: Ids) -> Iterator[Batch]:
        keys = ((key, None) for key in ids.texts())
        for decoded in self._batches.of(self._found(fetcher, keys)):
            yield self._pass_on(decoded)

    def _found(self, fetcher: Fetcher, keys: Iterator[tuple[str, str | None]]) -> Iterator[RawPage]:
        for key, page in fetcher.records(keys):
            if page:
                yield page
            else:
                self._sweep.vanished += 1
                self.gone.add(key)

    def _is_wanted(self, summaries: Decoded) -> Mask:
        """Summaries whose bodies are not stored, nor passed on in this run."""
        is_left = ~self._passed_on.holds_version(summaries)
        if self._is_full:
            return is_left
        comparison = self._stored.compare(summaries)
        wanted = comparison.differs | comparison.is_dirty
        if self._stored.stopped_at and self.report.sweeps == 1:
            self._count_missed(summaries.root, comparison.differs)
        if self._stored.audit_part is not None:
            keys = summaries.ids.keys
            is_audited = is_in_part(keys, self._stored.audit_part) & ~wanted & is_left
            self.report.audited += int(np.count_nonzero(is_audited))
            self._audited.append(keys[is_audited])
            wanted = wanted | is_audited
        return wanted & is_left

    def _count_missed(self, root: pa.Table, differs: Mask) -> None:
        """Count what changed before an early stop and was not seen by it."""
        stopped_at = self._stored.stopped_at
        if self._version and stopped_at:
            limit = int((stopped_at - OVERLAP).timestamp() * 1_000_000)
            is_missed = differs & (versions_of(root[self._version]) < limit)
            self.report.missed += int(np.count_nonzero(is_missed))

    def _confirm(self, fetcher: Fetcher) -> Iterator[Batch]:
        """Ask for each stored record that the list did not show: gone, or only not seen?"""
        missing = self._sweep.missing(self._stored, self.gone)
        if not len(missing):
            self._absent = set()
            return
        doubt = self._sweep.brake(len(missing), self._stored)
        if doubt and not self._is_full:
            self.report.faults.append(f"{doubt}; --full believes it after asking for each")
            return
        if self.resource.get_endpoint is None:
            self._note_absence(set(missing.ids.texts()))
            return
        for decoded in self._batches.of(self._alive(fetcher, missing.keys())):
            yield self._pass_on(decoded)

    def _note_absence(self, ids: set[str]) -> None:
        """Records that cannot be asked for are gone when absent from two quiet lists in a row."""
        if self._sweep.doubts():
            self._absent = set()
            return
        self.gone |= self._absent & ids
        self._sweep.absent_once += len(ids - self._absent)
        self._absent = ids

    def _alive(self, fetcher: Fetcher, keys: Iterable[tuple[str, str | None]]) -> Iterator[RawPage]:
        for key, page in fetcher.records(keys):
            if page:
                self._sweep.alive += 1
                yield page
            else:
                self.gone.add(key)

    def _pages_of(self, fetcher: Fetcher, parents: Iterable[str]) -> Iterator[RawPage]:
        for paginator, pages in fetcher.lists(parents):
            self._sweep.paginators.append(paginator)
            yield from pages

    def _pass_on(self, decoded: Decoded) -> Batch:
        """What of these records the destination does not have from this run already."""
        decoded = self._batches.count(self._batches.summaries.fill(decoded))
        if self.gone:
            self.gone -= set(decoded.root["id"].to_pylist())
        admission = self._passed_on.admit(decoded)
        if admission.late:
            self.late.append(Batch.of_known(admission.late))
        comparison = self._stored.compare(admission.fresh)
        self.report.new += int(np.count_nonzero(~comparison.is_known))
        if self._version:
            changed = int(np.count_nonzero(comparison.is_known & comparison.differs))
            self.report.changed = (self.report.changed or 0) + changed
        of = self._wanted if self.resource.summary else self._sweep.last_total
        self._tell("loaded", len(self._passed_on), of)
        return Batch(admission.fresh, comparison.is_known)

    def _tell(self, step: str, done: int, of: int | None) -> None:
        self.report.progress = Progress(step, done, of)
        if self._observe:
            self._observe(self.report)
