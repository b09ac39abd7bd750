"""Child lists: resources with one list per parent; each list is short and read whole (§4.12)."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from wholesale.compare import BEFORE, hash_rows
from wholesale.errors import ServiceError, counted
from wholesale.pages import ChildList, Paginator, RawPage, Service, parse, write
from wholesale.prove import CONTROLS, MOST_CONTROLS, Asked, Proof, no_keys
from wholesale.sync.bodies import Bodies
from wholesale.sync.changes import Changes
from wholesale.sync.parents import Parents
from wholesale.sync.reading import MANY_UNREAD, Reading
from wholesale.tables import Keys, Mask, keys_of


@dataclass(slots=True)
class ChildLists:
    """The lists of all parents.

    An answer holds a whole list, so each list is proved by itself; together they are complete as of
    the moment before the first. After `read`, `gone` are keys that are in no list and that the
    service denies (404), `suspects` those whose absence is not settled, and `faults` what speaks
    against the reading. `pages` counts the pages read; `records` is the sum of the totals, None
    where a list has none.
    """

    service: Service
    reading: Reading
    changes: Changes
    proof: Proof | None = None
    gone: Keys = field(default_factory=no_keys)
    suspects: Keys = field(default_factory=no_keys)
    faults: list[str] = field(default_factory=list)
    pages: int = 0
    records: int | None = 0
    _denied: list[str] = field(default_factory=list)
    _failed: dict[str, ServiceError] = field(default_factory=dict)
    _is_by_agreement: bool = False
    _miscounted: dict[str, "_Miscounted"] = field(default_factory=dict)
    _totals: set[int | None] = field(default_factory=set)
    _shown: int = 0
    _are_in_several: bool = False
    _unproved: int = 0
    _missed: int = 0
    _of_others: int = 0
    _with_records: list[str] = field(default_factory=list)
    _controls: dict[str, int] = field(default_factory=dict)
    _parents: Parents = field(init=False)

    def __post_init__(self) -> None:
        self._parents = Parents(self.service, self.reading)

    def read(self, parents: Sequence[str]) -> None:
        """Raises: ServiceError."""
        at = datetime.now(UTC)
        self._read_lists(parents)
        if self._are_in_several:  # they may have moved meanwhile
            self._read_lists(parents)
        missing = self._missing()
        if len(missing):
            self._ask_for(missing, parents)
        if self._failed:
            self.faults.append(self._tell_failed())
        if self._missed:
            lists = "1 list shows" if self._missed == 1 else f"{self._missed:,} lists show"
            self.faults.append(f"{lists} fewer records than their parents count")
        if self._unproved:
            self.faults.append(f"{self._unproved:,} lists do not hold what they count")
        if self._of_others:
            lists = "1 list shows" if self._of_others == 1 else f"{self._of_others:,} lists show"
            self.faults.append(f"{lists} only records that name other parents")
        if alive := self._denied_alive():
            self.faults.append(
                f"the lists of {len(alive):,} parents are denied though they are there"
            )
            self._spare_children_of(alive)
        if self._are_in_several:
            self.faults.append("records that name no parent are in the lists of several")
        if refused := len(np.setdiff1d(self.reading.ledger.due(), self.gone)):
            self.faults.append(f"{counted(refused, 'record')} came in a poorer form than others")
        if not self.faults:
            self.proof = Proof("agreement" if self._is_by_agreement else "count", at, 1)

    def _read_lists(self, parents: Sequence[str]) -> None:
        self._denied, self._failed, self._unproved, self.records = [], {}, 0, 0
        self._miscounted, self._totals, self._shown, self._missed = {}, set(), 0, 0
        self._with_records = []
        step = self.reading.ledger.next_step()
        lists = self._lists(parents)
        parent = self.reading.resource.parent
        columns = ("id", parent.column) if parent else ("id",)
        records, with_parents, named = 0, [np.empty(0, np.uint64)], [no_keys()]
        for decoded in self.reading.decoder.decode(self._pages(lists)):
            shown = self.changes.show(decoded)
            records += int(np.count_nonzero(self.changes.note(step, shown).is_first))
            with_parents.append(hash_rows(decoded.root, columns))
            named.append(np.unique(keys_of(pc.utf8_lower(decoded.root[columns[-1]]))))
            self.changes.take(step, shown)
        self._are_in_several = len(np.unique(np.concatenate(with_parents))) > records
        self._of_others = self._count_of_others(np.concatenate(named))
        if not self._are_counted_together():
            self._read_miscounted_again()

    def _count_of_others(self, named: Keys) -> int:
        """How many lists show records, and none that names their parent, though it counts some, as
        where one answer is given for another; none where most do. Capital letters do not count."""
        keys = keys_of(pc.utf8_lower(pa.array(self._with_records, pa.string())))
        places = np.flatnonzero(~np.isin(keys, named))
        if 2 * len(places) > len(keys):
            return 0
        counts = self._parents.counts([self._with_records[place] for place in places])
        return sum(bool(count) for count in counts.values())

    def _lists(self, parents: Sequence[str]) -> Iterator[ChildList]:
        """The list of each parent; once more where it is empty, or counts nothing and shows less
        than its parent counts, unless most are so. Parents that count no children are not among
        them, so one such list may be a mistake; where no parent counts, none is known to have any
        before the first load."""
        fetcher = self.reading.fetcher
        empty: list[str] = []
        uncounted: dict[str, int] = {}
        for found in fetcher.lists(parents):
            if found.is_empty:
                empty.append(found.parent)
            elif found.paginator:
                if found.paginator.last_total is None:
                    uncounted[found.parent] = found.paginator.records
                if len(self._controls) < MOST_CONTROLS:
                    self._controls[found.parent] = found.paginator.records
            yield found
        may_be_mistaken = self._parents.may_count or not len(self.reading.stored)
        if not may_be_mistaken or 2 * len(empty) > len(parents):
            return
        doubtful = [*empty, *self._parents.counting_more(uncounted)]
        if 2 * len(doubtful) > len(parents):
            return
        shown: dict[str, int] = {}
        for found in fetcher.lists(doubtful):
            if found.paginator and (found.is_empty or found.parent in uncounted):
                shown[found.parent] = found.paginator.records
            yield found
        self._missed += self._count_contradicted(shown)

    def _count_contradicted(self, shown: Mapping[str, int]) -> int:
        """How many of these parents, whose lists show so many records, count more, if the first
        ones count any at all and most other parents count as many as their lists show."""
        keys = list(shown)
        counts = self._parents.counts(keys[:CONTROLS])
        if not any(counts.values()):
            return 0
        counts |= self._parents.counts(keys[CONTROLS:])
        others = self._parents.counts(list(self._controls))
        right = sum(others[key] == records for key, records in self._controls.items())
        are_right = 2 * right >= len(others)
        return sum((counts[key] or 0) > shown[key] for key in keys) if are_right else 0

    def _are_counted_together(self) -> bool:
        """Whether several lists each count the records of them all, and show as many together."""
        return len(self._miscounted) > 1 and self._totals == {self._shown}

    def _read_miscounted_again(self) -> None:
        """A list that counts fewer records than it shows counts nothing; it is proved by a second
        reading with another page size, if both show the same. So is one that counts more, if its
        parent says between the two that it has as many as the list shows."""
        fetcher, lists = self.reading.fetcher, self._miscounted
        counts = self._parents.counts([key for key, seen in lists.items() if seen.counts_more])
        doubtful = {key for key, count in counts.items() if count != lists[key].records}
        self._unproved += len(doubtful)
        again = lists.keys() - doubtful
        for found in fetcher.lists(sorted(again), max(1, fetcher.page_size * 9 // 10)):
            is_whole = found.paginator is not None and found.paginator.fault is None
            is_proved = is_whole and _hash_records(found) == lists[found.parent].records_hash
            self._is_by_agreement |= is_proved
            self._unproved += not is_proved

    def _pages(self, lists: Iterable[ChildList]) -> Iterator[RawPage]:
        for place, child_list in enumerate(lists):
            if child_list.failure:
                self._fail(child_list.parent, child_list.failure, of=place + 1)
                continue
            if child_list.paginator is None:
                self._denied.append(child_list.parent)
                continue
            if child_list.paginator.fault:
                self._unproved += 1
            elif child_list.paginator.last_total not in (None, child_list.paginator.records):
                self._miscounted[child_list.parent] = _Miscounted.of(child_list)
            self._count(child_list.paginator)
            if child_list.pages:
                self._with_records.append(child_list.parent)
            yield from child_list.pages

    def _fail(self, parent: str, failure: ServiceError, of: int) -> None:
        """Note that one of so many lists cannot be read. Raises: `failure`, if most cannot."""
        self.reading.tolerate(failure)
        self._failed[parent] = failure
        self.records = None
        if len(self._failed) >= MANY_UNREAD and len(self._failed) > of // 2:
            raise failure

    def _tell_failed(self) -> str:
        why = str(next(iter(self._failed.values()))).partition(";")[0]
        return (
            f"{counted(len(self._failed), 'list')} cannot be read: {why}; the next run asks again:"
            " if it fails too, ask whoever runs the service"
        )

    def _count(self, paginator: Paginator) -> None:
        self.pages += paginator.pages
        self._shown += paginator.records
        if paginator.records or paginator.last_total:
            self._totals.add(paginator.last_total)
        if self.records is None or paginator.last_total is None:
            self.records = None
        else:
            self.records += paginator.last_total

    def _missing(self) -> Keys:
        """Stored records that were not seen in this run."""
        stored = self.reading.stored.alive_keys
        is_missing: Mask = self.reading.ledger.last_seen(stored) == BEFORE
        return stored[is_missing]

    def _ask_for(self, missing: Keys, parents: Sequence[str]) -> None:
        """Ask for children that are in no list, each below the parent that it had.

        They are gone if the service denies them and does not deny the controls, or if a full run
        finds no list with records. One that moved to another parent meanwhile is denied too, so the
        lists are read once more.
        """
        self.suspects = missing
        stored = self.reading.stored.alive_keys
        controls = np.setdiff1d(stored, missing, assume_unique=True)[:CONTROLS]
        asked = self._ask(np.union1d(controls, missing))
        alive = np.intersect1d(asked.alive, missing)
        if self._failed:
            self.suspects = np.setdiff1d(missing, alive, assume_unique=True)
            return
        if len(alive):
            self.faults.append(f"{counted(len(alive), 'record')} there and in no list")
        is_asked_behind_empty_lists = self.reading.is_full and not len(controls)
        if len(asked.alive) or is_asked_behind_empty_lists:
            denied = np.intersect1d(asked.denied, missing)
        else:
            denied = np.intersect1d(missing, self.reading.stored.past.absent)
        if self._had_one_of(parents, denied):
            self._read_lists(parents)
        self.gone = np.intersect1d(denied, self._missing())
        self.suspects = np.setdiff1d(self._missing(), self.gone)

    def _ask(self, keys: Keys) -> Asked:
        bodies = Bodies(self.reading, self.changes)
        return bodies.ask(self.reading.ledger.next_step(), keys)

    def _had_one_of(self, parents: Sequence[str], children: Keys) -> bool:
        """Whether one of these children belonged to a parent that is still there."""
        return not set(parents).isdisjoint(self.reading.stored.parents_of(children))

    def _denied_alive(self) -> set[str]:
        """The parents whose list is denied although it may have records: a service that denies
        empty lists looks like one that fails at some of them."""
        return self._parents.still_with_children(self._denied) if self._denied else set()

    def _spare_children_of(self, parents: Collection[str]) -> None:
        """Denied below a parent that is there itself, a child is not proved to be gone."""
        named = self.reading.stored.parents_of(self.gone)
        is_spared = np.array([parent in parents for parent in named], np.bool_)
        self.suspects = np.union1d(self.suspects, self.gone[is_spared])
        self.gone = self.gone[~is_spared]


@dataclass(frozen=True, slots=True)
class _Miscounted:
    """A list that does not hold what it counts, but fewer records, or more."""

    records: int
    records_hash: int
    counts_more: bool

    @classmethod
    def of(cls, child_list: ChildList) -> Self:
        paginator = child_list.paginator
        assert paginator is not None, "one that is denied counts nothing"
        counts_more = (paginator.last_total or 0) > paginator.records
        return cls(paginator.records, _hash_records(child_list), counts_more)


def _hash_records(child_list: ChildList) -> int:
    """A hash of the records of the list as they were sent, in any order."""
    pages = child_list.pages
    return hash(frozenset(write(entry) for page in pages for entry in parse(page.records)))
