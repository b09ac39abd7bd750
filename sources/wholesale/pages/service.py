"""Service: the client of a service, and the profile by which its lists are read."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

from wholesale.api import (
    ENDPOINT,
    SERVICE_SECTION,
    Resource,
    ServiceProfile,
    plain_guid,
    set_to,
    setting_of,
    spelled_like,
)
from wholesale.http import Client
from wholesale.json import Page
from wholesale.settings import ApiSettings

MOST_QUESTIONS_IN_VAIN = 3
"""How often in a row the service is asked whether it answers at all, before it is left alone."""


@dataclass(slots=True)
class Service:
    """The service as a run knows it; it alone replaces its profile.

    `questions_in_vain` counts how often in a row it gave no response when asked whether it does.
    `lacking` are the names that facts lack, by fact.
    """

    client: Client
    _profile: ServiceProfile
    questions_in_vain: int = 0
    lacking: dict[str, set[str]] = field(default_factory=dict)

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

    @property
    def profile(self) -> ServiceProfile:
        """The facts by which the service is read now."""
        return self._profile

    def recall(self, known: ServiceProfile | None) -> None:
        """Begin anew with what earlier runs found out."""
        self._profile = ServiceProfile.of(self.client.settings.service, known)
        if rate := self._profile.requests_a_minute:
            self.client.limiter.begin(rate)

    def observe(self, **facts: Any) -> None:
        """Record these facts, as the service showed them."""
        self._profile = self._profile.observing(**facts)

    def add(self, fact: str, *names: str) -> None:
        """Record that these names belong to the set that the fact is."""
        self.observe(**{fact: getattr(self._profile, fact) | frozenset(names)})

    def see_ids(self, resource: Resource, page: Page) -> None:
        """Note how a list spells its GUIDs: some services find a record by that spelling alone."""
        known, ids = self._profile.spellings, sorted(page.ids() or ())
        text = json.loads(ids[0]) if ids else None
        if isinstance(text, str) and (plain := plain_guid(text)):
            spellings = {name: known[name] for name in known if name != resource.name}
            spellings |= {} if text == plain else {resource.name: text}
            if spellings != known:
                self.observe(spellings=spellings)

    def path(
        self,
        endpoint: str,
        resource: Resource,
        record_id: str | None = None,
        parent: str | None = None,
    ) -> str:
        """The path of an endpoint, with ids as their own lists spell them."""
        of = resource.parent.resource if resource.parent else ""
        named = ((of, parent), (resource.name, record_id))
        examples = self._profile.spellings
        ids = (spelled_like(examples.get(name, id), id) for name, id in named if id)
        return ENDPOINT[endpoint].path_of(*ids)

    def remedy(self, fact: str, *names: str) -> str:
        """Stands in a sentence for the setting of a fact that lacks these names."""
        self.lacking.setdefault(fact, set()).update(names)
        return f"({setting_of(fact)})"

    def with_remedies(self, sentence: str) -> str:
        """A sentence with the whole value of each setting: all that is found so far, as what is set
        replaces it, and what any sentence of the run lacks."""

        def whole(found: re.Match[str]) -> str:
            fact, value = found[1], getattr(self.profile, found[1])
            value = not value if isinstance(value, bool) else value | self.lacking[fact]
            return f"({set_to(fact, value)})"

        return re.sub(rf"\({re.escape(SERVICE_SECTION)}\.(\w+)\)", whole, sentence)

    def page_size(self, resource: Resource, *, in_short: bool = False) -> int:
        """How many records of the resource to ask for per page."""
        most = self.client.settings.page_size
        size = min(most, self.profile.page_size or most)
        return self.profile.summary_page_size or size if in_short and resource.summary else size
