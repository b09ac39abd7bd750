"""A list that moves while it is read is read again, and nothing is called deleted on its word."""

from collections.abc import Mapping
from typing import Any

import httpx
import pyarrow as pa
import pytest

from support.lists import Lists, Record, answer, ids, numbered, paged, stored
from wholesale.errors import ContentError
from wholesale.sync import batches
from wholesale.sync.sweep import MAX_SWEEPS

VERSION = {"updated_at": "2024-01-01T00:00:00Z"}


def account(reader: Any) -> tuple[int, int, list[str]]:
    return reader.report.sweeps, reader.report.pages, reader.report.doubts()


def test_a_record_that_comes_twice_leads_to_another_sweep_that_passes_nothing_on_again() -> None:
    records = numbered(15)
    service = Lists({"/vendors": records})

    def shift(path: str, number: int) -> httpx.Response | None:
        if service.asked[path, number] > 1:
            return None
        return paged(records[:10] + records[9:], number, total_count=15)

    service.page = shift
    reader = service.reader("vendors")

    assert ids(reader.read()) == [record["id"] for record in records]
    assert account(reader) == (2, 5, [])
    assert (reader.report.duplicates, reader.report.ids_seen, reader.report.new) == (1, 15, 15)


def test_an_order_that_comes_twice_in_full_was_listed_both_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Repeating(Lists):
        def slice(self, path: str, number: int, query: Mapping[str, str]) -> httpx.Response:
            if query["verbose"] == "true":
                return paged([*self.lists[path], self.lists[path][0]], number)
            return super().slice(path, number, query)

    monkeypatch.setattr(batches, "BATCH_BYTES", 1)
    records = numbered(25, **VERSION)
    reader = Repeating({"/orders": records}).reader("orders")

    assert ids(reader.read()) == [record["id"] for record in records]
    assert (reader.report.sweeps, reader.report.doubts()) == (1, [])


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
    assert account(reader) == (MAX_SWEEPS, MAX_SWEEPS * 4, doubts)
    assert MAX_SWEEPS == 4


def test_a_total_that_moves_leads_to_another_sweep() -> None:
    records = numbered(26)
    service = Lists({})

    def move(path: str, number: int) -> httpx.Response:
        total = 24 + number - 1 if service.asked[path, number] == 1 else 26
        return paged(records, number, total_count=total)

    service.page = move
    reader = service.reader("vendors")

    assert len(ids(reader.read())) == 26
    assert account(reader) == (2, 6, [])
    assert (reader.report.first_total, reader.report.last_total) == (24, 26)


def test_page_one_for_ever_is_a_doubt() -> None:
    service = Lists({}, lambda path, number: paged(numbered(10), 1, total_pages=3, total_count=25))
    reader = service.reader("vendors")

    assert len(ids(reader.read())) == 10
    assert reader.report.doubts() == [
        "page 2 repeats page 1",
        "10 records came where 25 are counted",
    ]


def test_the_last_sweep_decides_and_what_an_earlier_one_missed_is_passed_on() -> None:
    records = numbered(30)
    service = Lists({"/vendors": records})

    def skip(path: str, number: int) -> httpx.Response | None:
        if service.asked[path, number] > 1 or number == 1:
            return None
        return paged(records[:10] + records[11:], number, total_count=30, total_pages=3)

    service.page = skip
    reader = service.reader("vendors")

    assert sorted(ids(reader.read())) == [record["id"] for record in records]
    assert account(reader)[::2] == (2, [])


def test_a_stored_record_that_is_not_found_any_more_is_gone() -> None:
    service = Lists({"/vendors": numbered(9)})
    reader = service.reader("vendors", stored("vendors", numbered(12, **VERSION)))

    assert ids(reader.read()) == [f"id-{n:04}" for n in range(9)]
    assert reader.gone == {"id-0009", "id-0010", "id-0011"}
    assert service.singles == [f"/vendors/id-{n:04}" for n in (9, 10, 11)]
    assert account(reader) == (1, 1, [])


def test_a_record_that_is_marked_as_deleted_is_not_asked_for_again() -> None:
    service = Lists({"/vendors": numbered(2)})
    before = stored("vendors", numbered(3), deleted={"id-0002"})
    reader = service.reader("vendors", before)

    assert ids(reader.read()) == ["id-0000", "id-0001"]
    assert (reader.gone, service.singles) == (set(), [])


def test_a_stored_record_that_exists_unlisted_is_passed_on_and_proves_the_drift() -> None:
    records = numbered(12)
    service = Lists({"/vendors": records})

    def hide(path: str, number: int) -> httpx.Response | None:
        return paged(records[:11], number) if service.asked[path, number] == 1 else None

    service.page = hide
    reader = service.reader("vendors", stored("vendors", records))

    assert sorted(ids(reader.read())) == [record["id"] for record in records]
    assert service.singles == ["/vendors/id-0011"]
    assert reader.gone == set()
    assert account(reader) == (2, 4, [])


def test_a_stored_record_that_is_never_listed_keeps_the_doubt() -> None:
    service = Lists({"/vendors": numbered(3)}, hidden={"/vendors/x": {"id": "x"}})
    reader = service.reader("vendors", stored("vendors", [*numbered(3), {"id": "x"}]))

    assert sorted(ids(reader.read())) == ["id-0000", "id-0001", "id-0002", "x"]
    assert reader.report.sweeps == MAX_SWEEPS
    assert reader.report.doubts() == ["1 records were not listed although they exist"]


def test_a_record_that_comes_back_in_a_later_sweep_is_not_gone() -> None:
    records = numbered(12)
    service = Lists({"/vendors": records[:11]})

    def come_back(path: str, number: int) -> httpx.Response | None:
        if service.asked[path, 1] == 1:
            return paged(records[:11], number, total_count=12)
        return paged(records, number)

    service.page = come_back
    reader = service.reader("vendors", stored("vendors", records))

    assert sorted(ids(reader.read())) == [record["id"] for record in records]
    assert service.singles == ["/vendors/id-0011"]
    assert (reader.gone, reader.report.doubts()) == (set(), [])


def test_an_empty_list_marks_nothing_and_says_so() -> None:
    service = Lists({"/vendors": []})
    reader = service.reader("vendors", stored("vendors", numbered(3)))

    assert ids(reader.read()) == []
    assert (reader.gone, service.singles) == (set(), [])
    assert account(reader) == (
        1,
        1,
        [
            "the list is empty although 3 records are stored;"
            " --full believes it after asking for each"
        ],
    )


def test_more_missing_records_than_deletions_explain_mark_nothing_and_say_so() -> None:
    service = Lists({"/vendors": numbered(49)})
    reader = service.reader("vendors", stored("vendors", numbered(100)))

    assert len(ids(reader.read())) == 49
    assert (reader.gone, service.singles) == (set(), [])
    assert account(reader) == (
        1,
        5,
        [
            "51 stored records are not listed, more than deletions explain;"
            " --full believes it after asking for each"
        ],
    )


def test_fifty_missing_records_are_asked_for() -> None:
    service = Lists({"/vendors": numbered(50)})
    reader = service.reader("vendors", stored("vendors", numbered(100)))

    list(reader.read())

    assert len(reader.gone) == len(service.singles) == 50
    assert reader.report.doubts() == []


@pytest.mark.parametrize("left", [0, 49])
def test_a_full_read_believes_any_number_of_deletions_after_asking_for_each(left: int) -> None:
    service = Lists({"/vendors": numbered(left)})
    reader = service.reader("vendors", stored("vendors", numbered(100)), is_full=True)

    assert len(ids(reader.read())) == left
    assert reader.gone == {f"id-{n:04}" for n in range(left, 100)}
    assert len(service.singles) == 100 - left
    assert reader.report.doubts() == []


def test_a_kind_that_cannot_be_asked_for_singly_is_gone_after_two_whole_lists() -> None:
    service = Lists({"/categories": numbered(2)})
    reader = service.reader("categories", stored("categories", numbered(3)))

    assert ids(reader.read()) == ["id-0000", "id-0001"]
    assert reader.gone == {"id-0002"}
    assert service.singles == []
    assert account(reader) == (2, 2, [])


def test_a_category_that_the_second_list_shows_is_not_gone() -> None:
    records = numbered(3)
    service = Lists({"/categories": records})

    def hide(path: str, number: int) -> httpx.Response | None:
        return paged(records[:2], number) if service.asked[path, number] == 1 else None

    service.page = hide
    reader = service.reader("categories", stored("categories", records))

    assert ids(reader.read()) == ["id-0000", "id-0001", "id-0002"]
    assert reader.gone == set()
    assert account(reader) == (2, 2, [])


def test_a_record_in_quarantine_is_passed_on_and_counted_once_in_all_sweeps() -> None:
    records: list[Record] = [*numbered(3), {"name": "nobody"}]
    service = Lists({}, lambda path, number: paged(records, number, total_count=5))
    reader = service.reader("vendors")

    bodies = [one.body for batch in reader.read() for one in batch.decoded.quarantined]

    assert reader.report.sweeps == MAX_SWEEPS
    assert bodies == ['{"name":"nobody"}']
    assert reader.report.quarantined == 1


def test_a_child_that_no_list_shows_is_asked_for_under_its_parent() -> None:
    lists = {"/items/i1/variants": [{"id": "a"}, {"id": "b"}]}
    service = Lists(lists, hidden={"/items/i1/variants/c": {"id": "c"}})
    before = stored("variants", [{"id": key} for key in "abcd"], parent="i1")
    reader = service.reader("variants", before)

    read = list(reader.read_lists(["i1", "i2"]))

    assert [batch.decoded.root.select(["id", "parent_id"]).to_pylist() for batch in read] == [
        [{"id": "a", "parent_id": "i1"}, {"id": "b", "parent_id": "i1"}],
        [{"id": "c", "parent_id": "i1"}],
    ]
    assert service.singles == ["/items/i1/variants/c", "/items/i1/variants/d"]
    assert reader.gone == {"d"}
    assert reader.report.doubts() == ["1 records were not listed although they exist"]


def test_absence_from_a_list_in_doubt_proves_no_deletion() -> None:
    records = numbered(25)
    service = Lists({}, lambda path, number: paged(records, 1))
    reader = service.reader("categories", stored("categories", records))

    ids(reader.read())

    assert reader.gone == set()
    assert reader.report.doubts()


def test_a_single_answer_with_another_record_is_refused() -> None:
    records = numbered(30)
    service = Lists({"/orders": records})
    service.single = lambda path: answer({"id": "id-0001"})  # type: ignore[method-assign]
    reader = service.reader("orders", stored("orders", records[1:]))

    with pytest.raises(ContentError, match="another record than the one"):
        ids(reader.read())


def test_a_summary_without_an_id_is_counted_once_however_often_it_is_read() -> None:
    records = [*numbered(3), {"order_number": "odd"}]
    service = Lists({}, lambda path, number: paged(records, number, total_count=5))
    reader = service.reader("orders")

    ids(reader.read())

    assert reader.report.sweeps == MAX_SWEEPS
    assert reader.report.quarantined == 1


def test_what_a_later_sweep_fills_in_comes_from_its_own_summaries() -> None:
    service = Lists({})

    def move(path: str, number: int) -> httpx.Response:
        is_first = service.asked["/orders", 1] <= 3  # a look at a body, summaries, bodies
        day, name = (1, "old") if is_first else (2, "new")
        is_summary = service.queries[-1]["verbose"] == "false"
        more = {"vendor_name": name} if is_summary else {}
        records = numbered(5, updated_at=f"2024-01-0{day}T00:00:00Z", **more)
        return paged(records, number, **({"total_count": 6} if is_first else {}))

    service.page = move
    reader = service.reader("orders", concurrency=1)
    passed_on = [*reader.read(), *reader.late]

    names = pa.concat_arrays(
        chunk for batch in passed_on for chunk in batch.decoded.root["vendor_name"].chunks
    ).to_pylist()
    assert (names[0], names[-1]) == ("old", "new")
