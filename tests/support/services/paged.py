"""Paged: lists as some service might page them, read to their end."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import httpx

from support.records.lists import Record, answer, numbered
from wholesale.api.resources import RESOURCE
from wholesale.http.client import Client
from wholesale.http.traffic import Traffic
from wholesale.pages.fetcher import Fetcher
from wholesale.pages.pagination import Paginator
from wholesale.pages.service import Service
from wholesale.settings import ApiSettings


@dataclass
class Paged:
    """Lists as some service might page them: `first` is the number of their first page.

    A limit above `most` is answered by a `refusal`, from request number `from_request` on.
    `taken` are the parameters that are not refused; a page has `default` records without a limit.
    `before_first` says what a page before the first one is, `behind_last` what one behind the last
    is.
    """

    lists: Mapping[str, Sequence[Record]]
    first: int = 1
    most: int = 1000
    from_request: int = 1
    refusal: int = 422
    is_bare: bool = False
    taken: frozenset[str] = frozenset({"page", "limit"})
    default: int = 10
    before_first: Literal["empty", "first page", "404", "422", "500"] = "empty"
    behind_last: Literal["empty", "404", "422", "last page"] = "empty"
    asked: list[tuple[int, int]] = field(default_factory=list)

    def handle(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.removeprefix("/api/external/v1")
        params = request.url.params
        number, limit = int(params.get("page", self.first)), int(params.get("limit", self.default))
        self.asked.append((number, limit))
        if not self.taken.issuperset(params):
            return answer({"error": "Unprocessable", "details": "parameter"}, 422)
        if path not in self.lists:
            return answer({}, 404)
        if len(self.asked) >= self.from_request and limit > self.most:
            return answer({"error": "Unprocessable", "details": "limit"}, self.refusal)
        records = self.lists[path]
        pages = max(1, -(-len(records) // limit))
        place = number - self.first
        if place < 0 and self.before_first == "first page":
            place = 0
        if place >= pages and self.behind_last == "last page":
            place = pages - 1
        refused = self.before_first if place < 0 else self.behind_last if place >= pages else ""
        if refused.isdigit():
            return answer({"error": "no such page"}, int(refused))
        data = records[place * limit : (place + 1) * limit] if place >= 0 else []
        counts = {"current": number, "total_pages": pages, "total_count": len(records)}
        return answer(data if self.is_bare else {"pagination": counts, "data": data})

    def service(self, **settings: int) -> Service:
        values = {"page_size": 10, "attempts": 3, "concurrency": 1} | settings
        return Service.of(
            Client(
                ApiSettings.of(base_url="http://127.0.0.1/api/external/v1", api_key="k", **values),
                transport=httpx.MockTransport(self.handle),
                sleep=lambda _: None,
            )
        )

    @property
    def pages(self) -> list[int]:
        return [number for number, _ in self.asked]


def read(
    client: Service, resource: str = "vendors", page_size: int | None = None
) -> tuple[Paginator, list[str]]:
    """The paginator of a list at its end, and the ids that it brought, in order."""
    paginator, found = Paginator(), []
    with Fetcher(client, RESOURCE[resource], Traffic()) as pages:
        for page in pages.read_list(paginator, (), page_size):
            found += [record["id"] for record in json.loads(page.records)]
    return paginator, found


def ids(count: int) -> list[str]:
    return [record["id"] for record in numbered(count)]
