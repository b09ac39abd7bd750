"""Course: decides the steps of one reading of a list, until a proof is found or given up.

It knows neither HTTP nor JSON nor Arrow: a `Listing` carries out each step and notes in the ledger
what it saw; the course decides which step comes next.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from wholesale.api import setting_of
from wholesale.compare import BEFORE, Ledger
from wholesale.errors import counted
from wholesale.prove.absence import Absence, no_keys
from wholesale.prove.proof import Proof, by_agreement, by_count
from wholesale.prove.steps import Glance, Listing, Look, Sweep
from wholesale.tables import Keys

MAX_SWEEPS = 5
"""A list without a proof after so many sweeps is loaded, but not certified."""
PAGES_READ_AHEAD = 20
"""How many pages are read at either end of a list while they show new records."""
ROUNDS_OF_BODIES = 2
"""How often bodies are read after a sweep: what comes incomplete is asked for once more."""
SWEEPS_DESPITE_A_PROOF = 2
"""So many are made although there is a proof, where records contradict the list when they are read
in full, or are missing and cannot be asked for."""


@dataclass(slots=True)
class Course:
    """One reading of one list.

    - `stored`: keys of the records that the destination holds as alive, in order.
    - `absent_before`: those of them that an earlier run, some minutes ago at least, missed too.
    - `page_size`: how many records a page are asked for.
    - `can_ask`: records can be asked for by their ids.
    - `has_summaries`: the list shows records in short, so their bodies are read besides.
    - `is_stored_proved`: the last run proved that the stored records were all there were.
    - `is_counted`: the list counts its records as they come.
    - `asks_all`: every missing record is asked for, also where the list is empty.

    Afterwards `proof` is there or not, and

    - `gone` are keys of records that are proved to be deleted,
    - `suspects` those whose absence is not settled,
    - `refused` those that came in no form that agrees with the list,
    - `faults` says what else speaks against the reading.
    """

    ledger: Ledger
    listing: Listing
    stored: Keys
    absent_before: Keys
    page_size: int
    can_ask: bool
    has_summaries: bool
    is_stored_proved: bool = False
    is_counted: bool = True
    asks_all: bool = False
    proof: Proof | None = None
    refused: Keys = field(default_factory=no_keys)
    looks: list[Look] = field(default_factory=list)
    sweeps: list[Sweep] = field(default_factory=list)
    _unlisted: int = 0
    _faults: list[str] = field(default_factory=list)
    _absence: Absence = field(init=False)

    def __post_init__(self) -> None:
        self._absence = Absence(
            self.ledger,
            self.listing,
            self.stored,
            self.absent_before,
            can_ask=self.can_ask,
            asks_all=self.asks_all,
        )

    @property
    def gone(self) -> Keys:
        return self._absence.gone

    @property
    def suspects(self) -> Keys:
        return self._absence.suspects

    @property
    def faults(self) -> list[str]:
        return self._absence.faults + self._faults

    def read(self) -> None:
        """Take steps until there is a proof.

        Raises: ServiceError; what was passed on before stays valid.
        """
        for number in range(1, MAX_SWEEPS + 1):
            sweep = self._sweep(number)
            self._ask_for(self._absence.missing_since(sweep.step), sweep)
            self._prove(sweep)
            if self.proof is None:
                self._look(0)
            self._read_bodies()
            self._prove(sweep)
            if self._is_over(number):
                break
        self._judge(self.sweeps[-1])

    def _sweep(self, number: int) -> Sweep:
        """The sweep of that number, from 1, after a count of the list where that may be of use."""
        if self.is_counted:
            self._look_before(number)
        sweep = self.listing.sweep(self.ledger.next_step(), self._cut())
        self.sweeps.append(sweep)
        self._unlisted = 0
        if sweep.is_one_page:
            self.looks.append(Look(sweep.step, sweep.at, sweep.records, is_whole=True))
        return sweep

    def _is_over(self, number: int) -> bool:
        """Whether another sweep than that of this number is of no use: there is a proof, or two
        sweeps in a row show the same, and leave out the same."""
        if self.proof:
            return self._is_settled or number >= SWEEPS_DESPITE_A_PROOF
        if number == 1 or not self.sweeps[-1].shows_the_same(self.sweeps[-2]):
            return False
        last = self.sweeps[-1]
        if self._leaves_out(last):
            left_out = counted(self._unlisted, "record")
            self._faults.append(f"{left_out} there that the list neither shows nor counts")
            return True
        return bool(last.fault) or self._lacks(last) > 0

    def _judge(self, last: Sweep) -> None:
        """Judge the reading as a whole, after its last sweep."""
        if self.proof is None:
            self._blame_totals(last)
        else:
            self._absence.judge_unasked(last)
        if self._absence.contradicts_itself(self.proof):
            self.proof = None
        self._check_moment()

    @property
    def _is_settled(self) -> bool:
        """Whether another sweep can tell no more of records that are refused or missing."""
        is_unasked = len(self.suspects) > 0 and not self.can_ask
        return not is_unasked and not len(np.setdiff1d(self.refused, self.listing.unread_keys))

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
            if not self._ask_for(self._absence.missing_since(self.proof.seen_since), sweep):
                return

    def _leaves_out(self, sweep: Sweep) -> bool:
        """Whether records answer that this sweep lacks, though it shows as many as it counts.

        Then the list does not count them either, so its count proves nothing.
        """
        return self._unlisted > 0 and sweep.is_exact

    def _by_the_past(self, sweep: Sweep) -> Proof | None:
        """The proof by a first sweep that shows exactly the records that the last run proved to be
        all, none of them twice, if looks at both ends of the list show no other record."""
        are_as_many = sweep.records == len(self.ledger) == len(self.stored)
        is_still = not sweep.fault and not sweep.duplicates
        if not (self.is_stored_proved and are_as_many and is_still) or len(self.sweeps) > 1:
            return None
        if (self.ledger.last_seen(self.stored) == BEFORE).any():
            return None  # one is gone, and another one came
        ends = {0, max(0, -(-sweep.records // self.page_size) - 1)}
        if any(self._look(index).unknown for index in sorted(ends)):
            return None
        return Proof("agreement", sweep.at, sweep.step)

    def _look(self, index: int) -> Glance:
        glance = self.listing.look(self.ledger.next_step(), index)
        self.looks.append(glance.look)
        return glance

    def _look_at_the_ends(self) -> None:
        """Read what is new at both ends of the list, where most lists put it, then look once more.

        A record that was seen before the last look, and is seen again in the sweep that follows,
        was certainly alive at that look.
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
        """The `cut` of the next sweep: another than that of the last one if totals contradict what
        comes, as then only sweeps that are cut into different pages prove the list, by agreement.
        """
        if not self.sweeps:
            return 0
        last = self.sweeps[-1]
        if last.totals == (last.records, last.records):
            return 0
        return 1 if len(self.sweeps) % 2 else 2

    def _ask_for(self, missing: Keys, sweep: Sweep) -> int:
        """Ask for the missing records by their ids, and return how many are alive.

        As the list did not show these, none of its answers was the whole list.
        """
        alive = self._absence.ask_for(missing, sweep)
        self._unlisted += alive
        if alive:
            self.looks = [replace(look, is_whole=False) for look in self.looks]
        return alive

    def _read_bodies(self) -> None:
        """Read what is new or changed in full; what came incomplete is asked for once more.

        A record that is denied although the list has just shown it may have been deleted since, or
        may not have reached the replica that answers single reads: the next sweep tells.
        """
        for _ in range(ROUNDS_OF_BODIES):
            self.refused = self._due()
            if not len(self.refused) or not self.can_ask:
                return
            self.listing.bodies(self.ledger.next_step(), self.refused)
        self.refused = self._due()

    def _due(self) -> Keys:
        return np.setdiff1d(self.ledger.due(), self.gone, assume_unique=True)

    def _check_moment(self) -> None:
        """Withdraw the proof if records that are gone are listed again (ids are not used again), or
        records come in an older version than before: such a list is of an earlier moment."""
        if denied := self._absence.ask_for_returned():
            self.proof = None
            records = counted(denied, "record")
            self._faults.append(f"{records} denied by single reads and listed again")
        if self.ledger.went_back:
            self.proof = None
            records = counted(self.ledger.went_back, "record")
            self._faults.append(f"{records} listed in an older version than before")

    def _blame_totals(self, sweep: Sweep) -> None:
        """Say so if all answers count the same number of records, and the list shows fewer."""
        if lacking := self._lacks(sweep):
            shown = sweep.records + self.listing.nameless
            counts = f"counts {shown + lacking:,} and shows {shown:,}"
            self._faults.append(f"the list {counts} ({setting_of('lists_not_counted')})")

    def _lacks(self, sweep: Sweep) -> int:
        """How many records each answer of this sweep counts besides those that it shows."""
        least, most = sweep.totals or (0, 0)
        lacking = least - sweep.records - self.listing.nameless
        return lacking if least == most and lacking > 0 else 0
