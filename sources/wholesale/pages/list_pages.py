"""List pages: one list of the service, a page at a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from wholesale.errors import (
    ContentError,
    NoBody,
    NoContent,
    NotFound,
    ServiceError,
    Unauthorized,
    Unavailable,
)
from wholesale.http import Traffic
from wholesale.json import NOTHING, Page, RawPage, read_page
from wholesale.pages.service import PagingStyle, Service

PAGE, LIMIT = "page", "limit"  # §4.2
ATTEMPTS_AT_A_TRY = 2

MOST_FAILURES = 10
"""If more pages than that cannot be read, the list cannot."""
ATTEMPTS_IF_OTHERS_MATTER = 2
"""For a page that may fail, as it is noted, and the others are read all the same."""

T = TypeVar("T")
Query = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class ListPages:
    """The pages of the list at `path`; `parent` is the id of the parent whose list it is.

    `name` is that of the endpoint. `failures`: as in `Fetcher.read_list`.
    """

    service: Service
    traffic: Traffic
    name: str
    path: str
    query: Query
    parent: str | None = None
    failures: list[ServiceError] | None = None

    @property
    def style(self) -> PagingStyle:
        """How lists of the service are paged, as far as it is known."""
        return self.service.paging

    @property
    def is_paged(self) -> bool:
        """Whether the list takes the number of a page; else it has one."""
        return PAGE not in self.style.left_out.get(self.name, ())

    def page(
        self,
        number: int,
        limit: int,
        attempts: int | None = None,
        left_out: frozenset[str] | None = None,
    ) -> Page:
        """The page of that number, an empty one for 204 or `null` twice; `left_out` are parameters
        that are not sent."""
        is_first = number == self.style.first
        if not self.is_paged and not is_first:
            return NOTHING
        get = partial(
            self.service.client.get,
            self.path,
            self._params(number, limit, left_out),
            read=partial(read_page, may_be_null=self.parent is not None or not is_first),
            traffic=self.traffic,
            attempts=attempts,
        )
        try:
            page = get()
            return get() if page.is_null else page
        except NoContent:
            try:
                return get()
            except NoBody:
                return NOTHING
        except NotFound:
            if self.parent is not None or not is_first:
                raise
            return get()

    def try_page(
        self,
        number: int,
        limit: int,
        attempts: int | None = ATTEMPTS_AT_A_TRY,
        left_out: frozenset[str] | None = None,
    ) -> Page | None:
        """The same, where it may well fail; None if it does. Raises: Unauthorized."""
        try:
            return self.page(number, limit, attempts, left_out)
        except Unauthorized:
            raise
        except ServiceError:
            return None

    def page_or_end(self, limit: int, first: int, number: int) -> Page:
        """The page of that number; an empty one for 404 after the `first`, as some services end a
        list, and for one that cannot be read, if failures are noted."""
        attempts = None if self.failures is None else ATTEMPTS_IF_OTHERS_MATTER
        try:
            page = self.page(number, limit, attempts)
            if page.is_empty and (number - first) * limit < (page.total_count or 0):
                page = self.page(number, limit)  # empty by mistake: its total says more
            return page
        except (NotFound, NoContent):
            if number == first:
                raise
        except (Unavailable, ContentError) as failure:
            if self.failures is None or len(self.failures) >= MOST_FAILURES:
                raise
            self.failures.append(failure)
        return NOTHING

    def refetch(self, number: int, limit: int, read: Callable[[RawPage], T]) -> T:
        """What `read` makes of that page, which is fetched once more."""

        def as_page(body: bytes) -> RawPage:
            return RawPage(read_page(body).records, number, self.parent)

        params = self._params(number, limit)
        return self.service.refetch(self.path, params, as_page, self.traffic, read)

    def _params(
        self, number: int, limit: int, left_out: frozenset[str] | None = None
    ) -> dict[str, str | int]:
        if left_out is None:
            left_out = self.style.left_out.get(self.name, frozenset())
        paging = {PAGE: number, LIMIT: limit}
        kept = {name: value for name, value in paging.items() if name not in left_out}
        return {**dict(self.query), **kept}
