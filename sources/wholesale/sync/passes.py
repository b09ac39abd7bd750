"""Pass: one reading of a whole list, and every sign that the list moved meanwhile."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from wholesale.compare import Deduplicator
from wholesale.pages import Paginator
from wholesale.tables import Decoded


@dataclass(slots=True)
class Pass:
    """The account of one pass over a list, or over the lists of all parents.

    `listed` are the records that it showed. `wanted` counts those of them whose bodies are to be
    fetched, None where the list itself brings them. What speaks against the pass is counted:
    `missed_but_existing` stored records that it did not show although they exist, the surest sign
    of a list that moves; `unlisted` ones that came among the bodies alone; `gone_when_fetched`
    ones that were listed; `absent_once` ones that cannot be asked for and are to be looked for
    once more.
    """

    version: str | None
    number: int = 1
    paginators: list[Paginator] = field(default_factory=list)
    wanted: int | None = None
    duplicates: int = 0
    missed_but_existing: int = 0
    unlisted: int = 0
    gone_when_fetched: int = 0
    absent_once: int = 0
    listed: Deduplicator = field(init=False)

    def __post_init__(self) -> None:
        self.listed = Deduplicator(self.version)

    @property
    def pages(self) -> int:
        return sum(paginator.pages for paginator in self.paginators)

    @property
    def first_total(self) -> int | None:
        return _sum(paginator.first_total for paginator in self.paginators)

    @property
    def last_total(self) -> int | None:
        return _sum(paginator.last_total for paginator in self.paginators)

    @property
    def expected(self) -> int | None:
        """How many records there are to be loaded, as far as it is known."""
        return self.last_total if self.wanted is None else self.wanted

    def begin_list(self) -> Paginator:
        """The paginator of a list that belongs to this pass."""
        self.paginators.append(Paginator())
        return self.paginators[-1]

    def see(self, decoded: Decoded) -> list[Decoded]:
        """Take a batch of the list into account; what this pass had not seen, or only older."""
        split = self.listed.split(decoded)
        self.duplicates += split.duplicates
        return [part for part in (split.new, split.newer) if part]

    def doubts(self) -> list[str]:
        """What speaks against this pass; empty when the list held still as far as can be seen."""
        doubts = [paginator.fault for paginator in self.paginators if paginator.fault]
        for paginator in self.paginators:
            records, total = paginator.records, paginator.last_total
            if total is not None and records != total:
                doubts.append(f"{records:,} records came where {total:,} are counted")
            if paginator.first_total != total:
                doubts.append(f"the total moved from {paginator.first_total} to {total}")
        for count, what in (
            (self.duplicates, "came twice"),
            (self.missed_but_existing, "were not listed although they exist"),
            (self.unlisted, "came in one list and not in the other"),
            (self.gone_when_fetched, "were gone when they were asked for"),
            (self.absent_once, "were absent for the first time"),
        ):
            if count:
                doubts.append(f"{count:,} records {what}")
        return list(dict.fromkeys(doubts))


def _sum(values: Iterable[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None
