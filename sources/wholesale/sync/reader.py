"""Reader: one resource, read until nothing tells that its list moved meanwhile.

A pass over the list is compared with what is stored: new and changed records are passed on,
stored ones that the list did not show are asked for one by one. Whatever tells that the list
moved while it was read leads to another pass, up to a limit.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from wholesale.api import Resource
from wholesale.compare import NOTHING, Stored
from wholesale.pages import Fetcher, RawPage, Service
from wholesale.sync.batches import BatchDecoder
from wholesale.sync.changes import Batch, Changes
from wholesale.sync.deletions import Deletions
from wholesale.sync.manifest import Manifest
from wholesale.sync.passes import Pass
from wholesale.sync.report import Observe, Report
from wholesale.tables import Ids, TableShape

MAX_PASSES = 4
"""A list that still moves in the last of them is loaded, but not certified."""

ReadOnce = Callable[[Pass], Iterator[Batch]]
"""Reads a whole list once, and tells the pass what came."""


class Reader:
    """One run's reading of one resource: `report` accounts for it, `shape` grows with it.

    `is_full`: every record is read and passed on, changed or not, and any number of deletions is
    believed.
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
        self.report = Report.of(resource, observe)
        self._service = service
        self._version = resource.version.value
        self._is_full = is_full
        self._decoder = BatchDecoder(resource, shape, self.report)
        self._changes = Changes(resource, stored, self.report, is_full=is_full)

    @property
    def shape(self) -> TableShape:
        """The tables as they are known so far."""
        return self._decoder.shape

    @property
    def late(self) -> list[Batch]:
        """Records that came again in a newer version: to be merged after all others."""
        return self._changes.late

    @property
    def gone(self) -> set[str]:
        """Ids of stored records that are proved to be deleted."""
        return self._changes.gone

    def read(self) -> Iterator[Batch]:
        """What has to be merged of a resource that has one list.

        Raises: ServiceError when a page cannot be had; what was yielded before stays good.
        """
        with self._fetcher() as fetcher:
            if self.resource.summary:
                yield from self._read_by_manifest(fetcher)
            else:
                yield from self._repeat(fetcher, partial(self._read_list, fetcher))
        self.report.finish()

    def read_lists(self, parents: Iterable[str]) -> Iterator[Batch]:
        """The records in the lists of these parents, which are all there are."""
        with self._fetcher() as fetcher:
            read_all = partial(self._read_child_lists, fetcher, parents)
            yield from self._repeat(fetcher, read_all, most=1)
        self.report.finish()

    def count_differing(self, written: Ids) -> None:
        """Take into account which known records turned out to differ when compared whole."""
        self._changes.count_differing(written)

    def _fetcher(self) -> Fetcher:
        return Fetcher(self._service, self.resource, self.report.traffic)

    def _repeat(
        self, fetcher: Fetcher, read_once: ReadOnce, most: int = MAX_PASSES
    ) -> Iterator[Batch]:
        """Passes over the list, until one is beyond doubt; whatever one missed is asked for."""
        deletions = Deletions(fetcher, self.resource, self._changes, self.report, self._is_full)
        for number in range(1, most + 1):
            this_pass = Pass(self._version, number)
            self.report.begin_pass(number, is_whole=not self.resource.summary)
            yield from read_once(this_pass)
            for decoded in self._decoder.decode(deletions.confirm(this_pass)):
                yield self._changes.pass_on(decoded, this_pass)
            self.report.end_pass(this_pass)
            if not this_pass.doubts() or self.report.faults:
                break

    def _read_by_manifest(self, fetcher: Fetcher) -> Iterator[Batch]:
        manifest = Manifest(fetcher, self.resource, self._decoder, self._changes, self.report)
        wanted = manifest.list_head()
        if wanted is None:
            yield from self._repeat(fetcher, manifest.read)
        else:
            yield from manifest.fetch(wanted, Pass(self._version, wanted=len(wanted)))

    def _read_list(self, fetcher: Fetcher, this_pass: Pass) -> Iterator[Batch]:
        paginator = this_pass.begin_list()
        return self._pass_on(fetcher.read_list(paginator, self.resource.query), this_pass)

    def _read_child_lists(
        self, fetcher: Fetcher, parents: Iterable[str], this_pass: Pass
    ) -> Iterator[Batch]:
        def pages() -> Iterator[RawPage]:
            for paginator, pages in fetcher.lists(parents):
                this_pass.paginators.append(paginator)
                yield from pages

        return self._pass_on(pages(), this_pass)

    def _pass_on(self, pages: Iterable[RawPage], this_pass: Pass) -> Iterator[Batch]:
        for decoded in self._decoder.decode(pages):
            this_pass.see(decoded)
            yield self._changes.pass_on(decoded, this_pass)
