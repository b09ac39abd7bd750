"""Sequence: row numbers in list order, in memory: a deep page costs no more than the first."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import Literal

ListOrder = Literal["oldest", "newest", "updated", "shuffled"]

_SPREAD = 0x9E3779B97F4A7C15  # 2**64 over the golden ratio: neighbours land far apart
_MASK = (1 << 62) - 1


def shuffled(number: int) -> int:
    """A place far from those of the numbers beside it; the same each time."""
    return (number * _SPREAD) & _MASK


class Sequence:
    """Numbers, given ascending, sorted by a key of 64 bits or, without one, by themselves."""

    def __init__(self, numbers: Iterable[int], key: Callable[[int], int] | None = None) -> None:
        if key is None:
            self._numbers = array("q", numbers)
            self._keys = self._numbers
        else:
            unsorted = array("q", numbers)
            keys = array("q", map(key, unsorted))
            places = sorted(range(len(keys)), key=keys.__getitem__)
            self._numbers = array("q", map(unsorted.__getitem__, places))
            self._keys = array("q", map(keys.__getitem__, places))

    def __len__(self) -> int:
        return len(self._numbers)

    def slice(self, start: int, stop: int) -> list[int]:
        return self._numbers[start:stop].tolist()

    def chunks(self, size: int) -> Iterator[list[int]]:
        """All numbers as they are now, `size` at a time."""
        numbers = self._numbers[:]
        return (numbers[start : start + size].tolist() for start in range(0, len(numbers), size))

    def insert(self, key: int, number: int) -> None:
        place = self._place(key, number)
        self._numbers.insert(place, number)
        if self._keys is not self._numbers:
            self._keys.insert(place, key)

    def remove(self, key: int, number: int) -> None:
        place = self._place(key, number)
        if place == len(self._numbers) or self._numbers[place] != number:
            raise KeyError(number)
        self._numbers.pop(place)
        if self._keys is not self._numbers:
            self._keys.pop(place)

    def _place(self, key: int, number: int) -> int:
        first = bisect_left(self._keys, key)
        return bisect_left(self._numbers, number, first, bisect_right(self._keys, key, first))
