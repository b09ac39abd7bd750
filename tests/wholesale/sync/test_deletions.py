"""A stored record is gone where the service says so itself, and never by a broken list."""

import httpx
import pytest

from support.lists import (
    Lists,
    answer,
    decoded,
    ids,
    numbered,
    on,
    outcome,
    paged,
    stored,
)
from wholesale.errors import ContentError
from wholesale.pages.pagination import Paginator
from wholesale.sync.deletions import deletion_guard
from wholesale.sync.passes import Pass
from wholesale.sync.reader import MAX_PASSES


@pytest.mark.parametrize(
    ("alive", "missing", "is_doubted"),
    [
        (10, 10, False),
        (51, 50, False),
        (100, 51, True),
        (5_000, 50, False),
        (5_000, 51, True),
        (10_000, 100, False),
        (10_000, 101, True),
    ],
)
def test_the_guard_stops_deletions_from_more_than_fifty_and_one_percent_on(
    alive: int, missing: int, is_doubted: bool
) -> None:
    this_pass = Pass(None, paginators=[Paginator()])
    this_pass.see(decoded("vendors", numbered(1)))
    doubt = f"{missing} stored records are not listed, more than deletions explain"

    assert deletion_guard(missing, alive, this_pass) == (doubt if is_doubted else None)


def test_records_that_are_marked_as_deleted_do_not_weigh_against_the_guard() -> None:
    records = numbered(10_000)
    before = stored("vendors", records, deleted={row["id"] for row in records[5_000:]})
    service = Lists({"/vendors": records[:4_949]})
    reader = service.reader("vendors", before, page_size=1_000)

    ids(reader.read())

    assert (reader.gone, service.singles) == (set(), [])


def test_an_empty_list_is_a_sign_of_a_broken_source_whatever_is_stored() -> None:
    one, several = [Paginator()], [Paginator(), Paginator()]

    assert deletion_guard(1, 1, Pass(None, paginators=one)) == (
        "the list is empty although 1 records are stored"
    )
    assert deletion_guard(1, 1, Pass(None, paginators=several)) is None


def test_a_stored_record_that_is_not_found_any_more_is_gone() -> None:
    service = Lists({"/vendors": numbered(9)})
    reader = service.reader("vendors", stored("vendors", numbered(12, updated_at=on(1))))

    assert ids(reader.read()) == [f"id-{n:04}" for n in range(9)]
    assert reader.gone == {"id-0009", "id-0010", "id-0011"}
    assert service.singles == [f"/vendors/id-{n:04}" for n in (9, 10, 11)]
    assert outcome(reader) == (1, 1, [])


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
    assert outcome(reader) == (2, 4, [])


def test_a_stored_record_that_is_never_listed_keeps_the_doubt() -> None:
    service = Lists({"/vendors": numbered(3)}, hidden={"/vendors/x": {"id": "x"}})
    reader = service.reader("vendors", stored("vendors", [*numbered(3), {"id": "x"}]))

    assert sorted(ids(reader.read())) == ["id-0000", "id-0001", "id-0002", "x"]
    assert reader.report.passes == MAX_PASSES
    assert reader.report.doubts() == ["1 records were not listed although they exist"]


def test_a_record_that_comes_back_in_a_later_pass_is_not_gone() -> None:
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
    assert outcome(reader) == (
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
    assert outcome(reader) == (
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


def test_a_resource_that_cannot_be_asked_for_singly_is_gone_after_two_whole_lists() -> None:
    service = Lists({"/categories": numbered(2)})
    reader = service.reader("categories", stored("categories", numbered(3)))

    assert ids(reader.read()) == ["id-0000", "id-0001"]
    assert reader.gone == {"id-0002"}
    assert service.singles == []
    assert outcome(reader) == (2, 2, [])


def test_a_category_that_the_second_list_shows_is_not_gone() -> None:
    records = numbered(3)
    service = Lists({"/categories": records})

    def hide(path: str, number: int) -> httpx.Response | None:
        return paged(records[:2], number) if service.asked[path, number] == 1 else None

    service.page = hide
    reader = service.reader("categories", stored("categories", records))

    assert ids(reader.read()) == ["id-0000", "id-0001", "id-0002"]
    assert reader.gone == set()
    assert outcome(reader) == (2, 2, [])


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
