"""Pages: one page of a list or one record, asked for to see how the service answers."""

import logging
from dataclasses import dataclass, field

from wholesale.api import ENDPOINT, Resource
from wholesale.errors import Failing, ServiceError, TooLarge, Unauthorized, Unprocessable
from wholesale.http import Traffic
from wholesale.json import Page, RawPage, read_page
from wholesale.pages import Key, Query, Service, read_single

log = logging.getLogger("wholesale.discover")

ATTEMPTS = 2
"""What is refused or fails is an answer here, and not asked for as long as elsewhere."""


@dataclass(frozen=True, slots=True)
class Pages:
    """The list of a resource, or of one parent, as it answers; `traffic` counts the requests."""

    service: Service
    resource: Resource
    traffic: Traffic
    parent: str | None = None
    query: Query = field(default=())

    def get(self, number: int | None = None, limit: int | None = None) -> Page:
        """The page of that number; what is None is not sent. Raises: ServiceError."""
        endpoint = ENDPOINT[self.resource.list_endpoint]
        path = endpoint.path_of(*([self.parent] if self.parent else []))
        paging = {"page": number, "limit": limit}
        sent = {name: value for name, value in paging.items() if value is not None}
        return self.service.client.get(
            path,
            {**dict(self.query or self.resource.query), **sent},
            read=read_page,
            traffic=self.traffic,
            attempts=ATTEMPTS,
        )

    def try_get(self, number: int | None = None, limit: int | None = None) -> Page | None:
        """The same; None if it is refused or fails. Raises: Unauthorized."""
        try:
            return self.get(number, limit)
        except Unauthorized:
            raise
        except ServiceError:
            return None

    def largest(self) -> tuple[int, Page | None]:
        """The most records a page that the list accepts, up to as many as the service is known to,
        and the first page of as many; None where it gives none. Raises: Unauthorized."""
        usual = size = self.service.page_size(self.resource)
        while size:
            try:
                return size, self.get(self.service.profile.first_page, size)
            except (Unprocessable, TooLarge, Failing) as refusal:
                log.info("%s; fewer records a page are tried", refusal)
                size //= 2
            except Unauthorized:
                raise
            except ServiceError:
                break
        return usual, None

    def is_capped(self, page: Page, limit: int) -> bool:
        """Whether the first page has fewer records than were asked for, though others follow."""
        if page.is_empty or page.count >= limit or page.total_count == page.count:
            return False
        following = ids_of(self.try_get(self.service.profile.first_page + 1, limit))
        return bool(following) and following.isdisjoint(ids_of(page))

    def single(self, record_id: str) -> RawPage | None:
        """The record of that id; None if it does not answer. Raises: Unauthorized."""
        _, found = read_single(
            self.service, self.resource, self.traffic, Key(record_id, self.parent)
        )
        return found if isinstance(found, RawPage) else None


def ids_of(page: Page | None) -> frozenset[bytes]:
    """The ids on a page; none if there is no page, or a record on it has none."""
    return (page.ids() if page else None) or frozenset()
