"""Paginator: which page of a list to ask for next, and by which signs the list ends."""

from dataclasses import dataclass, field

from wholesale.json import Page


@dataclass(slots=True)
class Paginator:
    """What the pages of a list have shown so far, and whether it is at its end.

    A service may give fewer records a page than were asked for, or miscount (§2.3 and §8 leave both
    open). So a short page ends no list. It ends

    - at the last page that the envelope names, if as many records came as it counts, and the page
      names no next one;
    - by an empty page, or one that repeats the first page or the one before: with a `fault`, if the
      envelope names further pages.

    A first page that is full does not end the list by its own count, as it may count itself alone.

    `limit` is how many records a page are asked for, and `is_counted` whether totals are believed.
    """

    first: int = 1
    limit: int = 0
    is_counted: bool = True
    pages: int = 0
    records: int = 0
    total_pages: int | None = None
    totals: tuple[int, int] | None = None
    """The least and the greatest number of records that a page counted."""
    first_total: int | None = None
    last_total: int | None = None
    fault: str | None = None
    """What speaks against the list; None where nothing is known to be missing."""
    fullest: int = 0
    """How many records the largest page had."""
    is_ended: bool = False
    _first_page: Page | None = field(default=None, repr=False)
    _page_before: Page | None = field(default=None, repr=False)

    @property
    def wanted(self) -> range:
        """Numbers of the pages known to be needed; empty when the list has ended.

        They may be requested at once, but must be passed to `see` in order.
        """
        if self.is_ended:
            return range(0)
        following = self.first + self.pages
        return range(following, max(following + 1, self.first + (self.total_pages or 0)))

    def see(self, page: Page) -> bool:
        """Take the next page into account, and return whether it brings records."""
        self.pages += 1
        if page.total_pages is not None:
            self.total_pages = page.total_pages
        if page.total_count is not None and self.is_counted:
            self._see_total(page.total_count)
        names_more = self._names_more(page)
        if page.is_empty or self._is_repeated(page):
            self.is_ended = True
            if names_more and self.is_counted and self.records != self.last_total:
                kind = "is empty" if page.is_empty else "repeats another"
                self.fault = f"page {self.pages} {kind}, and the list names {self.total_pages}"
            return False
        self.records += page.count
        self.fullest = max(self.fullest, page.count)
        self._first_page = self._first_page or page
        self._page_before = page
        self._end_after(page, names_more=names_more)
        return True

    def refuse(self, fault: str) -> None:
        """End a list whose next page is refused, as some services end a list, and others show only
        so many records of one: with this fault, unless as many records came as are counted, or
        nothing is counted and the last page was not full."""
        is_whole = self.records == self.last_total
        if self.last_total is None and self._page_before is not None:
            is_whole = self._page_before.count < max(self.fullest, self.limit)
        self.is_ended, self.fault = True, None if is_whole else fault

    def skip(self) -> None:
        """Pass over a page that cannot be read, which says nothing of the end of the list."""
        self.pages += 1

    def end(self, fault: str) -> None:
        """End a list that cannot be read any further; `fault` says what speaks against it."""
        self.is_ended, self.fault = True, fault

    def _end_after(self, page: Page, *, names_more: bool) -> None:
        """End the list behind a page with records, if nothing can follow."""
        is_last = not names_more and self.total_pages is not None
        names_next = page.next is not None and page.next >= self.first + self.pages
        is_alone = self.pages == 1 and page.fills(self.limit)
        if is_last and not names_next and self.records == self.last_total and not is_alone:
            self.is_ended = True

    def _names_more(self, page: Page) -> bool:
        """Whether the envelope names a page behind this one."""
        return self.total_pages is not None and self.pages < self.total_pages

    def _see_total(self, total: int) -> None:
        self.last_total = total
        self.first_total = total if self.first_total is None else self.first_total
        least, most = self.totals or (total, total)
        self.totals = min(least, total), max(most, total)

    def _is_repeated(self, page: Page) -> bool:
        """Whether the page shows the first one again, or the one before, as services do that know
        no pages, or answer the last one for any number behind it."""
        if self._page_before is None or self._first_page is None:
            return False
        if page.records in (self._page_before.records, self._first_page.records):
            return True
        if self.total_pages is not None and self.pages <= self.total_pages:
            return False
        ids = page.ids()  # a record may say when it was read, so that its bytes differ
        return ids is not None and ids in (self._page_before.ids(), self._first_page.ids())
