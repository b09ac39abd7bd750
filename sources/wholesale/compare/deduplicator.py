"""Deduplicator: each record once, the newest version where several come.

Ids and versions are kept in sorted runs, of which those of like size are merged, as a
log-structured merge tree does it: twenty-four bytes an id, where a million Python objects would
take a hundred each, and no id is copied more than a few times.
"""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from wholesale.api import STAMPED
from wholesale.compare.versions import Versions, no_versions, versions_of
from wholesale.tables import KEY, Decoded, Keys, Mask, are_distinct, find

MAX_MERGED = 2**17
"""Runs that have more ids together are left apart: a copy of them would take too much memory."""
MAX_SEARCHED = 2**16
"""Ids looked up at once: of a million, a search needs several times the room of the ids."""


@dataclass(frozen=True, slots=True)
class Split:
    """A batch by what came before it: `new` records, and `newer` versions of known ones.

    `duplicates` counts the records that are not new, the newer ones among them.
    """

    new: Decoded
    newer: Decoded | None
    duplicates: int


@dataclass(frozen=True, slots=True)
class _Run:
    """Keys in order, each once, with the newest version of it."""

    keys: Keys
    versions: Versions

    @staticmethod
    def of(keys: Keys, versions: Versions) -> "_Run":
        order = np.argsort(keys, kind="stable")
        keys, versions = keys[order], versions[order]
        if (keys[1:] == keys[:-1]).any():
            order = np.lexsort((versions, keys))
            keys, versions = keys[order], versions[order]
            is_last = np.append(keys[1:] != keys[:-1], True)
            keys, versions = keys[is_last], versions[is_last]
        return _Run(keys, versions)

    def without(self, places: NDArray[np.intp]) -> "_Run":
        if not len(places):
            return self
        return _Run(np.delete(self.keys, places), np.delete(self.versions, places))

    def merged(self, other: "_Run") -> "_Run":
        return _Run.of(
            np.concatenate([self.keys, other.keys]),
            np.concatenate([self.versions, other.versions]),
        )


class Deduplicator:
    """The ids, and versions where there are any, of all records that came and were not removed.

    `version` names the column of the version. A resource that is not shown to have one has what
    comes under the usual name.
    """

    def __init__(self, version: str | None) -> None:
        self._version = version or STAMPED
        self._runs: list[_Run] = []
        self._count = 0

    @property
    def count(self) -> int:
        """How many different records came; those that were removed since are counted too."""
        return self._count

    def split(self, decoded: Decoded) -> Split:
        """Tell the new and the newer records of a batch from repeated ones, and remember them."""
        keys, versions = decoded.ids.keys, self._versions(decoded.root)
        is_newest = _newest(keys, versions)
        is_known, before = self._look_up(keys)
        is_new = is_newest & ~is_known
        is_newer = is_newest & is_known & (versions > before)
        newer = None
        if is_newer.any():
            newer = decoded.keep(pa.array(is_newer))
            self._remember(keys[is_newer], versions[is_newer])
        new = decoded if is_new.all() else decoded.keep(pa.array(is_new))
        self._remember(keys[is_new], versions[is_new])
        self._count += len(new.root)
        return Split(new, newer, len(decoded.root) - len(new.root))

    def holds(self, keys: Keys) -> Mask:
        """Which of these ids are known."""
        is_known = np.zeros(len(keys), np.bool_)
        for start in range(0, len(keys), MAX_SEARCHED):
            part = slice(start, start + MAX_SEARCHED)
            for run in self._runs:
                is_known[part] |= find(run.keys, keys[part])[1]
        return is_known

    def holds_version(self, decoded: Decoded) -> Mask:
        """Which of these records are known in the version that they have here."""
        is_known, versions = self._look_up(decoded.ids.keys)
        is_same: Mask = is_known & (versions == self._versions(decoded.root))
        return is_same

    def remove(self, keys: Keys) -> Mask:
        """Forget these ids, which leaves their room to others; which of them were known."""
        is_known = np.zeros(len(keys), np.bool_)
        kept: list[_Run] = []
        for run in self._runs:
            places, is_here = find(run.keys, keys)
            is_known |= is_here
            run = run.without(places[is_here])
            if len(run.keys):
                kept.append(run)
        self._runs = kept
        return is_known

    def difference(self, other: "Deduplicator") -> Keys:
        """The ids that are known here and not there, each once: an anti-join of the runs."""
        parts = (run.keys[~other.holds(run.keys)] for run in self._runs)
        return np.unique(np.concatenate([np.empty(0, KEY), *parts]))

    def _versions(self, root: pa.Table) -> Versions:
        name = self._version
        if name not in root.column_names or not pa.types.is_timestamp(root.schema.field(name).type):
            return no_versions(len(root))
        return versions_of(root[name])

    def _remember(self, keys: Keys, versions: Versions) -> None:
        if not len(keys):
            return
        self._runs.append(_Run.of(keys, versions))
        while len(self._runs) > 1 and _are_to_be_merged(*self._runs[-2:]):
            last = self._runs.pop()
            self._runs.append(self._runs.pop().merged(last))

    def _look_up(self, keys: Keys) -> tuple[Mask, Versions]:
        """Whether each key is known, and its newest version."""
        is_known, versions = np.zeros(len(keys), np.bool_), no_versions(len(keys))
        for run in self._runs:
            places, is_here = find(run.keys, keys)
            is_known |= is_here
            versions = np.where(is_here, np.maximum(versions, run.versions[places]), versions)
        return is_known, versions


def _are_to_be_merged(earlier: _Run, last: _Run) -> bool:
    """Runs of like size, so that there are only a few to search; not beyond one cheap to copy."""
    together = len(earlier.keys) + len(last.keys)
    return together <= MAX_MERGED and len(last.keys) * 2 > len(earlier.keys)


def _newest(keys: Keys, versions: Versions) -> Mask:
    """Of rows with one key the newest; of equal versions the one that came last."""
    if are_distinct(keys):
        return np.ones(len(keys), np.bool_)
    # Sorted by key, then version, then place: the last of each key is the one to keep.
    order = np.lexsort((np.arange(len(keys)), versions, keys))
    is_last = np.ones(len(keys), np.bool_)
    in_order = keys[order]
    is_last[order[:-1]] = in_order[1:] != in_order[:-1]
    return is_last
