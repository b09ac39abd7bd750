"""One pass over a list: what it saw, and every sign that the list moved meanwhile."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from wholesale.compare import Missing, Seen, Stored
from wholesale.pages import Paginator
from wholesale.tables import Decoded

MAX_SWEEPS = 4
"""A list that still moves in the last of them is loaded, but not certified."""
LEAST_SUSPECTS_THAT_BRAKE = 50
SHARE_OF_SUSPECTS_THAT_BRAKES = 0.01


@dataclass(slots=True)
class Sweep:
    """The account of one pass. `alive` counts stored records that the list did not show although
    they exist: the surest sign of a list that moves."""

    version: str | None
    paginators: list[Paginator] = field(default_factory=list)
    duplicates: int = 0
    alive: int = 0
    strays: int = 0
    vanished: int = 0
    absent_once: int = 0
    seen: Seen = field(init=False)

    def __post_init__(self) -> None:
        self.seen = Seen(self.version)

    @property
    def pages(self) -> int:
        return sum(paginator.pages for paginator in self.paginators)

    @property
    def first_total(self) -> int | None:
        return _sum(paginator.first_total for paginator in self.paginators)

    @property
    def last_total(self) -> int | None:
        return _sum(paginator.last_total for paginator in self.paginators)

    def see(self, decoded: Decoded) -> list[Decoded]:
        """Take a batch of the list into account; what this pass had not seen, or only older."""
        admission = self.seen.admit(decoded)
        self.duplicates += admission.duplicates
        return [part for part in (admission.fresh, admission.late) if part]

    def missing(self, stored: Stored, gone: Collection[str]) -> Missing:
        """Stored records, not deleted yet, that this pass did not see."""
        return stored.missing(self.seen.holds(stored.keys), gone)

    def brake(self, missing: int, stored: Stored) -> str | None:
        """Why so many missing records are a sign of a broken list and not of deletions."""
        alive = stored.alive
        if not len(self.seen) and len(self.paginators) == 1:
            return f"the list is empty although {alive:,} records are stored"
        most = max(LEAST_SUSPECTS_THAT_BRAKE, int(alive * SHARE_OF_SUSPECTS_THAT_BRAKES))
        if missing > most:
            return f"{missing:,} stored records are not listed, more than deletions explain"
        return None

    def doubts(self) -> list[str]:
        """What speaks against this pass; empty when the list held still as far as can be seen."""
        doubts = [paginator.fault for paginator in self.paginators if paginator.fault]
        for paginator in self.paginators:
            if paginator.last_total is not None and paginator.records != paginator.last_total:
                doubts.append(
                    f"{paginator.records:,} records came where {paginator.last_total:,} are counted"
                )
            if paginator.first_total != paginator.last_total:
                doubts.append(
                    f"the total moved from {paginator.first_total} to {paginator.last_total}"
                )
        for count, what in (
            (self.duplicates, "came twice"),
            (self.alive, "were not listed although they exist"),
            (self.strays, "came in one list and not in the other"),
            (self.vanished, "were gone when they were asked for"),
            (self.absent_once, "were absent for the first time"),
        ):
            if count:
                doubts.append(f"{count:,} records {what}")
        return list(dict.fromkeys(doubts))


def _sum(values: Iterable[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None
