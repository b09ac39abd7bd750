"""A pass over a list doubts itself for every sign of movement, and brakes mass deletion."""

import pytest

from support.lists import decoded, numbered, stored
from wholesale.compare.stored import NOTHING
from wholesale.pages.page import Page
from wholesale.pages.pagination import Paginator
from wholesale.sync.sweep import Sweep
from wholesale.tables.decoded import Decoded


def paginator_of(*totals: int | None, records: int, fault: str | None = None) -> Paginator:
    paginator = Paginator()
    for number, total in enumerate(totals):
        paginator.see(Page(f"[{number}]".encode(), 1, total_count=total))
    paginator.records = records
    paginator.fault = fault
    return paginator


def ids(parts: list[Decoded]) -> list[str]:
    return [key for part in parts for key in part.root["id"].to_pylist()]


def test_a_pass_without_any_sign_is_beyond_doubt() -> None:
    sweep = Sweep(None, [paginator_of(2, 2, records=2)])

    assert (sweep.pages, sweep.first_total, sweep.last_total) == (2, 2, 2)
    assert sweep.doubts() == []


def test_lists_without_totals_are_not_doubted_for_it() -> None:
    sweep = Sweep(None, [paginator_of(None, None, records=2), paginator_of(None, records=1)])

    assert (sweep.pages, sweep.first_total, sweep.last_total) == (3, None, None)
    assert sweep.doubts() == []


def test_totals_of_several_lists_add_up() -> None:
    paginators = [
        paginator_of(1, records=1),
        paginator_of(None, records=5),
        paginator_of(2, 2, records=2),
    ]
    sweep = Sweep(None, paginators)

    assert (sweep.pages, sweep.first_total, sweep.last_total) == (4, 3, 3)
    assert sweep.doubts() == []


def test_a_total_that_was_not_met_is_doubted() -> None:
    assert Sweep(None, [paginator_of(2000, records=1999)]).doubts() == [
        "1,999 records came where 2,000 are counted"
    ]


def test_a_total_that_moved_is_doubted() -> None:
    assert Sweep(None, [paginator_of(2, 3, records=3)]).doubts() == ["the total moved from 2 to 3"]


def test_lists_that_err_each_the_other_way_do_not_make_up_for_it() -> None:
    assert Sweep(None, [paginator_of(1, records=2), paginator_of(2, records=1)]).doubts() == [
        "2 records came where 1 are counted",
        "1 records came where 2 are counted",
    ]


def test_a_fault_is_told_once() -> None:
    paginator = paginator_of(None, records=1, fault="page 2 repeats page 1")

    assert Sweep(None, [paginator, paginator]).doubts() == ["page 2 repeats page 1"]


@pytest.mark.parametrize(
    ("sign", "doubt"),
    [
        ("duplicates", "1,200 records came twice"),
        ("alive", "1,200 records were not listed although they exist"),
        ("strays", "1,200 records came in one list and not in the other"),
        ("vanished", "1,200 records were gone when they were asked for"),
        ("absent_once", "1,200 records were absent for the first time"),
    ],
)
def test_every_tell_tale_is_a_doubt(sign: str, doubt: str) -> None:
    sweep = Sweep(None)
    setattr(sweep, sign, 1200)

    assert sweep.doubts() == [doubt]


def test_what_was_seen_before_is_not_given_again_unless_it_is_newer() -> None:
    sweep = Sweep("updated_at")
    old, new = "2024-01-01T00:00:00Z", "2024-01-02T00:00:00Z"
    first = [{"id": "a", "updated_at": old}, {"id": "b", "updated_at": new}]
    again = [{"id": "a", "updated_at": new}, {"id": "b", "updated_at": old}, {"id": "c"}]

    assert ids(sweep.see(decoded("orders", first))) == ["a", "b"]
    assert ids(sweep.see(decoded("orders", again))) == ["c", "a"]
    assert (len(sweep.seen), sweep.duplicates) == (3, 2)


def test_missing_is_what_is_stored_and_alive_and_was_not_seen() -> None:
    sweep = Sweep(None)
    sweep.see(decoded("vendors", numbered(2)))
    before = stored("vendors", numbered(6), deleted={"id-0003"})

    missing = sweep.missing(before, {"id-0005"})

    assert sorted(missing.keys()) == [("id-0002", None), ("id-0004", None)]
    assert len(sweep.missing(NOTHING, ())) == 0


def test_the_parent_of_a_missing_child_is_told_with_it() -> None:
    before = stored("variants", [{"id": "v"}], parent="i")

    assert list(Sweep(None).missing(before, ()).keys()) == [("v", "i")]


@pytest.mark.parametrize(
    ("alive", "missing", "is_braked"),
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
def test_the_brake_holds_from_more_than_fifty_and_one_percent_on(
    alive: int, missing: int, is_braked: bool
) -> None:
    sweep = Sweep(None, [Paginator()])
    sweep.see(decoded("vendors", numbered(1)))
    doubt = f"{missing} stored records are not listed, more than deletions explain"

    brake = sweep.brake(missing, stored("vendors", numbered(alive)))

    assert brake == (doubt if is_braked else None)


def test_records_that_are_marked_as_deleted_do_not_weigh_against_the_brake() -> None:
    sweep = Sweep(None, [Paginator()])
    sweep.see(decoded("vendors", numbered(1)))
    everything = numbered(10_000)
    before = stored("vendors", everything, deleted={row["id"] for row in everything[5_000:]})

    assert sweep.brake(51, before) is not None


def test_an_empty_list_is_a_sign_of_a_broken_source_whatever_is_stored() -> None:
    before = stored("vendors", numbered(1))

    assert Sweep(None, [Paginator()]).brake(1, before) == (
        "the list is empty although 1 records are stored"
    )
    assert Sweep(None, [Paginator(), Paginator()]).brake(1, before) is None
