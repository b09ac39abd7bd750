"""Service: the client of a service, and the profile by which its lists are read."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from wholesale.api import (
    ENDPOINT,
    SERVICE_SECTION,
    Resource,
    ServiceProfile,
    set_to,
    setting_of,
    spelled_like,
)
from wholesale.http import Client
from wholesale.settings import ApiSettings

MADE_UP = "aaaaaaaa-aaaa-4aaa-aaaa-aaaaaaaaaaaa"
"""A GUID of no record, to show how others are written."""
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
    _written: dict[str, dict[str, str]] = field(default_factory=dict)
    _written_plainly: set[str] = field(default_factory=set)

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

    def see_ids(self, resource: Resource, written: Mapping[str, str], *, has_plain: bool) -> None:
        """Note how the list of a resource writes its GUIDs, as some services find a record by that
        text alone. `written` are those that are not plain, by plain ones; `has_plain`: others are.

        An id that no list has shown is written as the others are, if all are written alike.
        """
        name, known = resource.name, self._profile.spellings
        seen = self._written.setdefault(name, {})
        seen.update(written)
        if has_plain:
            self._written_plainly.add(name)
        spellings = {other: known[other] for other in known if other != name}
        if seen and name not in self._written_plainly:
            spellings[name] = spelled_like(next(iter(seen.values())), MADE_UP)
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
        return ENDPOINT[endpoint].path_of(*(self._as_sent(name, id) for name, id in named if id))

    def _as_sent(self, resource: str, record_id: str) -> str:
        written = self._written.get(resource, {}).get(record_id)
        return written or spelled_like(self._profile.spellings.get(resource, record_id), record_id)

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
