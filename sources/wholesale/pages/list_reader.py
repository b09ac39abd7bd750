"""List reader: reads one list to its end, in order."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from wholesale.errors import (
    ContentError,
    Failing,
    NotFound,
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
"""Pages behind the empty ones that end a list, which are asked for too: a gap may be longer."""

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
        while True:
            paginator.begin(style.first, limit)
            try:
                yield from self._read(paginator, limit, fetch)
            except TooLarge as refusal:
                lower_limit(self.pages, limit, refusal, is_new=True)
            except Unprocessable as refusal:
                if not self._try_lower_limit(limit, refusal, paginator):
                    break
            except NotFound:
                if paginator.pages or not starts_at_zero(self.pages):
                    raise
            except (Unavailable, ContentError) as failure:
                if limit <= style.limit:
                    if paginator.pages or not isinstance(failure, Failing):
                        stop_asking_for_less(self.pages)
                        raise
                    ask_for_less(self.pages, limit, failure)
            else:
                break
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
            except Unprocessable as refusal:
                lower_limit(self.pages, limit, refusal, is_new=index == 0)
            except Failing as failure:
                if index:
                    raise
                ask_for_less(self.pages, limit, failure)
            except NotFound:
                if index or not starts_at_zero(self.pages):
                    raise

    def first(self) -> Page:
        """The first page; an empty one only where nothing speaks against it."""
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
        """An empty first page, unless it is a mistake; one that failed, or of a parent, as it is.

        Raises: as `confirm_empty`.
        """
        is_certain = page is NOTHING or self.pages.parent is not None
        return page if is_certain else confirm_empty(self.pages, number, limit)

    def _behind_a_gap(self, paginator: Paginator, limit: int) -> range:
        """The next page, where one further on has records though the list went silent: a service
        may leave records out of pages that it has cut already (§4.12), until whole pages are empty.

        Lists of parents are too short for that.
        """
        if not paginator.is_silent or self.pages.parent is not None or not self.pages.is_paged:
            return range(0)
        last = paginator.first + paginator.pages - 1
        if not any(self._has_more(last + step, limit, paginator) for step in FURTHER_ON):
            return range(0)
        paginator.go_on()
        return paginator.wanted

    def _has_more(self, number: int, limit: int, paginator: Paginator) -> bool:
        page = self.pages.try_page(number, limit)
        return page is not None and not page.is_empty and not paginator.has_seen(page)

    def _raw_page(self, page: Page, number: int, limit: int) -> RawPage:
        refetch = partial(self.pages.refetch, number, limit)
        return RawPage(page.records, number, self.pages.parent, refetch)

    def _try_lower_limit(self, limit: int, refusal: Unprocessable, paginator: Paginator) -> bool:
        """Whether a lower limit was learned, with which to read the list again.

        If not, the list ends before the refused page: some services show only a window of a list.

        Raises: the refusal of a first page.
        """
        try:
            lower_limit(self.pages, limit, refusal, is_new=not paginator.pages)
        except Unprocessable:
            if not paginator.pages:
                raise
            paginator.refuse()
            return False
        return True
