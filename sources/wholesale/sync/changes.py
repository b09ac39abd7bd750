"""Changes: which of the full records are passed on to the destination.

Not passed on are records that are less complete than others of their resource, older than what was
seen of them, or at odds with their summary. Each state of a record is passed on once.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from wholesale.compare import (
    BEFORE,
    Compared,
    Form,
    Hashes,
    Noted,
    Sightings,
    Step,
    hash_records,
    hash_said,
    newest,
)
from wholesale.sync.batches import Batch, Merge
from wholesale.sync.reading import Reading
from wholesale.tables import (
    Decoded,
    Ids,
    Keys,
    Mask,
    are_guids,
    find,
    keys_of,
    one_chunk,
    plainly,
)

See = Callable[[Decoded], None]
"""Called with full records as they are now, changed or not; a record may come twice."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Records as one answer shows them, each once: what the ledger is told of them, and how they
    compare with what is stored."""

    decoded: Decoded
    seen: Sightings
    compared: Compared

    def keep(self, mask: Mask) -> "Shown":
        decoded = self.decoded.keep(pa.array(mask))
        return Shown(decoded, self.seen.keep(mask), self.compared.keep(mask))


class Changes:
    """Passes on the changes of one resource in one run, to `merge`; `see` is shown all records.

    - `late`: records that came again in another state after one had been passed on.
    - `form`: what records of the resource have in full.
    - `see_first`: is shown the first records of a list without summaries, and returns whether it is
      short.
    - `learn`: is shown the first records of a list without summaries that come incomplete.
    - `says_deleted`: keys of records that say that they are deleted, and are marked so.
    - `has_refused`: some records came incomplete or outdated, and were not passed on.
    - `is_list_short`: the list does not show all of its records, which are to be read one by one.
    - `takes_lesser`: also whole records that are older than their summaries, or at odds with them,
      are passed on if the destination lacks them or holds an older version; they stay due.
    """

    def __init__(self, reading: Reading) -> None:
        self.merge: Merge = lambda batch: None
        self.see: See = lambda decoded: None
        self.see_first: Callable[[Decoded], bool] | None = None
        self.learn: See | None = None
        self.late: list[Batch] = []
        self.says_deleted: set[bytes] = set()
        self.has_refused = False
        self.is_list_short = False
        self.takes_lesser = False
        resource = reading.resource
        by_path = (resource.parent.column,) if resource.parent else ()
        self.form = Form(reading.stored, (*resource.summary, *by_path), ("id", *by_path))
        self._reading = reading
        self._quarantined: set[str | None] = set()
        self._spellings = _spellings_of(reading.stored.ids)

    def show(self, decoded: Decoded, *, is_body: bool = False) -> Shown:
        """What a batch shows of each record: its summary where the resource has summaries, else all
        of it. `is_body`: these are full records, of which only the summary columns count."""
        reading = self._reading
        part, versions = newest(self.as_known(decoded, is_body=is_body), reading.version)
        states: Hashes
        if reading.has_summaries:
            decoder = reading.decoder
            columns = decoder.summary_columns if is_body else reading.resource.summary
            columns = tuple(name for name in columns if name not in decoder.shown_otherwise)
            states = hash_said(part.root, columns)
            compared = reading.stored.compare(part, () if is_body else decoder.found_in_summaries)
        else:
            states = hash_records(part)
            compared = reading.stored.compare(part, whole=states)
        return Shown(part, Sightings(part.ids.keys, versions, states, compared.was_there), compared)

    def note(self, step: Step, shown: Shown) -> Noted:
        """Note in the ledger what a page of full records shows; of incomplete ones only that they
        are alive."""
        if self.see_first and len(shown.seen):
            see_first, self.see_first = self.see_first, None
            self.is_list_short = see_first(shown.decoded)
        if not self.form.usual:
            self.form.learn(shown.decoded)
        seen = shown.seen
        is_whole = np.zeros(len(seen), np.bool_) if self.is_list_short else self._is_whole(shown)
        return self._reading.ledger.note(
            step, seen if is_whole.all() else seen.without_states(~is_whole)
        )

    def see_alive(self, step: Step, decoded: Decoded) -> None:
        """Note of records that were asked for only that they are alive."""
        seen = self.show(decoded, is_body=True).seen
        self._reading.ledger.note(step, seen.without_states(np.True_))

    def read(self, step: Step, decoded: Decoded) -> None:
        """Take records that were asked for in full; all of them are alive."""
        filled = self._reading.decoder.summaries.fill(self.as_known(decoded, is_body=True))
        self.take(step, self.show(filled, is_body=True))

    def take_listed(self, step: Step, shown: Shown) -> None:
        """Take records that a list shows: as they are, or each by itself if the list is short."""
        if not self.is_list_short:
            self.take(step, shown)
            return
        for whole in self._reading.singles_of(shown.decoded):
            self.read(step, whole)

    def take(self, step: Step, shown: Shown) -> None:
        """Pass on those of these full records that are complete and current."""
        ledger, report = self._reading.ledger, self._reading.report
        is_whole = is_good = self._is_whole(shown)
        if self._reading.has_summaries:
            is_confirmed = ledger.is_confirmed(shown.seen)
            if not is_confirmed.all():
                ledger.doubt(shown.seen.keep(is_good))
            is_good = is_good & is_confirmed
        else:
            is_good = is_good & ledger.is_current(shown.seen)
        if not is_good.all():
            self.has_refused = True
            ledger.note(step, shown.seen.keep(~is_good).without_states(np.True_))
            if self.takes_lesser:
                self._pass_on_lesser(shown.keep(is_whole & ~is_good))
            shown = shown.keep(is_good)
        self._pass_on(step, shown)
        report.tell("loaded", report.taken, report.wanted)

    def _is_whole(self, shown: Shown) -> Mask:
        """Which of these full records are complete: those that are stored just so are no less."""
        are_as_stored = ~shown.compared.differs & self._reading.stored.is_whole
        is_whole = self.form.is_whole(shown.decoded) | are_as_stored
        if self.learn and not is_whole.all():
            learn, self.learn = self.learn, None
            learn(shown.decoded.keep(pa.array(~is_whole)))
            is_whole = self.form.is_whole(shown.decoded) | are_as_stored
        return is_whole

    def _pass_on_lesser(self, shown: Shown) -> None:
        """Pass on those of these records that the destination lacks, or holds in a version older
        than this one, which is older than its summary; a better state is still due."""
        ledger, stored, seen = self._reading.ledger, self._reading.stored, shown.seen
        is_better = ~stored.has(seen.keys)
        is_better |= stored.is_older(seen.keys, seen.versions) & ~ledger.is_current(seen)
        lesser = shown.keep(is_better & ~ledger.is_read(seen.keys))
        if len(lesser.seen):
            ledger.hold(lesser.seen)
            self._hand_on(lesser)

    def pass_on_odd(self, decoded: Decoded) -> None:
        """Pass on the records of this batch that are in quarantine, and no others."""
        odd = decoded.keep(pa.repeat(False, len(decoded.root)))
        self.merge(Batch.of_new(self._count_odd(odd)))

    def _pass_on(self, step: Step, shown: Shown) -> None:
        """Pass on those of these records that the destination does not hold in this state."""
        report = self._reading.report
        self.see(shown.decoded)
        taken = self._reading.ledger.take(step, shown.seen)
        is_fresh = taken.is_due & ~taken.is_late
        if taken.is_late.any():
            self.late.append(Batch.of_known(self._marked(shown.keep(taken.is_late))))
            report.loaded += int(np.count_nonzero(taken.is_late))
        self._hand_on(shown.keep(is_fresh))

    def _hand_on(self, fresh: Shown) -> None:
        """Merge these records, unless the destination holds them whole as they are."""
        report, is_whole = self._reading.report, self._reading.stored.is_whole
        report.added += int(np.count_nonzero(~fresh.compared.was_alive))
        if not len(fresh.seen) and not fresh.decoded.quarantined:
            return
        fresh = replace(fresh, decoded=self._count_odd(fresh.decoded))
        decoded, compared = self._marked(fresh), fresh.compared
        report.add_records(compared, has_versions=self._reading.version is not None)
        is_known = compared.is_known
        if is_whole and not self._reading.is_full:
            decoded, is_known = decoded.keep(pa.array(compared.differs)), is_known[compared.differs]
            if not len(decoded.root) and not decoded.quarantined:
                return
        report.loaded += len(decoded.root)
        self.merge(Batch(decoded, is_known))

    def _marked(self, shown: Shown) -> Decoded:
        """The same records; those that say so themselves are marked as deleted."""
        decoded, says, keys = shown.decoded, shown.compared.says_deleted, shown.decoded.ids.keys
        if self.says_deleted:
            self.says_deleted.difference_update(keys[~says].tolist())
        if not says.any():
            return decoded
        self.says_deleted.update(keys[says].tolist())
        return decoded.marked(pa.array(says), self._reading.report.started_at)

    def _count_odd(self, decoded: Decoded) -> Decoded:
        """Count quarantine and misfits; a record in quarantine is passed on once, however often it
        comes."""
        if decoded.quarantined:
            first = tuple(q for q in decoded.quarantined if q.body not in self._quarantined)
            self._quarantined |= {quarantined.body for quarantined in first}
            decoded = replace(decoded, quarantined=first)
        report = self._reading.report
        report.add_odd(decoded.quarantined, decoded.misfits, decoded.careful_pages)
        return decoded

    def as_known(self, decoded: Decoded, *, is_body: bool) -> Decoded:
        """The same records, with their ids in the spelling that is known already.

        A GUID is recognised by its digits, however it is spelled. Other ids that differ in capital
        and small letters are different ids, unless the record was asked for by its id (`is_body`).
        """
        if not decoded.ids.others and not self._reading.decoder.texts:
            return decoded  # all are GUIDs with dashes in small letters
        is_unknown = ~self._is_known(decoded.ids.keys)
        if not is_unknown.any():
            return decoded
        sent = ids = one_chunk(decoded.root["id"])
        plain = plainly(ids)
        is_guid = are_guids(plain)
        keys = keys_of(plain)
        is_plain = is_guid & self._is_known(keys)
        ids = pc.if_else(pa.array(is_unknown & is_plain), plain, ids)
        others = np.flatnonzero(is_unknown & is_guid & ~is_plain)
        if len(others):
            ids = self._as_first_spelled(ids, keys, others)
        if is_body:
            for letters in (pc.utf8_lower(sent), pc.utf8_upper(sent)):
                is_known = is_unknown & ~is_guid & self._is_known(keys_of(letters))
                ids = pc.if_else(pa.array(is_known), letters, ids)
        return decoded if ids.equals(sent) else decoded.with_ids(ids)

    def _as_first_spelled(self, ids: pa.Array, keys: Keys, places: NDArray[np.intp]) -> pa.Array:
        """These ids, with the GUIDs at these places as they are stored or were spelled first;
        `keys` are made of their digits."""
        texts = ids.to_pylist()
        for place, key in zip(places.tolist(), keys[places].tolist(), strict=True):
            texts[place] = self._spellings.setdefault(key, texts[place])
        return pa.array(texts, ids.type)

    def _is_known(self, keys: Keys) -> Mask:
        is_known: Mask = self._reading.ledger.last_seen(keys) != BEFORE
        return is_known | find(self._reading.stored.ids.keys, keys)[1]


def _spellings_of(ids: Ids) -> dict[bytes, str]:
    """By the key of its digits, the spelling of each GUID that is not spelled plainly."""
    texts = pa.array(ids.others.values(), pa.string())
    plain = plainly(texts)
    is_respelled = are_guids(plain)
    spelled = texts.filter(pa.array(is_respelled)).to_pylist()
    return dict(zip(keys_of(plain)[is_respelled].tolist(), spelled, strict=True))
