"""Service: a client, and what was learned of how its lists are paged."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Self, TypeVar

from wholesale.api import FIRST_PAGE
from wholesale.http import Client, Traffic
from wholesale.pages.page import RawPage
from wholesale.pages.profile import Profile
from wholesale.settings import ApiSettings

T = TypeVar("T")
Query = Mapping[str, str | int]


@dataclass(slots=True)
class PagingStyle:
    """How a service pages its lists, as far as it is known, for all of them.

    `limit` is what is asked for per page. Once `is_first_known`, `first` is the number of a
    list's first page; before that it is what we assume. `blank` are paths of lists that were
    empty at page 0 too.
    """

    limit: int
    first: int = FIRST_PAGE.value
    is_first_known: bool = False
    blank: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Service:
    """What a run asks: shared between threads and lists, so that each learns for all."""

    client: Client
    paging: PagingStyle

    @classmethod
    def of(cls, client: Client) -> Self:
        """A service of which nothing is known yet."""
        return cls(client, PagingStyle(client.settings.page_size))

    def recall(self, profile: Profile) -> None:
        """Begin with what an earlier run learned, where it does no harm should it be otherwise by
        now: a first page that is not there any more would end every run."""
        if profile.page_limit:
            self.paging.limit = min(self.paging.limit, profile.page_limit)
        if profile.requests_a_minute:
            self.client.pace(profile.requests_a_minute)

    def learned(self, profile: Profile) -> Profile:
        """The same with what this run has learned of the service as a whole."""
        limit = self.paging.limit
        return replace(
            profile,
            first_page=self.paging.first,
            page_limit=limit if limit < self.client.settings.page_size else None,
            requests_a_minute=self.client.requests_a_minute,
        )

    @classmethod
    def at(
        cls, settings: ApiSettings, identify: Callable[[str], None] = lambda server: None
    ) -> Self:
        """The service that these settings name; `identify` as in Client."""
        return cls.of(Client(settings, identify=identify))

    def refetch(
        self,
        path: str,
        params: Query,
        as_page: Callable[[bytes], RawPage],
        traffic: Traffic,
        read: Callable[[RawPage], T],
    ) -> T:
        """Ask once more for a page that turns out to be unreadable."""
        traffic.add(retries=1)
        return self.client.get(path, params, read=lambda body: read(as_page(body)), traffic=traffic)
