"""Changes: what the destination is told of a resource, by comparison with what it holds."""

from dataclasses import dataclass, replace

import numpy as np

from wholesale.api import Resource
from wholesale.compare import (
    Deduplicator,
    Missing,
    Stored,
    is_in_part,
    versions_of,
)
from wholesale.sync.early_stop import OVERLAP
from wholesale.sync.passes import Pass
from wholesale.sync.report import Report
from wholesale.tables import Decoded, Ids, Keys, Mask, concat, find


@dataclass(frozen=True, slots=True)
class Batch:
    """Records to be merged into the destination, and which of them it may hold already."""

    decoded: Decoded
    is_known: Mask

    @staticmethod
    def of_new(decoded: Decoded) -> "Batch":
        return Batch(decoded, np.zeros(len(decoded.root), np.bool_))

    @staticmethod
    def of_known(decoded: Decoded) -> "Batch":
        return Batch(decoded, np.ones(len(decoded.root), np.bool_))


class Changes:
    """Compares what comes with what is `stored`, and passes each change on once.

    `late` holds records that came again in a newer version after an older one had been passed on:
    load them after the rest. `gone` are ids of stored records that are proved to be deleted.
    `passed_on` are the records that the destination has from this run. With `is_full` every record
    is wanted, changed or not.
    """

    def __init__(
        self,
        resource: Resource,
        stored: Stored,
        report: Report,
        *,
        is_full: bool = False,
    ) -> None:
        self.stored = stored
        self.is_full = is_full
        self.late: list[Batch] = []
        self.gone: set[str] = set()
        self.passed_on = Deduplicator(resource.version.value)
        self._version = resource.version.value
        self._report = report
        self._audited: list[Keys] = []
        self._quarantined: set[str] = set()

    def wanted(self, summaries: Decoded, this_pass: Pass) -> Mask:
        """Which records are to be fetched in full: new, changed or due, and not passed on yet."""
        is_left = ~self.passed_on.holds_version(summaries)
        if self.is_full:
            return is_left
        comparison = self.stored.compare(summaries)
        is_wanted = comparison.differs | comparison.is_dirty
        if this_pass.number == 1:
            self._count_missed(summaries, comparison.differs)
        if self.stored.audit_part is not None:
            keys = summaries.ids.keys
            is_audited = is_in_part(keys, self.stored.audit_part) & ~is_wanted & is_left
            self._report.audited += int(np.count_nonzero(is_audited))
            self._audited.append(keys[is_audited])
            is_wanted = is_wanted | is_audited
        return is_wanted & is_left

    def missing(self, this_pass: Pass) -> Missing:
        """Stored records that the pass did not show, and that are not known to be gone."""
        return self.stored.missing(this_pass.listed.holds(self.stored.keys), self.gone)

    def pass_on(self, decoded: Decoded, this_pass: Pass) -> Batch:
        """What of these records the destination does not have from this run already."""
        decoded = self._count_odd(decoded)
        if self.gone:
            self.gone -= set(decoded.root["id"].to_pylist())
        split = self.passed_on.split(decoded)
        if split.newer:
            self.late.append(Batch.of_known(split.newer))
        comparison = self.stored.compare(split.new)
        self._report.new += int(np.count_nonzero(~comparison.is_known))
        if self._version:
            changed = int(np.count_nonzero(comparison.is_known & comparison.differs))
            self._report.changed = (self._report.changed or 0) + changed
        self._report.tell("loaded", self.passed_on.count, this_pass.expected)
        return Batch(split.new, comparison.is_known)

    def pass_on_quarantined(self, decoded: Decoded) -> Batch:
        """What has no usable id, in a batch of nothing else."""
        return Batch.of_new(self._count_odd(decoded))

    def count_differing(self, differing: Ids) -> None:
        """Take into account which known records turned out to differ when compared whole.

        Those that were audited were edited without a trace in what tells a change.
        """
        audited = np.sort(concat([Ids(keys) for keys in self._audited]).keys)
        self._report.changed = len(differing)
        self._report.silent = int(np.count_nonzero(find(audited, differing.keys)[1]))

    def _count_missed(self, summaries: Decoded, differs: Mask) -> None:
        """Count what changed before an early stop and was not seen by it."""
        stopped_at = self.stored.stopped_at
        if self._version and stopped_at:
            limit = int((stopped_at - OVERLAP).timestamp() * 1_000_000)
            is_missed = differs & (versions_of(summaries.root[self._version]) < limit)
            self._report.missed += int(np.count_nonzero(is_missed))

    def _count_odd(self, decoded: Decoded) -> Decoded:
        """Count what is odd; a record in quarantine is passed on once, however often it comes."""
        if decoded.quarantined:
            first = tuple(q for q in decoded.quarantined if q.body not in self._quarantined)
            self._quarantined |= {quarantined.body for quarantined in first}
            decoded = replace(decoded, quarantined=first)
        self._report.add_odd(decoded.quarantined, decoded.misfits, decoded.careful_pages)
        return decoded
