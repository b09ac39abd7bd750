"""Changes: which of the full records are passed on to the destination.

Not passed on are records that are less complete than others of their resource, older than what was
seen of them, or at odds with their row in the list. Each state of a record is passed on once.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from wholesale.compare import (
    Compared,
    Contents,
    Noted,
    Sightings,
    Step,
    hash_records,
    hash_rows,
    hash_values,
    newest,
    versions_in,
)
from wholesale.names import DELETED_AT, EXTRA
from wholesale.sync.reading import Reading
from wholesale.sync.singles import read_listed
from wholesale.tables import Decoded, Mask


@dataclass(frozen=True, slots=True)
class Batch:
    """Records to merge into the destination, and which of them it may hold already."""

    decoded: Decoded
    is_known: Mask

    @staticmethod
    def of_new(decoded: Decoded) -> "Batch":
        return Batch(decoded, np.zeros(len(decoded.root), np.bool_))

    @staticmethod
    def of_known(decoded: Decoded) -> "Batch":
        return Batch(decoded, np.ones(len(decoded.root), np.bool_))


Merge = Callable[[Batch], None]
"""Called with each batch as soon as it is read."""


See = Callable[[Decoded], None]
"""Called with full records as they are now, changed or not; a record may come twice."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Records as one response shows them, each once: what the ledger is told of them, and how they
    compare with what is stored. `rows`: the same records, as often as they came."""

    decoded: Decoded
    seen: Sightings
    compared: Compared
    rows: Decoded

    def keep(self, mask: Mask) -> "Shown":
        decoded = self.decoded.keep(pa.array(mask))
        return Shown(decoded, self.seen.keep(mask), self.compared.keep(mask), self.rows)


class Changes:
    """Passes on the changes of one resource in one run, to `merge`; `see` is shown all records.

    - `late`: records that came again in another state after one had been passed on.
    """

    def __init__(self, reading: Reading) -> None:
        self.merge: Merge = lambda batch: None
        self.see: See = lambda decoded: None
        self.late: list[Batch] = []
        self._reading = reading
        self._quarantined: set[str | None] = set()

    def show(self, decoded: Decoded, *, is_full_form: bool = False) -> Shown:
        """What a batch shows of each record: its list row where the list shows records in short,
        else all of it. `is_full_form`: these are full records of such a list, of which only the
        columns count that its rows have."""
        reading, decoder = self._reading, self._reading.decoder
        if not is_full_form:
            has_plain, service = decoded.has_plain_guids, reading.fetcher.service
            service.see_ids(reading.resource, decoded.written, has_plain=has_plain)
        part, versions = newest(decoded, reading.version)
        if reading.has_summaries:
            names = decoder.summary_columns if is_full_form else reading.resource.summary
            states = hash_values(part.root, self._alike(names))
            found = () if is_full_form else decoder.found_in_summaries
            compared = reading.stored.compare(part, found)
        else:
            states = hash_records(part)
            compared = reading.stored.compare(part, whole=states)
        seen = Sightings(part.ids.keys, versions, states, compared.was_alive)
        return Shown(part, seen, compared, decoded)

    def contents(self, shown: Shown) -> Contents:
        """All that a batch of a list shows, row by row."""
        resource, rows, states = self._reading.resource, shown.rows, shown.seen.states
        if shown.decoded is not rows:
            names = self._alike(resource.summary)
            states = hash_values(rows.root, names) if names else hash_records(rows)
        if resource.summary:
            others = set(rows.root.column_names).difference(resource.summary, (EXTRA, DELETED_AT))
            states = states + hash_rows(rows.root, others)
        return Contents(rows.ids.keys, versions_in(rows.root, self._reading.version), states)

    def _alike(self, names: Sequence[str]) -> tuple[str, ...]:
        """Those of these columns that the list shows as full records do."""
        table, unlike = self._reading.resource.name, self._reading.profile.unlike_fields
        return tuple(name for name in names if f"{table}.{name}" not in unlike)

    def note(self, step: Step, shown: Shown) -> Noted:
        """Note in the ledger what a page of full records shows; of incomplete ones only that they
        are alive."""
        seen = shown.seen
        if self._reading.lacks_fields:
            return self._reading.ledger.note(step, seen.without_states(np.True_))
        is_whole = self._is_whole(shown, are_all=True)
        self._reading.expectation.see_page(shown.decoded)
        return self._reading.ledger.note(
            step, seen if is_whole.all() else seen.without_states(~is_whole)
        )

    def see_alive(self, step: Step, decoded: Decoded) -> None:
        """Note of records that were asked for only that they are alive."""
        seen = self.show(decoded, is_full_form=True).seen
        self._reading.ledger.note(step, seen.without_states(np.True_))

    def read(self, step: Step, decoded: Decoded, *, is_best: bool = False) -> None:
        """Take records that were asked for in full; `is_best` as in `take`."""
        filled = self._reading.decoder.summaries.fill(decoded)
        self.take(step, self.show(filled, is_full_form=True), is_best=is_best)

    def take_listed(self, step: Step, shown: Shown) -> None:
        """Take records that a list shows: as they are, or each by itself if the list is short."""
        if not self._reading.lacks_fields:
            self.take(step, shown, are_all=True, is_best=not self._reading.can_ask_again)
            return
        for whole in read_listed(self._reading, shown.decoded):
            self._reading.expectation.see_page(whole)
            self.read(step, whole, is_best=True)

    def take(
        self, step: Step, shown: Shown, *, are_all: bool = False, is_best: bool = False
    ) -> None:
        """Pass on those of these full records that are complete and current.

        `are_all`: they are all of a page of their list, and not only those that changed. `is_best`:
        nothing better is to be expected, so the others are passed on too if the destination has
        nothing of them, or an older version. They stay due, and the doubts say why.
        """
        ledger, tally = self._reading.ledger, self._reading.tally
        is_whole = is_good = self._is_whole(shown, are_all=are_all)
        if self._reading.has_summaries:
            is_confirmed = ledger.is_confirmed(shown.seen)
            if not is_confirmed.all():
                ledger.doubt(shown.seen.keep(is_good))
            is_good = is_good & is_confirmed
        else:
            is_good = is_good & ledger.is_current(shown.seen)
        if not is_good.all():
            ledger.note(step, shown.seen.keep(~is_good).without_states(np.True_))
            if is_best:
                self._take_lesser(shown.keep(~is_good), is_whole[~is_good])
            shown = shown.keep(is_good)
        self._pass_on(step, shown)
        tally.tell("loaded", tally.taken, tally.wanted)

    def pass_on_quarantined(self, decoded: Decoded) -> None:
        """Pass on the records of this batch that are in quarantine, and no others."""
        none = decoded.keep(pa.repeat(False, len(decoded.root)))
        self.merge(Batch.of_new(self._count_odd(none)))

    def _is_whole(self, shown: Shown, *, are_all: bool) -> Mask:
        """Which of these full records are complete: those that are stored just so are no less."""
        resource, stored = self._reading.resource, self._reading.stored
        is_whole = self._reading.expectation.is_whole(shown.decoded, are_all=are_all)
        if are_all and self._reading.can_ask_again:
            has_lost = stored.has_lost(shown.decoded)
            if resource.version.value:
                has_lost &= ~stored.is_older(shown.seen.keys, shown.seen.versions)
            is_whole &= ~has_lost
        if stored.is_whole and not is_whole.all():
            is_whole |= ~shown.compared.differs
        return is_whole

    def _take_lesser(self, shown: Shown, is_whole: Mask) -> None:
        """Pass on those of these records of which the destination has nothing; of whole ones also
        those that it has in an older version. Nothing stored is replaced by less."""
        ledger, stored, seen = self._reading.ledger, self._reading.stored, shown.seen
        self._reading.expectation.refuse(shown.decoded, is_whole)
        is_better = ~stored.has(seen.keys)
        is_older = stored.is_older(seen.keys, seen.versions) & ~ledger.is_current(seen)
        is_better |= is_whole & is_older
        lesser = shown.keep(is_better & ~ledger.is_read(seen.keys))
        if len(lesser.seen):
            ledger.hold(lesser.seen.without_states(np.True_))  # so that they stay due
            self._hand_on(lesser)

    def _pass_on(self, step: Step, shown: Shown) -> None:
        """Pass on those of these records that the destination does not hold in this state."""
        self.see(shown.decoded)
        taken = self._reading.ledger.take(step, shown.seen)
        if taken.is_late.any():
            late = shown.keep(taken.is_late).decoded
            self.late.append(Batch.of_known(late))
            self._account_for(late)
        self._hand_on(shown.keep(taken.is_due & ~taken.is_late))

    def _hand_on(self, fresh: Shown) -> None:
        """Merge these records, unless the destination holds them whole as they are."""
        if not len(fresh.seen) and not fresh.decoded.quarantined:
            return
        decoded, compared = self._count_odd(fresh.decoded), fresh.compared
        has_versions = self._reading.version is not None
        self._reading.tally.add_records(compared, has_versions=has_versions)
        is_known = compared.is_known
        if self._reading.stored.is_whole and not self._reading.is_full:
            decoded, is_known = decoded.keep(pa.array(compared.differs)), is_known[compared.differs]
            if not len(decoded.root) and not decoded.quarantined:
                return
        self._account_for(decoded)
        self.merge(Batch(decoded, is_known))

    def _account_for(self, passed_on: Decoded) -> None:
        self._reading.tally.add_loaded(len(passed_on.root))
        self._reading.expectation.see_passed_on(passed_on)

    def _count_odd(self, decoded: Decoded) -> Decoded:
        """Count quarantine and misfits; a record in quarantine is passed on once, however often it
        comes."""
        if decoded.quarantined:
            first = tuple(q for q in decoded.quarantined if q.body not in self._quarantined)
            self._quarantined |= {quarantined.body for quarantined in first}
            decoded = replace(decoded, quarantined=first)
        self._reading.tally.see_odd(decoded.misfits, decoded.careful_pages)
        self._reading.doubts.add_quarantined(len(decoded.quarantined))
        return decoded
