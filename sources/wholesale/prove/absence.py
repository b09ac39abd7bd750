"""Absence: which of the records that a list no longer shows are gone.

They are asked for by their ids; where that is not possible, their absence itself is judged.
"""

from dataclasses import dataclass, field

import numpy as np

from wholesale.compare import BEFORE, Ledger
from wholesale.prove.proof import Proof
from wholesale.prove.steps import Asked, Listing, Scan, no_keys
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
    """The missing records of one reading; the first seven fields are those of `Course`.

    `suspects` are the keys of records whose absence is not settled; `faults` say why detail
    requests, or the list, cannot be believed.
    """

    ledger: Ledger
    listing: Listing
    stored: Keys
    absent_before: Keys
    can_ask: bool
    asks_all: bool
    absent_share: float
    suspects: Keys = field(default_factory=no_keys)
    faults: list[str] = field(default_factory=list)
    _can_believe: bool = True
    _asked: int = 0
    _not_found: dict[bytes, int] = field(default_factory=dict)

    @property
    def gone(self) -> Keys:
        """Keys that were 404 and not seen alive since, in order."""
        keys = np.sort(np.array(list(self._not_found), KEY))
        if not len(keys):
            return keys
        not_found_at = np.array([self._not_found[key] for key in keys.tolist()])
        return keys[self.ledger.last_seen(keys) <= not_found_at]

    def missing_since(self, step: int) -> Keys:
        """Records that are stored or were seen before, but not in this step or later."""
        is_unseen = self.ledger.last_seen(self.stored) == BEFORE
        missing = np.union1d(self.stored[is_unseen], self.ledger.not_seen_since(step))
        return np.setdiff1d(missing, self.gone, assume_unique=True)

    def ask_for(self, missing: Keys, scan: Scan) -> int:
        """Ask for the records that this scan did not show; return how many are alive."""
        self.suspects = missing
        if not len(missing) or not self.can_ask:
            return 0
        listed = self.ledger.seen_since(scan.step, MOST_CONTROLS)
        self._can_believe = not len(listed) or self._answers_one_of(listed)
        if not self._can_believe:
            return 0
        most = max(LEAST_ASKS, int(ASKS_A_RECORD * scan.records))
        most = len(missing) + self._asked if self.asks_all else most
        is_old = np.isin(missing, self.absent_before)
        by_age = np.concatenate([missing[is_old], missing[~is_old]])
        asked = self._ask(by_age[: max(0, most - self._asked)])
        self._asked += len(asked.alive) + len(asked.not_found)
        if len(listed) or self.asks_all:
            self._settle(asked.not_found)
        elif len(asked.alive):
            self._blame("the list is empty although stored records answer")
        else:  # no record controls these answers, so it takes two runs that find none
            self._settle(np.intersect1d(asked.not_found, self.absent_before))
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

    def judge_unasked(self, scan: Scan) -> None:
        """Judge by their absence alone the records that cannot be asked for, or whose answers
        cannot be believed, as records that the list shows do not answer either.

        The list is proved, and was read twice, so a few that cannot be asked for are gone; many, or
        all, only by a full run, which a person asks for. Those of which no answer can be believed
        are gone if an earlier run missed them too.
        """
        absent = len(self.suspects)
        if not absent or (self.can_ask and self._can_believe):
            return
        are_few = absent <= max(1, self.absent_share * len(self.stored)) and scan.records
        if self.can_ask:
            self._settle(np.intersect1d(self.suspects, self.absent_before, assume_unique=True))
        elif are_few or self.asks_all:
            self._settle(self.suspects)

    def ask_for_returned(self) -> int:
        """Ask once more for the records that were 404 and listed again; return how many are 404
        for good."""
        keys = np.sort(np.array(list(self._not_found), KEY))
        back = np.setdiff1d(keys, self.gone, assume_unique=True)
        return len(self._ask(back).not_found) if len(back) else 0

    def contradicts_itself(self, proof: Proof | None) -> bool:
        """Whether a record that was 404 answers when it is asked for again.

        Some are asked for again; all of them, where there is no proof, and all that this run has
        seen alive.
        """
        is_unseen = self.ledger.last_seen(self.gone) == BEFORE
        by_doubt = np.concatenate([self.gone[~is_unseen], self.gone[is_unseen]])
        most = int(np.count_nonzero(~is_unseen)) + MOST_CONTROLS if proof else len(by_doubt)
        again = np.sort(by_doubt[: most if self.can_ask else 0])
        if not len(again) or not len(self._ask(again).alive):
            return False
        self._blame(CONTRADICTED)
        self.suspects = np.union1d(self.suspects, self.gone)
        self._not_found.clear()
        return True

    def _ask(self, keys: Keys) -> Asked:
        return self.listing.ask(self.ledger.next_step(), keys)

    def _settle(self, keys: Keys) -> None:
        self._not_found |= dict.fromkeys(keys.tolist(), self.ledger.step)
        self.suspects = np.setdiff1d(self.suspects, keys, assume_unique=True)

    def _blame(self, fault: str) -> None:
        if fault not in self.faults:
            self.faults.append(fault)
