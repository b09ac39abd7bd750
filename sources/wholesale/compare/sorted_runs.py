"""Sorted runs: the rows of the ledger by key, each key in one of a few sorted arrays.

They are the runs of a log-structured merge tree, but that values are changed in place. A record
takes 55 bytes.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from wholesale.compare.row_hashes import Hashes
from wholesale.compare.versions import Versions
from wholesale.tables import KEY, Keys, Mask, find, order_of

Steps = NDArray[np.uint16]
Places = NDArray[np.intp]
MAX_MERGED = 2**17
"""Arrays with more rows than this together are not merged: the copy would take too much memory."""
MAX_SEARCHED = 2**16
"""Keys looked up at once: a search takes several times the memory of its keys."""


@dataclass(slots=True)
class Rows:
    """Rows in the order of their keys; `ledger` says what they have."""

    keys: Keys
    first: Steps
    last: Steps
    at: Steps
    versions: Versions
    listed: Versions
    seen: Hashes
    held: Hashes
    is_read: Mask

    def __len__(self) -> int:
        return len(self.keys)

    def merged(self, other: "Rows") -> "Rows":
        order = order_of(np.concatenate([self.keys, other.keys]))
        return Rows(
            *(
                np.concatenate([getattr(self, column.name), getattr(other, column.name)])[order]
                for column in fields(Rows)
            )
        )


class SortedRuns:
    """All rows, in runs of which none has a key of another."""

    def __init__(self) -> None:
        self._runs: list[Rows] = []
        self._sought: Keys | None = None
        self._found: list[tuple[Rows, Places, Mask]] = []

    def __len__(self) -> int:
        return sum(len(rows) for rows in self._runs)

    def __iter__(self) -> Iterator[Rows]:
        return iter(self._runs)

    def add(self, rows: Rows) -> None:
        """Add rows with keys that are in no run."""
        self._sought = None
        self._runs.append(rows)
        while len(self._runs) > 1 and _are_to_be_merged(*self._runs[-2:]):
            latest = self._runs.pop()
            self._runs.append(self._runs.pop().merged(latest))

    def places(self, keys: Keys) -> Sequence[tuple[Rows, Places, Mask]]:
        """Each run, with the place of each key in it, and which keys are there.

        The result for the last keys is cached, as each batch is looked up several times.
        """
        if keys is not self._sought:
            self._found = [(rows, *find(rows.keys, keys)) for rows in self._runs]
            self._sought = keys
        return self._found

    def look_up(
        self, keys: Keys, otherwise: np.generic | int, value: Callable[[Rows, Places], np.ndarray]
    ) -> np.ndarray:
        """A value of each key's row, by `value` of a run and places in it; else `otherwise`."""
        values = np.full(len(keys), otherwise)
        for start in range(0, len(keys), MAX_SEARCHED):
            part = slice(start, start + MAX_SEARCHED)
            sought = keys if len(keys) <= MAX_SEARCHED else keys[part]
            for rows, places, found in self.places(sought):
                values[part][found] = value(rows, places[found])
        return values

    def keys_where(self, condition: Callable[[Rows], Mask]) -> Keys:
        """The keys of the rows that fulfil a condition, sorted."""
        found = [rows.keys[condition(rows)] for rows in self._runs]
        keys = np.concatenate([np.empty(0, KEY), *found])
        return keys[order_of(keys)]


def _are_to_be_merged(earlier: Rows, last: Rows) -> bool:
    """Whether two runs are of similar size, so that few are left to search, and cheap to copy."""
    return len(earlier) + len(last) <= MAX_MERGED and len(last) * 2 > len(earlier)
