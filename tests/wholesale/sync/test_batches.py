"""Batches come in order and in one shape, though they are decoded ahead of each other."""

from collections.abc import Iterator

import pytest

from wholesale.api.resources import RESOURCE
from wholesale.errors import ContentError, Unavailable
from wholesale.pages.page import Source
from wholesale.pages.pagination import Walk
from wholesale.pages.strict_json import write
from wholesale.sync import batches
from wholesale.sync.batches import Batches
from wholesale.sync.report import Report
from wholesale.tables.shapes import shape_of

BUYERS = RESOURCE["buyers"]


def source(page: int, *records: dict[str, str]) -> Source:
    return Source(write(list(records)).encode(), page)


@pytest.fixture(autouse=True)
def batch_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "BATCH_BYTES", 1)


def test_a_field_that_is_found_is_a_column_of_what_was_decoded_ahead_too() -> None:
    report = Report(BUYERS.name)
    reading = Batches(BUYERS, shape_of(BUYERS), report)
    sources = [
        source(1, {"id": "a", "tier": "gold"}),
        source(2, {"id": "b", "tier": "iron", "rank": "x"}),
        source(3, {"id": "c"}),
        source(4, {"id": "d", "rank": "y"}),
    ]

    found = list(reading.of(sources))

    assert [one.root.select(["id", "tier"]).to_pylist() for one in found] == [
        [{"id": "a", "tier": "gold"}],
        [{"id": "b", "tier": "iron"}],
        [{"id": "c", "tier": None}],
        [{"id": "d", "tier": None}],
    ]
    assert [one.root["rank"].to_pylist() for one in found[1:]] == [["x"], [None], ["y"]]
    assert "rank" not in found[0].root.column_names
    assert report.found == ["buyers.tier", "buyers.rank"]


def test_what_came_before_a_page_that_cannot_be_had_is_passed_on_first() -> None:
    def sources() -> Iterator[Source]:
        yield from (source(page, {"id": str(page)}) for page in (1, 2, 3))
        raise Unavailable("GET /buyers got no usable answer")

    reading = Batches(BUYERS, shape_of(BUYERS), Report(BUYERS.name)).of(sources())

    assert [next(reading).root["id"].to_pylist() for _ in range(3)] == [["1"], ["2"], ["3"]]
    with pytest.raises(Unavailable, match=r"^GET /buyers got no usable answer$"):
        next(reading)


def test_what_came_before_a_page_that_cannot_be_read_is_passed_on_first() -> None:
    sources = [source(1, {"id": "1"}), Source(b'[{"id": "2"', 2), source(3, {"id": "3"})]

    reading = Batches(BUYERS, shape_of(BUYERS), Report(BUYERS.name)).of(sources)

    assert next(reading).root["id"].to_pylist() == ["1"]
    with pytest.raises(ContentError, match=r"^buyers: page 2: body is no JSON"):
        next(reading)


def test_the_last_page_is_counted_before_a_further_one_is_asked_for() -> None:
    walk = Walk(total_pages=2)
    counted: list[int] = []

    def sources() -> Iterator[Source]:
        for page in (1, 2, 3):
            counted.append(walk.records)
            walk.pages = page
            yield source(page, {"id": str(page)})

    found = list(Batches(BUYERS, shape_of(BUYERS), Report(BUYERS.name)).of(sources(), walk))

    assert [one.root["id"].to_pylist() for one in found] == [["1"], ["2"], ["3"]]
    assert counted[2] == 2
    assert walk.records == 3
