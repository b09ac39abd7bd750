"""Absence: which of the records that a list no longer shows are gone.

They are asked for by their ids; where that is not possible, their absence itself is judged.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from wholesale.compare import BEFORE, Ledger, Step
from wholesale.prove.steps import Asked, no_keys
from wholesale.tables import KEY, Keys

LEAST_ASKS = 1_000
"""How many missing records a run may ask for."""
ASKS_A_RECORD = 0.5
"""The same as a share of the records of the list; the larger number counts."""
CONTROLS = 2
"""Records that certainly exist, asked for to see whether detail requests can be believed."""
MOST_CONTROLS = 12
"""How many of them at most, where the first are 404 or cannot be read: these may be odd ones."""
CONTRADICTED = "detail requests answered 404 for records that answer when asked again"
"""Then no 404 of the run is believed: one of several servers may know less than the others."""


@dataclass(slots=True)
class Absence:
    """The missing records of one reading.

    - `ask`: reads records by their ids, and notes in the ledger which are alive.
    - `stored`: keys of the records that the destination holds as alive, in order.
    - `absent_before`: those of them that an earlier run, some minutes ago at least, missed too.
    - `can_ask`: records can be asked for by their ids.
    - `asks_all`: every missing record is asked for, also where the list is empty; what cannot be
      asked for is gone, be it as much as it may.
    - `absent_share`: at most so large a share of what cannot be asked for is gone otherwise.
    - `orphans`: keys of records whose parents are proved to be gone.

    `suspects` are the keys of records whose absence is not settled; `faults` say why detail
    requests, or the list, cannot be believed.
    """

    ledger: Ledger
    ask: Callable[[Step, Keys], Asked]
    stored: Keys
    absent_before: Keys
    can_ask: bool = True
    asks_all: bool = False
    absent_share: float = 0.0
    orphans: Keys = field(default_factory=no_keys)
    suspects: Keys = field(default_factory=no_keys)
    faults: list[str] = field(default_factory=list)
    _can_believe: bool = True
    _asked: int = 0
    _not_found: dict[bytes, int] = field(default_factory=dict)

    @property
    def gone(self) -> Keys:
        """Keys that were 404 and not seen alive since, in order."""
        keys = np.sort(np.array(list(self._not_found), KEY))
        not_found_at = np.array([self._not_found[key] for key in keys.tolist()], np.intp)
        return keys[self.ledger.last_seen(keys) <= not_found_at]

    def missing_since(self, step: int) -> Keys:
        """Records that are stored or were seen before, but not in this step or later."""
        is_unseen = self.ledger.last_seen(self.stored) == BEFORE
        missing = np.union1d(self.stored[is_unseen], self.ledger.not_seen_since(step))
        return np.setdiff1d(missing, self.gone, assume_unique=True)

    def ask_for(self, missing: Keys, controls: Keys, listed: int | None = None) -> int:
        """Ask for missing records; return how many are alive.

        A 404 says that a record is gone if one of the `controls` answers, which were listed; that
        of an orphan says so by itself. `listed`: a list of so many records bounds how many are
        asked for.
        """
        self.suspects = missing
        if not len(missing) or not self.can_ask:
            return 0
        self._can_believe = not len(controls) or self._answers_one_of(controls)
        wanted = missing if self._can_believe else np.intersect1d(missing, self.orphans)
        is_old = np.isin(wanted, self.absent_before)
        wanted = np.concatenate([wanted[is_old], wanted[~is_old]])
        if listed is not None and not self.asks_all:
            most = max(LEAST_ASKS, int(ASKS_A_RECORD * listed))
            wanted = wanted[: max(0, most - self._asked)]
        if not len(wanted):
            return 0
        asked = self._ask(wanted)
        self._asked += len(asked.alive) + len(asked.not_found)
        believed = asked.not_found
        if not len(controls) and not self.asks_all:
            if len(asked.alive):
                self._blame("the list is empty although stored records answer")
                believed = self.orphans
            else:  # no record controls these responses, so it takes two runs that find none
                believed = np.union1d(self.absent_before, self.orphans)
        self._settle(np.intersect1d(asked.not_found, believed))
        self.suspects = np.setdiff1d(self.suspects, asked.alive, assume_unique=True)
        return len(np.intersect1d(asked.alive, missing))

    def _answers_one_of(self, listed: Keys) -> bool:
        """Whether one of these records, which the list shows, answers by itself."""
        is_not_found = False
        for part in (listed[:CONTROLS], listed[CONTROLS:]):
            controls = self._ask(part)
            if len(controls.alive):
                return True
            is_not_found |= len(controls.not_found) > 0
        if is_not_found:
            self._blame("detail requests answer 404 for records that the list shows")
        return False

    def judge_unasked(self, listed: int) -> None:
        """Judge by their absence alone the records that cannot be asked for, or whose responses
        cannot be believed, as records that the list shows do not answer either.

        The list is proved, shows so many records, and was read twice, so a few that cannot be asked
        for are gone; many, or all, only by a full run, which a person asks for. Those of which no
        response can be believed are gone if an earlier run missed them too.
        """
        absent = len(self.suspects)
        if not absent or (self.can_ask and self._can_believe):
            return
        are_few = absent <= max(1, self.absent_share * len(self.stored)) and listed
        if self.can_ask:
            self._settle(np.intersect1d(self.suspects, self.absent_before, assume_unique=True))
        elif are_few or self.asks_all:
            self._settle(self.suspects)

    def ask_for_returned(self) -> int:
        """Ask once more for the records that were 404 and listed again; return how many are 404
        for good."""
        back = np.setdiff1d(np.array(list(self._not_found), KEY), self.gone)
        return len(self._ask(back).not_found) if len(back) else 0

    def contradicts_itself(self, *, is_proved: bool) -> bool:
        """Whether a record that was 404 answers when it is asked for again.

        Some are asked for again; all of them, where there is no proof, and all that this run has
        seen alive.
        """
        gone = self.gone if self.can_ask else no_keys()
        is_seen = self.ledger.last_seen(gone) != BEFORE
        unseen = gone[~is_seen][: MOST_CONTROLS if is_proved else None]
        again = np.union1d(gone[is_seen], unseen)
        if not len(again) or not len(self._ask(again).alive):
            return False
        self._blame(CONTRADICTED)
        self.withdraw(self.gone)
        self._not_found.clear()
        return True

    def withdraw(self, keys: Keys) -> None:
        """Believe no 404 of these records, which are gone so far."""
        self.suspects = np.union1d(self.suspects, keys)
        for key in keys.tolist():
            del self._not_found[key]

    def _ask(self, keys: Keys) -> Asked:
        return self.ask(self.ledger.next_step(), keys)

    def _settle(self, keys: Keys) -> None:
        self._not_found |= dict.fromkeys(keys.tolist(), self.ledger.step)
        self.suspects = np.setdiff1d(self.suspects, keys, assume_unique=True)

    def _blame(self, fault: str) -> None:
        if fault not in self.faults:
            self.faults.append(fault)
