"""Child lists: resources with one list per parent; each list is short and read whole (§4.12)."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import numpy as np
import pyarrow as pa

from wholesale.api import plain_guid
from wholesale.compare import BEFORE, hash_rows
from wholesale.errors import counted
from wholesale.json import RawPage
from wholesale.pages import ChildList, Service, Tally
from wholesale.prove import CONTRADICTED, CONTROLS, MOST_CONTROLS, Asked, Proof, no_keys
from wholesale.sync.bodies import Bodies
from wholesale.sync.changes import Changes
from wholesale.sync.parents import Parents
from wholesale.sync.reading import MANY_UNREAD, Reading
from wholesale.tables import Keys, Mask, keys_of, plainly


@dataclass(slots=True)
class ChildLists:
    """The lists of all parents.

    An answer holds a whole list, so each list is proved by itself; together they are complete as of
    the moment before the first. After `read`, `gone` are keys that are in no list and that the
    service denies (404), `suspects` those whose absence is not settled, and `faults` what speaks
    against the reading. `pages` counts the pages read.
    """

    service: Service
    reading: Reading
    changes: Changes
    proof: Proof | None = None
    gone: Keys = field(default_factory=no_keys)
    suspects: Keys = field(default_factory=no_keys)
    faults: list[str] = field(default_factory=list)
    pages: int = 0
    _tally: Tally = field(default_factory=Tally)
    _is_by_agreement: bool = False
    _are_in_several: bool = False
    _missed: int = 0
    _of_others: int = 0
    _parents: Parents = field(init=False)

    def __post_init__(self) -> None:
        self._parents = Parents(self.service, self.reading)

    @property
    def records(self) -> int | None:
        """The sum of the totals; None where a list has none."""
        return self._tally.records

    def read(self, parents: Sequence[str]) -> None:
        """Raises: ServiceError."""
        at = datetime.now(UTC)
        listed = ((plain_guid(parent) or parent, parent) for parent in parents)
        self.reading.parents.update(listed)
        self._read_lists(parents)
        if self._are_in_several:  # they may have moved meanwhile
            self._read_lists(parents)
        missing = self._missing()
        if len(missing):
            self._ask_for(missing, parents)
        if self._tally.failed:
            self.faults.append(self._tell_failed())
        if alive := self._denied_alive():
            self._spare_children_of(alive)
        for number, fault in (
            (self._missed, "with fewer records than the parent counts"),
            (self._tally.unproved, "with more or fewer records than counted"),
            (self._of_others, "with records of other parents only"),
            (len(alive), "denied though the parent is there"),
        ):
            if number:
                self.faults.append(f"{counted(number, 'list')} {fault}")
        if self._are_in_several:
            self.faults.append("records that name no parent are in the lists of several")
        if refused := len(np.setdiff1d(self.reading.ledger.due(), self.gone)):
            self.faults.append(f"{counted(refused, 'record')} came in a poorer form than others")
        if not self.faults:
            self.proof = Proof("agreement" if self._is_by_agreement else "count", at, 1)
        elif len(self.gone) and len(self._ask(self.gone).alive):
            self.faults.append(CONTRADICTED)
            self.suspects, self.gone = self._missing(), no_keys()

    def _read_lists(self, parents: Sequence[str]) -> None:
        self._tally, self._missed = Tally(), 0
        step = self.reading.ledger.next_step()
        lists = self._lists(parents)
        parent = self.reading.resource.parent
        columns = ("id", parent.column) if parent else ("id",)
        records, with_parents, named = 0, [np.empty(0, np.uint64)], [no_keys()]
        for decoded in self.reading.decoder.decode(self._pages(lists)):
            shown = self.changes.show(decoded)
            records += int(np.count_nonzero(self.changes.note(step, shown).is_first))
            with_parents.append(hash_rows(decoded.root, columns))
            named.append(np.unique(keys_of(plainly(decoded.root[columns[-1]]))))
            self.changes.take(step, shown)
        self._are_in_several = len(np.unique(np.concatenate(with_parents))) > records
        self._of_others = self._count_of_others(np.concatenate(named))
        self.pages += self._tally.pages
        if not self._tally.counts_all_together:
            self._read_miscounted_again()

    def _count_of_others(self, named: Keys) -> int:
        """How many lists show records, and none that names their parent, though it counts some, as
        where one answer is given for another; none where most do. The spelling of a GUID does not
        count."""
        parents = self._tally.with_records
        keys = _plain_keys(parents)
        places = np.flatnonzero(~np.isin(keys, named))
        if 2 * len(places) > len(keys):
            return 0
        counts = self._parents.counts([parents[place] for place in places])
        return sum(bool(count) for count in counts.values())

    def _lists(self, parents: Sequence[str]) -> Iterator[ChildList]:
        """The list of each parent; once more where it is denied, and where it is empty, or counts
        nothing and shows less than its parent counts, unless most are so. Parents that count no
        children are not among them, so one such list may be a mistake; where no parent counts, none
        is known to have any before the first load."""
        fetcher = self.reading.fetcher
        empty: list[str] = []
        uncounted: dict[str, int] = {}
        controls: dict[str, int] = {}
        for found in self._asked(parents):
            if found.is_empty:
                empty.append(found.parent)
            elif found.paginator:
                if found.paginator.last_total is None:
                    uncounted[found.parent] = found.paginator.records
                if len(controls) < MOST_CONTROLS:
                    controls[found.parent] = found.paginator.records
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
        self._missed = self._count_contradicted(shown, controls)

    def _asked(self, parents: Sequence[str]) -> Iterator[ChildList]:
        """The list of each parent, as it is answered; denied ones twice, unless most are."""
        fetcher = self.reading.fetcher
        denied: list[str] = []
        for found in fetcher.lists(parents):
            if found.is_denied:
                denied.append(found.parent)
            yield found
        if 2 * len(denied) <= len(parents):
            yield from fetcher.lists(denied)

    def _count_contradicted(self, shown: Mapping[str, int], controls: Mapping[str, int]) -> int:
        """How many of these parents, whose lists show so many records, count more, if the first
        ones count any at all and most of the controls count as many as their lists show."""
        keys = list(shown)
        counts = self._parents.counts(keys[:CONTROLS])
        if not any(counts.values()):
            return 0
        counts |= self._parents.counts(keys[CONTROLS:])
        others = self._parents.counts(list(controls))
        right = sum(others[key] == records for key, records in controls.items())
        are_right = 2 * right >= len(others)
        return sum((counts[key] or 0) > shown[key] for key in keys) if are_right else 0

    def _read_miscounted_again(self) -> None:
        """A list that counts fewer records than it shows counts nothing; it is proved by a second
        reading with another page size, if both show the same. So is one that counts more, if its
        parent says between the two that it has as many as the list shows."""
        fetcher, lists = self.reading.fetcher, self._tally.miscounted
        counts = self._parents.counts([key for key, seen in lists.items() if seen.counts_more])
        doubtful = {key for key, count in counts.items() if count != lists[key].records}
        self._tally.unproved += len(doubtful)
        again = lists.keys() - doubtful
        for found in fetcher.lists(sorted(again), max(1, fetcher.page_size * 9 // 10)):
            is_whole = found.paginator is not None and found.paginator.fault is None
            is_proved = is_whole and found.records_hash == lists[found.parent].records_hash
            self._is_by_agreement |= is_proved
            self._tally.unproved += not is_proved

    def _pages(self, lists: Iterable[ChildList]) -> Iterator[RawPage]:
        """The pages of all lists. Raises: ServiceError, if most cannot be read."""
        for found in lists:
            self._tally.see(found)
            if found.failure:
                self.reading.tolerate(found.failure)
                failed = len(self._tally.failed)
                if failed >= MANY_UNREAD and failed > self._tally.lists // 2:
                    raise found.failure
            yield from found.pages

    def _tell_failed(self) -> str:
        failed = self._tally.failed
        why = str(next(iter(failed.values()))).partition(";")[0]
        return (
            f"{counted(len(failed), 'list')} cannot be read: {why}; the next run asks again:"
            " if it fails too, ask whoever runs the service"
        )

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
        if self._tally.failed:
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
        return bool(np.isin(_plain_keys(parents), self._parents_of(children)).any())

    def _parents_of(self, children: Keys) -> Keys:
        """The parent of each of these children, as it is stored."""
        return _plain_keys(parent or "" for parent in self.reading.stored.parents_of(children))

    def _denied_alive(self) -> set[str]:
        """The parents whose list is denied although it may have records: a service that denies
        empty lists looks like one that fails at some of them."""
        denied = sorted(self._tally.denied)
        return self._parents.still_with_children(denied) if denied else set()

    def _spare_children_of(self, parents: Collection[str]) -> None:
        """Denied below a parent that is there itself, a child is not proved to be gone."""
        is_spared = np.isin(self._parents_of(self.gone), _plain_keys(parents))
        self.suspects = np.union1d(self.suspects, self.gone[is_spared])
        self.gone = self.gone[~is_spared]


def _plain_keys(ids: Iterable[str]) -> Keys:
    """The keys of these ids, in which the spelling of a GUID does not count."""
    return keys_of(plainly(pa.array(list(ids), pa.string())))
