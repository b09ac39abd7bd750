"""Batches: many pages decoded at a time, in a shape that grows with what the data shows."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass

from wholesale.api import Resource
from wholesale.compare import Summaries, found_columns, summary_shape, with_found
from wholesale.errors import ContentError, ServiceError
from wholesale.pages import RawPage
from wholesale.sync.report import Report
from wholesale.tables import Decoded, TableShape, decode

BATCH_BYTES = 6 * 2**20
"""JSON decoded at once: large enough for columns to pay, small enough for flat memory."""
DECODERS = 1
"""Batches decoded at once, while the one before them is compared and the one before that written:
more wait for a processor and take memory."""


@dataclass(frozen=True, slots=True)
class _Batch:
    """Pages that are being decoded, and the shape in which they are."""

    pages: Sequence[RawPage]
    shape: TableShape
    decoded: Future[Decoded]


class BatchDecoder:
    """Decodes the pages of one resource in one run, in a `shape` that grows with what they show.

    `report` learns of the columns that were found. `summaries` are filled by the caller, with what
    bodies may turn out to lack.
    """

    def __init__(self, resource: Resource, shape: TableShape, report: Report) -> None:
        self.shape = shape
        self.summaries = Summaries((*resource.summary_only, *found_columns(shape)))
        self._resource = resource
        self._report = report

    def decode(self, pages: Iterable[RawPage], *, is_summary: bool = False) -> Iterator[Decoded]:
        """Batches of pages as tables, in order, the next ones decoded meanwhile."""
        begun: deque[_Batch] = deque()
        with ThreadPoolExecutor(DECODERS, thread_name_prefix="decode") as decoders:
            for batch in self._begin(decoders, pages, is_summary=is_summary):
                begun.append(batch)
                if len(begun) > DECODERS:
                    yield self._finish(begun.popleft(), is_summary=is_summary)
            for batch in begun:
                yield self._finish(batch, is_summary=is_summary)

    def decode_page(self, page: RawPage, *, is_summary: bool = False) -> Decoded:
        """The tables of this page alone."""
        (decoded,) = self.decode([page], is_summary=is_summary)
        return decoded

    def _begin(
        self, decoders: Executor, pages: Iterable[RawPage], *, is_summary: bool
    ) -> Iterator[_Batch]:
        """Batches under way; what keeps the pages from coming is raised in its turn too."""
        try:
            for batch in _batches(pages):
                shape = self._shape(is_summary=is_summary)
                yield _Batch(batch, shape, decoders.submit(self._decode, batch, shape))
        except ServiceError as failure:
            failed: Future[Decoded] = Future()
            failed.set_exception(failure)
            yield _Batch((), self.shape, failed)

    def _decode(self, pages: Sequence[RawPage], shape: TableShape) -> Decoded:
        try:
            return decode(pages, shape)
        except ContentError as error:
            raise ContentError(f"{self._resource.name}: {error}") from None

    def _finish(self, batch: _Batch, *, is_summary: bool) -> Decoded:
        decoded = batch.decoded.result()
        shape = self._shape(is_summary=is_summary)
        if batch.shape != shape:  # which has grown by what came before
            decoded = self._decode(batch.pages, shape)
        if decoded.shape != shape:
            self._grow(with_found(self.shape, decoded.shape) if is_summary else decoded.shape)
            self.summaries.add(found_columns(self.shape))
        return decoded

    def _shape(self, *, is_summary: bool) -> TableShape:
        return summary_shape(self.shape, self._resource.summary) if is_summary else self.shape

    def _grow(self, shape: TableShape) -> None:
        before = {(table.table, p.column) for table in self.shape.tables for p in table.mappings}
        self._report.found += [
            f"{table.table}.{mapping.column}"
            for table in shape.tables
            for mapping in table.mappings
            if (table.table, mapping.column) not in before
        ]
        self.shape = shape


def _batches(pages: Iterable[RawPage]) -> Iterator[Sequence[RawPage]]:
    batch: list[RawPage] = []
    size = 0
    for page in pages:
        batch.append(page)
        size += len(page.records)
        if size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
