"""List reader: one list of the service to its proved end, while it learns how lists are paged."""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from wholesale.api import FIRST_PAGE
from wholesale.errors import NotFound, ServiceError, TooLarge, Unauthorized, Unprocessable
from wholesale.http import Traffic
from wholesale.pages.page import Page, RawPage, read_page
from wholesale.pages.pagination import Paginator
from wholesale.pages.service import PagingStyle, Service

log = logging.getLogger("wholesale.list_reader")

ATTEMPTS_AT_PAGE_ZERO = 2

T = TypeVar("T")
Query = Sequence[tuple[str, str]]
FetchPages = Callable[[Callable[[int], Page], Iterable[int]], Iterator[Page]]
"""Calls the function with each number, and gives the pages in that order."""


@dataclass(frozen=True, slots=True)
class ListReader:
    """Reads the list at `path`, which is of the records of `parent` where it has one."""

    service: Service
    traffic: Traffic
    path: str
    query: Query
    parent: str | None = None

    def read(
        self, paginator: Paginator, fetch: FetchPages, page_size: int | None = None
    ) -> Iterator[RawPage]:
        """Pages with records, in order; `paginator` has seen a page when it is yielded.

        `page_size`: so many records a page where they are fewer than usual. Should the service
        come to refuse the limit, the list begins again with a lower one.
        """
        while True:
            limit = min(self._style.limit, page_size or self._style.limit)
            paginator.begin(self._style.first)
            try:
                yield from self._pages(paginator, limit, fetch)
            except TooLarge as refusal:
                self._lower_limit(limit, refusal, is_new=True)
            except Unprocessable as refusal:
                if not self._is_limit_lowered(limit, refusal, paginator):
                    break
            else:
                break
        page_zero = self._page_zero(paginator, limit)
        if page_zero:
            paginator.see(page_zero)
            yield self._raw_page(page_zero, 0, limit)

    def page(self, index: int) -> Page:
        """One page by itself, by the number of pages before it."""
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
        """A page of a list; an empty one for 404 behind the first, as some services end a list."""
        try:
            page = self._page(number, limit)
            if page.is_empty and (number - first) * limit < (page.total_count or 0):
                page = self._page(number, limit)  # it counts records of its own
            return page
        except NotFound:
            if number == first:
                raise
            return Page(b"[]", 0)

    def _page(self, number: int, limit: int, attempts: int | None = None) -> Page:
        return self.service.client.get(
            self.path,
            self._params(number, limit),
            read=read_page,
            traffic=self.traffic,
            attempts=attempts,
        )

    def _raw_page(self, page: Page, number: int, limit: int) -> RawPage:
        return RawPage(page.records, number, self.parent, partial(self._refetch, number, limit))

    def _refetch(self, number: int, limit: int, read: Callable[[RawPage], T]) -> T:
        def as_page(body: bytes) -> RawPage:
            return RawPage(read_page(body).records, number, self.parent)

        params = self._params(number, limit)
        return self.service.refetch(self.path, params, as_page, self.traffic, read)

    def _params(self, number: int, limit: int) -> dict[str, str | int]:
        return {**dict(self.query), "page": number, "limit": limit}

    def _is_limit_lowered(self, limit: int, refusal: Unprocessable, paginator: Paginator) -> bool:
        """Whether the list is to be read again with a lower limit. It ends otherwise where pages
        are refused: some services show a window of their lists only.

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
        """Learn a limit that the service accepts, for all lists from here on.

        Raises: the refusal when it is not the limit that is refused.
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
        """Page 0, where the service turns out to count from there: it was not read then.

        Asked for only while it is not known and the records do not add up to the total.
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
                style.blank.add(self.path)  # which tells nothing of other lists
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
