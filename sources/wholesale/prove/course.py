"""Course: decides the steps of one reading of a list, until a proof is found or given up.

It knows neither HTTP nor JSON nor Arrow: a `Listing` carries out each step and notes in the ledger
what it saw; the course decides which step comes next.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from wholesale.compare import BEFORE, Ledger
from wholesale.errors import counted
from wholesale.prove.proof import Proof, by_agreement, by_count
from wholesale.prove.steps import Asked, Glance, Listing, Look, Sweep
from wholesale.tables import KEY, Keys

MAX_SWEEPS = 5
"""A list without a proof after so many sweeps is loaded, but not certified."""
LEAST_ASKS = 1_000
"""Single reads that a run may make to settle what is missing."""
ASKS_A_RECORD = 0.5
"""The same as a share of the list, where that is more."""
PAGES_READ_AHEAD = 20
"""At either end of the list, so that new records are seen both before a look and in the sweep."""
CONTROLS = 2
"""Records that certainly exist, asked for to see whether single reads can be believed."""
ROUNDS_OF_BODIES = 2
SWEEPS_FOR_BODIES = 2
"""Records that contradict the list when read in full are swept and read again, despite a proof."""
MANY_ABSENT = 5
SHARE_ABSENT = 0.1
"""More absent records than both are not taken for deletions where single reads are not possible."""


def no_keys() -> Keys:
    return np.empty(0, KEY)


@dataclass(slots=True)
class Course:
    """One reading of one list.

    `stored` are the keys that the destination holds as alive, in order; `absent_before` those of
    them whose absence an earlier run noted, minutes ago at least; `is_stored_proved`: the last run
    proved that they were all. `may_count`: what the list counts may be of use. With `asks_all`
    every one that is missing is asked for, also behind an empty list. `page_size`: records a page.
    `can_ask`: records can be read one by one. `has_summaries`: the list shows records in short, and
    their bodies are read for themselves.

    Afterwards `proof` is there or not, `gone` are keys proved to be deleted, `suspects` keys
    whose absence is not settled, `refused` keys without a body that agrees with the list;
    `faults` is what else speaks against the reading.
    """

    ledger: Ledger
    listing: Listing
    stored: Keys
    absent_before: Keys
    page_size: int
    can_ask: bool
    has_summaries: bool
    is_stored_proved: bool = False
    may_count: bool = True
    asks_all: bool = False
    proof: Proof | None = None
    suspects: Keys = field(default_factory=no_keys)
    refused: Keys = field(default_factory=no_keys)
    faults: list[str] = field(default_factory=list)
    looks: list[Look] = field(default_factory=list)
    sweeps: list[Sweep] = field(default_factory=list)
    _unlisted: int = 0
    _asked: int = 0
    _denied: dict[bytes, int] = field(default_factory=dict)

    @property
    def gone(self) -> Keys:
        """Keys that were denied and not seen alive since, in order."""
        keys = np.sort(np.array(list(self._denied), KEY))
        if not len(keys):
            return keys
        denied_at = np.array([self._denied[key] for key in keys.tolist()])
        return keys[self.ledger.last_seen(keys) <= denied_at]

    def read(self) -> None:
        """Take steps until there is a proof.

        Raises: ServiceError; what was passed on before stays valid.
        """
        for number in range(1, MAX_SWEEPS + 1):
            if self.may_count:
                self._look_before(number)
            sweep = self.listing.sweep(self.ledger.next_step(), self._cut())
            self.sweeps.append(sweep)
            if sweep.is_one_answer:
                self.looks.append(Look(sweep.step, sweep.at, sweep.records, is_whole=True))
            self._unlisted = 0
            self._ask_for(self._missing(sweep.step), sweep)
            self._prove(sweep)
            if self.proof is None:
                self._look(0)
            self._read_bodies()
            self._prove(sweep)
            may_read_more = len(np.setdiff1d(self.refused, self.listing.unread_keys))
            if self.proof and (not may_read_more or number >= SWEEPS_FOR_BODIES):
                break
            if self._leaves_out(sweep) and number > 1 and sweep.shows_the_same(self.sweeps[-2]):
                left_out = counted(self._unlisted, "record")
                self._blame(f"{left_out} there that the list neither shows nor counts")
                break
        self._settle_absence()
        if self.proof is None:
            self._blame_totals(self.sweeps[-1])
        self._settle_denials()

    def _look_before(self, number: int) -> None:
        """Count the list, where the sweep of that number may bring the proof."""
        if number == 1:
            may_prove = len(self.stored) > (0 if self.has_summaries else self.page_size)
        else:
            may_prove = self.has_summaries or number > 2
        if may_prove:
            self._look_at_the_ends()
        elif self.has_summaries:
            self._look(0)

    def _prove(self, sweep: Sweep) -> None:
        """Look for a proof, and ask for the records that are gone according to it."""
        while True:
            if self._leaves_out(sweep):
                self.proof = None
                return
            self.proof = by_count(self.ledger, self.looks, self.listing.nameless)
            if self.proof is None:
                if not self._unlisted:
                    self.proof = by_agreement(self.sweeps, self.looks) or self._by_the_past(sweep)
                return
            missing = self._missing(self.proof.seen_since)
            if not len(missing) or not self.can_ask:
                self.suspects = missing
                return
            if not self._ask_for(missing, sweep):
                return

    def _leaves_out(self, sweep: Sweep) -> bool:
        """Whether a list that shows as many records as it counts lacks some that answer: then it
        does not count them either, and no count that they fill up proves anything."""
        return self._unlisted > 0 and sweep.is_exact

    def _by_the_past(self, sweep: Sweep) -> Proof | None:
        """The proof by a sweep that shows exactly the records that the last run proved to be all,
        in pages that did not move, if a look at both ends of the list shows no other record."""
        are_as_many = sweep.records == len(self.ledger) == len(self.stored)
        is_still = not sweep.fault and not sweep.duplicates
        if not (self.is_stored_proved and are_as_many and is_still) or len(self.sweeps) > 1:
            return None
        if (self.ledger.last_seen(self.stored) == BEFORE).any():
            return None  # one is gone, and another one came
        ends = {0, max(0, sweep.pages - 1)}
        if any(self._look(index).unknown for index in sorted(ends)):
            return None
        return Proof("agreement", sweep.at, sweep.step)

    def _look(self, index: int) -> Glance:
        glance = self.listing.look(self.ledger.next_step(), index)
        self.looks.append(glance.look)
        return glance

    def _look_at_the_ends(self) -> None:
        """Read what is new at both ends, where most lists put it, then look once more.

        A record that was seen before the last look is certain at that look as soon as the sweep
        that follows shows it again.
        """
        first = self._look(0)
        is_new = self._read_inward(first, range(1, PAGES_READ_AHEAD))
        if first.pages and first.pages > 1:
            last = self._look(first.pages - 1)
            inward = range(first.pages - 2, max(0, first.pages - 1 - PAGES_READ_AHEAD), -1)
            is_new = self._read_inward(last, inward) or is_new
        if is_new:
            self._look(0)

    def _read_inward(self, glance: Glance, indexes: range) -> bool:
        """Read further pages while they show something new; return whether any did."""
        if not glance.unknown:
            return False
        for index in indexes:
            if glance.pages is not None and index >= glance.pages:
                break
            glance = self._look(index)
            if not glance.unknown:
                break
        return True

    def _cut(self) -> int:
        """The `cut` of the next sweep: another than last time if totals contradict what comes, as
        only agreement can prove the list then."""
        if not self.sweeps:
            return 0
        last = self.sweeps[-1]
        if last.totals == (last.records, last.records):
            return 0
        return 1 if len(self.sweeps) % 2 else 2

    def _missing(self, step: int) -> Keys:
        """Records that are stored or were seen before, but not in this step or later."""
        is_unseen = self.ledger.last_seen(self.stored) == BEFORE
        missing = np.union1d(self.stored[is_unseen], self.ledger.not_seen_since(step))
        return np.setdiff1d(missing, self.gone, assume_unique=True)

    def _ask_for(self, missing: Keys, sweep: Sweep) -> int:
        """Ask for the missing records, whether they are gone; return how many are alive."""
        self.suspects = missing
        if not len(missing) or not self.can_ask:
            return 0
        listed = self.ledger.seen_since(sweep.step, CONTROLS)
        if not len(listed) and not self.asks_all:
            return self._ask_behind_an_empty_list(missing)
        controls = self._ask(listed)
        if len(listed) and not len(controls.alive):
            if len(controls.denied):
                self._blame("single reads deny records that the list shows")
            return 0
        most = max(LEAST_ASKS, int(ASKS_A_RECORD * sweep.records))
        most = len(missing) + self._asked if self.asks_all else most
        is_old = np.isin(missing, self.absent_before)
        by_age = np.concatenate([missing[is_old], missing[~is_old]])
        asked = self._ask(by_age[: max(0, most - self._asked)])
        self._asked += len(asked.alive) + len(asked.denied)
        self._bury(asked.denied)
        self.suspects = np.setdiff1d(self.suspects, asked.alive, assume_unique=True)
        self._count_unlisted(asked)
        return len(asked.alive)

    def _ask_behind_an_empty_list(self, missing: Keys) -> int:
        """An empty list does not prove deletions: if a stored record still answers, the list is
        broken; if none does, it is believed when a later run finds it empty too."""
        again = np.intersect1d(missing, self.absent_before, assume_unique=True)
        asked = self._ask(missing[:CONTROLS])
        if len(asked.alive):
            self._blame("the list is empty although stored records answer")
        elif len(again) == len(missing):
            self._bury(missing)
        self._count_unlisted(asked)
        return len(asked.alive)

    def _count_unlisted(self, asked: Asked) -> None:
        """Count records that are alive and that the list did not show: none of its answers was
        whole then."""
        self._unlisted += len(asked.alive)
        if len(asked.alive):
            self.looks = [replace(look, is_whole=False) for look in self.looks]

    def _ask(self, keys: Keys) -> Asked:
        return self.listing.ask(self.ledger.next_step(), keys)

    def _read_bodies(self) -> None:
        """Read what is new or changed in full; what came incomplete is asked for once more.

        One that is denied although the list just showed it may be gone since, or not have reached
        the replica that answers single reads: the next sweep tells.
        """
        for _ in range(ROUNDS_OF_BODIES):
            self.refused = self._due()
            if not len(self.refused) or not self.can_ask:
                return
            self.listing.bodies(self.ledger.next_step(), self.refused)
        self.refused = self._due()

    def _due(self) -> Keys:
        return np.setdiff1d(self.ledger.due(), self.gone, assume_unique=True)

    def _bury(self, denied: Keys) -> None:
        self._denied |= dict.fromkeys(denied.tolist(), self.ledger.step)
        self.suspects = np.setdiff1d(self.suspects, denied, assume_unique=True)

    def _settle_absence(self) -> None:
        """Judge by absence alone the records that cannot be asked for.

        A proof by count means that no other record exists. One by agreement, or so many absent
        records that deletions do not explain them, is believed if an earlier run missed them too.
        """
        if self.can_ask or not len(self.suspects) or self.proof is None:
            return
        again = np.intersect1d(self.suspects, self.absent_before, assume_unique=True)
        is_many = len(self.suspects) > max(MANY_ABSENT, SHARE_ABSENT * len(self.stored))
        if self.proof.kind == "count" and not is_many and self.sweeps[-1].records:
            self._bury(self.suspects)
        else:
            self._bury(again)

    def _settle_denials(self) -> None:
        """Ask once more for whoever was denied and listed again: as ids are not used again, a list
        that shows who is denied for good is of an earlier moment."""
        keys = np.sort(np.array(list(self._denied), KEY))
        back = np.setdiff1d(keys, self.gone, assume_unique=True)
        if len(back) and (denied := len(self._ask(back).denied)):
            self.proof = None
            self._blame(f"{counted(denied, 'record')} denied by single reads and listed again")

    def _blame_totals(self, sweep: Sweep) -> None:
        """Say so where each answer counts as many records, and the list shows fewer."""
        least, most = sweep.totals or (0, 0)
        if least == most > sweep.records + self.listing.nameless:
            self._blame(f"the list counts {most:,} and shows {sweep.records:,}")

    def _blame(self, fault: str) -> None:
        if fault not in self.faults:
            self.faults.append(fault)
