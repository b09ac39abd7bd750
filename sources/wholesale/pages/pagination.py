"""Pagination: which page of a list to ask for next, and by which signs its end is proved."""

from dataclasses import dataclass, field, fields

from wholesale.api import EMPTY_PAGES_THAT_END_A_LIST, FIRST_PAGE
from wholesale.json import Page

MAX_PAGES = 1_000_000
MARKED_BYTES = 4096  # at either end of a page
EMPTY_PAGES_BEFORE_THE_LAST = 8
"""So many empty pages in a row, and as many as had records before, end a list whose envelope names
further ones: a filter may have emptied them, or the list may show only a window."""


@dataclass(slots=True)
class Paginator:
    """Which page of a list to ask for next, and by which signs its end is proved.

    One sign alone ends nothing: a server may cap the limit, give short or empty pages in the
    middle, miscount, or answer the last page for ever (§2.3 and §8 leave all of it open).
    The end is proved by the last page that the envelope names together with as many records as
    it counts or an empty page behind it, by two empty pages in a row, or by a page that repeats.
    While the envelope names further pages, it takes more empty ones, at least as many as had
    records before.
    A page that names a next one is not the last, whatever is counted; nor is a full first page the
    only one on its own word, as it may count and name itself alone.

    `limit` is how many records a page are asked for, and `expected` how many another reading of the
    list found; None where that is not known.
    """

    first: int = FIRST_PAGE.value
    limit: int | None = None
    expected: int | None = None
    pages: int = 0
    records: int = 0
    total_pages: int | None = None
    first_total: int | None = None
    last_total: int | None = None
    totals: tuple[int, int] | None = None
    """The least and the greatest number of records that a page counted."""
    fault: str | None = None
    filled: int = 0
    """How many pages there were up to the last one with records."""
    fullest: int = 0
    """How many records the largest page had."""
    window: int | None = None
    """How many records came before a page that was refused, where that ended the list."""
    _last_count: int = 0
    _goes_on: bool = False
    _is_alone_and_full: bool = False
    _is_ended: bool = False
    _empty_in_a_row: int = 0
    _seen: dict[int, int] = field(default_factory=dict)
    _last: Page | None = None

    @property
    def is_at_last_page(self) -> bool:
        """Whether the envelope names no further page; the list then ends if the count is right."""
        is_last_by_count = self.total_pages is not None and self.pages >= self.total_pages
        return is_last_by_count and not self._goes_on

    @property
    def is_dense(self) -> bool:
        """Whether every page was as full as the largest, but for the last one with records: then
        nothing is missing in between, and the list does not end at the edge of a window."""
        before_the_last = self.records - self._last_count
        is_full = before_the_last == (self.filled - 1) * self.fullest
        return is_full and self.is_last_short

    def pages_by(self, size: int) -> int:
        """How many pages had records, or would have had if no more than `size` a page had come."""
        return self.filled if self.fullest <= size else -(-self.records // size)

    @property
    def is_last_short(self) -> bool:
        """Whether the last page with records had fewer than another one."""
        return self._last_count < self.fullest

    @property
    def is_silent(self) -> bool:
        """Whether nothing but empty pages ended a list that had records, names no last page, and
        does not show as many as it counts, or as are expected."""
        has_ended = self._is_ended and self.total_pages is None and not self.fault
        is_counted = self.records in (self.last_total, self.expected)
        return has_ended and not is_counted and self._empty_in_a_row > 0 < self.records

    def go_on(self) -> None:
        """Take back that a list has ended, as pages further on have records."""
        self._is_ended, self._empty_in_a_row = False, 0

    @property
    def is_one_page_for_ever(self) -> bool:
        """Whether the list ended as its first page came again."""
        return self.pages > self.filled == 1 and not self._empty_in_a_row

    @property
    def is_ended(self) -> bool:
        return self._is_ended or (self._is_counted_out and not self._is_alone_and_full)

    @property
    def _is_counted_out(self) -> bool:
        return self.is_at_last_page and self.records == self.last_total

    @property
    def wanted(self) -> range:
        """Numbers of the pages known to be needed; empty when the list has ended.

        They may be requested at once, but must be passed to `see` in order.
        """
        if self.is_ended:
            return range(0)
        following = self.first + self.pages
        behind_the_last = self.first + (self.total_pages or 0)
        return range(following, max(following + 1, behind_the_last))

    def begin(self, first: int, limit: int | None = None) -> None:
        """Start anew at the first page, which has the number `first`."""
        unread = Paginator(first, limit, self.expected)
        for each in fields(self):
            setattr(self, each.name, getattr(unread, each.name))

    def see(self, page: Page) -> bool:
        """Take the next page into account; whether its records are new and are to be read."""
        self.pages += 1
        if page.total_pages is not None:
            self.total_pages = page.total_pages
        self._goes_on = page.next is not None and page.next >= self.first + self.pages
        self._is_alone_and_full = self.pages == 1 and page.fills(self.limit)
        if page.total_count is not None:
            self.last_total = page.total_count
            if self.first_total is None:
                self.first_total = page.total_count
            least, most = self.totals or (page.total_count, page.total_count)
            self.totals = min(least, page.total_count), max(most, page.total_count)
        is_new = self._see_empty() if page.is_empty else self._see_records(page)
        if self.is_ended:
            self._last = None  # nothing behind it will be compared with it
        return is_new

    def end(self, fault: str) -> None:
        """End a list that cannot be read any further; `fault` says what speaks against it."""
        self._is_ended, self.fault = True, fault

    def refuse(self) -> None:
        """End a list whose next page is refused, as by services that show only a window of it.

        After a page that is not full, or the last one by all that is counted, the refused page does
        not exist, so nothing is missing.
        """
        self._is_ended = True
        if not (self.is_last_short or self._is_counted_out):
            self.fault, self.window = f"page {self.pages + 1} is refused", self.records

    def _see_empty(self) -> bool:
        self._empty_in_a_row += 1
        last = self.total_pages
        most = EMPTY_PAGES_THAT_END_A_LIST.value
        if last is not None and self.pages < last:
            most = max(most, EMPTY_PAGES_BEFORE_THE_LAST, self.filled)
        self._is_ended = (last is not None and self.pages > last) or self._empty_in_a_row >= most
        return False

    def _see_records(self, page: Page) -> bool:
        self._empty_in_a_row = 0
        earlier = self._first_seen(page)
        if earlier != self.pages:
            self._is_ended = True
            if self.total_pages is not None and self.pages <= self.total_pages:
                self.fault = f"page {self.pages} repeats page {earlier}"
            return False
        if self.pages >= MAX_PAGES:
            self._is_ended = True
            self.fault = f"no end within {MAX_PAGES:,} pages"
        self.records += page.count
        self.filled, self._last_count = self.pages, page.count
        self.fullest = max(self.fullest, page.count)
        return True

    def has_seen(self, page: Page) -> bool:
        """Whether one of the pages so far had the same records."""
        return any(mark in self._seen for mark in (_ends(page), *_fingerprints(page)))

    def _first_seen(self, page: Page) -> int:
        """Number of the first page with these records: this one, or one that it repeats.

        Pages are recognised by hashes. Up to the last page that the envelope names only both ends
        of a page are hashed, which is cheap. After it a repeated page is what ends the list, so
        from that page on whole pages are hashed, and the sets of their ids.
        """
        last, self._last = self._last, page
        if self.total_pages is not None and self.pages <= self.total_pages:
            return self._seen.setdefault(_ends(page), self.pages)
        for mark in _fingerprints(last) if last else ():
            self._seen.setdefault(mark, self.pages - 1)
        marks = _fingerprints(page)
        if self.total_pages is not None:  # of the pages that were named only this is known
            marks.append(_ends(page))
        return min(self._seen.setdefault(mark, self.pages) for mark in marks)


def _ends(page: Page) -> int:
    """A hash of both ends of a page, which is cheap. If two different pages share it, one is taken
    for a repeat: records are missing then, so the list is read again and never certified.
    """
    records = page.records
    return hash((len(records), records[:MARKED_BYTES], records[-MARKED_BYTES:]))


def _fingerprints(page: Page) -> list[int]:
    """Hashes of the bytes of a page and of its ids: a page repeats if either does."""
    ids = page.ids()
    return [hash(page.records)] if ids is None else [hash(page.records), hash(ids)]
