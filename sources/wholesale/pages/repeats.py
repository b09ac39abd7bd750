"""Repeats: whether a page of a list shows the records of an earlier one.

Pages are recognised by hashes, so that none has to be kept. Of the pages that the envelope names
only both ends are hashed, which is cheap. Behind the last of these a repeated page is what ends the
list, so from that page on whole pages are hashed, and the sets of their ids.
"""

from dataclasses import dataclass, field

from wholesale.json import Page

MARKED_BYTES = 4096
"""At either end of a page."""


@dataclass(slots=True)
class SeenPages:
    """The pages of one list that have been read so far."""

    _number_of: dict[int, int] = field(default_factory=dict)
    _last: Page | None = None

    def add(self, page: Page, number: int, last_named: int | None) -> int:
        """Note the page of this number, and return the number of the first page with its records:
        its own, or that of one that it repeats.

        `last_named` is the last page that the envelope names, None where it names none.
        """
        before, self._last = self._last, page
        if last_named is not None and number <= last_named:
            return self._number_of.setdefault(_hash_of_ends(page), number)
        for each in _hashes_of_all(before) if before else ():
            self._number_of.setdefault(each, number - 1)
        hashes = _hashes_of_all(page)
        if last_named is not None:  # of the pages up to that one only this is known
            hashes.append(_hash_of_ends(page))
        return min(self._number_of.setdefault(each, number) for each in hashes)

    def has(self, page: Page) -> bool:
        """Whether one of the pages so far had the same records."""
        hashes = (_hash_of_ends(page), *_hashes_of_all(page))
        return any(each in self._number_of for each in hashes)

    def end(self) -> None:
        """Let go of the last page, as none will come after it."""
        self._last = None


def _hash_of_ends(page: Page) -> int:
    """A hash of both ends of a page. If two different pages share it, one is taken for a repeat:
    records are missing then, so the list is read again and never certified."""
    records = page.records
    return hash((len(records), records[:MARKED_BYTES], records[-MARKED_BYTES:]))


def _hashes_of_all(page: Page) -> list[int]:
    """Hashes of the bytes of a page and of its ids; a page repeats another if either is equal."""
    ids = page.ids()
    return [hash(page.records)] if ids is None else [hash(page.records), hash(ids)]
