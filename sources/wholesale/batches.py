"""Sources to tables, many pages at a time, in a shape that grows with what the data shows."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from wholesale.decoder import decode
from wholesale.errors import ContentError
from wholesale.pages import Walk
from wholesale.reports import Report
from wholesale.resources import Resource
from wholesale.shapes import Shape
from wholesale.summaries import Summaries, found_columns, summary_shape, with_found
from wholesale.tables import Decoded, Source

BATCH_BYTES = 6 * 2**20
"""JSON decoded at once: large enough for columns to pay, small enough for flat memory."""


class Batches:
    """The decoding of one kind in one run; `report` learns of the columns that were found.

    `summaries` are filled by the caller, with what bodies may turn out to lack.
    """

    def __init__(self, resource: Resource, shape: Shape, report: Report) -> None:
        self.shape = shape
        self.summaries = Summaries((*resource.summary_only, *found_columns(shape)))
        self._resource = resource
        self._report = report
        self._quarantined: set[str] = set()

    def of(
        self, sources: Iterable[Source], walk: Walk | None = None, *, is_summary: bool = False
    ) -> Iterator[Decoded]:
        """Batches of pages as tables; the count of the last page comes before the next is asked."""
        batch: list[Source] = []
        size = 0
        for source in sources:
            batch.append(source)
            size += len(source.records)
            if size >= BATCH_BYTES or (walk and walk.is_at_last_page):
                yield self.decode(*batch, walk=walk, is_summary=is_summary)
                batch, size = [], 0
        if batch:
            yield self.decode(*batch, walk=walk, is_summary=is_summary)

    def decode(
        self, *sources: Source, walk: Walk | None = None, is_summary: bool = False
    ) -> Decoded:
        """These pages as one batch, counted in `walk`."""
        shape = summary_shape(self.shape, self._resource.summary) if is_summary else self.shape
        try:
            decoded = decode(sources, shape)
        except ContentError as error:
            raise ContentError(f"{self._resource.name}: {error}") from None
        if walk:
            walk.count(decoded.records)
        if decoded.shape != shape:
            self._grow(with_found(self.shape, decoded.shape) if is_summary else decoded.shape)
            self.summaries.add(found_columns(self.shape))
        return decoded

    def count(self, decoded: Decoded) -> Decoded:
        """Count what is odd; a record in quarantine is passed on once, however often it comes."""
        first = tuple(one for one in decoded.quarantined if one.body not in self._quarantined)
        self._quarantined |= {one.body for one in first}
        decoded = replace(decoded, quarantined=first)
        self._report.add_batch(decoded)
        return decoded

    def _grow(self, shape: Shape) -> None:
        before = {(table.table, p.column) for table in self.shape.family for p in table.places}
        self._report.found += [
            f"{table.table}.{place.column}"
            for table in shape.family
            for place in table.places
            if (table.table, place.column) not in before
        ]
        self.shape = shape
