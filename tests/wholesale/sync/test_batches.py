"""Batches come in order and in one shape, though they are decoded ahead of each other."""

from collections.abc import Iterator

import pytest

from support.records.lists import Lists
from wholesale.api.resources import RESOURCE
from wholesale.errors import ContentError, Unavailable
from wholesale.json.page import RawPage
from wholesale.json.strict import write
from wholesale.sync import batches as module

BUYERS = RESOURCE["buyers"]


def raw_page(number: int, *records: dict[str, str]) -> RawPage:
    return RawPage(write(list(records)).encode(), number)


@pytest.fixture(autouse=True)
def batch_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BATCH_BYTES", 1)


def test_a_field_that_is_found_is_a_column_of_what_was_decoded_ahead_too() -> None:
    reading = Lists({}).reader("buyers").reading
    pages = [
        raw_page(1, {"id": "a", "tier": "gold"}),
        raw_page(2, {"id": "b", "tier": "iron", "rank": "x"}),
        raw_page(3, {"id": "c"}),
        raw_page(4, {"id": "d", "rank": "y"}),
    ]

    found = list(reading.decoder.decode(pages))

    assert [one.root.select(["id", "tier"]).to_pylist() for one in found] == [
        [{"id": "a", "tier": "gold"}],
        [{"id": "b", "tier": "iron"}],
        [{"id": "c", "tier": None}],
        [{"id": "d", "tier": None}],
    ]
    assert [one.root["rank"].to_pylist() for one in found[1:]] == [["x"], [None], ["y"]]
    assert "rank" not in found[0].root.column_names
    assert reading.tally.found == ["buyers.tier", "buyers.rank"]


def test_what_came_before_a_page_that_cannot_be_had_is_passed_on_first() -> None:
    def pages() -> Iterator[RawPage]:
        yield from (raw_page(page, {"id": str(page)}) for page in (1, 2, 3))
        raise Unavailable("GET /buyers got no usable response")

    batches = Lists({}).reader("buyers").reading.decoder.decode(pages())

    assert [next(batches).root["id"].to_pylist() for _ in range(3)] == [["1"], ["2"], ["3"]]
    with pytest.raises(Unavailable, match=r"^GET /buyers got no usable response$"):
        next(batches)


def test_what_came_before_a_page_that_cannot_be_read_is_passed_on_first() -> None:
    pages = [raw_page(1, {"id": "1"}), RawPage(b'[{"id": "2"', 2), raw_page(3, {"id": "3"})]

    batches = Lists({}).reader("buyers").reading.decoder.decode(pages)

    assert next(batches).root["id"].to_pylist() == ["1"]
    with pytest.raises(ContentError, match=r"^buyers: page 2: body is no JSON"):
        next(batches)


def test_a_page_that_is_no_list_is_named_with_its_resource() -> None:
    decoder = Lists({}).reader("buyers").reading.decoder

    with pytest.raises(ContentError, match=r"^buyers: page 7: the list of records is no array$"):
        decoder.decode_page(RawPage(b'{"id":"a"}', 7))
