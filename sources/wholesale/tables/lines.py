"""Lines: pages as one text, a line each, as Arrow's JSON reader takes them."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Self

import numpy as np

from wholesale.json import RawPage

BEFORE, AFTER = b'{"data":', b"}\n"
NUL = rb"\u0000"


class Lines:
    """Pages, copied into one text of at most so many bytes as they are added: their own bytes need
    not be kept until all are there.

    `parents` are the ids of the pages' parents, and `holds_nul` says whether a text holds NUL.
    """

    def __init__(self, room: int) -> None:
        self.parents: list[str | None] = []
        self.holds_nul = False
        self._text = np.empty(room, np.uint8).data  # not cleared, unlike a bytearray
        self._size = 0
        self._pages: list[tuple[RawPage, slice]] = []

    @classmethod
    def of(cls, pages: Iterable[RawPage]) -> Self:
        """These pages, unless they are lines already."""
        if isinstance(pages, cls):
            return pages
        pages = list(pages)
        lines = cls(sum(size_of(page) for page in pages))
        for page in pages:
            lines.add(page)
        return lines

    @property
    def text(self) -> memoryview:
        return self._text[: self._size]

    def opening(self, size: int) -> bytes:
        """The first bytes of the first page."""
        return bytes(self.text[len(BEFORE) : len(BEFORE) + size])

    def __len__(self) -> int:
        return len(self._pages)

    def __iter__(self) -> Iterator[RawPage]:
        """The pages, each copied again."""
        for page, records in self._pages:
            yield replace(page, records=bytes(self._text[records]))

    def has_room_for(self, page: RawPage) -> bool:
        return self._size + size_of(page) <= len(self._text)

    def add(self, page: RawPage) -> None:
        """Copy a page. Raises: ValueError where there is no room for it."""
        records = page.records
        self._write(BEFORE)
        self._pages.append((replace(page, records=b""), self._write(records)))
        self._write(AFTER)
        self.parents.append(page.parent)
        # A search for one byte is fifty times as fast as for six, and most pages escape nothing.
        self.holds_nul |= b"\\" in records and NUL in records

    def _write(self, part: bytes) -> slice:
        place = slice(self._size, self._size + len(part))
        self._text[place] = part
        self._size = place.stop
        return place


def size_of(page: RawPage) -> int:
    """How many bytes a page takes as a line."""
    return len(BEFORE) + len(page.records) + len(AFTER)
