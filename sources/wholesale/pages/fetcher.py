"""Fetcher: the lists and records of one resource, several at once and always in order."""

import logging
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import islice
from typing import Self, TypeVar

from wholesale.api import ENDPOINT, FIRST_PAGE, Resource
from wholesale.errors import NotFound, ServiceError, Unauthorized, Unprocessable
from wholesale.http import Traffic
from wholesale.pages.page import Page, RawPage, read_page, read_record
from wholesale.pages.pagination import Paginator
from wholesale.pages.service import Service

log = logging.getLogger("wholesale.fetcher")

AHEAD_PER_CONNECTION = 2
"""Answers fetched before they are asked for, a connection."""
MOST_AHEAD = 16
"""The same, over all connections: it bounds the memory of answers that wait."""
ATTEMPTS_AT_PAGE_ZERO = 2

A = TypeVar("A")
B = TypeVar("B")
Query = Sequence[tuple[str, str]]
Key = tuple[str, str | None]
"""The id of a record, and of its parent where its path names one."""
FetchPages = Callable[[Callable[[int], Page], Iterable[int]], Generator[Page, None, None]]


class Fetcher:
    """Usable within its `with` block, in which it holds the client and its threads.

    A page that turns out to be unreadable can be asked for once more by its `refetch`.
    """

    def __init__(self, service: Service, resource: Resource, traffic: Traffic) -> None:
        self._client = service.client
        self._paging = service.paging
        self._resource = resource
        self._traffic = traffic
        self._pool: ThreadPoolExecutor | None = None

    def __enter__(self) -> Self:
        self._client.__enter__()
        self._pool = ThreadPoolExecutor(
            self._client.settings.concurrency, thread_name_prefix="fetch"
        )
        return self

    def __exit__(self, *error: object) -> None:
        if self._pool:
            self._pool.shutdown(cancel_futures=True)
        self._client.__exit__(*error)

    def read_list(self, paginator: Paginator, query: Query) -> Iterator[RawPage]:
        """Pages with records, in order; those known to be needed are fetched ahead.

        `paginator` has seen a page when it is yielded. Should the service come to refuse the
        limit, the list begins again with a lower one.
        """
        path = ENDPOINT[self._resource.list_endpoint].path
        return self._read_list(path, paginator, query, self._in_order)

    def page(self, index: int, query: Query) -> Page:
        """One page by itself: how many pages come before it, and in which form."""
        path = ENDPOINT[self._resource.list_endpoint].path
        paging = self._paging
        while True:
            limit = paging.limit
            try:
                return self._page(path, paging.first + index, query, limit)
            except Unprocessable as refusal:
                self._lower_limit(path, query, limit, refusal, is_new=True)

    def first_page(self) -> Page:
        """The first page of the list, in full."""
        return self.page(0, self._resource.query)

    def lists(self, parents: Iterable[str]) -> Iterator[tuple[Paginator, list[RawPage]]]:
        """The list of each parent, to its end; such lists are short, so each is held whole."""
        return self._in_order(self._list, parents)

    def records(self, keys: Iterable[Key]) -> Iterator[tuple[str, RawPage | None]]:
        """Each record by itself; None where the service answers 404."""
        return self._in_order(self._record, keys)

    def _read_list(
        self,
        path: str,
        paginator: Paginator,
        query: Query,
        fetch: FetchPages,
        parent: str | None = None,
    ) -> Iterator[RawPage]:
        paging = self._paging
        while True:
            limit = paging.limit
            paginator.begin(paging.first)
            try:
                for number, page in self._pages(path, paginator, query, limit, fetch):
                    yield self._raw_page(path, number, query, limit, page, parent)
            except Unprocessable as refusal:
                if not self._is_limit_lowered(path, query, limit, refusal, paginator):
                    break
            else:
                break
        page_zero = self._page_zero(path, paginator, query, limit)
        if page_zero:
            paginator.see(page_zero)
            yield self._raw_page(path, 0, query, limit, page_zero, parent)

    def _is_limit_lowered(
        self, path: str, query: Query, limit: int, refusal: Unprocessable, paginator: Paginator
    ) -> bool:
        """Whether the list is to be read again with a lower limit. It ends otherwise where pages
        are refused: some services show a window of their lists only.

        Raises: the refusal of a first page.
        """
        try:
            self._lower_limit(path, query, limit, refusal, is_new=not paginator.pages)
        except Unprocessable:
            if not paginator.pages:
                raise
            paginator.end(f"page {paginator.pages + 1} is refused")
            return False
        return True

    def _pages(
        self, path: str, paginator: Paginator, query: Query, limit: int, fetch: FetchPages
    ) -> Iterator[tuple[int, Page]]:
        """Pages with records, and their numbers."""
        while wanted := paginator.wanted:
            pages = fetch(partial(self._page_or_end, path, query, limit, paginator.first), wanted)
            for number, page in zip(wanted, pages, strict=False):
                if paginator.see(page):
                    yield number, page
                if paginator.is_ended:
                    break
            pages.close()

    def _page_or_end(self, path: str, query: Query, limit: int, first: int, number: int) -> Page:
        """A page of a list; an empty one for 404 behind the first, as some services end a list."""
        try:
            page = self._page(path, number, query, limit)
            if page.is_empty and (number - first) * limit < (page.total_count or 0):
                page = self._page(path, number, query, limit)  # it counts records of its own
            return page
        except NotFound:
            if number == first:
                raise
            return Page(b"[]", 0)

    def _page(
        self, path: str, number: int, query: Query, limit: int, attempts: int | None = None
    ) -> Page:
        params = dict(query) | {"page": number, "limit": limit}
        return self._client.get(
            path, params, read=read_page, traffic=self._traffic, attempts=attempts
        )

    def _raw_page(
        self, path: str, number: int, query: Query, limit: int, page: Page, parent: str | None
    ) -> RawPage:
        def read(body: bytes) -> RawPage:
            return RawPage(read_page(body).records, number, parent)

        params = dict(query) | {"page": number, "limit": limit}
        return RawPage(page.records, number, parent, partial(self._refetch, path, params, read))

    def _lower_limit(
        self, path: str, query: Query, refused: int, refusal: Unprocessable, *, is_new: bool
    ) -> None:
        """Learn a limit that the service accepts, for all lists from here on.

        Raises: the refusal when it is not the limit that is refused.
        """
        paging = self._paging
        if paging.limit < refused:
            return  # another thread has learned it meanwhile
        limit = refused // 2 if is_new else refused
        while limit:
            try:
                self._page(path, paging.first, query, limit)
            except Unprocessable:
                limit //= 2
                continue
            if limit == refused:
                break
            paging.limit = limit
            log.warning("the service refuses limit=%d and accepts limit=%d", refused, limit)
            return
        raise refusal

    def _page_zero(self, path: str, paginator: Paginator, query: Query, limit: int) -> Page | None:
        """Page 0, where the service turns out to count from there: it was not read then.

        Asked for only while it is not known and the records do not add up to the total.
        """
        paging = self._paging
        if paging.is_first_known or paginator.records == paginator.last_total:
            paging.is_first_known = paging.is_first_known or paginator.records > 0
            return None
        if path in paging.blank and not paginator.records:
            return None
        try:
            page_zero = self._page(path, 0, query, limit, ATTEMPTS_AT_PAGE_ZERO)
            if page_zero.is_empty and not paginator.records:
                paging.blank.add(path)  # which tells nothing of other lists
                return None
            if page_zero.is_empty or paginator.has_seen(page_zero):
                is_first = False
            else:
                page_one = self._page(path, FIRST_PAGE.value, query, limit)
                is_first = not page_zero.overlaps(page_one)
        except Unauthorized:
            raise
        except ServiceError:
            is_first = False
        paging.is_first_known = True
        if not is_first:
            return None
        log.warning("the service counts its pages from 0: GET %s?page=0 has other records", path)
        paging.first = 0
        return page_zero

    def _list(self, parent: str) -> tuple[Paginator, list[RawPage]]:
        endpoint = ENDPOINT[self._resource.list_endpoint]
        path = endpoint.path_for(**{endpoint.parameters[0]: parent})
        paginator = Paginator()
        pages = self._read_list(path, paginator, self._resource.query, _one_by_one, parent)
        try:
            return paginator, list(pages)
        except NotFound:
            return paginator, []  # the parent was deleted since its own list was read

    def _record(self, key: Key) -> tuple[str, RawPage | None]:
        record_id, parent = key
        endpoint = ENDPOINT[self._resource.get_endpoint or ""]
        ids = (parent, record_id) if parent else (record_id,)
        path = endpoint.path_for(**dict(zip(endpoint.parameters, ids, strict=True)))
        params: dict[str, str | int] = dict(self._resource.query)

        def read(body: bytes) -> RawPage:
            records = b"[" + read_record(body, record_id) + b"]"
            return RawPage(
                records, parent=parent, refetch=partial(self._refetch, path, params, read)
            )

        try:
            return record_id, self._client.get(path, params, read=read, traffic=self._traffic)
        except NotFound:
            return record_id, None

    def _refetch(
        self,
        path: str,
        params: dict[str, str | int],
        as_page: Callable[[bytes], RawPage],
        read: Callable[[RawPage], B],
    ) -> B:
        self._traffic.add(retries=1)
        return self._client.get(
            path, params, read=lambda body: read(as_page(body)), traffic=self._traffic
        )

    def _in_order(self, function: Callable[[A], B], items: Iterable[A]) -> Generator[B, None, None]:
        """Results in the order of the items, with a bounded number under way or waiting."""
        if self._pool is None:
            raise RuntimeError("the fetcher is used outside of its with block")
        waiting: deque[Future[B]] = deque()
        rest = iter(items)
        try:
            while True:
                limit = self._client.limit
                ahead = min(AHEAD_PER_CONNECTION * limit, limit + MOST_AHEAD)
                for item in islice(rest, max(0, ahead - len(waiting))):
                    waiting.append(self._pool.submit(function, item))
                if not waiting:
                    break
                if not waiting[0].done():
                    self._client.signal_demand()
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def _one_by_one(
    function: Callable[[int], Page], items: Iterable[int]
) -> Generator[Page, None, None]:
    for item in items:
        yield function(item)
