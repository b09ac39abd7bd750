"""A plan counts the requests that a sync would send, and bodies come the way that costs less."""

import pytest

from support.lists import Lists, numbered, stored
from wholesale.pages.page import Page
from wholesale.sync.plan import Plan, is_cheaper_by_page, minutes, plan_list, plan_lists


@pytest.mark.parametrize(
    ("wanted", "pages", "records", "by_page"),
    [
        (0, 0, 0, False),
        (0, 3, 25, False),
        (1, 1, 1, False),
        (2, 1, 2, True),
        (8, 3, 25, False),
        (9, 3, 25, True),
        (10_000, 10_000, 1_000_000, False),
        (1_000_000, 10_000, 1_000_000, True),
    ],
)
def test_whole_pages_are_chosen_only_where_they_cost_less(
    wanted: int, pages: int, records: int, by_page: bool
) -> None:
    assert is_cheaper_by_page(wanted, pages, records) is by_page


def test_a_list_is_judged_by_its_first_page() -> None:
    assert plan_list("vendors", Page(b"[1,2]", 2, total_pages=3, total_count=25)) == Plan(
        "vendors", "full read", 3, 15, 25
    )
    assert plan_list("brands", Page(b"[]", 0, total_pages=0, total_count=0)) == Plan(
        "brands", "full read", 1, 2, 0
    )
    assert plan_list("brands", Page(b"[1]", 1)) == Plan(
        "brands", "full read; the list does not tell its length", 1, None, None
    )
    assert plan_lists("variants", 7) == Plan(
        "variants", "full read, a list a parent", 7, None, None
    )


def test_a_plan_of_orders_reads_the_summaries_and_nothing_else() -> None:
    service = Lists({"/orders": numbered(25)})
    reader = service.reader("orders", stored("orders", [*numbered(30)[1:]]))

    plan = reader.plan()

    assert (plan.strategy, plan.requests, plan.records) == (
        "manifest; 1 bodies by id; 5 to confirm",
        3 + 1 + 5,
        1,
    )
    assert {query["verbose"] for query in service.queries} == {"false"}
    assert (service.singles, reader.gone) == ([], set())


def test_minutes_are_those_of_all_requests_at_the_pace_that_was_seen() -> None:
    plans = [Plan("a", "", 100, None, None), Plan("b", "", 20, None, None)]

    assert minutes(plans, seconds_a_request=0.5) == 1
