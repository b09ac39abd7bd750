"""Batches: many pages decoded at a time, in a shape that grows with what the data shows."""

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass

from wholesale.api import Resource
from wholesale.compare import Summaries, found_columns, summary_shape, with_found
from wholesale.errors import ContentError, ServiceError
from wholesale.expect import Expectation
from wholesale.json import RawPage
from wholesale.privacy import STORE_ALL, Masking
from wholesale.sync.tally import Tally
from wholesale.tables import Decoded, Lines, TableShape, decode, shown_columns, size_of

BATCH_BYTES = 6 * 2**20
"""JSON decoded at once: large enough for columns to pay, small enough for flat memory."""
DECODERS = 1
"""Batches decoded in the background, while an earlier one is compared and written: more would only
wait for a processor and take memory."""


@dataclass(frozen=True, slots=True)
class _Pages:
    """Pages that are being decoded, and the shape they are decoded in."""

    pages: Lines
    shape: TableShape
    decoded: Future[Decoded]


class BatchDecoder:
    """Decodes the pages of one resource in one run, in a `shape` that grows with what they show.

    The tables it returns hold only what may be stored, so nothing after it sees more than that.

    New columns are noted in `tally`, and full records shown to `expectation`. The caller puts
    into `summaries` what full records may lack, and fills it in.
    Of the columns that summaries have shown, `summary_columns` are those that the description knows
    (§2.4), and `found_in_summaries` the others. `texts` has the text of each id that is no GUID, by
    its key.
    """

    def __init__(
        self,
        resource: Resource,
        shape: TableShape,
        tally: Tally,
        expectation: Expectation,
        masking: Masking = STORE_ALL,
        texts: Mapping[bytes, str] | None = None,
        list_only: Collection[str] | None = None,
    ) -> None:
        self.shape = shape
        self.texts = dict(texts or {})
        version = resource.version.value
        lacking = resource.summary_only if list_only is None else sorted(list_only)
        lacking = (*lacking, *found_columns(shape))
        self.summaries = Summaries(lacking, version, masking.mask_erased)
        self.found_in_summaries: tuple[str, ...] = ()
        self.summary_columns: tuple[str, ...] = ()
        self._resource = resource
        self._tally, self._expectation = tally, expectation
        self.masking = masking

    def decode(self, pages: Iterable[RawPage], *, is_summary: bool = False) -> Iterator[Decoded]:
        """The tables of each batch of pages, in order; the next batch is decoded meanwhile."""
        begun: deque[_Pages] = deque()
        with ThreadPoolExecutor(DECODERS, thread_name_prefix="decode") as decoders:
            for batch in self._begin(decoders, pages, is_summary=is_summary):
                begun.append(batch)
                if len(begun) > DECODERS:
                    yield self._finish(begun.popleft(), is_summary=is_summary)
            for batch in begun:
                yield self._finish(batch, is_summary=is_summary)

    def decode_page(self, page: RawPage, *, is_summary: bool = False) -> Decoded:
        """The tables of this page alone."""
        decoded = self._decode([page], self._shape(is_summary=is_summary))
        return self._learn(decoded, is_summary=is_summary)

    def _begin(
        self, decoders: Executor, pages: Iterable[RawPage], *, is_summary: bool
    ) -> Iterator[_Pages]:
        """Batches that are being decoded; an error of the service comes after them as one more."""
        try:
            for batch in _batches(pages):
                shape = self._shape(is_summary=is_summary)
                yield _Pages(batch, shape, decoders.submit(self._decode, batch, shape))
        except ServiceError as failure:
            failed: Future[Decoded] = Future()
            failed.set_exception(failure)
            yield _Pages(Lines.of(()), self.shape, failed)

    def _decode(self, pages: Lines | Sequence[RawPage], shape: TableShape) -> Decoded:
        try:
            return self.masking.mask(decode(pages, shape))
        except ContentError as error:
            raise ContentError(f"{self._resource.name}: {error}") from None

    def _finish(self, batch: _Pages, *, is_summary: bool) -> Decoded:
        decoded = batch.decoded.result()
        if batch.shape != self._shape(is_summary=is_summary):  # grown by what came before
            decoded = self._decode(batch.pages, self._shape(is_summary=is_summary))
        return self._learn(decoded, is_summary=is_summary)

    def _learn(self, decoded: Decoded, *, is_summary: bool) -> Decoded:
        """The same tables; their new columns are known from now on."""
        self.texts.update(decoded.ids.others)
        found: list[str] = []
        if decoded.shape != self._shape(is_summary=is_summary):
            before = set(_columns(self.shape))
            self.shape = with_found(self.shape, decoded.shape) if is_summary else decoded.shape
            found = [name for name in _columns(self.shape) if name not in before]
            self.summaries.add(found_columns(self.shape))
        self._tally.see_columns(found, decoded.local_times)
        if not is_summary:
            self._expectation.see(decoded)
        else:
            known = self.summary_columns + self.found_in_summaries
            shown = sorted(shown_columns(decoded.root).difference(known))
            documented = set(self._resource.summary)
            self.summary_columns += tuple(name for name in shown if name in documented)
            others = set(found_columns(self.shape))
            self.found_in_summaries += tuple(name for name in shown if name in others)
        return decoded

    def _shape(self, *, is_summary: bool) -> TableShape:
        return summary_shape(self.shape, self._resource.summary) if is_summary else self.shape


def _columns(shape: TableShape) -> Iterator[str]:
    """The columns of all tables of this shape (`orders.total`)."""
    for table in shape.tables:
        yield from (f"{table.table}.{mapping.column}" for mapping in table.mappings)


def _batches(pages: Iterable[RawPage]) -> Iterator[Lines]:
    """Raises: ServiceError, after the pages that came before."""
    batch, failure = Lines.with_room_for(BATCH_BYTES), None
    try:
        for page in pages:
            if not batch.add(page):
                if batch:
                    yield batch
                batch = Lines.with_room_for(max(BATCH_BYTES, size_of(page)))
                batch.add(page)
    except ServiceError as error:
        failure = error
    if batch:
        yield batch
    if failure:
        raise failure
