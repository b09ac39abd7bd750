"""A pass over a list doubts itself for every sign of movement, and for nothing else."""

import pytest

from support.lists import decoded
from wholesale.pages.page import Page
from wholesale.pages.pagination import Paginator
from wholesale.sync.passes import Pass
from wholesale.tables.decoded import Decoded


def paginator_of(*totals: int | None, records: int, fault: str | None = None) -> Paginator:
    paginator = Paginator()
    for number, total in enumerate(totals):
        paginator.see(Page(f"[{number}]".encode(), 1, total_count=total))
    paginator.records = records
    paginator.fault = fault
    return paginator


def pass_over(*paginators: Paginator) -> Pass:
    return Pass(None, paginators=list(paginators))


def ids(parts: list[Decoded]) -> list[str]:
    return [key for part in parts for key in part.root["id"].to_pylist()]


def test_a_pass_without_any_sign_is_beyond_doubt() -> None:
    this_pass = pass_over(paginator_of(2, 2, records=2))

    assert (this_pass.pages, this_pass.first_total, this_pass.last_total) == (2, 2, 2)
    assert this_pass.doubts() == []


def test_lists_without_totals_are_not_doubted_for_it() -> None:
    this_pass = Pass(
        None, paginators=[paginator_of(None, None, records=2), paginator_of(None, records=1)]
    )

    assert (this_pass.pages, this_pass.first_total, this_pass.last_total) == (3, None, None)
    assert this_pass.doubts() == []


def test_totals_of_several_lists_add_up() -> None:
    paginators = [
        paginator_of(1, records=1),
        paginator_of(None, records=5),
        paginator_of(2, 2, records=2),
    ]
    this_pass = pass_over(*paginators)

    assert (this_pass.pages, this_pass.first_total, this_pass.last_total) == (4, 3, 3)
    assert this_pass.doubts() == []


def test_a_total_that_was_not_met_is_doubted() -> None:
    assert pass_over(paginator_of(2000, records=1999)).doubts() == [
        "1,999 records came where 2,000 are counted"
    ]


def test_a_total_that_moved_is_doubted() -> None:
    assert pass_over(paginator_of(2, 3, records=3)).doubts() == ["the total moved from 2 to 3"]


def test_lists_that_err_each_the_other_way_do_not_make_up_for_it() -> None:
    assert Pass(
        None, paginators=[paginator_of(1, records=2), paginator_of(2, records=1)]
    ).doubts() == [
        "2 records came where 1 are counted",
        "1 records came where 2 are counted",
    ]


def test_a_fault_is_told_once() -> None:
    paginator = paginator_of(None, records=1, fault="page 2 repeats page 1")

    assert pass_over(paginator, paginator).doubts() == ["page 2 repeats page 1"]


@pytest.mark.parametrize(
    ("sign", "doubt"),
    [
        ("duplicates", "1,200 records came twice"),
        ("missed_but_existing", "1,200 records were not listed although they exist"),
        ("unlisted", "1,200 records came in one list and not in the other"),
        ("gone_when_fetched", "1,200 records were gone when they were asked for"),
        ("absent_once", "1,200 records were absent for the first time"),
    ],
)
def test_every_tell_tale_is_a_doubt(sign: str, doubt: str) -> None:
    this_pass = Pass(None)
    setattr(this_pass, sign, 1200)

    assert this_pass.doubts() == [doubt]


def test_what_was_seen_before_is_not_given_again_unless_it_is_newer() -> None:
    this_pass = Pass("updated_at")
    old, new = "2024-01-01T00:00:00Z", "2024-01-02T00:00:00Z"
    first = [{"id": "a", "updated_at": old}, {"id": "b", "updated_at": new}]
    again = [{"id": "a", "updated_at": new}, {"id": "b", "updated_at": old}, {"id": "c"}]

    assert ids(this_pass.see(decoded("orders", first))) == ["a", "b"]
    assert ids(this_pass.see(decoded("orders", again))) == ["c", "a"]
    assert (this_pass.listed.count, this_pass.duplicates) == (3, 2)
