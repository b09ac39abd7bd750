"""Children: records with one list per parent; each list is short, and is read whole (§4.12)."""

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
from wholesale.sync.report import tell_unread
from wholesale.tables import Keys, Mask, keys_of, plainly


@dataclass(slots=True)
class ChildLists:
    """The lists of all parents.

    An answer holds a whole list, so each list is proved by itself; together they are complete as of
    the moment before the first, if these were all parents then. After `read`, `gone` are keys that
    are in no list and that the service denies (404), `suspects` those whose absence is not settled,
    and `faults` what speaks against the reading. `pages` counts the pages read, and `records` is
    the sum of the totals, None where a list has none.
    """

    service: Service
    reading: Reading
    changes: Changes
    proof: Proof | None = None
    gone: Keys = field(default_factory=no_keys)
    suspects: Keys = field(default_factory=no_keys)
    faults: list[str] = field(default_factory=list)
    pages: int = 0
    records: int | None = None
    _bodies: Bodies = field(init=False)

    def __post_init__(self) -> None:
        self._bodies = Bodies(self.reading, self.changes)

    def read(self, parents: Sequence[str]) -> None:
        """Raises: ServiceError."""
        at = datetime.now(UTC)
        listed = ((plain_guid(parent) or parent, parent) for parent in parents)
        self.reading.parents.update(listed)
        sweep = self._sweep(parents)
        if sweep.shows_some_in_several:  # they may have moved meanwhile
            sweep = self._sweep(parents)
        missing = self._missing()
        if len(missing):
            sweep = self._ask_for(missing, parents, sweep)
        if denied := sweep.denied_alive():
            self._spare_children_of(denied)
        self.records = sweep.tally.records
        self.faults += sweep.faults(len(denied))
        if refused := len(np.setdiff1d(self.reading.ledger.due(), self.gone)):
            self.faults.append(f"{counted(refused, 'record')} came in a poorer form than others")
        if not self.faults:
            self.proof = Proof("agreement" if sweep.is_by_agreement else "count", at, 1)
        elif len(self.gone) and len(self._ask(self.gone).alive):
            self.faults.append(CONTRADICTED)
            self.suspects, self.gone = self._missing(), no_keys()

    def _sweep(self, parents: Sequence[str]) -> "_Sweep":
        sweep = _Sweep(self.reading, self.changes, Parents(self.service, self.reading))
        sweep.read(parents)
        self.pages += sweep.pages
        return sweep

    def _missing(self) -> Keys:
        """Stored records that were not seen in this run."""
        stored = self.reading.stored.alive_keys
        is_missing: Mask = self.reading.ledger.last_seen(stored) == BEFORE
        return stored[is_missing]

    def _ask_for(self, missing: Keys, parents: Sequence[str], sweep: "_Sweep") -> "_Sweep":
        """Ask for the children that this sweep missed, each below the parent that it had.

        They are gone if the service denies them and does not deny the controls, or if a full run
        finds no list with records. One that moved to another parent meanwhile is denied too, so the
        lists are read once more; returned is the last sweep.
        """
        self.suspects = missing
        stored = self.reading.stored.alive_keys
        controls = np.setdiff1d(stored, missing, assume_unique=True)[:CONTROLS]
        asked = self._ask(np.union1d(controls, missing))
        alive = np.intersect1d(asked.alive, missing)
        if sweep.tally.failed:
            self.suspects = np.setdiff1d(missing, alive, assume_unique=True)
            return sweep
        if len(alive):
            self.faults.append(f"{counted(len(alive), 'record')} there and in no list")
        is_asked_behind_empty_lists = self.reading.is_full and not len(controls)
        if len(asked.alive) or is_asked_behind_empty_lists:
            denied = np.intersect1d(asked.denied, missing)
        else:
            denied = np.intersect1d(missing, self.reading.stored.past.absent)
        if self._had_one_of(parents, denied):
            sweep = self._sweep(parents)
        self.gone = np.intersect1d(denied, self._missing())
        self.suspects = np.setdiff1d(self._missing(), self.gone)
        return sweep

    def _ask(self, keys: Keys) -> Asked:
        return self._bodies.ask(self.reading.ledger.next_step(), keys)

    def _had_one_of(self, parents: Sequence[str], children: Keys) -> bool:
        """Whether one of these children belonged to a parent that is still there."""
        return bool(np.isin(_plain_keys(parents), self._parents_of(children)).any())

    def _parents_of(self, children: Keys) -> Keys:
        """The parent of each of these children, as it is stored."""
        return _plain_keys(parent or "" for parent in self.reading.stored.parents_of(children))

    def _spare_children_of(self, parents: Collection[str]) -> None:
        """Denied below a parent that is there itself, a child is not proved to be gone."""
        is_spared = np.isin(self._parents_of(self.gone), _plain_keys(parents))
        self.suspects = np.union1d(self.suspects, self.gone[is_spared])
        self.gone = self.gone[~is_spared]


@dataclass(slots=True)
class _Sweep:
    """One reading of the lists of all parents, those that are asked for twice among them.

    `tally` tells what the lists say of themselves; `pages` counts the pages read.
    `shows_some_in_several`: records that name no parent are in the lists of several.
    `is_by_agreement`: a list that counts another number of records than it shows was proved by a
    second reading.
    """

    reading: Reading
    changes: Changes
    parents: Parents
    tally: Tally = field(default_factory=Tally)
    pages: int = 0
    shows_some_in_several: bool = False
    is_by_agreement: bool = False
    _short: int = 0
    _of_others: int = 0

    def read(self, parents: Sequence[str]) -> None:
        """Read the list of each parent, and pass on what has changed. Raises: ServiceError."""
        step = self.reading.ledger.next_step()
        parent = self.reading.resource.parent
        columns = ("id", parent.column) if parent else ("id",)
        records, with_parents, named = 0, [np.empty(0, np.uint64)], [no_keys()]
        for decoded in self.reading.decoder.decode(self._pages(self._lists(parents))):
            shown = self.changes.show(decoded)
            records += int(np.count_nonzero(self.changes.note(step, shown).is_first))
            with_parents.append(hash_rows(decoded.root, columns))
            named.append(np.unique(keys_of(plainly(decoded.root[columns[-1]]))))
            self.changes.take_listed(step, shown)
        self.shows_some_in_several = len(np.unique(np.concatenate(with_parents))) > records
        self._of_others = self._count_of_others(np.concatenate(named))
        self.pages = self.tally.pages
        if not self.tally.counts_all_together:
            self._read_miscounted_again()

    def denied_alive(self) -> set[str]:
        """The parents whose list is denied although it may have records: a service that denies
        empty lists looks like one that fails at some of them."""
        denied = sorted(self.tally.denied)
        return self.parents.still_with_children(denied) if denied else set()

    def faults(self, denied: int) -> list[str]:
        """What speaks against this reading, one sentence a kind; so many lists were `denied` though
        their parents are there."""
        failures = list(map(str, self.tally.failed.values()))
        faults = [tell_unread(len(failures), "list", failures[0])] if failures else []
        faults += [
            f"{counted(number, 'list')} {fault}"
            for number, fault in (
                (self._short, "with fewer records than the parent counts"),
                (self.tally.unproved, "with more or fewer records than counted"),
                (self._of_others, "with records of other parents only"),
                (denied, "denied though the parent is there"),
            )
            if number
        ]
        if self.shows_some_in_several:
            faults.append("records that name no parent are in the lists of several")
        return faults

    def _count_of_others(self, named: Keys) -> int:
        """How many lists show records of other parents only, though their own parent counts some,
        as where a cache mixes up answers; 0 where most lists are so, and some of the parents that
        records have `named`, in any spelling of a GUID, are none.
        """
        parents = self.tally.with_records
        keys = _plain_keys(parents)
        places = np.flatnonzero(~np.isin(keys, named))
        is_known = np.isin(named, _plain_keys(self.reading.parents))
        if 2 * len(places) > len(keys) and not is_known.all():
            return 0
        counts = self.parents.counts([parents[place] for place in places])
        return sum(bool(count) for count in counts.values())

    def _lists(self, parents: Sequence[str]) -> Iterator[ChildList]:
        """The list of each parent, and then once more those that may be mistaken."""
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
        shown: dict[str, int] = {}
        for found in self.reading.fetcher.lists(self._doubtful(empty, uncounted, len(parents))):
            if found.paginator and (found.is_empty or found.parent in uncounted):
                shown[found.parent] = found.paginator.records
            yield found
        self._short = self._count_contradicted(shown, controls)

    def _doubtful(self, empty: Sequence[str], uncounted: Mapping[str, int], of: int) -> list[str]:
        """Those of so many parents whose lists are empty, or count nothing and show fewer records
        than their parents count; none where most are so.

        Parents that count no children are not among them, so such a list may be a mistake. Where no
        parent counts, none is known to have children before the first load.
        """
        may_be_mistaken = self.parents.may_count or not len(self.reading.stored)
        if not may_be_mistaken or 2 * len(empty) > of:
            return []
        doubtful = [*empty, *self.parents.counting_more(uncounted)]
        return doubtful if 2 * len(doubtful) <= of else []

    def _asked(self, parents: Sequence[str]) -> Iterator[ChildList]:
        """The list of each parent; those that are denied once more, unless most are."""
        fetcher = self.reading.fetcher
        denied: list[str] = []
        for found in fetcher.lists(parents):
            if found.is_denied:
                denied.append(found.parent)
            yield found
        if 2 * len(denied) <= len(parents):
            yield from fetcher.lists(denied)

    def _count_contradicted(self, shown: Mapping[str, int], controls: Mapping[str, int]) -> int:
        """How many of these parents count more records than are shown in their lists.

        None, where the first few count no records at all, or where most of the controls do not
        count as many as their lists show: then the counts of parents tell nothing.
        """
        keys = list(shown)
        counts = self.parents.counts(keys[:CONTROLS])
        if not any(counts.values()):
            return 0
        counts |= self.parents.counts(keys[CONTROLS:])
        others = self.parents.counts(list(controls))
        right = sum(others[key] == records for key, records in controls.items())
        are_right = 2 * right >= len(others)
        return sum((counts[key] or 0) > shown[key] for key in keys) if are_right else 0

    def _read_miscounted_again(self) -> None:
        """Prove the lists that count another number of records than they show, by a second reading
        with another page size that shows the same.

        One that counts more than it shows is proved only if its parent, asked between the two,
        counts as many as the list shows.
        """
        fetcher, lists = self.reading.fetcher, self.tally.miscounted
        counts = self.parents.counts([key for key, seen in lists.items() if seen.counts_more])
        doubtful = {key for key, count in counts.items() if count != lists[key].records}
        self.tally.unproved += len(doubtful)
        again = lists.keys() - doubtful
        for found in fetcher.lists(sorted(again), max(1, fetcher.page_size * 9 // 10)):
            is_whole = found.paginator is not None and found.paginator.fault is None
            is_proved = is_whole and found.records_hash == lists[found.parent].records_hash
            self.is_by_agreement |= is_proved
            self.tally.unproved += not is_proved

    def _pages(self, lists: Iterable[ChildList]) -> Iterator[RawPage]:
        """The pages of all lists. Raises: ServiceError, if most cannot be read."""
        for found in lists:
            self.tally.see(found)
            if found.failure:
                self.reading.tolerate(found.failure)
                failed = len(self.tally.failed)
                if failed >= MANY_UNREAD and failed > self.tally.lists // 2:
                    raise found.failure
            yield from found.pages


def _plain_keys(ids: Iterable[str]) -> Keys:
    """The keys of these ids, in which the spelling of a GUID does not count."""
    return keys_of(plainly(pa.array(list(ids), pa.string())))
