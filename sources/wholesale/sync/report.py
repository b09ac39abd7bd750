"""What one read of a resource found, and whether it may be called complete."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from wholesale.http import Traffic
from wholesale.sync.sweep import Sweep
from wholesale.tables import Decoded

FULL_READ = "full read"
MANIFEST = "manifest"
EARLY_STOP = "early stop"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a read has come: `done` records `of` so many, None while that is not known."""

    step: str
    done: int
    of: int | None


@dataclass(slots=True)
class Report:
    """The account of one read of one resource: counts, and everything that speaks against it.

    Times are UTC. `ids_seen` counts different ids in the last pass; `new` and `changed` count
    records against what was stored (None: not known); `audited` ones were read again although
    nothing had changed, and `silent` ones of those had changed all the same (None: not known);
    `missed` ones are those that an early stop before this run should have found; `misfits` counts
    values by (table, field).
    """

    resource: str
    strategy: str = FULL_READ
    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    ended_at: datetime | None = None
    traffic: Traffic = field(default_factory=Traffic)
    pages: int = 0
    sweeps: int = 0
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
    sweep_doubts: list[str] = field(default_factory=list)
    is_finished: bool = False
    failure: str | None = None

    @property
    def listed(self) -> int | None:
        """How many records there are: those seen, or those counted where it stopped early."""
        return self.last_total if self.strategy == EARLY_STOP else self.ids_seen

    @property
    def unreadable(self) -> int:
        return sum(self.misfits.values())

    def add_batch(self, decoded: Decoded) -> None:
        self.quarantined += len(decoded.quarantined)
        self.careful_pages += decoded.careful_pages
        self.misfits.update((misfit.table, misfit.field) for misfit in decoded.misfits)

    def begin_sweep(self, number: int, *, is_whole: bool) -> None:
        """Begin a pass; one that reads every record in full counts odd values anew."""
        self.sweeps = number
        if is_whole:
            self.careful_pages = 0
            self.misfits.clear()

    def end_sweep(self, sweep: Sweep) -> None:
        """The last pass decides; pages, duplicates and the span of totals are those of all."""
        self.sweeps = max(self.sweeps, 1)
        self.pages += sweep.pages
        self.duplicates += sweep.duplicates
        self.ids_seen = len(sweep.seen)
        if self.first_total is None:
            self.first_total = sweep.first_total
        self.last_total = sweep.last_total
        self.sweep_doubts = sweep.doubts()

    def stop_early(self, seen: int, total: int) -> None:
        """Account for a read of the head of a list alone."""
        self.strategy, self.sweeps, self.ids_seen = EARLY_STOP, 1, seen
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
        doubts = list(dict.fromkeys([*self.faults, *self.sweep_doubts]))
        if not self.is_finished:
            doubts.insert(0, self.failure or "the read did not reach the end")
        if self.quarantined:
            doubts.append(f"{self.quarantined:,} records are in quarantine")
        return doubts


Observe = Callable[[Report], None]
"""Told of each step of a read."""
