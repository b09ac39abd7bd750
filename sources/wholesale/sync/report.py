"""Report: what one reading of a resource found, and whether it may be called complete."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Self

from wholesale.api import Resource
from wholesale.http import Traffic
from wholesale.sync.passes import Pass
from wholesale.tables import Misfit, Quarantined

FULL_READ = "full read"
MANIFEST = "manifest"
EARLY_STOP = "early stop"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a reading has come: `done` records `of` so many, None while that is not known."""

    step: str
    done: int
    of: int | None


@dataclass(slots=True)
class Report:
    """The account of one reading of one resource: counts, and everything that speaks against it.

    Times are UTC. `ids_seen` counts different ids in the last pass; `new` and `changed` count
    records against what was stored (None: not known); `audited` ones were read again although
    nothing had changed, and `silent` ones of those had changed all the same (None: not known);
    `missed` ones are those that an early stop before this run should have found; `misfits` counts
    values by (table, field). `observe` is told of each step.
    """

    resource: str
    strategy: str = FULL_READ
    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    ended_at: datetime | None = None
    traffic: Traffic = field(default_factory=Traffic)
    pages: int = 0
    passes: int = 0
    ids_seen: int = 0
    new: int = 0
    changed: int | None = None
    first_total: int | None = None
    last_total: int | None = None
    progress: Progress | None = None
    duplicates: int = 0
    quarantined: int = 0
    careful_pages: int = 0
    audited: int = 0
    silent: int | None = None
    missed: int = 0
    misfits: Counter[tuple[str, str]] = field(default_factory=Counter)
    found: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    pass_doubts: list[str] = field(default_factory=list)
    is_finished: bool = False
    failure: str | None = None
    observe: "Observe | None" = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, resource: Resource, observe: "Observe | None" = None) -> Self:
        """The report of a reading that begins; changes are counted where a version tells them."""
        has_version = resource.version.value is not None
        return cls(resource.name, changed=0 if has_version else None, observe=observe)

    @property
    def listed(self) -> int | None:
        """How many records there are: those seen, or those counted where it stopped early."""
        return self.last_total if self.strategy == EARLY_STOP else self.ids_seen

    @property
    def unreadable(self) -> int:
        return sum(self.misfits.values())

    def add_odd(
        self, quarantined: Sequence[Quarantined], misfits: Iterable[Misfit], careful_pages: int
    ) -> None:
        """Count what of a batch could not be taken as it came."""
        self.quarantined += len(quarantined)
        self.misfits.update((misfit.table, misfit.field) for misfit in misfits)
        self.careful_pages += careful_pages

    def tell(self, step: str, done: int, of: int | None) -> None:
        """Note how far the reading has come, and let the observer know."""
        self.progress = Progress(step, done, of)
        if self.observe:
            self.observe(self)

    def begin_pass(self, number: int, *, is_whole: bool) -> None:
        """Begin a pass; one that reads every record in full counts odd values anew."""
        self.passes = number
        if is_whole:
            self.careful_pages = 0
            self.misfits.clear()

    def end_pass(self, ended: Pass) -> None:
        """The last pass decides; pages, duplicates and the span of totals are those of all."""
        self.passes = max(self.passes, 1)
        self.pages += ended.pages
        self.duplicates += ended.duplicates
        self.ids_seen = ended.listed.count
        if self.first_total is None:
            self.first_total = ended.first_total
        self.last_total = ended.last_total
        self.pass_doubts = ended.doubts()

    def stop_early(self, seen: int, total: int) -> None:
        """Account for a reading of the head of a list alone."""
        self.strategy, self.passes, self.ids_seen = EARLY_STOP, 1, seen
        self.first_total = self.last_total = total

    def finish(self) -> None:
        self.ended_at = datetime.now(UTC)
        self.is_finished = True

    def fail(self, message: str) -> None:
        """Note why the read did not come to its end."""
        self.ended_at = datetime.now(UTC)
        self.failure = message

    def doubts(self) -> list[str]:
        """What speaks against calling the read complete; empty when nothing does."""
        doubts = list(dict.fromkeys([*self.faults, *self.pass_doubts]))
        if not self.is_finished:
            doubts.insert(0, self.failure or "the read did not reach the end")
        if self.quarantined:
            doubts.append(f"{self.quarantined:,} records are in quarantine")
        return doubts


Observe = Callable[[Report], None]
"""Told of each step of a reading."""
