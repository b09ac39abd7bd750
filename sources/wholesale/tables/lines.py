"""Lines: pages as one text, a line each, as Arrow's JSON reader takes them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from wholesale.json import RawPage

BEFORE, AFTER = b'{"data":', b"}\n"


@dataclass(slots=True)
class Lines:
    """Pages, copied into the `buffer` as they are added, so that their own bytes need not be kept
    until all are there.

    `parents` are the ids of the pages' parents.
    """

    buffer: memoryview
    parents: list[str | None] = field(default_factory=list)
    _size: int = 0
    _pages: list[tuple[RawPage, slice]] = field(default_factory=list)

    @classmethod
    def with_room_for(cls, size: int) -> Self:
        """Room for so many bytes."""
        return cls(np.empty(size, np.uint8).data)  # not cleared, unlike a bytearray

    @classmethod
    def of(cls, pages: Sequence[RawPage]) -> Self:
        """All of these pages."""
        lines = cls.with_room_for(sum(size_of(page) for page in pages))
        for page in pages:
            lines.add(page)
        return lines

    @property
    def text(self) -> memoryview:
        return self.buffer[: self._size]

    def opening(self, size: int) -> bytes:
        """The first bytes of the first page."""
        return bytes(self.text[len(BEFORE) : len(BEFORE) + size])

    def __len__(self) -> int:
        return len(self._pages)

    def __iter__(self) -> Iterator[RawPage]:
        """The pages, each copied again."""
        for page, records in self._pages:
            yield replace(page, records=bytes(self.buffer[records]))

    def add(self, page: RawPage) -> bool:
        """Copy a page, and return whether there was room for it."""
        records = page.records
        if self._size + size_of(page) > len(self.buffer):
            return False
        self._write(BEFORE)
        self._pages.append((replace(page, records=b""), self._write(records)))
        self._write(AFTER)
        self.parents.append(page.parent)
        return True

    def _write(self, part: bytes) -> slice:
        place = slice(self._size, self._size + len(part))
        self.buffer[place] = part
        self._size = place.stop
        return place


def size_of(page: RawPage) -> int:
    """How many bytes a page takes as a line."""
    return len(BEFORE) + len(page.records) + len(AFTER)
