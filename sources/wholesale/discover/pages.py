"""Pages: one page of a list or one record, asked for to see how the service answers."""

from dataclasses import dataclass, field

from wholesale.api import ENDPOINT, Resource
from wholesale.errors import ServiceError, Unauthorized
from wholesale.http import Traffic
from wholesale.json import Page, RawPage, read_page
from wholesale.pages import Key, Query, Service, read_single

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

    def single(self, record_id: str) -> RawPage | None:
        """The record of that id; None if it does not answer. Raises: Unauthorized."""
        _, found = read_single(
            self.service, self.resource, self.traffic, Key(record_id, self.parent)
        )
        return found if isinstance(found, RawPage) else None
