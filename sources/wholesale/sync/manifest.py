"""Manifest: lists a resource by its cheap summaries, and fetches in full only what has changed."""

import logging
from collections.abc import Iterator
from random import Random

import numpy as np
import pyarrow as pa

from wholesale.api import Resource
from wholesale.pages import Fetcher, Page, Paginator, RawPage
from wholesale.sync.batches import BatchDecoder
from wholesale.sync.changes import Batch, Changes
from wholesale.sync.costs import is_cheaper_by_page
from wholesale.sync.early_stop import EarlyStop, EarlyStopRefused, may_stop_early
from wholesale.sync.passes import Pass
from wholesale.sync.report import FULL_READ, MANIFEST, Report
from wholesale.tables import KEY, Decoded, Ids, Keys, Mask, concat, find, unique

log = logging.getLogger("wholesale.manifest")


class Manifest:
    """Lists one resource, lets `changes` decide, and fetches the bodies."""

    def __init__(
        self,
        fetcher: Fetcher,
        resource: Resource,
        decoder: BatchDecoder,
        changes: Changes,
        report: Report,
    ) -> None:
        self._fetcher = fetcher
        self._resource = resource
        self._decoder = decoder
        self._changes = changes
        self._report = report

    def read(self, this_pass: Pass) -> Iterator[Batch]:
        """One pass: the bodies of all that is new or changed."""
        self._report.strategy = FULL_READ if self._changes.is_full else MANIFEST
        wanted, odd = self.list(this_pass)
        (paginator,) = this_pass.paginators
        this_pass.wanted = len(wanted)
        if not is_cheaper_by_page(len(wanted), paginator.pages, paginator.records):
            yield from map(self._changes.pass_on_quarantined, odd)
        elif len(wanted) == this_pass.listed.count:
            # Wanted is all that was listed: the keys need not be held a second time.
            wanted = Ids(np.empty(0, KEY), wanted.others)
            yield from self._fetch_pages(None, this_pass)
            wanted = Ids(this_pass.listed.difference(self._changes.passed_on), wanted.others)
        else:
            yield from self._fetch_pages(wanted.keys, this_pass)
            wanted = wanted.take(~self._changes.passed_on.holds(wanted.keys))
        yield from self.fetch(wanted, this_pass)

    def list(self, this_pass: Pass) -> tuple[Ids, list[Decoded]]:
        """What is new or changed by the summaries, by key; and those summaries without an id."""
        self._decoder.summaries.clear()
        if not len(self._changes.stored) and this_pass.number == 1:
            self._look_at_a_body()
        paginator = this_pass.begin_list()
        wanted: list[Ids] = []
        odd: list[Decoded] = []
        pages = self._fetcher.read_list(paginator, self._resource.summary_query)
        for decoded in self._decoder.decode(pages, is_summary=True):
            for part in this_pass.see(decoded):
                is_wanted = self._changes.wanted(part, this_pass)
                wanted.append(part.ids.take(is_wanted))
                self._decoder.summaries.keep(part.root.filter(pa.array(is_wanted)))
            if decoded.quarantined:
                odd.append(decoded.keep(pa.repeat(False, len(decoded.root))))
            self._report.tell("listed", this_pass.listed.count, paginator.last_total)
        return unique(concat(wanted)), odd

    def list_head(self) -> Ids | None:
        """What is new or changed, where the head of the list proves that this is all."""
        stored = self._changes.stored
        version = self._resource.version.value
        if self._changes.is_full or not version or not may_stop_early(stored):
            return None
        early_stop = EarlyStop(stored, version, self._look)
        try:
            wanted = early_stop.read(Random(self._report.started_at.isoformat()))
        except EarlyStopRefused as reason:
            log.info("%s: the whole list is read, as %s", self._resource.name, reason)
            return None
        finally:
            self._report.pages += early_stop.pages
        self._report.stop_early(early_stop.seen.count, early_stop.total)
        return wanted

    def fetch(self, ids: Ids, this_pass: Pass) -> Iterator[Batch]:
        """The bodies of these records, one by one."""
        for decoded in self._decoder.decode(self._found(ids, this_pass)):
            full = self._decoder.summaries.fill(decoded)
            yield self._changes.pass_on(full, this_pass)

    def _found(self, ids: Ids, this_pass: Pass) -> Iterator[RawPage]:
        for key, page in self._fetcher.records((key, None) for key in ids.texts()):
            if page:
                yield page
            else:
                this_pass.gone_when_fetched += 1
                self._changes.gone.add(key)

    def _fetch_pages(self, wanted: Keys | None, this_pass: Pass) -> Iterator[Batch]:
        """Whole pages of bodies, of which only what is wanted or was not listed is passed on.

        `wanted` is None where that is all that was listed.
        """
        paginator = Paginator()
        pages = self._fetcher.read_list(paginator, self._resource.query)
        for decoded in self._decoder.decode(pages):
            keys = decoded.ids.keys
            if len(self._changes.stored):
                is_listed = this_pass.listed.holds(keys)
            else:
                is_listed = self._remove_listed(keys, this_pass)
            this_pass.unlisted += int(np.count_nonzero(~is_listed))
            if wanted is not None:
                decoded = decoded.keep(pa.array(find(wanted, keys)[1] | ~is_listed))
            full = self._decoder.summaries.fill(decoded)
            yield self._changes.pass_on(full, this_pass)
        self._report.pages += paginator.pages

    def _remove_listed(self, keys: Keys, this_pass: Pass) -> Mask:
        """Forget that these were listed, as they are about to be passed on; which of them were.

        Where nothing is stored none of it can be missing, so what was listed is needed no longer
        once it has come: a million ids would take room twice.
        """
        is_listed = this_pass.listed.remove(keys)
        return is_listed if is_listed.all() else is_listed | self._changes.passed_on.holds(keys)

    def _look(self, index: int) -> tuple[Page, Decoded]:
        """One page of the list by itself."""
        page = self._fetcher.page(index, self._resource.summary_query)
        decoded = self._decoder.decode_page(RawPage(page.records, index + 1), is_summary=True)
        self._decoder.summaries.keep(decoded.root)
        return page, decoded

    def _look_at_a_body(self) -> None:
        """Whether the full form has the fields of the summary too, before all are asked for."""
        page = self._fetcher.first_page()
        if not page.is_empty:
            full = self._decoder.decode_page(RawPage(page.records))
            self._decoder.summaries.compare_with(full.root)
