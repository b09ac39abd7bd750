"""Records are read again by their ids, or since a moment, without a scan of their list."""

from dataclasses import replace
from datetime import UTC, datetime

import httpx
import pyarrow as pa
import pytest

from support.records.lists import (
    LOOKED_AT,
    NO_ENTRIES,
    Lists,
    Record,
    answer,
    changed,
    ids,
    not_found,
    numbered,
    on,
    orders,
    paged,
    stored,
)
from wholesale.errors import ServiceError
from wholesale.sync import again
from wholesale.sync.changes import Batch
from wholesale.sync.reader import Reader
from wholesale.tables import pack

PAGE = 10


def newest_first(count: int) -> list[Record]:
    return orders(count)[::-1]


def read_again(reader: Reader, *wanted: str) -> tuple[list[str], list[str]]:
    """Ids of what has to be merged, and of what is 404."""
    batches: list[Batch] = []
    missing = again.read_again(reader, batches.append, pack(pa.array(wanted, pa.string())))
    return ids(batches), list(missing.texts())


def test_what_is_asked_for_comes_once_and_what_is_not_there_is_named() -> None:
    before = orders(25)
    service = Lists({"/orders": changed(before, 9, status="shipped")})
    reader = service.reader("orders", stored("orders", before))

    found = read_again(reader, "id-0003", "gone", "id-0007", "id-0003")

    assert found == (["id-0003", "id-0007"], ["gone"])
    assert service.singles == ["/orders/gone", "/orders/id-0003", "/orders/id-0007"]
    assert [key for key in service.asked if key[1]] == [("/orders", 1)]
    assert (
        reader.tally.ids_seen,
        reader.tally.changed,
        reader.doubts.faults,
    ) == (2, 2, [])
    assert reader.doubts.proof is None


SINCE = datetime(2024, 1, 1, 0, 0, 18, tzinfo=UTC)


def since(reader: Reader, moment: datetime = SINCE) -> list[str]:
    return sorted(again.updated_since(reader, moment).texts())


@pytest.mark.parametrize("step", [1, -1])
def test_a_list_in_any_order_tells_what_was_updated_since(step: int) -> None:
    records = orders(25)
    service = Lists({"/orders": records[::step]})
    reader = service.reader("orders", stored("orders", records))

    assert since(reader) == [record["id"] for record in records[18:]]
    assert reader.doubts.mismatch == ""
    assert service.singles == []


def test_where_the_head_is_enough_what_is_stored_and_not_there_is_found_too() -> None:
    newest = newest_first(45)
    at = datetime(2024, 1, 1, 2, tzinfo=UTC)
    known = LOOKED_AT.model_copy(update={"newest_change_first": True})
    service = Lists({"/orders": newest})
    held = stored("orders", newest)
    held = held.after(replace(held.past, scanned_at=at))
    reader = service.reader("orders", held, known=known)
    reader.stop_early = lambda: reader.listing.peek(1, 0) is not None  # type: ignore[method-assign]

    assert since(reader) == [f"id-{number:04}" for number in range(18, 45)]
    assert set(service.asked) == {("/orders", 1)}


def test_a_list_that_counts_nothing_is_read_until_two_scans_agree() -> None:
    records = orders(20)

    def page(path: str, number: int) -> httpx.Response:
        rows = records[number * PAGE - PAGE : number * PAGE]
        return answer(rows) if rows else not_found()

    reader = Lists({"/orders": records}, page).reader("orders", stored("orders", records[:5]))

    assert since(reader, datetime(2024, 1, 1, tzinfo=UTC)) == [r["id"] for r in records]


def test_a_list_that_does_not_add_up_may_hide_some() -> None:
    records = orders(25)

    def page(path: str, number: int) -> httpx.Response:
        return paged(records, number, total_pages=3, total_count=27)

    reader = Lists({"/orders": records}, page).reader("orders", stored("orders", records))

    assert since(reader) == [record["id"] for record in records[18:]]
    assert reader.doubts.mismatch != ""


def test_a_list_that_goes_back_to_an_earlier_moment_may_hide_some() -> None:
    now = orders(25)
    earlier = changed(now, 3, updated_at="2023-01-01T00:00:00Z")
    reads: list[int] = []

    def page(path: str, number: int) -> httpx.Response:
        reads.append(number)
        return paged(now if reads.count(1) == 1 else earlier, number)

    reader = Lists({"/orders": now}, page).reader("orders", stored("orders", now))
    since(reader)

    assert len(reads) > 3
    assert reader.doubts.mismatch != ""


def test_a_record_without_a_version_may_be_new() -> None:
    records = [*orders(3), {"id": "id-9999", "updated_at": None, "status": "x", **NO_ENTRIES}]
    reader = Lists({"/orders": records}).reader("orders", stored("orders", records))

    assert since(reader) == ["id-9999"]


def test_a_list_without_an_end_is_refused() -> None:
    def page(path: str, number: int) -> httpx.Response:
        rows = [row | {"id": f"{number}-{row['id']}"} for row in newest_first(PAGE)]
        return paged(rows, 1, total_pages=number + 1, total_count=PAGE * (number + 1))

    service = Lists({"/orders": []}, page)
    known = LOOKED_AT.model_copy(update={"most_records": 200})
    reader = service.reader("orders", known=known)

    with pytest.raises(ServiceError, match="set most_records = 2100 in"):
        again.updated_since(reader, datetime(2024, 1, 1, tzinfo=UTC))


def test_records_found_in_the_list_are_read_without_looking_at_it_again() -> None:
    newest = newest_first(5)
    service = Lists({"/orders": newest})
    reader = service.reader("orders", stored("orders", newest))
    recent = again.updated_since(reader, datetime(2024, 1, 1, 0, 0, 3, tzinfo=UTC))
    batches: list[Batch] = []

    again.read_again(reader, batches.append, recent)

    assert sorted(ids(batches)) == ["id-0003", "id-0004"]
    assert service.singles == ["/orders/id-0003", "/orders/id-0004"]


def test_an_older_version_than_is_stored_is_refused() -> None:
    before = orders(5, day=2)
    service = Lists({"/orders": orders(1) + before[1:]})
    reader = service.reader("orders", stored("orders", before))

    found = read_again(reader, "id-0000", "id-0001")

    assert found == (["id-0001"], [])
    assert reader.doubts.refused == ("id-0000",)
    assert len(reader.doubts.faults) == 1


def test_what_is_stored_nowhere_is_older_than_nothing() -> None:
    reader = Lists({"/orders": orders(5)}).reader("orders")

    assert read_again(reader, "id-0002") == (["id-0002"], [])
    assert reader.tally.new == 1


@pytest.mark.parametrize("resource", ["vendors", "items"])
def test_other_records_are_read_by_their_ids_alone(resource: str) -> None:
    records = numbered(12, options=[]) if resource == "items" else numbered(12, updated_at=on(1))
    service = Lists({f"/{resource}": records})
    reader = service.reader(resource, stored(resource, records))

    assert read_again(reader, "id-0001", "id-0011", "gone") == (["id-0001", "id-0011"], ["gone"])
    assert service.asked == {
        (f"/{resource}/{name}", 0): 1 for name in ("id-0001", "id-0011", "gone")
    }
