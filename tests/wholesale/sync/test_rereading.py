"""Records are read again by their ids, or since a moment, without a scan of their list."""

from datetime import UTC, datetime

import httpx
import pyarrow as pa
import pytest

from support.records.lists import (
    LOOKED_AT,
    Lists,
    Record,
    answer,
    changed,
    ids,
    not_found,
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


@pytest.mark.parametrize(
    ("count", "second", "found", "pages"),
    [
        (25, 18, 7, 2),  # the second page shows that no later one has any
        (25, 12, 13, 3),
        (5, 0, 5, 1),  # a page that is not full is the last one
        (20, 0, 20, 2),  # as many as are counted
    ],
)
def test_the_head_of_the_list_is_read_as_far_as_it_is_new(
    count: int, second: int, found: int, pages: int
) -> None:
    newest = newest_first(count)
    service = Lists({"/orders": newest})
    reader = service.reader("orders", stored("orders", newest))
    moment = datetime.fromisoformat(on(1, second).replace("Z", "+00:00")).astimezone(UTC)

    recent = again.updated_since(reader, moment)

    assert list(recent.texts()) == [record["id"] for record in newest[:found]]
    assert service.asked == {("/orders", number): 1 for number in range(1, pages + 1)}


@pytest.mark.parametrize("is_last_repeated", [False, True])
def test_a_head_that_counts_nothing_ends_behind_its_last_page(is_last_repeated: bool) -> None:
    newest = newest_first(20)

    def page(path: str, number: int) -> httpx.Response:
        rows = newest[(min(number, 2) if is_last_repeated else number) * PAGE - PAGE :][:PAGE]
        return answer(rows) if rows else not_found()

    service = Lists({"/orders": newest}, page)
    reader = service.reader("orders", stored("orders", newest))

    found = again.updated_since(reader, datetime(2024, 1, 1, tzinfo=UTC))

    assert set(found.texts()) == {record["id"] for record in newest}
    assert service.asked == {("/orders", number): 1 for number in (1, 2, 3)}


def test_a_head_without_an_end_is_refused() -> None:
    def page(path: str, number: int) -> httpx.Response:
        rows = [row | {"id": f"{number}-{row['id']}"} for row in newest_first(PAGE)]
        return paged(rows, 1, total_pages=number + 1, total_count=PAGE * (number + 1))

    service = Lists({"/orders": []}, page)
    known = LOOKED_AT.model_copy(update={"most_records": 200})
    reader = service.reader("orders", known=known)

    with pytest.raises(ServiceError, match="set most_records = 2100 in"):
        again.updated_since(reader, datetime(2024, 1, 1, tzinfo=UTC))


def test_records_found_at_the_head_are_read_without_looking_at_it_again() -> None:
    newest = newest_first(5)
    service = Lists({"/orders": newest})
    reader = service.reader("orders", stored("orders", newest))
    recent = again.updated_since(reader, datetime(2024, 1, 1, 0, 0, 3, tzinfo=UTC))
    batches: list[Batch] = []

    again.read_again(reader, batches.append, recent)

    assert sorted(ids(batches)) == ["id-0003", "id-0004"]
    assert service.asked["/orders", 1] == 1


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
