"""Ledger: what a run saw of each record, and in which of its steps (see `prove`).

Steps are numbered from 1; step 0 is everything before the run. Of each record there is a row:

- `first`, `last`: the first and the last step that showed it alive.
- `seen`: its newest state, `at` the step that showed it, and `versions` the version it had then.
- `listed`: the newest version in which its list showed it.
- `held`: the state that the destination has, or will have after this run; `is_read`: it comes from
  this run.
"""

from dataclasses import dataclass, replace

import numpy as np

from wholesale.compare.row_hashes import Hashes
from wholesale.compare.sorted_runs import Places, Rows, SortedRuns, Steps
from wholesale.compare.versions import NO_VERSION, Versions
from wholesale.tables import KEY, Keys, Mask, order_of

Step = int
BEFORE: Step = 0
"""The step of what was known before the run."""
NO_STATE = np.uint64(0)
"""The state of a record that was not seen, or is not held."""


@dataclass(frozen=True, slots=True)
class Sightings:
    """Records as the responses of a step showed them, each key once.

    `states` are hashes of what was shown of each record; NO_STATE where nothing is to be noted but
    that the record is alive. `was_alive`: the destination held it as alive before the run.
    """

    keys: Keys
    versions: Versions
    states: Hashes
    was_alive: Mask

    def __len__(self) -> int:
        return len(self.keys)

    def without_states(self, mask: Mask | np.bool_) -> "Sightings":
        """The same sightings; of those in the mask only that they are alive."""
        return replace(self, states=np.where(mask, NO_STATE, self.states))

    def keep(self, mask: Mask) -> "Sightings":
        return Sightings(
            self.keys[mask], self.versions[mask], self.states[mask], self.was_alive[mask]
        )


@dataclass(frozen=True, slots=True)
class Noted:
    """For each sighting: whether it is the first one of its record in this step, and whether the
    record is due: in a state that the destination does not hold."""

    is_first: Mask
    is_due: Mask


@dataclass(frozen=True, slots=True)
class Taken:
    """For each record read in full: whether it is to go to the destination (`is_due`), and whether
    it went there in another state before in this run (`is_late`)."""

    is_due: Mask
    is_late: Mask


class Ledger:
    """The evidence of one run about one resource; `step` is the one under way.

    `went_back` counts records that a scan of their list showed in no version as new as in an
    earlier step.
    """

    def __init__(self) -> None:
        self.step: Step = BEFORE
        self.went_back = 0
        self._rows = SortedRuns()

    def __len__(self) -> int:
        """How many records were seen alive in this run."""
        return len(self._rows)

    def next_step(self) -> Step:
        """Begin the next step, and return its number."""
        self.step += 1
        return self.step

    def note(self, step: Step, seen: Sightings, is_held: Mask | None = None) -> Noted:
        """Note that these records were seen alive in this step, in these states.

        Of several states of a record the newest is kept: the one of the later step; within a step,
        where responses overlap, the one of the higher version, else the one that came last.
        `is_held` tells which of them the destination held in just this state before the run.
        """
        is_first, is_here = np.ones(len(seen), np.bool_), np.zeros(len(seen), np.bool_)
        is_held = np.zeros(len(seen), np.bool_) if is_held is None else is_held
        is_due = ~is_held
        for rows, places, found in self._rows.places(seen.keys):
            if not found.any():
                continue
            is_here |= found
            where = places[found]
            is_first[found] = rows.last[where] != step
            self._see_listed(rows, where, seen.keep(found))
            self._see(rows, where, step, seen.keep(found))
            is_stored = is_held[found] & ~rows.is_read[where]
            rows.held[where[is_stored]] = seen.states[found][is_stored]
            is_due[found] = _is_due(rows)[where]
        held = np.where(is_held, seen.states, NO_STATE)
        self._add(step, seen, held, ~is_here, is_read=False)
        return Noted(is_first, is_due)

    def end_scan(self, step: Step) -> None:
        """Count the records that went back in this step, a scan of the whole list: where a list
        shows a record in two versions at a time, the newer one was among what came."""
        for rows in self._rows:
            is_older = (rows.at == step) & (rows.versions < rows.listed)
            rows.listed[is_older] = rows.versions[is_older]
            self.went_back += int(np.count_nonzero(is_older))

    def take(self, step: Step, seen: Sightings) -> Taken:
        """Note that these records came in full and go to the destination."""
        is_due, is_here = np.ones(len(seen), np.bool_), np.zeros(len(seen), np.bool_)
        was_read = np.zeros(len(seen), np.bool_)
        for rows, places, found in self._rows.places(seen.keys):
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

    def hold(self, read: Sightings) -> None:
        """Note that these states, older or lesser than the newest ones, go to the destination: so
        the records stay due."""
        for rows, places, found in self._rows.places(read.keys):
            rows.held[places[found]] = read.states[found]
            rows.is_read[places[found]] = True

    def doubt(self, seen: Sightings) -> None:
        """Treat those of these records as not held that differ from what was seen last though they
        have the same version: only another reading tells which of the two states is newer."""
        seen = seen.keep(~self.is_confirmed(seen) & self.is_current(seen))
        for rows, places, found in self._rows.places(seen.keys):
            rows.held[places[found]] = NO_STATE

    def doubt_all_not_read(self) -> None:
        """Take all records that did not come in full in this run for held in no state."""
        for rows in self._rows:
            rows.held[~rows.is_read] = NO_STATE

    def is_current(self, seen: Sightings) -> Mask:
        """Which of these records are not older, by version, than what was seen last of each."""
        is_current: Mask = seen.versions >= self._versions(seen.keys)
        return is_current

    def is_confirmed(self, seen: Sightings) -> Mask:
        """Which of these full records agree with what was seen last of each, or are newer.

        One that disagrees in the same version may be older, so it is not confirmed.
        """
        states = self._rows.look_up(seen.keys, NO_STATE, lambda rows, at: rows.seen[at])
        versions = self._versions(seen.keys)
        is_newer = (seen.versions > versions) & (versions != NO_VERSION)
        is_confirmed: Mask = (states == NO_STATE) | (states == seen.states) | is_newer
        return is_confirmed

    def is_read(self, keys: Keys) -> Mask:
        """Which of these records the destination got from this run."""
        return self._rows.look_up(keys, np.False_, lambda rows, at: rows.is_read[at])

    def alive(self) -> Keys:
        """All records that were seen alive in this run, sorted."""
        return self._rows.keys_where(lambda rows: np.ones(len(rows), np.bool_))

    def last_seen(self, keys: Keys) -> Steps:
        """The step in which each record was last seen alive; BEFORE if not in this run."""
        return self._rows.look_up(keys, np.uint16(BEFORE), lambda rows, at: rows.last[at])

    def seen_since(self, step: Step, most: int) -> Keys:
        """Records that were seen in this step or later, `most` at most."""
        for rows in self._rows:
            keys = rows.keys[rows.last >= step]
            if len(keys):
                return keys[:most]
        return np.empty(0, KEY)

    def updated_since(self, version: int) -> Keys:
        """Records that were seen last in this version, a newer one or none; sorted."""
        return self._rows.keys_where(
            lambda rows: (rows.versions >= version) | (rows.versions == NO_VERSION)
        )

    def not_seen_since(self, step: Step) -> Keys:
        """Records that were seen in this run, but not in this step or later; sorted."""
        return self._rows.keys_where(lambda rows: rows.last < step)

    def due(self) -> Keys:
        """Records that are not held in the state that was seen last, sorted."""
        return self._rows.keys_where(_is_due)

    def certain(self, step: Step) -> int:
        """How many records were certainly alive in this step: seen before it and after it."""
        return sum(
            int(np.count_nonzero((rows.first < step) & (rows.last > step))) for rows in self._rows
        )

    def _versions(self, keys: Keys) -> Versions:
        return self._rows.look_up(keys, NO_VERSION, lambda rows, at: rows.versions[at])

    @staticmethod
    def _see_listed(rows: Rows, where: Places, seen: Sightings) -> None:
        """Note the versions that a list shows."""
        is_shown = seen.states != NO_STATE
        shown = where[is_shown]
        rows.listed[shown] = np.maximum(rows.listed[shown], seen.versions[is_shown])

    @staticmethod
    def _see(rows: Rows, where: Places, step: Step, seen: Sightings) -> None:
        """Note that these rows are alive, and their states where those are newer."""
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
        where = where[order_of(seen.keys[where])]
        steps = np.full(len(where), step, np.uint16)
        self._rows.add(
            Rows(
                keys=seen.keys[where],
                first=np.where(seen.was_alive[where], np.uint16(BEFORE), steps),
                last=steps,
                at=steps.copy(),
                versions=seen.versions[where],
                listed=np.full(len(where), NO_VERSION) if is_read else seen.versions[where],
                seen=seen.states[where],
                held=held[where],
                is_read=np.full(len(where), is_read),
            )
        )


def _is_due(rows: Rows) -> Mask:
    is_due: Mask = (rows.held != rows.seen) | (rows.held == NO_STATE)
    return is_due
