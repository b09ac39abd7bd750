"""List reader: reads one list of the service to its end, and learns how its lists are paged."""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from wholesale.api import FIRST_PAGE
from wholesale.errors import (
    NoContent,
    NotFound,
    ServiceError,
    TooLarge,
    Unauthorized,
    Unprocessable,
)
from wholesale.http import Traffic
from wholesale.pages.page import Page, RawPage, read_page
from wholesale.pages.pagination import Paginator
from wholesale.pages.service import PagingStyle, Service

log = logging.getLogger("wholesale.list_reader")

ATTEMPTS_AT_PAGE_ZERO = 2

T = TypeVar("T")
Query = Sequence[tuple[str, str]]
FetchPages = Callable[[Callable[[int], Page], Iterable[int]], Iterator[Page]]
"""Calls the function with each page number, and yields the pages in that order."""


@dataclass(frozen=True, slots=True)
class ListReader:
    """Reads the list at `path`; `parent` is the id of the parent whose list it is."""

    service: Service
    traffic: Traffic
    path: str
    query: Query
    parent: str | None = None

    def read(
        self, paginator: Paginator, fetch: FetchPages, page_size: int | None = None
    ) -> Iterator[RawPage]:
        """The pages with records, in order; `paginator` has seen a page before it is yielded.

        `page_size` lowers the usual number of records a page. If the service comes to refuse the
        limit, the list is read again from its first page with a lower one.
        """
        while True:
            limit = min(self._style.limit, page_size or self._style.limit)
            paginator.begin(self._style.first)
            try:
                yield from self._pages(paginator, limit, fetch)
            except TooLarge as refusal:
                self._lower_limit(limit, refusal, is_new=True)
            except Unprocessable as refusal:
                if not self._try_lower_limit(limit, refusal, paginator):
                    break
            else:
                break
        page_zero = self._page_zero(paginator, limit)
        if page_zero:
            paginator.see(page_zero)
            yield self._raw_page(page_zero, 0, limit)

    def page(self, index: int) -> Page:
        """One page by itself; `index` counts from 0."""
        while True:
            limit = self._style.limit
            try:
                return self._page(self._style.first + index, limit)
            except Unprocessable as refusal:
                self._lower_limit(limit, refusal, is_new=index == 0)

    @property
    def _style(self) -> PagingStyle:
        return self.service.paging

    def _pages(self, paginator: Paginator, limit: int, fetch: FetchPages) -> Iterator[RawPage]:
        while wanted := paginator.wanted:
            pages = fetch(partial(self._page_or_end, limit, paginator.first), wanted)
            for number, page in zip(wanted, pages, strict=False):
                if paginator.see(page):
                    yield self._raw_page(page, number, limit)
                if paginator.is_ended:
                    break

    def _page_or_end(self, limit: int, first: int, number: int) -> Page:
        """A page of a list; an empty one for 404 after the first, as some services end a list."""
        try:
            page = self._page(number, limit)
            if page.is_empty and (number - first) * limit < (page.total_count or 0):
                page = self._page(number, limit)  # empty by mistake: its total says more
            return page
        except (NotFound, NoContent):
            if number == first:
                raise
            return Page(b"[]", 0)

    def _page(self, number: int, limit: int, attempts: int | None = None) -> Page:
        get = partial(
            self.service.client.get,
            self.path,
            self._params(number, limit),
            read=read_page,
            traffic=self.traffic,
            attempts=attempts,
        )
        try:
            return get()
        except NoContent:
            if self.parent is not None:
                raise
            return get()

    def _raw_page(self, page: Page, number: int, limit: int) -> RawPage:
        return RawPage(page.records, number, self.parent, partial(self._refetch, number, limit))

    def _refetch(self, number: int, limit: int, read: Callable[[RawPage], T]) -> T:
        def as_page(body: bytes) -> RawPage:
            return RawPage(read_page(body).records, number, self.parent)

        params = self._params(number, limit)
        return self.service.refetch(self.path, params, as_page, self.traffic, read)

    def _params(self, number: int, limit: int) -> dict[str, str | int]:
        return {**dict(self.query), "page": number, "limit": limit}

    def _try_lower_limit(self, limit: int, refusal: Unprocessable, paginator: Paginator) -> bool:
        """Whether a lower limit was learned, with which to read the list again.

        If not, the list ends before the refused page: some services show only a window of a list.

        Raises: the refusal of a first page.
        """
        try:
            self._lower_limit(limit, refusal, is_new=not paginator.pages)
        except Unprocessable:
            if not paginator.pages:
                raise
            paginator.refuse()
            return False
        return True

    def _lower_limit(
        self, refused: int, refusal: Unprocessable | TooLarge, *, is_new: bool
    ) -> None:
        """Find a limit that the service accepts, and use it for all lists from now on.

        `is_new`: no page was read with the refused limit yet.

        Raises: `refusal` when it is not the limit that is refused.
        """
        if self._style.limit < refused:
            return  # another thread has learned it meanwhile
        limit = refused // 2 if is_new else refused
        while limit:
            try:
                self._page(self._style.first, limit)
            except (Unprocessable, TooLarge):
                limit //= 2
                continue
            if limit == refused:
                break
            self._style.limit = limit
            log.warning("the service refuses limit=%d and accepts limit=%d", refused, limit)
            return
        raise refusal

    def _page_zero(self, paginator: Paginator, limit: int) -> Page | None:
        """Page 0 where the service turns out to count pages from 0, so that it was left out.

        It is asked for only while that is not known and the records do not add up to the total.
        """
        style = self._style
        if style.is_first_known or paginator.records == paginator.last_total:
            style.is_first_known = style.is_first_known or paginator.records > 0
            return None
        if self.path in style.blank and not paginator.records:
            return None
        try:
            page_zero = self._page(0, limit, ATTEMPTS_AT_PAGE_ZERO)
            if page_zero.is_empty and not paginator.records:
                style.blank.add(self.path)  # an empty list tells nothing of other lists
                return None
            if page_zero.is_empty or paginator.has_seen(page_zero):
                is_first = False
            else:
                is_first = not page_zero.overlaps(self._page(FIRST_PAGE.value, limit))
        except Unauthorized:
            raise
        except ServiceError:
            is_first = False
        style.is_first_known = True
        if not is_first:
            return None
        log.warning(
            "the service counts its pages from 0: GET %s?page=0 has other records", self.path
        )
        style.first = 0
        return page_zero
