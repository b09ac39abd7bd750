"""The ids admitted in one read: each record once, the newest version where several come.

Kept as sorted arrays, twenty-four bytes an id, because a million Python objects would not stay
small.
"""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from wholesale.api import STAMPED
from wholesale.tables import KEY, Decoded, Keys, Mask, are_distinct, find

Versions = NDArray[np.int64]
"""Microseconds since 1970, UTC."""
MAX_JOINED = 2**17
MAX_SEARCHED = 2**16
"""Ids looked up at once: of a million, a search needs several times the room of the ids."""
NO_VERSION = np.iinfo(np.int64).min
"""Older than any version; the version of a record of a resource that has none."""


@dataclass(frozen=True, slots=True)
class Admission:
    """What a batch adds: `fresh` records, `late` ones that are newer than one admitted before."""

    fresh: Decoded
    late: Decoded | None
    duplicates: int


@dataclass(frozen=True, slots=True)
class _Known:
    """Keys in order, each once, with the newest version that was admitted."""

    keys: Keys
    versions: Versions

    @staticmethod
    def of(keys: Keys, versions: Versions) -> "_Known":
        order = np.argsort(keys, kind="stable")
        keys, versions = keys[order], versions[order]
        if (keys[1:] == keys[:-1]).any():
            order = np.lexsort((versions, keys))
            keys, versions = keys[order], versions[order]
            is_last = np.append(keys[1:] != keys[:-1], True)
            keys, versions = keys[is_last], versions[is_last]
        return _Known(keys, versions)

    def without(self, places: NDArray[np.intp]) -> "_Known":
        if not len(places):
            return self
        return _Known(np.delete(self.keys, places), np.delete(self.versions, places))

    def joined(self, other: "_Known") -> "_Known":
        return _Known.of(
            np.concatenate([self.keys, other.keys]),
            np.concatenate([self.versions, other.versions]),
        )


class Seen:
    """Ids, and versions where there are any, of all records admitted so far.

    The version of a resource that is not shown to have one is what it has under the usual name.
    """

    def __init__(self, version: str | None) -> None:
        self._version = version or STAMPED
        self._known: list[_Known] = []
        self._ids = 0

    def __len__(self) -> int:
        return self._ids

    def admit(self, decoded: Decoded) -> Admission:
        """Split a batch into records that are new here, newer than before, and neither."""
        keys, versions = decoded.ids.keys, self._versions(decoded.root)
        newest = _newest(keys, versions)
        is_known, before = self._look_up(keys)
        is_fresh = newest & ~is_known
        is_late = newest & is_known & (versions > before)
        late = None
        if is_late.any():
            late = decoded.keep(pa.array(is_late))
            self._remember(keys[is_late], versions[is_late])
        fresh = decoded if is_fresh.all() else decoded.keep(pa.array(is_fresh))
        self._remember(keys[is_fresh], versions[is_fresh])
        self._ids += len(fresh.root)
        return Admission(fresh, late, len(decoded.root) - len(fresh.root))

    def holds(self, keys: Keys) -> Mask:
        """Which of these ids were admitted."""
        is_known = np.zeros(len(keys), np.bool_)
        for start in range(0, len(keys), MAX_SEARCHED):
            part = slice(start, start + MAX_SEARCHED)
            for known in self._known:
                is_known[part] |= find(known.keys, keys[part])[1]
        return is_known

    def take(self, keys: Keys) -> Mask:
        """Which of these ids are held; those are held no longer, and leave their room to others."""
        is_here = np.zeros(len(keys), np.bool_)
        held: list[_Known] = []
        for known in self._known:
            places, is_found = find(known.keys, keys)
            is_here |= is_found
            known = known.without(places[is_found])
            if len(known.keys):
                held.append(known)
        self._known = held
        return is_here

    def beyond(self, other: "Seen") -> Keys:
        """The ids admitted here and not there, each once."""
        parts = (known.keys[~other.holds(known.keys)] for known in self._known)
        return np.unique(np.concatenate([np.empty(0, KEY), *parts]))

    def holds_version(self, decoded: Decoded) -> Mask:
        """Which of these records were admitted in the version that they have here."""
        is_known, versions = self._look_up(decoded.ids.keys)
        is_same: Mask = is_known & (versions == self._versions(decoded.root))
        return is_same

    def _versions(self, root: pa.Table) -> Versions:
        name = self._version
        if name not in root.column_names or not pa.types.is_timestamp(root.schema.field(name).type):
            return _none(len(root))
        return versions_of(root[name])

    def _remember(self, keys: Keys, versions: Versions) -> None:
        """Add keys; arrays of like size are joined, so that there are only a few to search."""
        if not len(keys):
            return
        self._known.append(_Known.of(keys, versions))
        while len(self._known) > 1 and _are_to_be_joined(*self._known[-2:]):
            last = self._known.pop()
            self._known.append(self._known.pop().joined(last))

    def _look_up(self, keys: Keys) -> tuple[Mask, Versions]:
        """Whether each key was admitted, and its newest version."""
        is_known, versions = np.zeros(len(keys), np.bool_), _none(len(keys))
        for known in self._known:
            places, is_here = find(known.keys, keys)
            is_known |= is_here
            versions = np.where(is_here, np.maximum(versions, known.versions[places]), versions)
        return is_known, versions


def _are_to_be_joined(earlier: _Known, last: _Known) -> bool:
    """Like sizes, so that each key moves a few times only; not beyond a size cheap to copy."""
    together = len(earlier.keys) + len(last.keys)
    return together <= MAX_JOINED and len(last.keys) * 2 > len(earlier.keys)


def versions_of(column: pa.ChunkedArray) -> Versions:
    """A column of times as numbers; null is older than any."""
    numbers = pc.fill_null(column.cast(pa.int64()), NO_VERSION)
    return np.asarray(numbers.to_numpy(), np.int64)


def _none(count: int) -> Versions:
    return np.full(count, NO_VERSION, np.int64)


def _newest(keys: Keys, versions: Versions) -> Mask:
    """Of rows with one key the newest; of equal versions the one that came last."""
    if are_distinct(keys):
        return np.ones(len(keys), np.bool_)
    order = np.lexsort((np.arange(len(keys)), versions, keys))
    is_last = np.ones(len(keys), np.bool_)
    in_order = keys[order]
    is_last[order[:-1]] = in_order[1:] != in_order[:-1]
    return is_last
