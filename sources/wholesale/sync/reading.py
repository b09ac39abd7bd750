"""Reading: what all who take part in one reading of one resource share."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat

from wholesale.api import Resource
from wholesale.compare import Ledger, Stored
from wholesale.pages import Fetcher, RawPage
from wholesale.sync.batches import BatchDecoder
from wholesale.sync.report import Report
from wholesale.tables import Decoded, Ids, Keys


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of one resource in one run; with `is_full` every record is read and passed on,
    changed or not."""

    resource: Resource
    fetcher: Fetcher
    decoder: BatchDecoder
    stored: Stored
    ledger: Ledger
    report: Report
    is_full: bool = False

    @property
    def version(self) -> str | None:
        """The column that tells the newer of two states."""
        return self.resource.version.value

    @property
    def has_summaries(self) -> bool:
        """Whether the list shows records in short (§2.4)."""
        return bool(self.resource.summary)

    @property
    def query(self) -> tuple[tuple[str, str], ...]:
        """What the list is asked for: summaries where it has them."""
        return self.resource.summary_query if self.has_summaries else self.resource.query

    def ids(self, keys: Keys) -> Ids:
        """The ids of these records, with their text."""
        return Ids(keys, self.decoder.texts)

    def first_page(self, *, is_summary: bool = False) -> Decoded:
        """The first page of the list, by summaries or in full; the ledger is not told of it."""
        query = self.query if is_summary else self.resource.query
        raw = RawPage(self.fetcher.page(0, query).records)
        return self.decoder.decode_page(raw, is_summary=is_summary)

    def singles(self, keys: Keys, denied: list[Keys] | None = None) -> Iterator[Decoded]:
        """Each of these records by itself, in batches; keys that the service denies (404) are added
        to `denied`."""
        return self.decoder.decode(self._pages_of(keys, [] if denied is None else denied))

    def _pages_of(self, keys: Keys, denied: list[Keys]) -> Iterator[RawPage]:
        parents = self.stored.parents_of(keys) if self.resource.parent else repeat(None)
        asked = zip(self.ids(keys).texts(), parents, strict=False)
        for place, (_, page) in enumerate(self.fetcher.records(asked)):
            if page:
                yield page
            else:
                denied.append(keys[place : place + 1])
