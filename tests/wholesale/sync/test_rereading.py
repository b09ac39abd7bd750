"""Records are read again by their ids, or since a moment, without a scan of their list."""

from datetime import UTC, datetime

import pyarrow as pa
import pytest

from support.records.lists import Lists, Record, changed, ids, not_found, on, orders, stored
from wholesale.sync.batches import Batch
from wholesale.sync.reader import Reader
from wholesale.tables import pack

PAGE = 10


def newest_first(count: int) -> list[Record]:
    return orders(count)[::-1]


def read_again(reader: Reader, *wanted: str) -> tuple[list[str], list[str]]:
    """Ids of what has to be merged, and of what is 404."""
    batches: list[Batch] = []
    missing = reader.read_again(batches.append, pack(pa.array(wanted, pa.string())))
    return ids(batches), list(missing.texts())


def test_what_is_asked_for_comes_once_and_what_is_not_there_is_named() -> None:
    before = orders(25)
    service = Lists({"/orders": changed(before, 9, status="shipped")})
    reader = service.reader("orders", stored("orders", before))

    found = read_again(reader, "id-0003", "gone", "id-0007", "id-0003")

    assert found == (["id-0003", "id-0007"], ["gone"])
    assert service.singles == ["/orders/gone", "/orders/id-0003", "/orders/id-0007"]
    assert [key for key in service.asked if key[1]] == [("/orders", 1)]
    assert (reader.report.ids_seen, reader.report.changed, reader.report.faults) == (2, 2, [])
    assert reader.report.proof is None


@pytest.mark.parametrize(
    ("count", "second", "found", "pages"),
    [
        (25, 18, 7, 2),  # the second page shows that no later one has any
        (25, 12, 13, 3),
        (5, 0, 5, 1),  # a page that is not full is the last one
        (20, 0, 20, 3),  # the page behind a full last one is 404
    ],
)
def test_the_head_of_the_list_is_read_as_far_as_it_is_new(
    count: int, second: int, found: int, pages: int
) -> None:
    newest = newest_first(count)
    service = Lists(
        {"/orders": newest}, lambda path, n: not_found() if (n - 1) * PAGE >= count else None
    )
    reader = service.reader("orders", stored("orders", newest))
    moment = datetime.fromisoformat(on(1, second).replace("Z", "+00:00")).astimezone(UTC)

    recent = reader.updated_since(moment)

    assert list(recent.texts()) == [record["id"] for record in newest[:found]]
    assert service.asked == {("/orders", number): 1 for number in range(1, pages + 1)}


def test_records_found_at_the_head_are_read_without_looking_at_it_again() -> None:
    newest = newest_first(5)
    service = Lists({"/orders": newest})
    reader = service.reader("orders", stored("orders", newest))
    recent = reader.updated_since(datetime(2024, 1, 1, 0, 0, 3, tzinfo=UTC))
    batches: list[Batch] = []

    reader.read_again(batches.append, recent)

    assert sorted(ids(batches)) == ["id-0003", "id-0004"]
    assert service.asked["/orders", 1] == 1


def test_an_older_version_than_is_stored_is_refused() -> None:
    before = orders(5, day=2)
    service = Lists({"/orders": orders(1) + before[1:]})
    reader = service.reader("orders", stored("orders", before))

    found = read_again(reader, "id-0000", "id-0001")

    assert found == (["id-0001"], [])
    assert reader.report.refused == ("id-0000",)
    assert len(reader.report.faults) == 1


def test_what_is_stored_nowhere_is_older_than_nothing() -> None:
    reader = Lists({"/orders": orders(5)}).reader("orders")

    assert read_again(reader, "id-0002") == (["id-0002"], [])
    assert reader.report.new == 1
