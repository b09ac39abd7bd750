"""Report: what one reading of a resource found, and whether it may be called complete."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Self

import numpy as np

from wholesale.api import Resource
from wholesale.compare import Compared, Readable
from wholesale.errors import counted, listed
from wholesale.http import Traffic
from wholesale.pages import Paginator
from wholesale.prove import Proof
from wholesale.tables import Decoded, Misfit, Quarantined

UNPROVED = "nothing proves that the list was read completely"
REFUSED = "came in no form that agrees with the list"
FULL_READ = "full read"
MANIFEST = "manifest"
EARLY_STOP = "early stop"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a reading has come: `done` of `of` records; `of` is None while it is not known."""

    step: str
    done: int
    of: int | None


@dataclass(slots=True)
class Report:
    """What one reading of one resource found: counts, and everything that speaks against it.

    Times are UTC; a count is None where it is not known.

    - `proof`: as of when the resource is complete; None where that is not proved.
    - `mismatch`: why it is not, in numbers; empty where `faults` say it.
    - `suspects`: ids of stored records whose absence is not settled.
    - `unread`: ids of records that are needed and cannot be read by themselves, and why.
    - `refused`: ids of records that came only incomplete or contradicting the list;
      `refused_without` has the keys of those that lack a list or columns, by its name; `unlike` are
      full records that contradict their row in the list.
    - `is_to_look_again`: the next run is to compare the list with full records anew.
    - `ids_seen`: distinct ids. `new`, `changed`: records, against what was stored.
    - `audited`: records read again although nothing said that they changed; `silent` of them had.
    - `missed`: changes that an early stop of an earlier run should have found.
    - `misfits`: values that did not fit their column, by (table, field).
    - `local_times`: columns of which a time came without an offset.
    - `readable`: which fields of full records could be read.
    - `nested`: ids of records inside others, by column.
    - `unread_contents`: what was not read of the records, though their list is proved.
    - `wanted`, `taken`: full records that are needed, and that came. `added` of them were not alive
      in the destination; `loaded` were passed on, as they may differ from what is stored.
    - `deleted`: records that the run found to be deleted, of those that the destination held.
    - `alive`: records that the destination must hold as alive after the run.

    `observe` is called at each step; `with_remedies` as in Service.
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
    local_times: set[str] = field(default_factory=set)
    readable: Readable = field(default_factory=Readable)
    nested: dict[str, set[str]] = field(default_factory=dict)
    unread_contents: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    proof: Proof | None = None
    mismatch: str = ""
    suspects: Sequence[str] = ()
    unread: Mapping[str, str] = field(default_factory=dict)
    refused: Sequence[str] = ()
    refused_without: dict[str, set[bytes]] = field(default_factory=dict)
    unlike: list[Decoded] = field(default_factory=list)
    is_to_look_again: bool = False
    wanted: int | None = None
    taken: int = 0
    loaded: int = 0
    added: int = 0
    deleted: int = 0
    alive: int = 0
    is_finished: bool = False
    failure: str | None = None
    observe: "Observe | None" = field(default=None, repr=False, compare=False)
    with_remedies: Callable[[str], str] = field(default=str, repr=False, compare=False)

    @classmethod
    def of(
        cls,
        resource: Resource,
        observe: "Observe | None" = None,
        with_remedies: Callable[[str], str] = str,
    ) -> Self:
        """The report of a reading that begins; `changed` starts at 0 where there are versions."""
        changed = None if resource.version.value is None else 0
        return cls(resource.name, changed=changed, observe=observe, with_remedies=with_remedies)

    @property
    def unreadable(self) -> int:
        return sum(self.misfits.values())

    @property
    def has_read_all(self) -> bool:
        """Whether the reading came to its end, and no record is refused, unread or suspect."""
        return self.is_finished and not (self.refused or self.unread or self.suspects)

    def add_odd(
        self, quarantined: Sequence[Quarantined], misfits: Iterable[Misfit], careful_pages: int
    ) -> None:
        """Count the records and values of a batch that do not fit the tables."""
        self.quarantined += len(quarantined)
        self.misfits.update((misfit.table, misfit.field) for misfit in misfits)
        self.careful_pages += careful_pages

    def tell(self, step: str, done: int, of: int | None) -> None:
        """Note how far the reading has come, and call the observer."""
        self.progress = Progress(step, done, of)
        if self.observe:
            self.observe(self)

    def add_records(self, compared: Compared, *, has_versions: bool) -> None:
        """Count records that came in full."""
        self.taken += len(compared.is_known)
        self.new += int(np.count_nonzero(~compared.is_known))
        if has_versions:
            changed = int(np.count_nonzero(compared.is_known & compared.differs))
            self.changed = (self.changed or 0) + changed

    def see_list(self, paginator: Paginator, duplicates: int) -> None:
        """Account for a list that was read to its end."""
        self.duplicates += duplicates
        self.sweeps += 1
        self.pages += paginator.pages
        self.last_total = paginator.last_total
        if self.first_total is None:
            self.first_total = paginator.first_total

    def see_lists(self, pages: int, total: int | None) -> None:
        """Account for the lists of all parents."""
        self.sweeps, self.pages = 1, self.pages + pages
        self.first_total = self.last_total = total

    def stop_early(self, proof: Proof, total: int) -> None:
        """Account for a reading of the head of a list alone."""
        self.strategy, self.sweeps, self.proof = EARLY_STOP, 1, proof
        self.first_total = self.last_total = total

    def prove_no_later_than(self, moment: datetime) -> None:
        """Date the proof back to this moment."""
        if self.proof:
            at = min(self.proof.complete_as_of, moment)
            self.proof = replace(self.proof, complete_as_of=at)

    def doubt(self, fault: str) -> None:
        """Withdraw the proof, for this reason."""
        self.proof = None
        self.faults.insert(0, fault)

    def follow(self, earlier: "Report") -> None:
        """Account for an earlier reading too, after which all was read again."""
        self.started_at = earlier.started_at
        self.traffic.add_all(earlier.traffic)
        self.pages += earlier.pages
        self.sweeps += earlier.sweeps
        self.new += earlier.new
        self.changed = (self.changed or 0) + (earlier.changed or 0)
        self.audited += earlier.audited
        self.silent = (self.silent or 0) + (earlier.silent or 0)
        self.missed += earlier.missed
        self.loaded += earlier.loaded
        self.found = earlier.found + self.found
        self.local_times |= earlier.local_times

    def finish(self) -> None:
        self.ended_at = datetime.now(UTC)
        self.is_finished = True

    def stop(self, fault: str) -> None:
        """Note that the reading cannot go on before the service is looked at anew."""
        self.ended_at = datetime.now(UTC)
        self.faults.append(fault)

    def fail(self, message: str) -> None:
        """Note why the reading did not come to its end."""
        self.ended_at = datetime.now(UTC)
        self.failure = message

    def doubts(self) -> list[str]:
        """The reasons not to call the reading complete, one sentence for each kind; empty if it is
        complete."""
        doubts: list[str] = []
        if not self.is_finished:
            doubts.append(self.failure or "the read did not reach the end")
        elif self.proof is None and (self.mismatch or not self.faults):
            doubts.append(self.mismatch or UNPROVED)
        if self.unread:
            doubts.append(self._tell_unread())
        for count, noun, where in (
            (len(self.suspects), "stored record", "not listed, and not settled yet"),
            (len(self.refused), "record", REFUSED),
            (self.quarantined, "record", "in quarantine"),
        ):
            if count:
                doubts.append(f"{counted(count, noun)} {where}")
        doubts += self.unread_contents
        doubts += self.faults if doubts or self.proof is None else ()
        return list(dict.fromkeys(map(self.with_remedies, doubts)))

    def _tell_unread(self) -> str:
        first, *others = self.unread
        also = f", nor {listed(others)}" if others else ""
        return tell_unread(len(self.unread), "record", self.unread[first], also)


def tell_unread(number: int, noun: str, why: str, also: str = "") -> str:
    """That so many records, or lists, cannot be read: why the first cannot, and what to do."""
    return (
        f"{counted(number, noun)} cannot be read: {why.partition(';')[0]}{also};"
        " the next run asks again: if it fails too, ask whoever runs the service"
    )


Observe = Callable[[Report], None]
"""Called at each step of a reading."""
