"""Fetcher: the lists and single records of one resource, fetched several at once, in order."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import islice
from typing import Self, TypeVar

from wholesale.api import ENDPOINT, RESOURCE, Resource
from wholesale.errors import (
    NoContent,
    NotFound,
    ServiceError,
    Unauthorized,
)
from wholesale.http import Traffic
from wholesale.json import Page, RawPage
from wholesale.pages.child_lists import ChildList
from wholesale.pages.list_pages import ListPages, Query
from wholesale.pages.list_reader import ListReader
from wholesale.pages.pagination import Paginator
from wholesale.pages.service import Service
from wholesale.pages.single_records import Key, Record, SingleRecords
from wholesale.pages.work_queue import WorkQueue

AHEAD_PER_CONNECTION = 2
"""How many answers a connection may fetch before they are needed."""
MOST_AHEAD = 16
"""How many answers may wait besides those under way: it bounds the memory that they take."""
BYTES_AHEAD = 2**26
"""How many bytes of records may be under way or wait, judged by the largest of recent answers."""
AHEAD_AT_FIRST = 4
"""How many answers may be under way while nothing is known of their size."""
FORGETTING = 7 / 8
"""Factor by which the largest recent size decays with each answer."""

MOST_QUESTIONS_IN_VAIN = 3
"""How often in a row the service is asked whether it answers at all, before it is left alone."""

PATIENCE_SECONDS = 1.0
"""How long an answer keeps others waiting where their order does not matter."""

A = TypeVar("A")
B = TypeVar("B")


class _ReadAhead:
    """How many answers may be under way or wait, so that they take little memory."""

    def __init__(self) -> None:
        self._largest: int | None = None

    def most(self, connections: int) -> int:
        """How many, while so many connections may be used."""
        largest = self._largest
        fits = AHEAD_AT_FIRST if largest is None else BYTES_AHEAD // max(1, largest)
        return max(1, min(AHEAD_PER_CONNECTION * connections, connections + MOST_AHEAD, fits))

    def see(self, size: int) -> None:
        """Take the size of an answer into account, in bytes."""
        self._largest = max(size, int(FORGETTING * (self._largest or 0)))


class Fetcher:
    """Fetches within its `with` block, which keeps the client open and owns the threads."""

    def __init__(self, service: Service, resource: Resource, traffic: Traffic) -> None:
        self._service = service
        self._client = service.client
        self._resource = resource
        self.traffic = traffic
        self._pool: ThreadPoolExecutor | None = None
        self._records = SingleRecords(self._client, resource, traffic)

    def __enter__(self) -> Self:
        self._client.__enter__()
        self._pool = ThreadPoolExecutor(
            self._client.settings.concurrency, thread_name_prefix="fetch"
        )
        return self

    def __exit__(self, *error: object) -> None:
        threads, self._pool = self._threads, None
        threads.shutdown(cancel_futures=True)
        self._client.__exit__(*error)

    @property
    def page_size(self) -> int:
        """Records asked for per page: the setting, or what the service accepts instead."""
        return self._service.paging.limit

    def read_list(
        self,
        paginator: Paginator,
        query: Query,
        page_size: int | None = None,
        failures: list[ServiceError] | None = None,
    ) -> Iterator[RawPage]:
        """The pages with records, in order; those known to be needed are fetched ahead.

        `paginator` has seen a page before it is yielded. `page_size` is another number of records a
        page than usual. If the service comes to refuse it, or fails at more than the usual number,
        the list is read again from its first page with fewer. Pages that cannot be read are left
        out, and noted in `failures` where it is given.
        """
        reader = ListReader(self._list(query, failures=failures))
        return reader.read(paginator, self._pages_in_order, page_size)

    def page(self, index: int, query: Query) -> Page:
        """One page by itself; `index` counts from 0, `query` selects the form of the records."""
        return ListReader(self._list(query)).at(index)

    def longest_page(self, query: Query, most: int) -> int:
        """How many records the first page brings if so many are asked for; 0 if it fails."""
        pages = self._list(query)
        first = pages.try_page(pages.style.first, most)
        return first.count if first else 0

    def first_page(self, parent: str | None = None) -> Page:
        """The first page of the list, or of that of a parent, in full. If it is denied or empty,
        pages are asked for otherwise, as `ListReader.first` says."""
        return ListReader(self._list(self._resource.query, parent)).first()

    def lists(self, parents: Iterable[str], page_size: int | None = None) -> Iterator[ChildList]:
        """The whole list of each parent, in about this order; such lists are short, so each is held
        in memory."""
        read = partial(self._read_child_list, page_size)
        return self._in_order(read, parents, _bytes_of_list, PATIENCE_SECONDS)

    def records(self, keys: Iterable[Key]) -> Iterator[tuple[str, Record]]:
        """Each record by itself, in about this order."""
        return self._in_order(self._records.read, keys, _bytes_of_record, PATIENCE_SECONDS)

    def is_answering(self) -> bool:
        """Whether the service answers at all: one of the first two pages of the list of the
        resource, or of its parents. One that did not a few times is left alone."""
        if self._service.questions_in_vain >= MOST_QUESTIONS_IN_VAIN:
            return False
        parent = self._resource.parent
        resource = RESOURCE[parent.resource] if parent else self._resource
        params: dict[str, str | int] = dict(resource.summary_query or resource.query)
        path, first = ENDPOINT[resource.list_endpoint].path_of(), self._service.paging.first
        is_answering = any(
            self._client.is_answering(path, params | {"page": page, "limit": 1}, self.traffic)
            for page in (first, first + 1)
        )
        in_vain = self._service.questions_in_vain
        self._service.questions_in_vain = 0 if is_answering else in_vain + 1
        return is_answering

    @property
    def _threads(self) -> ThreadPoolExecutor:
        if self._pool is None:
            raise RuntimeError("the fetcher is used outside of its with block")
        return self._pool

    def _limit(self) -> int:
        """How many threads may work at once, for now."""
        return self._client.limit if self._pool else 0

    def _list(
        self,
        query: Query,
        parent: str | None = None,
        failures: list[ServiceError] | None = None,
    ) -> ListPages:
        name = self._resource.list_endpoint
        path = ENDPOINT[name].path_of(*(() if parent is None else (parent,)))
        return ListPages(self._service, self.traffic, name, path, query, parent, failures)

    def _read_child_list(self, page_size: int | None, parent: str) -> ChildList:
        paginator = Paginator()
        reader = ListReader(self._list(self._resource.query, parent))
        pages = reader.read(paginator, map, page_size)
        try:
            return ChildList(parent, paginator, list(pages))
        except (NotFound, NoContent):
            return ChildList(parent, None, [])
        except Unauthorized:
            raise
        except ServiceError as error:
            return ChildList(parent, None, [], error)

    def _pages_in_order(
        self, function: Callable[[int], Page], items: Iterable[int]
    ) -> Iterator[Page]:
        return self._in_order(function, items, lambda page: len(page.records))

    def _in_order(
        self,
        function: Callable[[A], B],
        items: Iterable[A],
        bytes_of: Callable[[B], int],
        patience: float | None = None,
    ) -> Iterator[B]:
        """The results of the function, in the order of the items; one that takes longer than
        `patience` seconds lets the others pass."""
        queue = WorkQueue(function, self._limit)
        waiting: deque[Future[B]] = deque()
        rest = iter(items)
        ahead = _ReadAhead()
        try:
            while True:
                more = islice(rest, max(0, ahead.most(self._client.limit) - len(waiting)))
                waiting.extend(queue.add(more, self._threads))
                if not waiting:
                    break
                if not waiting[0].done():
                    self._client.signal_demand()
                try:
                    waiting[0].exception(patience)  # waits, and raises only if that takes too long
                except TimeoutError:
                    waiting.rotate(-1)
                    continue
                result = waiting.popleft().result()
                ahead.see(bytes_of(result))
                yield result
        finally:
            queue.clear()


def _bytes_of_list(found: ChildList) -> int:
    return sum(len(page.records) for page in found.pages)


def _bytes_of_record(found: tuple[str, Record]) -> int:
    return len(found[1].records) if isinstance(found[1], RawPage) else 0
