"""What a run asks of a service with 100,000 orders, counted in requests and bytes."""

import json
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Literal
from uuid import UUID

import httpx
import pytest

from support.records.lists import Record, not_found, read, stored
from wholesale.api.profile import ServiceProfile
from wholesale.api.resources import RESOURCE
from wholesale.compare.past import Past
from wholesale.compare.stored import Stored
from wholesale.http.client import Client
from wholesale.pages.service import Service
from wholesale.settings import ApiSettings
from wholesale.sync.reader import Reader
from wholesale.sync.reading import Reading
from wholesale.tables.shapes import shape_of

ORDERS = 100_000
LIMIT = 100
PAGES = ORDERS // LIMIT
CHANGED = ORDERS // 1_000
FEW_REQUESTS = 10
NOW = datetime.now(UTC)

Form = Literal["summaries", "verbose pages", "records"]


class Catalogue:
    """A hundred thousand orders, each rendered once, listed as they stand or newest first."""

    def __init__(self) -> None:
        random = Random(1)
        self.records: list[Record] = [
            {
                "id": str(UUID(int=random.getrandbits(128), version=4)),
                "order_number": f"N-{number}",
                "status": "received",
                "total": "12.50",
                "created_at": (NOW - timedelta(days=30)).isoformat(),
                "updated_at": (NOW - timedelta(days=2, seconds=number)).isoformat(),
            }
            for number in range(ORDERS)
        ]
        self.stored = stored("orders", self.records)

    def listed(self, *, is_newest_first: bool, changed: int = 0) -> "CountingService":
        """A service of these orders, of which so many have changed since they were stored."""
        records, random = list(self.records), Random(2)
        for number in random.sample(range(ORDERS), changed):
            at = NOW - timedelta(minutes=5, seconds=random.randrange(60))
            records[number] = records[number] | {
                "status": "shipped",
                "updated_at": at.isoformat(),
            }
        if is_newest_first:
            records.sort(key=lambda record: str(record["updated_at"]), reverse=True)
        else:
            random.shuffle(records)
        return CountingService(records)


class CountingService:
    """The orders as they are listed, and a count of what is asked and of the bytes answered."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.asked: Counter[Form] = Counter()
        self.bytes = 0
        self._summaries = [json.dumps(record) for record in records]
        self._places = {record["id"]: place for place, record in enumerate(records)}

    @property
    def requests(self) -> int:
        return self.asked.total()

    def reader(self, stored: Stored) -> Reader:
        row = RESOURCE["orders"]
        settings = ApiSettings.of(
            base_url="http://127.0.0.1/api/external/v1", api_key="a-key", page_size=LIMIT
        )
        client = Client(settings, transport=httpx.MockTransport(self._handle))
        known = ServiceProfile(newest_change_first=True)
        return Reader(Reading.begin(Service.of(client, known), row, shape_of(row), stored=stored))

    def _handle(self, request: httpx.Request) -> httpx.Response:
        query, record_id = request.url.params, request.url.path.rpartition("/")[2]
        if "page" not in query:
            self.asked["records"] += 1
            place = self._places.get(record_id)
            return not_found() if place is None else self._answer(self._body(place))
        is_verbose = query["verbose"] == "true"
        self.asked["verbose pages" if is_verbose else "summaries"] += 1
        number = int(query["page"])
        places = range((number - 1) * LIMIT, min(number * LIMIT, ORDERS))
        records = (self._body(one) if is_verbose else self._summaries[one] for one in places)
        counts = {"current": number, "total_pages": PAGES, "total_count": ORDERS}
        return self._answer(
            f'{{"pagination": {json.dumps(counts)}, "data": [{", ".join(records)}]}}'
        )

    def _body(self, place: int) -> str:
        return f'{self._summaries[place][:-1]}, "order_line_items": [], "order_comments": []}}'

    def _answer(self, text: str) -> httpx.Response:
        self.bytes += len(text)
        return httpx.Response(200, stream=httpx.ByteStream(text.encode()))


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return Catalogue()


def changed_ids(reader: Reader) -> list[Any]:
    found = [key for batch in read(reader) for key in batch.decoded.root["id"].to_pylist()]
    assert reader.doubts.sentences() == []
    return found


def test_where_nothing_changed_the_list_is_read_once_and_no_body(catalogue: Catalogue) -> None:
    service = catalogue.listed(is_newest_first=False)

    reader = service.reader(catalogue.stored)

    assert changed_ids(reader) == []
    assert service.asked["summaries"] <= PAGES + FEW_REQUESTS
    assert service.requests == service.asked["summaries"]
    assert reader.tally.traffic.requests == service.requests
    assert reader.tally.traffic.bytes == service.bytes


def test_what_changed_costs_one_request_more_each(catalogue: Catalogue) -> None:
    service = catalogue.listed(is_newest_first=False, changed=CHANGED)

    reader = service.reader(catalogue.stored)

    assert len(changed_ids(reader)) == reader.tally.changed == CHANGED
    assert service.requests <= 1.02 * (PAGES + CHANGED)
    assert service.asked["records"] == CHANGED
    assert service.asked["verbose pages"] == 0


@pytest.mark.parametrize("changed", [0, CHANGED])
def test_a_list_that_comes_newest_first_is_read_at_its_head_alone(
    catalogue: Catalogue, changed: int
) -> None:
    service = catalogue.listed(is_newest_first=True, changed=changed)
    passed = catalogue.stored.after(Past(scanned_at=NOW - timedelta(hours=2)))

    reader = service.reader(passed)

    assert len(changed_ids(reader)) == changed
    assert service.asked["summaries"] <= FEW_REQUESTS
    assert service.requests == service.asked["summaries"] + changed


def test_a_list_in_no_order_is_read_to_its_end_however_young_the_last_pass(
    catalogue: Catalogue,
) -> None:
    service = catalogue.listed(is_newest_first=False, changed=CHANGED)
    passed = catalogue.stored.after(Past(scanned_at=NOW - timedelta(hours=2)))

    reader = service.reader(passed)

    assert len(changed_ids(reader)) == CHANGED
    assert PAGES < service.requests <= 1.02 * (PAGES + CHANGED)
