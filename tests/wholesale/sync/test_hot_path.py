"""What the hot path costs, in counts that no busy machine changes."""

import sys
from collections.abc import Iterator

import httpx
import pytest

from support.records.lists import Lists
from support.services.trust import NOBODY
from wholesale.api.resources import RESOURCE
from wholesale.json.page import Page, RawPage, read_page
from wholesale.pages.service import Service
from wholesale.settings import ApiSettings
from wholesale.sync import batches
from wholesale.sync.changes import Batch
from wholesale.sync.reader import Reader
from wholesale.sync.reading import Reading
from wholesale.tables.decoder import decode
from wholesale.tables.shapes import shape_of
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

ORDERS = RESOURCE["orders"]
COUNT = 2_000
LIMIT = 100


@pytest.fixture(scope="module")
def world() -> Iterator[Sandbox]:
    """Orders as this API sends them: numbers as text and as numbers, nulls, undescribed fields."""
    with Sandbox(SandboxSettings(orders=COUNT)) as running:
        yield running


@pytest.fixture(scope="module")
def pages(world: Sandbox) -> list[Page]:
    with httpx.Client(headers={"X-API-Key": "sandbox"}, verify=NOBODY, timeout=None) as http:
        query = {"verbose": "true", "limit": str(LIMIT)}
        answers = (
            http.get(f"{world.base_url}/orders", params={**query, "page": str(number)})
            for number in range(1, COUNT // LIMIT + 1)
        )
        return [read_page(answer.content) for answer in answers]


def test_no_python_object_stands_for_an_order(pages: list[Page]) -> None:
    raw_pages = [RawPage(page.records) for page in pages]
    shape = decode(raw_pages, shape_of(ORDERS)).shape
    decode(raw_pages, shape)
    before = sys.getallocatedblocks()

    decoded = decode(raw_pages, shape)

    assert len(decoded.root) == COUNT
    assert (sys.getallocatedblocks() - before) / COUNT < 0.1


def test_what_is_normal_for_this_api_is_decoded_fast(pages: list[Page]) -> None:
    """One page shows the fields that the description does not; no other goes carefully."""
    decoder = Lists({}).reader("orders").reading.decoder

    batches = list(decoder.decode(RawPage(page.records) for page in pages))

    assert sum(decoded.careful_pages for decoded in batches) <= 1
    assert [decoded.misfits for decoded in batches if decoded.misfits] == []


def test_batches_are_as_many_as_their_bytes_ask_for(
    pages: list[Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    size = sum(len(page.records) for page in pages)
    largest = max(len(page.records) for page in pages)
    monkeypatch.setattr(batches, "BATCH_BYTES", size // 4)
    decoder = Lists({}).reader("orders").reading.decoder

    sizes = [decoded.records for decoded in decoder.decode(RawPage(page.records) for page in pages)]

    assert sum(sizes) == COUNT
    assert len(sizes) in (4, 5)
    assert max(sizes) * size / COUNT <= size / 4 + 2 * largest


def test_a_first_load_reads_each_page_twice_and_each_byte_once(world: Sandbox) -> None:
    settings = ApiSettings.of(base_url=world.base_url, api_key="sandbox", page_size=LIMIT)
    reader = Reader(Reading.begin(Service.at(settings), ORDERS, shape_of(ORDERS)))
    world.requests.clear()

    merged: list[Batch] = []
    reader.read(merged.append)

    assert sum(batch.decoded.records for batch in merged) == COUNT
    # In short and in full, and the head before and between.
    assert world.requests.counts() == {"list_orders": 2 * COUNT // LIMIT + 2}
    assert reader.tally.traffic.requests == 2 * COUNT // LIMIT + 2
