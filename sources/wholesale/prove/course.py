"""Course: decides the steps of one reading of a list, until a proof is found or given up.

It knows neither HTTP nor JSON nor Arrow: a `Listing` carries out each step and notes in the ledger
what it saw; the course decides which step comes next.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from wholesale.compare import BEFORE, Ledger
from wholesale.errors import counted
from wholesale.prove.absence import MOST_CONTROLS, Absence
from wholesale.prove.proof import Proof, by_agreement, by_count, mismatch
from wholesale.prove.steps import Listing, Probe, Scan, no_keys
from wholesale.tables import Keys

MAX_SCANS = 5
"""A list without a proof after so many scans is loaded, but not certified."""
PAGES_READ_AHEAD = 20
"""How many pages are read at either end of a list while they show new records."""
ROUNDS_OF_FULL_RECORDS = 2
"""How often bodies are read after a scan: what comes incomplete is asked for once more."""
SCANS_DESPITE_A_PROOF = 2
"""So many are made although there is a proof, where records contradict the list when they are read
in full, or are missing and cannot be asked for."""


@dataclass(slots=True)
class Course:
    """Decides, step by step, how one list is read until it is proved.

    - `absence`: decides which stored records are gone.
    - `page_size`: how many records a page are asked for.
    - `has_summaries`: the list shows records in short, so their bodies are read besides.
    - `is_stored_proved`: the last run proved that the stored records were all there were.
    - `is_counted`: the list counts its records as they come.

    Afterwards `proof` is there or not, and

    - `refused` are keys of records that came in no form that agrees with the list,
    - `faults` say what else speaks against the reading,
    - `mismatch` which numbers do not agree, where that is why nothing proves it.
    """

    ledger: Ledger
    listing: Listing
    absence: Absence
    page_size: int
    has_summaries: bool
    is_stored_proved: bool = False
    is_counted: bool = True
    proof: Proof | None = None
    mismatch: str = ""
    refused: Keys = field(default_factory=no_keys)
    faults: list[str] = field(default_factory=list)
    probes: list[Probe] = field(default_factory=list)
    scans: list[Scan] = field(default_factory=list)
    _unlisted: int = 0

    def read(self) -> None:
        """Take steps until there is a proof.

        Raises: ServiceError; what was passed on before stays valid.
        """
        for number in range(1, MAX_SCANS + 1):
            scan = self._scan(number)
            self._ask_for(self.absence.missing_since(scan.step), scan)
            self._prove(scan)
            if self.proof is None:
                self._probe(0)
            self._read_full_records()
            self._prove(scan)
            if self._is_over(number):
                break
        self._judge(self.scans[-1])

    def _scan(self, number: int) -> Scan:
        """The scan of that number, from 1, after a count of the list where that may be of use.

        It is cut otherwise than the last one if totals contradict what came, as then only scans
        that are cut into different pages prove the list, by agreement.
        """
        if self.is_counted:
            self._probe_before(number)
        last = self.scans[-1] if self.scans else None
        is_cut = last is not None and last.totals != (last.records, last.records)
        scan = self.listing.scan(self.ledger.next_step(), 1 + number % 2 if is_cut else 0)
        self.scans.append(scan)
        self._unlisted = 0
        if scan.is_one_page:
            self.probes.append(Probe(scan.step, scan.at, scan.records, is_whole=True))
        return scan

    def _is_over(self, number: int) -> bool:
        """Whether another scan than that of this number is of no use: there is a proof, and nothing
        is refused or missing of which it may tell more; or two scans in a row show the same, and
        leave out the same."""
        if self.proof:
            is_unasked = len(self.absence.suspects) > 0 and not self.absence.can_ask
            is_refused = len(np.setdiff1d(self.refused, self.listing.unread_keys)) > 0
            return not (is_unasked or is_refused) or number >= SCANS_DESPITE_A_PROOF
        if number == 1 or not self.scans[-1].shows_the_same(self.scans[-2]):
            return False
        last = self.scans[-1]
        if self._leaves_out(last):
            left_out = counted(self._unlisted, "record")
            self.faults.append(f"{left_out} there that the list neither shows nor counts")
            return True
        return bool(last.fault) or last.lacking > 0 or len(last.contradicted) > 0

    def _judge(self, last: Scan) -> None:
        """Judge the reading as a whole, after its last scan.

        There is no proof if records that are gone are listed again, as ids are not used again, or
        if records came in an older version than before: such a list is of an earlier moment.
        """
        if self.proof is None:
            self.mismatch = mismatch(self.scans)
        else:
            self.absence.judge_unasked(last.records)
        if self.absence.contradicts_itself(is_proved=self.proof is not None):
            self.proof = None
        for number, what in (
            (self.absence.ask_for_returned(), "404 by detail requests and listed again"),
            (self.ledger.went_back, "listed in an older version than before"),
        ):
            if number:
                self.proof = None
                self.faults.append(f"{counted(number, 'record')} {what}")
        self.faults = self.absence.faults + self.faults

    def _probe_before(self, number: int) -> None:
        """Count the list before the scan of that number, where the scan may bring the proof.

        Records of a list without summaries are seen in full as they are listed: the first scan can
        prove only what is stored, and the probe behind it serves the second. With summaries full
        records are read in between, so that each scan has its own.
        """
        may_prove = self.has_summaries or number > 2
        if number == 1:
            may_prove = len(self.absence.stored) > (0 if self.has_summaries else self.page_size)
        if may_prove:
            self._probe_the_ends()
        elif self.has_summaries:
            self._probe(0)

    def _prove(self, scan: Scan) -> None:
        """Probe for a proof, and ask for the records that are gone according to it."""
        while True:
            if self._leaves_out(scan) or len(scan.contradicted):
                self.proof = None
                return
            self.proof = by_count(self.ledger, self.probes, scan.nameless)
            if self.proof is None:
                if not self._unlisted:
                    self.proof = by_agreement(self.scans, self.probes) or self._by_the_past(scan)
                return
            if not self._ask_for(self.absence.missing_since(self.proof.seen_since), scan):
                return

    def _leaves_out(self, scan: Scan) -> bool:
        """Whether records answer that this scan lacks, though it shows as many as it counts.

        Then the list does not count them either, so its count proves nothing.
        """
        return self._unlisted > 0 and scan.is_exact

    def _by_the_past(self, scan: Scan) -> Proof | None:
        """The proof by a first scan that shows exactly the records that the last run proved to be
        all, none of them twice, if probes at both ends of the list show no other record."""
        stored = self.absence.stored
        are_as_many = scan.records == len(self.ledger) == len(stored)
        is_still = not scan.fault and not scan.duplicates
        if not (self.is_stored_proved and are_as_many and is_still) or len(self.scans) > 1:
            return None
        if (self.ledger.last_seen(stored) == BEFORE).any():
            return None  # one is gone, and another one came
        ends = {0, max(0, -(-scan.records // self.page_size) - 1)}
        if any(self._probe(index).unknown for index in sorted(ends)):
            return None
        return Proof("agreement", scan.at, scan.step)

    def _probe(self, index: int) -> Probe:
        self.probes.append(self.listing.probe(self.ledger.next_step(), index))
        return self.probes[-1]

    def _probe_the_ends(self) -> None:
        """Read what is new at both ends of the list, where most lists put it, then probe once more.

        A record that was seen before the last probe, and is seen again in the scan that follows,
        was certainly alive at that probe.
        """
        first = self._probe(0)
        is_new = self._read_inward(first, range(1, PAGES_READ_AHEAD))
        if first.pages and first.pages > 1:
            end = first.pages - 1
            inward = range(end - 1, max(0, end - PAGES_READ_AHEAD), -1)
            is_new |= self._read_inward(self._probe(end), inward)
        if is_new:
            self._probe(0)

    def _read_inward(self, probe: Probe, indexes: range) -> bool:
        """Read further pages while they show something new; return whether any did."""
        is_new = probe.unknown > 0
        for index in indexes:
            if not probe.unknown or (probe.pages is not None and index >= probe.pages):
                break
            probe = self._probe(index)
        return is_new

    def _ask_for(self, missing: Keys, scan: Scan) -> int:
        """Ask for the missing records by their ids, and return how many are alive.

        As the list did not show these, none of its responses was the whole list.
        """
        controls = self.ledger.seen_since(scan.step, MOST_CONTROLS)
        alive = self.absence.ask_for(missing, controls, scan.records)
        self._unlisted += alive
        if alive:
            self.probes = [replace(probe, is_whole=False) for probe in self.probes]
        return alive

    def _read_full_records(self) -> None:
        """Read what is new or changed in full; what came incomplete is asked for once more.

        A record that is 404 although the list has just shown it may have been deleted since, or
        may not have reached the replica that answers detail requests: the next scan tells.
        """
        for _ in range(ROUNDS_OF_FULL_RECORDS):
            due = self._due()
            if not len(due) or not self.absence.can_ask:
                break
            self.listing.full_records(self.ledger.next_step(), due)
        self.refused = self._due()

    def _due(self) -> Keys:
        return np.setdiff1d(self.ledger.due(), self.absence.gone, assume_unique=True)
