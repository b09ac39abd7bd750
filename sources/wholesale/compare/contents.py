"""Contents: whether each record of a list came in one content, however often it came."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wholesale.compare.row_hashes import Hashes
from wholesale.compare.versions import Versions
from wholesale.tables import KEY, Keys


@dataclass(frozen=True, slots=True)
class Contents:
    """Rows of a list as they came, of each the key and the version of its record, and the hash of
    what it shows."""

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
        order = np.lexsort((self.states, self.versions, self.keys))
        keys, versions, states = self.keys[order], self.versions[order], self.states[order]
        is_same = keys[1:] == keys[:-1]
        is_last = np.append(~is_same, True)[1:]
        is_other = is_same & (versions[1:] == versions[:-1]) & (states[1:] != states[:-1])
        newest = versions[1:][is_last][np.searchsorted(keys[1:][is_last], keys[1:][is_other])]
        is_newest = versions[1:][is_other] == newest
        return np.unique(keys[1:][is_same]), np.unique(keys[1:][is_other][is_newest])
