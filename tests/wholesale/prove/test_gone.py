"""A record that is listed no more is gone once it is 404, and detail requests can be believed."""

from typing import Any

import httpx
import pytest

from support.records.lists import (
    Lists,
    answer,
    ids,
    not_found,
    numbered,
    on,
    orders,
    paged,
    read,
    stored,
)
from wholesale.prove import absence
from wholesale.prove.absence import CONTRADICTED


def test_a_stored_record_that_the_service_denies_is_gone() -> None:
    service = Lists({"/vendors": numbered(9, updated_at=on(1))})
    reader = service.reader("vendors", stored("vendors", numbered(12, updated_at=on(1))))

    assert ids(read(reader)) == [f"id-{n:04}" for n in range(9)]
    assert reader.gone == {"id-0009", "id-0010", "id-0011"}
    assert {f"/vendors/id-{n:04}" for n in (9, 10, 11)} < set(service.singles)  # and controls
    assert (reader.tally.alive, reader.doubts.sentences()) == (9, [])


def test_a_record_that_is_marked_as_deleted_is_not_asked_for_again() -> None:
    service = Lists({"/vendors": numbered(2)})
    reader = service.reader("vendors", stored("vendors", numbered(3), deleted={"id-0002"}))

    assert ids(read(reader)) == ["id-0000", "id-0001"]
    assert (reader.gone, service.singles) == (set(), [])


@pytest.mark.parametrize("left", [49, 1])
def test_any_number_of_deletions_is_believed_after_asking_for_each(left: int) -> None:
    service = Lists({"/vendors": numbered(left)})
    reader = service.reader("vendors", stored("vendors", numbered(100)))

    assert len(ids(read(reader))) == left
    assert reader.gone == {f"id-{n:04}" for n in range(left, 100)}
    assert reader.doubts.sentences() == []


def test_what_a_run_may_not_ask_for_any_more_is_left_to_the_next_the_oldest_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(absence, "LEAST_ASKS", 5)
    service = Lists({"/vendors": numbered(4)})
    before = numbered(12)
    first = service.reader("vendors", stored("vendors", before))
    read(first)

    assert len(first.gone) == 5
    assert len(first.doubts.suspects) == 3
    assert first.doubts.sentences() == ["3 stored records not listed, and not settled yet"]

    absent = list(first.doubts.suspects)
    left = stored("vendors", before, deleted=first.gone, absent=absent)
    second = service.reader("vendors", left)
    read(second)

    assert second.gone == set(absent)
    assert second.doubts.sentences() == []


def test_no_404_is_believed_where_records_that_the_list_shows_are_404_too() -> None:
    service = Lists({"/vendors": numbered(9)})
    service.single = lambda path: not_found()  # type: ignore[method-assign]
    reader = service.reader("vendors", stored("vendors", numbered(12)))

    read(reader)

    assert reader.gone == set()
    assert reader.doubts.suspects == ("id-0009", "id-0010", "id-0011")
    assert reader.doubts.sentences() == [
        "3 stored records not listed, and not settled yet",
        "detail requests answer 404 for records that the list shows",
    ]


def test_a_404_is_believed_though_some_that_the_list_shows_are_404_too() -> None:
    service = Lists({"/vendors": numbered(20)})
    answered = service.single
    odd = {f"/vendors/{row['id']}" for row in numbered(5)}
    service.single = (  # type: ignore[method-assign]
        lambda path: not_found() if path in odd else answered(path)
    )
    reader = service.reader("vendors", stored("vendors", numbered(22)))

    read(reader)

    assert (reader.gone, reader.doubts.sentences()) == ({"id-0020", "id-0021"}, [])


def test_without_a_proof_no_denial_is_believed_where_one_is_taken_back() -> None:
    """One of two servers knows nothing of a record; nor does the list, which counts it."""
    before = numbered(12)
    service = Lists(
        {"/vendors": before[:10]},
        lambda path, number: paged(before[:10], number, total_count=11),
        {"/vendors/id-0010": before[10]},
    )
    whole = service.single
    service.single = lambda path: (  # type: ignore[method-assign]
        not_found() if path.endswith("10") and service.asked[path, 0] == 1 else whole(path)
    )
    reader = service.reader("vendors", stored("vendors", before), concurrency=1)

    read(reader)

    assert (reader.gone, reader.doubts.suspects) == (set(), ("id-0011",))
    assert CONTRADICTED in reader.doubts.sentences()


def test_though_a_count_proves_it_a_deletion_is_believed_where_a_record_is_404_twice() -> None:
    """One of two servers lacks a record: the list, which is one answer, and the first denial are
    its own."""
    before = numbered(9)
    service = Lists({"/vendors": before[:8]}, hidden={"/vendors/id-0008": before[8]})
    whole = service.single
    service.single = lambda path: (  # type: ignore[method-assign]
        not_found() if path.endswith("8") and service.asked[path, 0] == 1 else whole(path)
    )
    reader = service.reader("vendors", stored("vendors", before), concurrency=1)

    read(reader)

    assert reader.gone == set()
    assert CONTRADICTED in reader.doubts.sentences()


def test_a_stored_record_that_is_never_listed_and_answers_is_kept_and_counted_or_doubted() -> None:
    """Counted by the service it is a record like any other; if not, the count is no proof."""
    left_out = "1 record there that the list neither shows nor counts"
    for total, doubts in ((13, []), (12, [left_out])):
        records = numbered(12)
        service = Lists(
            {"/vendors": records},
            lambda path, number, total=total: paged(numbered(12), number, total_count=total),  # type: ignore[misc]
            hidden={"/vendors/x": {"id": "x"}},
        )
        reader = service.reader("vendors", stored("vendors", [*records, {"id": "x"}]))

        assert sorted(ids(read(reader))) == sorted([*(row["id"] for row in records), "x"])
        assert (reader.gone, reader.doubts.sentences()) == (set(), doubts)


@pytest.mark.parametrize(
    "left",
    [
        {},
        {"id": "x", "deleted": True},
        None,
        {"brand": {}},
        [],
        {"id": None, "title": None, "handle": None},
        {"error": "gone"},
    ],
)
def test_nothing_but_404_says_that_a_record_is_gone(left: Any) -> None:
    records = numbered(12, title="T", handle="H")
    service = Lists({"/brands": records})
    whole = service.single
    service.single = lambda path: answer(left) if path.endswith("/x") else whole(path)  # type: ignore[method-assign]
    reader = service.reader("brands", stored("brands", [*records, records[0] | {"id": "x"}]))

    read(reader)

    assert reader.gone == set()
    assert reader.doubts.sentences() != []


def test_a_record_that_went_from_the_list_and_still_answers_is_hidden_by_no_new_one() -> None:
    """As many records are listed as are counted, and as many as are stored."""
    records = orders(40)
    service = Lists({"/orders": [*records[1:], orders(41)[40]]})
    service.hidden = {"/orders/id-0000": records[0]}
    reader = service.reader("orders", stored("orders", records))

    assert sorted(ids(read(reader))) == ["id-0000", "id-0040"]
    assert (reader.gone, reader.tally.full_scans) == (set(), 2)
    left_out = "1 record there that the list neither shows nor counts"
    assert reader.doubts.sentences() == [left_out]


def test_a_record_that_comes_back_is_not_gone() -> None:
    records = numbered(12)
    service = Lists({"/vendors": records[:11]})

    def come_back(path: str, number: int) -> httpx.Response | None:
        if service.asked[path, 2] < 2:
            return paged(records[:11], number, total_count=12)
        service.lists = {"/vendors": records}
        return None

    service.page = come_back
    reader = service.reader("vendors", stored("vendors", records))

    assert sorted(ids(read(reader))) == [record["id"] for record in records]
    assert (reader.gone, reader.doubts.sentences()) == (set(), [])


def test_a_single_answer_with_another_record_is_not_believed() -> None:
    records = orders(30)
    service = Lists({"/orders": records})
    answered = service.single
    service.single = (  # type: ignore[method-assign]
        lambda path: answered(path.replace("id-0000", "id-0001"))
    )
    reader = service.reader("orders", stored("orders", records[1:]))

    assert ids(read(reader)) == []

    assert reader.doubts.sentences() == [
        "1 record cannot be read: GET /orders/id-0000?verbose=true: body is another record than the"
        " one asked for; the next run asks again: if it fails too, ask whoever runs the service"
    ]
