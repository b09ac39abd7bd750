"""Paged: lists as some service might page them, read to their end."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import httpx

from support.records.lists import Record, answer, numbered
from wholesale.api.profile import ServiceProfile
from wholesale.api.resources import RESOURCE
from wholesale.http.client import Client
from wholesale.http.traffic import Traffic
from wholesale.pages.fetcher import Fetcher
from wholesale.pages.paginator import Paginator
from wholesale.pages.service import Service
from wholesale.settings import ApiSettings

Beyond = Literal["empty", "404", "422", "500", "repeats"]
"""How a page is answered that a list does not have."""


@dataclass
class Paged:
    """Lists as some service might page them: `first` is the number of their first page.

    A limit above `most` is answered by a `refusal`, and a page has at most so many records as the
    list `gives`. Pages that begin behind so many records as the `window` has are refused (422).
    `taken` are the parameters that are not refused; without a limit all records come at once.
    `before_first` says what a page before the first one is, `behind_last` what one behind the last
    is: the page next to it, where it `repeats`.
    """

    lists: Mapping[str, Sequence[Record]]
    first: int = 1
    most: int = 1000
    refusal: int = 422
    gives: int = 1000
    window: int | None = None
    is_bare: bool = False
    taken: frozenset[str] = frozenset({"page", "limit", "verbose"})
    before_first: Beyond = "empty"
    behind_last: Beyond = "empty"
    asked: list[tuple[int, int]] = field(default_factory=list)

    def handle(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.removeprefix("/api/external/v1")
        params, records = request.url.params, self.lists.get(path)
        number = int(params.get("page", self.first))
        limit = int(params.get("limit", max(1, len(records or ()))))
        self.asked.append((number, limit))
        if not self.taken.issuperset(params):
            return answer({"error": "Unprocessable", "details": "parameter"}, 422)
        if records is None:
            return answer({"error": "Resource not found"}, 404)
        if limit > self.most:
            return answer({"error": "Unprocessable", "details": "limit"}, self.refusal)
        return self.page(records, number, min(limit, self.gives))

    def page(self, records: Sequence[Record], number: int, size: int) -> httpx.Response:
        pages = max(1, -(-len(records) // size))
        place = number - self.first
        if self.window is not None and place * size >= self.window:
            return answer({"error": "Unprocessable", "details": "page"}, 422)
        beyond = self.before_first if place < 0 else self.behind_last if place >= pages else ""
        if beyond.isdigit():
            return answer({"error": "no such page"}, int(beyond))
        if beyond == "repeats":
            place = min(max(place, 0), pages - 1)
        data = records[place * size : (place + 1) * size] if place >= 0 else []
        counts = {"current": number, "total_pages": pages, "total_count": len(records)}
        return answer(data if self.is_bare else {"pagination": counts, "data": data})

    def service(self, known: ServiceProfile | None = None, **settings: object) -> Service:
        values = {"page_size": 10, "attempts": 3, "concurrency": 1} | settings
        return Service.of(
            Client(
                ApiSettings.of(base_url="http://127.0.0.1/api/external/v1", api_key="k", **values),
                transport=httpx.MockTransport(self.handle),
                sleep=lambda _: None,
            ),
            known,
        )

    @property
    def pages(self) -> list[int]:
        return [number for number, _ in self.asked]


def read(service: Service, resource: str = "vendors") -> tuple[Paginator, list[str]]:
    """The paginator of a list at its end, and the ids that it brought, in order."""
    row, found = RESOURCE[resource], []
    with Fetcher(service, row, Traffic()) as pages:
        reader = pages.list_reader(())
        paginator = reader.paginator(service.page_size(row))
        for page in reader.read(paginator):
            found += [record["id"] for record in json.loads(page.records)]
    return paginator, found


def ids(count: int) -> list[str]:
    return [record["id"] for record in numbered(count)]
