"""List reader: reads one list to its end, in order."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from wholesale.errors import (
    ContentError,
    Failing,
    NotFound,
    ServiceError,
    TooLarge,
    Unavailable,
    Unprocessable,
)
from wholesale.json import NOTHING, Page, RawPage
from wholesale.pages.first_page import find_page_zero, starts_at_zero
from wholesale.pages.list_pages import ListPages
from wholesale.pages.page_limits import (
    ask_for_less,
    confirm_empty,
    lower_limit,
    stop_asking_for_less,
)
from wholesale.pages.pagination import Paginator

FURTHER_ON = (1, 4, 16)
"""How far behind two empty pages the list is probed for further records, before it counts as
ended: a gap may be longer than two pages."""

FetchPages = Callable[[Callable[[int], Page], Iterable[int]], Iterator[Page]]
"""Calls the function with each page number, and yields the pages in that order."""


@dataclass(frozen=True, slots=True)
class ListReader:
    """Reads a list by its pages; what it learns of how they are counted holds for all lists."""

    pages: ListPages

    def read(
        self, paginator: Paginator, fetch: FetchPages, page_size: int | None = None
    ) -> Iterator[RawPage]:
        """The pages with records, in order; `paginator` has seen a page before it is yielded.

        `page_size` is another number of records a page than usual. If the service comes to refuse
        it, or fails at more than the usual number, the list is read again from its first page with
        fewer.
        """
        style = self.pages.style
        limit = page_size or style.limit
        is_to_be_read = True
        while is_to_be_read:
            paginator.begin(style.first, limit)
            is_to_be_read = False
            try:
                yield from self._read(paginator, limit, fetch)
            except ServiceError as failure:
                is_to_be_read = self._is_readable_after(failure, limit, paginator)
                limit = min(limit, style.limit)
        page_zero = find_page_zero(self.pages, paginator, limit)
        if page_zero:
            paginator.see(page_zero)
            yield self._raw_page(page_zero, 0, limit)

    def at(self, index: int) -> Page:
        """The page at `index`, which counts from 0, in the usual size."""
        style = self.pages.style
        while True:
            limit = style.limit
            try:
                return self.pages.page(style.first + index, limit)
            except ServiceError as failure:
                self._learn(failure, limit, is_first=index == 0)

    def first(self) -> Page:
        """The first page. If it comes empty, or is denied (404), the service may count pages from 0
        or show nothing on pages as large as this, which is looked into first."""
        style, page = self.pages.style, self.at(0)
        if not page.is_empty:
            return page
        if starts_at_zero(self.pages):
            return self.at(0)
        try:
            return self._confirmed(page, style.first, style.limit)
        except TooLarge:
            return self.at(0)  # in the smaller size that was learned

    def _read(self, paginator: Paginator, limit: int, fetch: FetchPages) -> Iterator[RawPage]:
        while wanted := paginator.wanted or self._behind_a_gap(paginator, limit):
            pages = fetch(partial(self.pages.page_or_end, limit, paginator.first), wanted)
            for number, page in zip(wanted, pages, strict=False):
                if page.is_empty and number == paginator.first:
                    page = self._confirmed(page, number, limit)
                if paginator.see(page):
                    yield self._raw_page(page, number, limit)
                if paginator.is_ended:
                    break

    def _confirmed(self, page: Page, number: int, limit: int) -> Page:
        """This empty first page, once a second request has confirmed that there is nothing on it.

        A page that failed is left as it is, and so is the list of a parent, which may well be
        empty. Raises: as `confirm_empty`.
        """
        is_final = page is NOTHING or self.pages.parent is not None
        return page if is_final else confirm_empty(self.pages, number, limit)

    def _behind_a_gap(self, paginator: Paginator, limit: int) -> range:
        """The pages to read on with, where empty pages ended the list though one further on has
        records: a service that filters records out of pages it has cut already (§4.12) leaves
        whole pages empty. The lists of parents are too short for that.
        """
        if (
            not paginator.is_ended_by_empty_pages
            or self.pages.parent is not None
            or not self.pages.is_paged
        ):
            return range(0)
        last = paginator.first + paginator.pages - 1
        if not any(self._has_more(last + step, limit, paginator) for step in FURTHER_ON):
            return range(0)
        paginator.reopen()
        return paginator.wanted

    def _has_more(self, number: int, limit: int, paginator: Paginator) -> bool:
        page = self.pages.try_page(number, limit)
        return page is not None and not page.is_empty and not paginator.has_seen(page)

    def _raw_page(self, page: Page, number: int, limit: int) -> RawPage:
        refetch = partial(self.pages.refetch, number, limit)
        return RawPage(page.records, number, self.pages.parent, refetch)

    def _is_readable_after(self, failure: ServiceError, limit: int, paginator: Paginator) -> bool:
        """Whether the list is to be read again after this failure, with what it has taught.

        If not, the list ends before the page that was refused: some services show only a window of
        a list. Raises: `failure`, if it teaches nothing.
        """
        if limit > self.pages.style.limit and isinstance(failure, Unavailable | ContentError):
            return True  # at pages longer than usual
        try:
            self._learn(failure, limit, is_first=not paginator.pages)
        except Unprocessable:
            if not paginator.pages:
                raise
            paginator.refuse()
            return False
        except (Unavailable, ContentError):
            stop_asking_for_less(self.pages)
            raise
        return True

    def _learn(self, failure: ServiceError, limit: int, *, is_first: bool) -> None:
        """Learn from a page that was not answered how the pages of the service can be read;
        `is_first`: it was the first page. Raises: `failure`, if it teaches nothing."""
        match failure:
            case TooLarge() | Unprocessable():
                lower_limit(self.pages, limit, failure, is_first=is_first)
            case Failing() if is_first:
                ask_for_less(self.pages, limit, failure)
            case NotFound() if is_first and starts_at_zero(self.pages):
                pass
            case _:
                raise failure
