"""Service: the client of a service, and the profile by which its lists are read."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self

from wholesale.api import Resource, ServiceProfile
from wholesale.http import Client
from wholesale.settings import ApiSettings

MOST_QUESTIONS_IN_VAIN = 3
"""How often in a row the service is asked whether it answers at all, before it is left alone."""


@dataclass(slots=True)
class Service:
    """The service as a run knows it. `questions_in_vain` counts how often in a row it gave no
    answer when asked whether it does. `doubted`: what makes lists without records no empty ones, as
    it may be set."""

    client: Client
    profile: ServiceProfile
    questions_in_vain: int = 0
    doubted: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, client: Client, known: ServiceProfile | None = None) -> Self:
        """The service of this client, of which this much is known."""
        return cls(client, ServiceProfile.of(client.settings.service, known))

    @classmethod
    def at(
        cls, settings: ApiSettings, identify: Callable[[str], None] = lambda server: None
    ) -> Self:
        """The service that these settings name; `identify` as in Client."""
        return cls.of(Client(settings, identify=identify))

    def page_size(self, resource: Resource, *, in_short: bool = False) -> int:
        """How many records of the resource to ask for per page."""
        most = self.client.settings.page_size
        size = min(most, self.profile.page_size or most)
        return self.profile.summary_page_size or size if in_short and resource.summary else size
