"""Changes: which of the full records are passed on to the destination.

None that is less complete than others of its resource, none that is older than what was seen of it,
none that contradicts its summary; and each state of a record once.
"""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from wholesale.api import Resource
from wholesale.compare import (
    BEFORE,
    Form,
    Hashes,
    Ledger,
    Sightings,
    Step,
    Stored,
    hash_extra,
    hash_records,
    hash_rows,
    newest,
    versions_in,
)
from wholesale.sync.batches import Batch, BatchDecoder, Merge
from wholesale.sync.report import Report
from wholesale.tables import EXTRA, Decoded, Ids, Keys, Mask, find, keys_of, one_chunk


class Changes:
    """Passes on the changes of one resource in one run, to `merge`.

    `late` are records that came again in another state after one had been passed on. `form` is what
    records of the resource have in full. `has_refused`: some records came incomplete or outdated,
    and were not passed on. With `is_full` all records are passed on, changed or not.
    """

    def __init__(
        self,
        resource: Resource,
        decoder: BatchDecoder,
        stored: Stored,
        ledger: Ledger,
        report: Report,
        *,
        is_full: bool = False,
    ) -> None:
        self.merge: Merge = lambda batch: None
        self.late: list[Batch] = []
        self.has_refused = False
        by_path = (resource.parent.column,) if resource.parent else ()
        self.form = Form(stored, (*resource.summary, *by_path))
        self._resource = resource
        self._decoder = decoder
        self._stored = stored
        self._ledger = ledger
        self._report = report
        self._is_full = is_full
        self._version = resource.version.value
        self._others = dict(stored.ids.others)

    def ids(self, keys: Keys) -> Ids:
        """The ids of these records, with their text."""
        return Ids(keys, self._others)

    def note_ids(self, decoded: Decoded) -> None:
        """Note the text of the ids that are no GUIDs."""
        self._others |= decoded.ids.others

    def sightings(self, decoded: Decoded, *, is_body: bool = False) -> Sightings:
        """What a batch shows of each record: its summary where the resource has summaries, else all
        of it. `is_body`: these are full records, of which only the summary columns count."""
        self.note_ids(decoded)
        root = decoded.root
        states: Hashes
        if self._resource.summary:
            shown = self._decoder.summary_columns if is_body else self._resource.summary
            columns = [name for name in shown if name not in self._decoder.shown_otherwise]
            states = hash_rows(root, columns) + hash_extra(root[EXTRA], columns)
        else:
            states = hash_records(decoded)
        was_alive = self._stored.is_alive(decoded)
        return Sightings(decoded.ids.keys, versions_in(root, self._version), states, was_alive)

    def without_poor(self, decoded: Decoded, seen: Sightings) -> Sightings:
        """The same sightings; of incomplete records only that they are alive."""
        if not self.form.usual:
            self.form.learn(decoded)
        is_whole = self.form.is_whole(decoded)
        return seen if is_whole.all() else seen.without_states(~is_whole)

    def read(self, step: Step, decoded: Decoded) -> None:
        """Take records that were asked for in full; all of them are alive."""
        decoded = self._as_listed(decoded)
        part = newest(self._decoder.fill(decoded), self._version)
        self.take(step, part, self.sightings(part, is_body=True))

    def take(self, step: Step, part: Decoded, seen: Sightings) -> None:
        """Pass on those of these full records that are complete and current."""
        is_good = self.form.is_whole(part)
        if self._resource.summary:
            is_confirmed = self._ledger.is_confirmed(seen)
            if not is_confirmed.all():
                self._ledger.doubt(seen.keep(is_good))
            is_good &= is_confirmed
        else:
            is_good &= self._ledger.is_current(seen)
        if not is_good.all():
            self.has_refused = True
            self._ledger.note(step, seen.keep(~is_good).without_states(np.True_))
            part, seen = part.keep(pa.array(is_good)), seen.keep(is_good)
        self._pass_on(step, part, seen)
        self._report.tell("loaded", self._report.taken, self._report.wanted)

    def _as_listed(self, decoded: Decoded) -> Decoded:
        """The same records under the known spelling of their ids, where only the case differs."""
        is_unknown = ~self._is_known(decoded.ids.keys)
        if not is_unknown.any():
            return decoded
        ids = one_chunk(decoded.root["id"])
        for respelled in (pc.utf8_lower(ids), pc.utf8_upper(ids)):
            is_known = self._is_known(keys_of(respelled))
            ids = pc.if_else(pa.array(is_unknown & is_known), respelled, ids)
        return decoded if ids.equals(one_chunk(decoded.root["id"])) else decoded.with_ids(ids)

    def _is_known(self, keys: Keys) -> Mask:
        is_known: Mask = self._ledger.last_seen(keys) != BEFORE
        return is_known | find(self._stored.ids.keys, keys)[1]

    def _pass_on(self, step: Step, decoded: Decoded, seen: Sightings) -> None:
        """Pass on those of these records that the destination does not hold in this state."""
        taken = self._ledger.take(step, seen)
        is_fresh = taken.is_due & ~taken.is_late
        self._report.added += int(np.count_nonzero(is_fresh & ~seen.was_alive))
        if taken.is_late.any():
            self.late.append(Batch.of_known(decoded.keep(pa.array(taken.is_late))))
            self._report.loaded += int(np.count_nonzero(taken.is_late))
        fresh = decoded.keep(pa.array(is_fresh))
        if not len(fresh.root) and not fresh.quarantined:
            return
        fresh = self._decoder.count_odd(fresh)
        comparison = self._stored.compare(fresh)
        self._report.add_records(comparison, has_versions=self._version is not None)
        is_known = comparison.is_known
        if self._stored.is_whole and not self._is_full:
            fresh, is_known = fresh.keep(pa.array(comparison.differs)), is_known[comparison.differs]
            if not len(fresh.root) and not fresh.quarantined:
                return
        self._report.loaded += len(fresh.root)
        self.merge(Batch(fresh, is_known))
