"""Tally: what one reading of one resource did, in numbers."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import numpy as np

from wholesale.api import Resource
from wholesale.compare import Compared
from wholesale.http import Traffic
from wholesale.names import EARLY_STOP, FULL_READ
from wholesale.pages import Paginator
from wholesale.tables import Misfit


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a reading has come: `done` of `of` records; `of` is None while it is not known."""

    step: str
    done: int
    of: int | None


@dataclass(slots=True)
class Tally:
    """What one reading of one resource did; a count is None where it is not known.

    Only the methods write it, so that each number has one meaning.

    - `started_at`: UTC.
    - `ids_seen`: distinct ids. `new`, `changed`: records, against what was stored.
    - `audited`: records read again although nothing said that they changed; `silent` of them had.
    - `missed`: changes that an early stop of an earlier run should have found.
    - `misfits`: values that did not fit their column, by (table, field).
    - `found`: new columns. `local_times`: columns of which a time came without an offset.
    - `wanted`, `taken`: full records that are needed, and that came. `added` of them were not alive
      in the destination; `loaded` were passed on, as they may differ from what is stored.
    - `deleted`: records that the run found to be deleted, of those that the destination held.
    - `alive`: records that the destination must hold as alive after the run.

    `observe` is called at each step.
    """

    resource: str
    strategy: str = FULL_READ
    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    traffic: Traffic = field(default_factory=Traffic)
    pages: int = 0
    full_scans: int = 0
    ids_seen: int = 0
    new: int = 0
    changed: int | None = None
    first_total: int | None = None
    last_total: int | None = None
    progress: Progress | None = None
    duplicates: int = 0
    careful_pages: int = 0
    audited: int = 0
    silent: int | None = None
    missed: int = 0
    misfits: Counter[tuple[str, str]] = field(default_factory=Counter)
    found: list[str] = field(default_factory=list)
    local_times: set[str] = field(default_factory=set)
    wanted: int | None = None
    taken: int = 0
    loaded: int = 0
    added: int = 0
    deleted: int = 0
    alive: int = 0
    observe: "Observe | None" = field(default=None, repr=False, compare=False)

    @classmethod
    def of(
        cls, resource: Resource, traffic: Traffic | None = None, observe: "Observe | None" = None
    ) -> "Tally":
        """Of a reading that begins; `changed` starts at 0 where there are versions."""
        changed = None if resource.version.value is None else 0
        return cls(resource.name, traffic=traffic or Traffic(), changed=changed, observe=observe)

    @property
    def unreadable(self) -> int:
        return sum(self.misfits.values())

    def begin(self, strategy: str) -> None:
        """Note how the resource is read."""
        self.strategy = strategy

    def tell(self, step: str, done: int, of: int | None) -> None:
        """Note how far the reading has come, and call the observer."""
        self.progress = Progress(step, done, of)
        if self.observe:
            self.observe(self)

    def want(self, records: int | None) -> None:
        """Note how many full records are needed."""
        self.wanted = records

    def see_columns(self, found: Sequence[str], local_times: Collection[str]) -> None:
        """Note what decoded records show of their columns."""
        self.found += found
        self.local_times |= set(local_times)

    def see_odd(self, misfits: Iterable[Misfit], careful_pages: int) -> None:
        """Count the values of a batch that do not fit the tables."""
        self.misfits.update((misfit.table, misfit.field) for misfit in misfits)
        self.careful_pages += careful_pages

    def see_list(self, paginator: Paginator, duplicates: int) -> None:
        """Account for a list that was read to its end."""
        self.duplicates += duplicates
        self.full_scans += 1
        self.pages += paginator.pages
        self.last_total = paginator.last_total
        if self.first_total is None:
            self.first_total = paginator.first_total

    def see_lists(self, pages: int, total: int | None) -> None:
        """Account for the lists of all parents."""
        self.full_scans, self.pages = 1, self.pages + pages
        self.first_total = self.last_total = total

    def see_head(self, total: int) -> None:
        """Account for a reading of the head of a list alone."""
        self.strategy, self.full_scans = EARLY_STOP, 1
        self.first_total = self.last_total = total

    def see_missed(self, changes: int) -> None:
        """Count changes that an earlier run should have found."""
        self.missed += changes

    def add_pages(self, pages: int) -> None:
        """Count pages that were read beside a full scan."""
        self.pages += pages

    def add_records(self, compared: Compared, *, has_versions: bool) -> None:
        """Count records that came in full."""
        self.taken += len(compared.is_known)
        self.new += int(np.count_nonzero(~compared.is_known))
        self.added += int(np.count_nonzero(~compared.was_alive))
        if has_versions:
            changed = int(np.count_nonzero(compared.is_known & compared.differs))
            self.changed = (self.changed or 0) + changed

    def add_loaded(self, records: int) -> None:
        """Count records that were passed on."""
        self.loaded += records

    def count_differing(self, changed: int, silent: int) -> None:
        """Count the known records that differed when the destination compared them whole; `silent`
        of them were audited."""
        self.changed, self.silent = changed, silent

    def end(self, *, ids_seen: int, audited: int, deleted: int, stored: int) -> None:
        """Count what the whole reading saw; `stored` records were alive before."""
        self.ids_seen, self.audited, self.deleted = ids_seen, audited, deleted
        self.alive = stored + self.added - deleted

    def follow(self, earlier: "Tally") -> None:
        """Account for an earlier reading too, after which all was read again."""
        self.started_at = earlier.started_at
        self.traffic.add_all(earlier.traffic)
        self.pages += earlier.pages
        self.full_scans += earlier.full_scans
        self.new += earlier.new
        self.changed = (self.changed or 0) + (earlier.changed or 0)
        self.audited += earlier.audited
        self.silent = (self.silent or 0) + (earlier.silent or 0)
        self.missed += earlier.missed
        self.loaded += earlier.loaded
        self.found = earlier.found + self.found
        self.local_times |= earlier.local_times


Observe = Callable[[Tally], None]
"""Called at each step of a reading."""
