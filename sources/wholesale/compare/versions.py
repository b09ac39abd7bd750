"""Versions: when records say that they changed last, by which the newer of two states is told."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from wholesale.api import UPDATED_AT
from wholesale.compare.row_hashes import Hashes, hash_values
from wholesale.tables import KEY, Decoded, Keys, Mask, are_distinct

Versions = NDArray[np.int64]
"""Microseconds since 1970, UTC."""
NO_VERSION = np.iinfo(np.int64).min
"""Older than any version; the version of a record that has none."""


def versions_in(root: pa.Table, version: str | None) -> Versions:
    """The versions of rows; by the column `updated_at` where the resource declares no version."""
    name = version or UPDATED_AT
    if name not in root.column_names or not pa.types.is_timestamp(root.schema.field(name).type):
        return np.full(len(root), NO_VERSION, np.int64)
    return versions_of(root[name])


def versions_of(column: pa.ChunkedArray) -> Versions:
    """A column of times as numbers; null becomes NO_VERSION."""
    numbers = pc.fill_null(column.cast(pa.int64()), NO_VERSION)
    return np.asarray(numbers.to_numpy(), np.int64)


DAY = 86_400_000_000


def floored(at: datetime | None, versions: Versions) -> datetime | None:
    """The last moment up to this one that can be one of these versions: where all of them are whole
    seconds, hours or days, one version may stand for several changes."""
    if at is None:
        return None
    known = versions[versions != NO_VERSION]
    grain = int(np.gcd(np.gcd.reduce(known), DAY)) if len(known) else 1
    return at - timedelta(microseconds=int(at.timestamp() * 1_000_000) % grain)


HASH_OF_NO_VERSION = 0
"""The hash of the version of a record that has none."""


class DistinctVersions:
    """The different versions that a list shows, by hashes: they need not be readable times."""

    def __init__(self, version: str | None) -> None:
        self._columns = (version,) if version else ()
        self._seen: set[int] = set()

    def see(self, rows: pa.Table) -> None:
        """Take more records of the list into account."""
        if len(self._seen) < 2:
            hashes = hash_values(rows, self._columns)
            self._seen.update(np.unique(hashes)[:2].tolist())

    def tell_changes(self, *, at_least: int, of: int) -> bool:
        """Whether they tell what changed. One that all records share does not, if these are
        `at_least` so many; nor does one that no record has."""
        return len(self._seen) > 1 or (of < at_least and HASH_OF_NO_VERSION not in self._seen)


@dataclass(frozen=True, slots=True)
class Contents:
    """Rows of a list as they came, of each the key and the version of its record, and the hash of
    what it shows: whether each record came in one content, however often it came."""

    keys: Keys
    versions: Versions
    states: Hashes

    @staticmethod
    def of(parts: Sequence["Contents"]) -> "Contents":
        """The rows of all parts."""
        return Contents(
            np.concatenate([np.empty(0, KEY), *(part.keys for part in parts)]),
            np.concatenate([np.empty(0, np.int64), *(part.versions for part in parts)]),
            np.concatenate([np.empty(0, np.uint64), *(part.states for part in parts)]),
        )

    def __len__(self) -> int:
        return len(self.keys)

    def without(self, keys: Keys) -> "Contents":
        """The rows of other records than these."""
        stays = ~np.isin(self.keys, keys)
        return Contents(self.keys[stays], self.versions[stays], self.states[stays])

    def repeated(self) -> tuple[Keys, Keys]:
        """The records that came in several rows, in order; and those of them whose newest version
        came in several contents, so that nothing tells which of these is the record."""
        if are_distinct(self.keys):
            return np.empty(0, KEY), np.empty(0, KEY)
        order = np.lexsort((self.states, self.versions, self.keys))
        keys, versions, states = self.keys[order], self.versions[order], self.states[order]
        is_same = keys[1:] == keys[:-1]
        is_last = np.append(~is_same, True)[1:]
        is_other = is_same & (versions[1:] == versions[:-1]) & (states[1:] != states[:-1])
        newest = versions[1:][is_last][np.searchsorted(keys[1:][is_last], keys[1:][is_other])]
        is_newest = versions[1:][is_other] == newest
        return np.unique(keys[1:][is_same]), np.unique(keys[1:][is_other][is_newest])


def newest(decoded: Decoded, version: str | None) -> tuple[Decoded, Versions]:
    """Each record once, with its version: the row of the newest one, of equal ones the last."""
    keys, versions = decoded.ids.keys, versions_in(decoded.root, version)
    if are_distinct(keys):
        return decoded, versions
    is_newest = _is_newest(keys, versions)
    return decoded.keep(pa.array(is_newest)), versions[is_newest]


def _is_newest(keys: Keys, versions: Versions) -> Mask:
    order = np.lexsort((np.arange(len(keys)), versions, keys))
    is_last = np.ones(len(keys), np.bool_)
    in_order = keys[order]
    is_last[order[:-1]] = in_order[1:] != in_order[:-1]
    return is_last
