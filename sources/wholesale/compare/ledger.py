"""Ledger: what a run saw of each record, and in which of its steps.

A run goes in steps that never overlap: a lone look at a page, a sweep of the list, a round of
single reads. They are numbered from 1; step 0 is all that was before the run. Ids are not used
again, so a record that was seen alive in one step and once more in a later one was alive all the
time between: at every step between the two it is certain.

Kept as a log-structured merge tree keeps its runs: few sorted arrays of growing size, each key in
one of them, values changed in place. 47 bytes a record.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from wholesale.compare.row_hashes import Hashes
from wholesale.compare.versions import NO_VERSION, Versions
from wholesale.tables import KEY, Keys, Mask, find

Step = int
Steps = NDArray[np.uint16]
BEFORE: Step = 0
"""The step of whatever was so before the run."""
NO_STATE = np.uint64(0)
"""The state of a record that was not seen, or is not held."""
MAX_MERGED = 2**17
"""Runs that have more rows together are left apart: a copy of them would take too much memory."""
MAX_SEARCHED = 2**16
"""Keys looked up at once: of a million, a search needs several times their room."""


@dataclass(frozen=True, slots=True)
class Sightings:
    """Records as some answers of a step showed them, each key once.

    `states` are hashes of all that was shown of each, NO_STATE where that says nothing but that
    the record is alive; `was_alive` tells which the destination held as alive before the run.
    """

    keys: Keys
    versions: Versions
    states: Hashes
    was_alive: Mask

    def __len__(self) -> int:
        return len(self.keys)

    def without_states(self, mask: Mask | np.bool_) -> "Sightings":
        """The same, of which those in the mask say nothing but that they are alive."""
        return replace(self, states=np.where(mask, NO_STATE, self.states))

    def keep(self, mask: Mask) -> "Sightings":
        return Sightings(
            self.keys[mask], self.versions[mask], self.states[mask], self.was_alive[mask]
        )


@dataclass(frozen=True, slots=True)
class Noted:
    """What the ledger makes of sightings: which of them are the first in their step, and which
    show a state that the destination does not hold."""

    is_first: Mask
    is_due: Mask


@dataclass(frozen=True, slots=True)
class Taken:
    """What the ledger makes of records in full: which of them the destination is to be told of,
    and which of those it was told of in another state before."""

    is_due: Mask
    is_late: Mask


@dataclass(slots=True)
class _Rows:
    """Rows in the order of their keys.

    `first` and `last` are the steps that showed the record alive, `at` that of `seen`, its newest
    state by evidence, which has the version `versions`. `held` is the state that the destination
    has, or will have from this run, and `is_read` whether from this run.
    """

    keys: Keys
    first: Steps
    last: Steps
    at: Steps
    versions: Versions
    seen: Hashes
    held: Hashes
    is_read: Mask

    def __len__(self) -> int:
        return len(self.keys)

    def merged(self, other: "_Rows") -> "_Rows":
        order = np.argsort(np.concatenate([self.keys, other.keys]), kind="stable")
        return _Rows(
            *(
                np.concatenate([getattr(self, column.name), getattr(other, column.name)])[order]
                for column in fields(_Rows)
            )
        )


class Ledger:
    """The evidence of one run about one resource."""

    def __init__(self) -> None:
        self._runs: list[_Rows] = []
        self._sought: Keys | None = None
        self._found: list[tuple[_Rows, NDArray[np.intp], Mask]] = []

    def __len__(self) -> int:
        """How many records were seen alive in this run."""
        return sum(len(rows) for rows in self._runs)

    def note(self, step: Step, seen: Sightings, is_held: Mask | None = None) -> Noted:
        """Note that these records were seen alive in this step, as they say.

        Of several states of a record the newest is kept: that of a later step; within a step,
        where answers overlap, that of the higher version, and without one that which came last.
        `is_held` says which of them the destination held just so before the run.
        """
        is_first, is_here = np.ones(len(seen), np.bool_), np.zeros(len(seen), np.bool_)
        is_held = np.zeros(len(seen), np.bool_) if is_held is None else is_held
        is_due = ~is_held
        for rows, places, found in self._places(seen.keys):
            if not found.any():
                continue
            is_here |= found
            where = places[found]
            is_first[found] = rows.last[where] != step
            self._see(rows, where, step, seen.keep(found))
            is_stored = is_held[found] & ~rows.is_read[where]
            rows.held[where[is_stored]] = seen.states[found][is_stored]
            is_due[found] = _is_due(rows)[where]
        held = np.where(is_held, seen.states, NO_STATE)
        self._add(step, seen, held, ~is_here, is_read=False)
        return Noted(is_first, is_due)

    def take(self, step: Step, seen: Sightings) -> Taken:
        """Note that these records came in full, and that the destination is told of them."""
        is_due, is_here = np.ones(len(seen), np.bool_), np.zeros(len(seen), np.bool_)
        was_read = np.zeros(len(seen), np.bool_)
        for rows, places, found in self._places(seen.keys):
            if not found.any():
                continue
            is_here |= found
            where = places[found]
            self._see(rows, where, step, seen.keep(found))
            is_due[found] = rows.held[where] != seen.states[found]
            was_read[found] = rows.is_read[where]
            rows.held[where] = seen.states[found]
            rows.is_read[where] = True
        self._add(step, seen, seen.states, ~is_here, is_read=True)
        return Taken(is_due, is_due & was_read)

    def doubt(self, seen: Sightings) -> None:
        """Take these records for held in no state, where they say otherwise than what was seen last
        in the same version: which of the two is the newer, only another look tells."""
        seen = seen.keep(~self.is_confirmed(seen) & self.is_current(seen))
        for rows, places, found in self._places(seen.keys):
            rows.held[places[found]] = NO_STATE

    def is_current(self, seen: Sightings) -> Mask:
        """Which of these records are in no older version than was seen last of each."""
        is_current: Mask = seen.versions >= self._versions(seen.keys)
        return is_current

    def is_confirmed(self, seen: Sightings) -> Mask:
        """Which of these records in full say what was seen last of each, or something newer.

        One of the same version that says otherwise may be older as well.
        """
        states = self._look_up(seen.keys, NO_STATE, lambda rows, at: rows.seen[at])
        versions = self._versions(seen.keys)
        is_newer = (seen.versions > versions) & (versions != NO_VERSION)
        is_confirmed: Mask = (states == NO_STATE) | (states == seen.states) | is_newer
        return is_confirmed

    def is_read(self, keys: Keys) -> Mask:
        """Which of these records the destination was told of by this run."""
        return self._look_up(keys, np.False_, lambda rows, at: rows.is_read[at])

    def alive(self) -> Keys:
        """All records that were seen alive in this run; in order."""
        return self._keys_where(lambda rows: np.ones(len(rows), np.bool_))

    def last_seen(self, keys: Keys) -> Steps:
        """The step in which each record was last seen alive; BEFORE where not in this run."""
        return self._look_up(keys, np.uint16(BEFORE), lambda rows, at: rows.last[at])

    def seen_since(self, step: Step, most: int) -> Keys:
        """Records that were seen in this step or later, so many at most."""
        for rows in self._runs:
            keys = rows.keys[rows.last >= step]
            if len(keys):
                return keys[:most]
        return np.empty(0, KEY)

    def not_seen_since(self, step: Step) -> Keys:
        """Records that were seen in this run, but in no step from this one on; in order."""
        return self._keys_where(lambda rows: rows.last < step)

    def due(self) -> Keys:
        """Records that are not held in the state that was seen last; in order."""
        return self._keys_where(_is_due)

    def certain(self, step: Step) -> int:
        """How many records were certainly alive at a lone look: seen before it and after it."""
        return sum(
            int(np.count_nonzero((rows.first < step) & (rows.last > step))) for rows in self._runs
        )

    def _versions(self, keys: Keys) -> Versions:
        return self._look_up(keys, NO_VERSION, lambda rows, at: rows.versions[at])

    def _keys_where(self, condition: Callable[[_Rows], Mask]) -> Keys:
        found = [rows.keys[condition(rows)] for rows in self._runs]
        return np.sort(np.concatenate([np.empty(0, KEY), *found]))

    def _look_up(
        self,
        keys: Keys,
        otherwise: np.generic | int,
        value: Callable[[_Rows, NDArray[np.intp]], np.ndarray],
    ) -> np.ndarray:
        values = np.full(len(keys), otherwise)
        for start in range(0, len(keys), MAX_SEARCHED):
            part = slice(start, start + MAX_SEARCHED)
            sought = keys if len(keys) <= MAX_SEARCHED else keys[part]
            for rows, places, found in self._places(sought):
                values[part][found] = value(rows, places[found])
        return values

    def _places(self, keys: Keys) -> Sequence[tuple[_Rows, NDArray[np.intp], Mask]]:
        """Each run of rows, with the place of each key in it, and which keys are there.

        They are kept for the keys that were sought last, as much is asked of each batch.
        """
        if keys is not self._sought:
            self._found = [(rows, *find(rows.keys, keys)) for rows in self._runs]
            self._sought = keys
        return self._found

    @staticmethod
    def _see(rows: _Rows, where: NDArray[np.intp], step: Step, seen: Sightings) -> None:
        """Note newer states of these rows, and that they are alive."""
        is_newer = (step > rows.at[where]) | (seen.versions >= rows.versions[where])
        is_newer &= seen.states != NO_STATE
        rows.last[where] = step
        newer = where[is_newer]
        rows.at[newer] = step
        rows.versions[newer] = seen.versions[is_newer]
        rows.seen[newer] = seen.states[is_newer]

    def _add(self, step: Step, seen: Sightings, held: Hashes, new: Mask, *, is_read: bool) -> None:
        if not new.any():
            return
        where = np.flatnonzero(new)
        where = where[np.argsort(seen.keys[where], kind="stable")]
        steps = np.full(len(where), step, np.uint16)
        self._sought = None
        self._runs.append(
            _Rows(
                keys=seen.keys[where],
                first=np.where(seen.was_alive[where], np.uint16(BEFORE), steps),
                last=steps,
                at=steps.copy(),
                versions=seen.versions[where],
                seen=seen.states[where],
                held=held[where],
                is_read=np.full(len(where), is_read),
            )
        )
        while len(self._runs) > 1 and _are_to_be_merged(*self._runs[-2:]):
            latest = self._runs.pop()
            self._runs.append(self._runs.pop().merged(latest))


def _is_due(rows: _Rows) -> Mask:
    is_due: Mask = (rows.held != rows.seen) | (rows.held == NO_STATE)
    return is_due


def _are_to_be_merged(earlier: _Rows, last: _Rows) -> bool:
    """Runs of like size, so that there are only a few to search; not beyond one cheap to copy."""
    return len(earlier) + len(last) <= MAX_MERGED and len(last) * 2 > len(earlier)
