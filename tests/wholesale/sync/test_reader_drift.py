"""A list that moves while it is read is read again, and nothing is called deleted on its word."""

import httpx
import pytest

from support.lists import Lists, ids, numbered, outcome, paged
from wholesale.sync.reader import MAX_PASSES


def test_a_record_that_comes_twice_leads_to_another_pass_that_passes_nothing_on_again() -> None:
    records = numbered(15)
    service = Lists({"/vendors": records})

    def shift(path: str, number: int) -> httpx.Response | None:
        if service.asked[path, number] > 1:
            return None
        return paged(records[:10] + records[9:], number, total_count=15)

    service.page = shift
    reader = service.reader("vendors")

    assert ids(reader.read()) == [record["id"] for record in records]
    assert outcome(reader) == (2, 5, [])
    assert (reader.report.duplicates, reader.report.ids_seen, reader.report.new) == (1, 15, 15)


@pytest.mark.parametrize(
    ("counts", "doubts"),
    [
        ({"total_count": 26}, ["25 records came where 26 are counted"]),
        ({"total_count": 24}, ["25 records came where 24 are counted"]),
    ],
)
def test_a_list_that_never_holds_still_is_read_so_often_and_stays_in_doubt(
    counts: dict[str, int], doubts: list[str]
) -> None:
    records = numbered(25)
    service = Lists({}, lambda path, number: paged(records, number, **counts))
    reader = service.reader("vendors")

    assert ids(reader.read()) == [record["id"] for record in records]
    assert outcome(reader) == (MAX_PASSES, MAX_PASSES * 4, doubts)
    assert MAX_PASSES == 4


def test_a_total_that_moves_leads_to_another_pass() -> None:
    records = numbered(26)
    service = Lists({})

    def move(path: str, number: int) -> httpx.Response:
        total = 24 + number - 1 if service.asked[path, number] == 1 else 26
        return paged(records, number, total_count=total)

    service.page = move
    reader = service.reader("vendors")

    assert len(ids(reader.read())) == 26
    assert outcome(reader) == (2, 6, [])
    assert (reader.report.first_total, reader.report.last_total) == (24, 26)


def test_page_one_for_ever_is_a_doubt() -> None:
    service = Lists({}, lambda path, number: paged(numbered(10), 1, total_pages=3, total_count=25))
    reader = service.reader("vendors")

    assert len(ids(reader.read())) == 10
    assert reader.report.doubts() == [
        "page 2 repeats page 1",
        "10 records came where 25 are counted",
    ]


def test_the_last_pass_decides_and_what_an_earlier_one_missed_is_passed_on() -> None:
    records = numbered(30)
    service = Lists({"/vendors": records})

    def skip(path: str, number: int) -> httpx.Response | None:
        if service.asked[path, number] > 1 or number == 1:
            return None
        return paged(records[:10] + records[11:], number, total_count=30, total_pages=3)

    service.page = skip
    reader = service.reader("vendors")

    assert sorted(ids(reader.read())) == [record["id"] for record in records]
    assert outcome(reader)[::2] == (2, [])
