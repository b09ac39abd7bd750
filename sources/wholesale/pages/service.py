"""Service: the client of a service, and what a run has learned of how its lists are paged."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Self, TypeVar

from wholesale.api import FIRST_PAGE
from wholesale.http import Client, Params, Traffic
from wholesale.json import RawPage
from wholesale.pages.profile import Profile
from wholesale.settings import ApiSettings

T = TypeVar("T")


@dataclass(slots=True)
class PagingStyle:
    """How a service pages its lists; what one list shows holds for all.

    - `limit`: how many records a page are asked for.
    - `first`: the number of the first page, an assumption until `is_first_known`.
    - `blank`: paths of lists too short to show which number is first: of no record, or one.
    - `asked_for_less`: the limit of before, by the path of a list that was asked for smaller pages
      as the service failed at it.
    - `left_out`: the parameters that a list refuses in any value, by the name of its endpoint.
    """

    limit: int
    first: int = FIRST_PAGE.value
    is_first_known: bool = False
    blank: set[str] = field(default_factory=set)
    asked_for_less: dict[str, int] = field(default_factory=dict)
    left_out: dict[str, frozenset[str]] = field(default_factory=dict)


@dataclass(slots=True)
class Service:
    """The service as a run knows it; shared by threads and lists, so that each learns for all.

    `questions_in_vain` counts how often in a row it gave no answer when asked whether it does.
    """

    client: Client
    paging: PagingStyle
    questions_in_vain: int = 0

    @classmethod
    def of(cls, client: Client) -> Self:
        """A service of which nothing is known yet."""
        return cls(client, PagingStyle(client.settings.page_size))

    @classmethod
    def at(
        cls, settings: ApiSettings, identify: Callable[[str], None] = lambda server: None
    ) -> Self:
        """The service that these settings name; `identify` as in Client."""
        return cls.of(Client(settings, identify=identify))

    def recall(self, profile: Profile) -> None:
        """Start with what an earlier run learned of page sizes and rates. The number of the first
        page is learned anew by each run, as a wrong one would make it fail."""
        if profile.page_limit:
            self.paging.limit = min(self.paging.limit, profile.page_limit)
        if profile.requests_a_minute:
            self.client.pace(profile.requests_a_minute)

    def learned(self, profile: Profile) -> Profile:
        """The profile, with what this run learned about the service as a whole."""
        limit = self.paging.limit
        return replace(
            profile,
            first_page=self.paging.first,
            page_limit=limit if limit < self.client.settings.page_size else None,
            requests_a_minute=self.client.requests_a_minute,
        )

    def refetch(
        self,
        path: str,
        params: Params,
        as_page: Callable[[bytes], RawPage],
        traffic: Traffic,
        read: Callable[[RawPage], T],
    ) -> T:
        """Ask once more for a page that turned out to be unreadable, and `read` it."""
        traffic.add(retries=1)
        return self.client.get(path, params, read=lambda body: read(as_page(body)), traffic=traffic)
