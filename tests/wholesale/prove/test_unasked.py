"""Where nobody can be asked, a record is gone that the count, or a second look, says is gone."""

import pytest

from support.records.lists import (
    Lists,
    ids,
    not_found,
    numbered,
    paged,
    read,
    stored,
)
from wholesale.prove import absence


def test_where_nothing_that_the_list_shows_answers_a_record_is_gone_that_two_runs_missed() -> None:
    service = Lists({"/vendors": numbered(9)})
    service.single = lambda path: not_found()  # type: ignore[method-assign]
    before = stored("vendors", numbered(11), absent=["id-0010"])
    reader = service.reader("vendors", before)

    read(reader)

    assert (reader.gone, reader.doubts.suspects) == ({"id-0010"}, ("id-0009",))


def test_what_cannot_be_asked_for_is_missed_by_two_answers_before_it_is_gone() -> None:
    records = numbered(3)
    service = Lists({"/categories": records})
    service.page = lambda path, number: (
        paged(records[:2], number) if service.asked[path, 1] == 1 else None
    )
    reader = service.reader("categories", stored("categories", records))

    read(reader)

    assert (reader.gone, reader.doubts.sentences()) == (set(), [])
    assert service.asked["/categories", 1] == 2


def test_a_total_on_an_empty_page_behind_others_proves_nothing() -> None:
    """A service that is cut off behind its second page, and counts there what it has shown."""
    records = numbered(25)
    service = Lists({"/categories": records})
    service.page = lambda path, number: (
        None if number < 3 else paged([], number, total_pages=2, total_count=20)
    )
    reader = service.reader("categories", stored("categories", records))

    read(reader)

    assert (reader.gone, reader.doubts.proof) == (set(), None)


def test_an_empty_list_marks_nothing_while_records_answer() -> None:
    hidden = {f"/vendors/{row['id']}": row for row in numbered(3)}
    reader = Lists({"/vendors": []}, hidden=hidden).reader(
        "vendors", stored("vendors", numbered(3), absent=["id-0000", "id-0001", "id-0002"])
    )

    read(reader)

    assert reader.gone == set()
    assert "the list is empty although stored records answer" in reader.doubts.sentences()


def test_an_empty_list_behind_which_nobody_answers_is_believed_the_second_time() -> None:
    service = Lists({"/vendors": []})
    everybody = [row["id"] for row in numbered(3)]
    for absent in ([], everybody):
        reader = service.reader("vendors", stored("vendors", numbered(3), absent=absent))
        read(reader)

        assert reader.gone == set(absent)
        assert list(reader.doubts.suspects) == ([] if absent else everybody)


def test_a_full_read_believes_an_empty_list_after_asking_for_everybody() -> None:
    service = Lists({"/vendors": []})
    reader = service.reader("vendors", stored("vendors", numbered(30)), is_full=True)

    read(reader)

    assert (len(reader.gone), len(service.singles)) == (30, 30 + absence.MOST_CONTROLS)
    assert reader.doubts.sentences() == []


@pytest.mark.parametrize("count", [1, 20])
def test_a_record_that_cannot_be_asked_for_is_gone_where_the_count_says_so(count: int) -> None:
    service = Lists({"/categories": numbered(count)})
    reader = service.reader("categories", stored("categories", numbered(count + 1)))

    assert len(ids(read(reader))) == count
    assert (reader.gone, service.singles) == ({f"id-{count:04}"}, [])
    assert reader.doubts.sentences() == []


@pytest.mark.parametrize(
    ("known", "listed", "is_few"),
    [
        *((8, 7, True), (8, 6, True), (8, 5, False), (8, 3, False), (8, 1, False), (8, 0, False)),
        *((1, 0, False), (2, 1, True), (2, 0, False), (3, 2, True), (3, 1, False), (4, 2, False)),
        *((40, 30, True), (40, 29, False)),
    ],
)
def test_more_that_cannot_be_asked_for_is_deleted_only_where_a_person_says_so(
    known: int, listed: int, is_few: bool
) -> None:
    service = Lists({"/categories": numbered(listed)})
    missing = [row["id"] for row in numbered(known)[listed:]]
    for absent in ([], missing):
        reader = service.reader("categories", stored("categories", numbered(known), absent=absent))
        read(reader)

        assert reader.gone == (set(missing) if is_few else set())
        assert list(reader.doubts.suspects) == ([] if is_few else missing)
        assert any("--full" in doubt for doubt in reader.doubts.sentences()) is not is_few

    reader = service.reader("categories", stored("categories", numbered(known)), is_full=True)
    read(reader)

    assert (reader.gone, reader.doubts.sentences()) == (set(missing), [])


@pytest.mark.parametrize(("share", "is_enough"), [(0.62, False), (0.63, True)])
def test_how_much_may_be_deleted_at_once_is_set(share: float, is_enough: bool) -> None:
    before = stored("categories", numbered(8))
    reader = Lists({"/categories": numbered(3)}).reader("categories", before, absent_share=share)

    read(reader)

    assert len(reader.gone) == (5 if is_enough else 0)


def test_behind_an_empty_list_every_record_is_asked_for() -> None:
    """Two that were deleted do not speak for the others, of which the list shows none."""
    records = numbered(5)
    hidden = {f"/vendors/{row['id']}": row for row in records[3:]}
    before = stored("vendors", records, absent=[row["id"] for row in records])
    reader = Lists({"/vendors": []}, hidden=hidden).reader("vendors", before)

    read(reader)

    assert reader.gone == set()


def test_of_more_than_may_be_asked_for_behind_an_empty_list_the_others_stay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(absence, "LEAST_ASKS", 3)
    records = numbered(5)
    before = stored("vendors", records, absent=[row["id"] for row in records])
    reader = Lists({"/vendors": []}).reader("vendors", before)

    read(reader)

    assert (len(reader.gone), len(reader.doubts.suspects)) == (3, 2)


def test_absence_from_a_list_that_proves_nothing_is_no_deletion() -> None:
    records = numbered(25)
    service = Lists({}, lambda path, number: paged(records, 1))
    reader = service.reader("categories", stored("categories", records))

    read(reader)

    assert reader.gone == set()
    assert reader.doubts.proof is None
