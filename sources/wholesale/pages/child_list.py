"""Child list: the list of children of one parent, read to its end (§4.12)."""

from typing import NamedTuple

from wholesale.errors import ServiceError
from wholesale.json import RawPage
from wholesale.pages.paginator import Paginator


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

    @property
    def is_not_found(self) -> bool:
        """Whether the service says that there is no such list (404)."""
        return self.paginator is None and self.failure is None
