"""A record that says that it is deleted is so, listed or not, until it says so no more."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import httpx
import pytest

from support.records.lists import (
    Lists,
    Record,
    numbered,
    on,
    orders,
    paged,
    read,
    stored,
)

SIGNS: Sequence[Record] = [
    {"deleted": True},
    {"deleted": 1},
    {"is_deleted": "true"},
    {"deleted_at": on(2)},
    {"status": "Deleted"},
]


@pytest.mark.parametrize("sign", SIGNS)
def test_a_record_that_is_listed_no_more_and_says_that_it_is_deleted_is_gone(sign: Record) -> None:
    records = numbered(12, name="V")
    left = records[0] | {"id": "x"}
    service = Lists({"/vendors": records}, hidden={"/vendors/x": left | sign})
    reader = service.reader("vendors", stored("vendors", [*records, left]))

    read(reader)

    assert (reader.gone, reader.report.doubts()) == ({"x"}, [])


@pytest.mark.parametrize(
    "sign", [{"deleted": False}, {"deleted": 0}, {"deleted_at": None}, {"status": "archived"}]
)
def test_a_record_that_is_listed_no_more_and_does_not_say_so_is_kept(sign: Record) -> None:
    records = numbered(12, name="V")
    left = records[0] | {"id": "x"}
    service = Lists({"/vendors": records}, hidden={"/vendors/x": left | sign})
    reader = service.reader("vendors", stored("vendors", [*records, left]))

    read(reader)

    assert (reader.gone, len(reader.report.doubts())) == (set(), 2)


@pytest.mark.parametrize("sign", SIGNS)
def test_a_record_that_is_listed_and_says_that_it_is_deleted_is_stored_as_deleted(
    sign: Record,
) -> None:
    records = numbered(12, name="V")
    reader = Lists({"/vendors": [*records[:11], records[11] | sign]}).reader("vendors")

    (batch,) = read(reader)

    marks = batch.decoded.root["_deleted_at"].to_pylist()
    assert marks == [None] * 11 + [reader.report.started_at]
    assert (reader.report.doubts(), reader.report.alive) == ([], 11)


def test_a_record_that_is_deleted_while_it_is_read_is_marked_and_one_that_returns_is_not() -> None:
    records = numbered(20, name="V")
    before, after = records[0] | {"deleted_at": on(2)}, records[1] | {"deleted_at": on(2)}

    def page(path: str, number: int) -> httpx.Response | None:
        is_first = service.asked[path, 1] == 1
        shown = [before, records[1]] if is_first else [records[0], after]
        return paged([*shown, *records[2:]], number)

    service = Lists({"/vendors": records}, page)
    reader = service.reader("vendors")
    batches = [*read(reader), *reader.late]

    marks: Record = {}
    for batch in batches:
        ids, marked = batch.decoded.root["id"], batch.decoded.root["_deleted_at"]
        marks |= dict(zip(ids.to_pylist(), marked.to_pylist(), strict=True))
    assert [key for key, mark in marks.items() if mark] == ["id-0001"]
    assert reader.report.alive == 19


def test_a_list_that_shows_deleted_records_is_read_to_its_end() -> None:
    """It counts them, so a stored record that is gone would be hidden by one of them."""
    records = orders(40)[::-1]
    left = records[39] | {"status": "deleted"}
    lost = records[20] | {"id": "lost"}
    before = stored("orders", [*records[:39], left, lost], deleted={"id-0000"})
    before = before.after(replace(before.past, swept_at=datetime.now(UTC)))
    service = Lists({"/orders": [*records[:39], left]})
    reader = service.reader("orders", before)

    assert read(reader) == []
    assert (reader.gone, reader.report.strategy) == ({"lost"}, "manifest")
    assert (reader.report.doubts(), reader.report.alive) == ([], 39)
