"""Fetcher: the lists and single records of one resource, fetched several at once, in order."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple, Self, TypeVar

from wholesale.api import ENDPOINT, RESOURCE, Resource
from wholesale.errors import NotFound, ServiceError, Unauthorized
from wholesale.http import Traffic
from wholesale.json import Page, RawPage
from wholesale.pages.list_reader import ListReader, Query
from wholesale.pages.paginator import Paginator
from wholesale.pages.read_ahead import ReadAhead
from wholesale.pages.service import MOST_QUESTIONS_IN_VAIN, Service
from wholesale.pages.single_records import Key, Record, read_single

PATIENCE_SECONDS = 1.0
"""How long a response keeps others waiting where their order does not matter."""

A = TypeVar("A")
B = TypeVar("B")


class ChildList(NamedTuple):
    """The list of one parent, short enough to be held in memory.

    The paginator is None where the service has no such list (404), and where it cannot be read, by
    `failure`.
    """

    parent: str
    paginator: Paginator | None
    pages: list[RawPage]
    failure: ServiceError | None = None

    @property
    def records(self) -> int:
        """How many records it shows."""
        return self.paginator.records if self.paginator else 0


class Fetcher:
    """Fetches within its `with` block, which keeps the client open and owns the threads."""

    def __init__(self, service: Service, resource: Resource, traffic: Traffic) -> None:
        self.service = service
        self.traffic = traffic
        self._resource = resource
        self._pool: ThreadPoolExecutor | None = None

    def __enter__(self) -> Self:
        client = self.service.client
        client.__enter__()
        self._pool = ThreadPoolExecutor(client.settings.concurrency, thread_name_prefix="fetch")
        return self

    def __exit__(self, *error: object) -> None:
        threads, self._pool = self._threads, None
        threads.shutdown(cancel_futures=True)
        self.service.client.__exit__(*error)

    def list_reader(self, query: Query, failures: list[ServiceError] | None = None) -> ListReader:
        """Reads the list of the resource, with pages that are known to be needed fetched ahead;
        `query` selects the form of its records, and `failures` is as in `ListReader`."""
        service, resource, traffic = self.service, self._resource, self.traffic
        return ListReader(
            service, resource, traffic, query, failures=failures, fetch=self._pages_in_order
        )

    def lists(self, parents: Iterable[str], limit: int) -> Iterator[ChildList]:
        """The whole list of each parent, in about this order."""
        read = partial(self._read_child_list, limit)
        return self._in_order(read, parents, _bytes_of_list, PATIENCE_SECONDS)

    def records(self, keys: Iterable[Key]) -> Iterator[tuple[str, Record]]:
        """Each record by itself, in about this order."""
        read = partial(read_single, self.service, self._resource, self.traffic)
        return self._in_order(read, keys, _bytes_of_record, PATIENCE_SECONDS)

    def is_answering(self) -> bool:
        """Whether the service answers at all: one of the first two pages of the list of the
        resource, or of its parents. One that did not a few times is left alone."""
        service, parent = self.service, self._resource.parent
        if service.questions_in_vain >= MOST_QUESTIONS_IN_VAIN:
            return False
        resource = RESOURCE[parent.resource] if parent else self._resource
        params: dict[str, str | int] = dict(resource.summary_query or resource.query)
        path, first = ENDPOINT[resource.list_endpoint].path_of(), service.profile.first_page
        is_answering = any(
            service.client.is_answering(path, params | {"page": page, "limit": 1}, self.traffic)
            for page in (first, first + 1)
        )
        service.questions_in_vain = 0 if is_answering else service.questions_in_vain + 1
        return is_answering

    @property
    def _threads(self) -> ThreadPoolExecutor:
        if self._pool is None:
            raise RuntimeError("the fetcher is used outside of its with block")
        return self._pool

    def _limit(self) -> int:
        """How many threads may work at once, for now."""
        return self.service.client.limiter.limit if self._pool else 0

    def _read_child_list(self, limit: int, parent: str) -> ChildList:
        resource = self._resource
        reader = ListReader(self.service, resource, self.traffic, resource.query, parent)
        paginator = reader.paginator(limit)
        try:
            return ChildList(parent, paginator, list(reader.read(paginator)))
        except NotFound:
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
        ahead = ReadAhead(
            self.service.client.limiter, self._threads, self._limit, bytes_of, patience
        )
        return ahead.read(function, items)


def _bytes_of_list(found: ChildList) -> int:
    return sum(len(page.records) for page in found.pages)


def _bytes_of_record(found: tuple[str, Record]) -> int:
    return len(found[1].records) if isinstance(found[1], RawPage) else 0
