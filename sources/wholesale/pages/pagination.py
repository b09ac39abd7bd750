"""Pagination: which page of a list to ask for next, and by which signs its end is proved."""

from dataclasses import dataclass, field

from wholesale.api import (
    EMPTY_PAGES_THAT_END_A_LIST,
    FIRST_PAGE,
    WINDOWS_END_AT_ROUND_NUMBERS,
)
from wholesale.json import Page

MAX_PAGES = 1_000_000
MARKED_BYTES = 4096
"""At either end of a page."""
EMPTY_PAGES_BEFORE_THE_LAST = 8
"""So many empty pages in a row, and as many as had records before, end a list whose envelope names
further ones: a filter may have emptied them, or the list may show only a window."""


@dataclass(slots=True)
class SeenPages:
    """The pages of one list that have been read so far, to tell one that repeats another.

    Pages are recognised by hashes, so that none has to be kept. Of the pages that the envelope
    names only both ends are hashed, which is cheap. Behind the last of these a repeated page is
    what ends the list, so from that page on whole pages are hashed, and the sets of their ids.
    """

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


@dataclass(slots=True)
class Paginator:
    """What the pages of a list have shown so far, and whether it is at its end.

    A server may cap the limit, give short or empty pages in the middle, miscount, or answer the
    last page for ever (§2.3 and §8 leave all of it open). So a list ends only

    - at the last page that the envelope names, if as many records came as it counts, and the page
      names no next one;
    - behind that page, if an empty one follows;
    - by two empty pages in a row; where the envelope names further pages, by eight, and as many as
      had records before;
    - by a page that repeats an earlier one.

    A first page that is full does not end the list by its own count, as it may count itself alone.

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
    """How many records the last page with records had."""
    _names_next: bool = False
    """Whether the last page names a next one."""
    _is_full_first: bool = False
    """Whether the last page is the first one, and full."""
    _is_ended: bool = False
    _empty_in_a_row: int = 0
    _seen: SeenPages = field(default_factory=SeenPages)

    @property
    def is_at_last_page(self) -> bool:
        """Whether the envelope names no further page; the list then ends if the count is right."""
        is_last_by_count = self.total_pages is not None and self.pages >= self.total_pages
        return is_last_by_count and not self._names_next

    @property
    def is_dense(self) -> bool:
        """Whether every page was as full as the largest, but for the last one with records: then
        nothing is missing in between, and the list does not end at the edge of a window."""
        before_the_last = self.records - self._last_count
        is_full = before_the_last == (self.filled - 1) * self.fullest
        return is_full and self.is_last_short

    @property
    def is_last_short(self) -> bool:
        """Whether the last page with records had fewer than another one."""
        return self._last_count < self.fullest

    @property
    def _is_whole_if_refused(self) -> bool:
        """Whether nothing is missing behind the last page, where the next one is refused: there are
        as many records as are counted, or one page at most that counts nothing and has fewer than
        were asked for; and not as many as a maximum of the service would be."""
        is_at_a_maximum = self.records and self.records % WINDOWS_END_AT_ROUND_NUMBERS.value == 0
        is_one_short_page = self.filled <= 1 and self.records < (self.limit or 0)
        is_counted = self.last_total is not None
        is_whole = self.records == self.last_total if is_counted else is_one_short_page
        return is_whole and not is_at_a_maximum

    @property
    def is_ended_by_empty_pages(self) -> bool:
        """Whether empty pages alone ended a list that had records, names no last page, and does
        not show as many records as it counts, or as are expected."""
        has_ended = self._is_ended and self.total_pages is None and not self.fault
        is_counted = self.records in (self.last_total, self.expected)
        return has_ended and not is_counted and self._empty_in_a_row > 0 < self.records

    @property
    def is_one_page_for_ever(self) -> bool:
        """Whether the list ended as its first page came again."""
        return self.pages > self.filled == 1 and not self._empty_in_a_row

    @property
    def is_ended(self) -> bool:
        return self._is_ended or (self._is_counted_out and not self._is_full_first)

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

    def pages_by(self, size: int) -> int:
        """How many pages had records, or would have had if no more than `size` a page had come."""
        return self.filled if self.fullest <= size else -(-self.records // size)

    def begin(self, first: int, limit: int | None = None) -> None:
        """Start anew at the first page, which has the number `first`."""
        Paginator.__init__(self, first, limit, self.expected)

    def see(self, page: Page) -> bool:
        """Take the next page into account, and return whether its records are new."""
        self.pages += 1
        if page.total_pages is not None:
            self.total_pages = page.total_pages
        self._names_next = page.next is not None and page.next >= self.first + self.pages
        self._is_full_first = self.pages == 1 and page.fills(self.limit)
        if page.total_count is not None:
            self._see_total(page.total_count)
        is_new = not page.is_empty and self._see_records(page)
        if page.is_empty:
            self._see_empty()
        if self.is_ended:
            self._seen.end()
        return is_new

    def has_seen(self, page: Page) -> bool:
        """Whether one of the pages so far had the same records."""
        return self._seen.has(page)

    def end(self, fault: str) -> None:
        """End a list that cannot be read any further; `fault` says what speaks against it."""
        self._is_ended, self.fault = True, fault

    def refuse(self) -> None:
        """End a list whose next page is refused, as by services that show only a window of it.

        Nothing is missing if the page before was not full, or the last one by what is counted: then
        there is no such page, even if a `next` names it for ever.
        """
        self._is_ended = True
        if not (self.is_last_short or self._is_whole_if_refused or self._is_counted_out):
            self.fault, self.window = f"page {self.pages + 1} is refused", self.records

    def reopen(self) -> None:
        """Take back that a list has ended, as pages further on have records."""
        self._is_ended, self._empty_in_a_row = False, 0

    def _see_total(self, total: int) -> None:
        self.last_total = total
        self.first_total = total if self.first_total is None else self.first_total
        least, most = self.totals or (total, total)
        self.totals = min(least, total), max(most, total)

    def _see_empty(self) -> None:
        self._empty_in_a_row += 1
        last = self.total_pages
        most = EMPTY_PAGES_THAT_END_A_LIST.value
        if last is not None and self.pages < last:
            most = max(most, EMPTY_PAGES_BEFORE_THE_LAST, self.filled)
        self._is_ended = (last is not None and self.pages > last) or self._empty_in_a_row >= most

    def _see_records(self, page: Page) -> bool:
        self._empty_in_a_row = 0
        earlier = self._seen.add(page, self.pages, self.total_pages)
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


def _hash_of_ends(page: Page) -> int:
    """A hash of both ends of a page. If two different pages share it, one is taken for a repeat:
    records are missing then, so the list is read again and never certified."""
    records = page.records
    return hash((len(records), records[:MARKED_BYTES], records[-MARKED_BYTES:]))


def _hashes_of_all(page: Page) -> list[int]:
    """Hashes of the bytes of a page and of its ids; a page repeats another if either is equal."""
    ids = page.ids()
    return [hash(page.records)] if ids is None else [hash(page.records), hash(ids)]
