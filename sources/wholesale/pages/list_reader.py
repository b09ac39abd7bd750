"""List reader: reads one list to its end, in order."""

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from wholesale.api import FIRST_PAGE
from wholesale.errors import (
    ContentError,
    Failing,
    NotFound,
    ServiceError,
    TooLarge,
    Unauthorized,
    Unavailable,
    Unprocessable,
)
from wholesale.json import NOTHING, Page, RawPage
from wholesale.pages.list_pages import ListPages
from wholesale.pages.pagination import Paginator

log = logging.getLogger("wholesale.list_reader")

ATTEMPTS_AT_PAGE_ZERO = 2
FURTHER_ON = (1, 4, 16)
"""Pages behind the empty ones that end a list, which are asked for too: a gap may be longer."""

FetchPages = Callable[[Callable[[int], Page], Iterable[int]], Iterator[Page]]
"""Calls the function with each page number, and yields the pages in that order."""


@dataclass(frozen=True, slots=True)
class ListReader:
    """Reads a list by its pages, and learns whether they are counted from 0."""

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
                self.pages.lower_limit(limit, refusal, is_new=True)
            except Unprocessable as refusal:
                if not self._try_lower_limit(limit, refusal, paginator):
                    break
            except NotFound:
                if paginator.pages or not self.pages.starts_at_zero():
                    raise
            except (Unavailable, ContentError) as failure:
                if limit <= style.limit:
                    if paginator.pages or not isinstance(failure, Failing):
                        self.pages.stop_asking_for_less()
                        raise
                    self.pages.ask_for_less(limit, failure)
            else:
                break
            limit = min(limit, style.limit)
        page_zero = self._page_zero(paginator, limit)
        if page_zero:
            paginator.see(page_zero)
            yield self._raw_page(page_zero, 0, limit)

    def _read(self, paginator: Paginator, limit: int, fetch: FetchPages) -> Iterator[RawPage]:
        while wanted := paginator.wanted or self._behind_a_gap(paginator, limit):
            pages = fetch(partial(self.pages.page_or_end, limit, paginator.first), wanted)
            for number, page in zip(wanted, pages, strict=False):
                if paginator.see(page):
                    yield self._raw_page(page, number, limit)
                if paginator.is_ended:
                    break

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
        try:
            page = self.pages.page(number, limit, ATTEMPTS_AT_PAGE_ZERO)
        except Unauthorized:
            raise
        except ServiceError:
            return False
        return not page.is_empty and not paginator.has_seen(page)

    def _raw_page(self, page: Page, number: int, limit: int) -> RawPage:
        refetch = partial(self.pages.refetch, number, limit)
        return RawPage(page.records, number, self.pages.parent, refetch)

    def _try_lower_limit(self, limit: int, refusal: Unprocessable, paginator: Paginator) -> bool:
        """Whether a lower limit was learned, with which to read the list again.

        If not, the list ends before the refused page: some services show only a window of a list.

        Raises: the refusal of a first page.
        """
        try:
            self.pages.lower_limit(limit, refusal, is_new=not paginator.pages)
        except Unprocessable:
            if not paginator.pages:
                raise
            paginator.refuse()
            return False
        return True

    def _page_zero(self, paginator: Paginator, limit: int) -> Page | None:
        """Page 0 where the service turns out to count pages from 0, so that it was left out.

        It is asked for only while that is not known and the records do not add up to the total.
        """
        style, path = self.pages.style, self.pages.path
        if not self.pages.is_paged:
            return None
        if style.is_first_known or paginator.records == paginator.last_total:
            style.is_first_known = style.is_first_known or paginator.filled > 1
            return None
        if path in style.blank and paginator.records <= 1:
            return None
        try:
            page_zero = self.pages.page(0, limit, ATTEMPTS_AT_PAGE_ZERO)
            is_seen = paginator.has_seen(page_zero)
            is_for_ever = is_seen and paginator.is_one_page_for_ever
            if not paginator.records + page_zero.count or (is_for_ever and paginator.records == 1):
                style.blank.add(path)  # such a list tells nothing of other lists
                return None
            if is_for_ever:
                is_first, page_zero = self._is_before_the_next(), NOTHING
            elif page_zero.is_empty or is_seen:
                is_first = False
            else:
                is_first = not page_zero.overlaps(self.pages.page(FIRST_PAGE.value, limit))
        except Unauthorized:
            raise
        except ServiceError:
            is_first = False
        style.is_first_known = True
        if not is_first:
            return None
        log.warning("the service counts its pages from 0: GET %s?page=0 has other records", path)
        style.first = 0
        return page_zero if page_zero.count else None

    def _is_before_the_next(self) -> bool:
        """Whether page 0 stands before page 1, though both show the same, as where a service shows
        the last page for any number behind it: pages of one record tell, if they say so twice."""
        numbers = (0, FIRST_PAGE.value) * 2
        zero, one, *again = (self.pages.page(number, 1).ids() for number in numbers)
        return zero != one and len(zero or ()) == len(one or ()) == 1 and again == [zero, one]
