"""A plan counts the requests that a sync would send, and sends as few as tell it."""

from support.lists import Lists, numbered, stored
from wholesale.api.resources import RESOURCE
from wholesale.http.traffic import Traffic
from wholesale.pages.page import Page
from wholesale.sync.plan import Plan, minutes, plan_list, plan_lists, plan_resource
from wholesale.tables.shapes import shape_of


def test_a_list_is_judged_by_its_first_page() -> None:
    assert plan_list("vendors", Page(b"[1,2]", 2, total_pages=3, total_count=25), 1) == Plan(
        "vendors", "full read", 2 + 3, 25, 25
    )
    assert plan_list("brands", Page(b"[]", 0, total_pages=0, total_count=0), 2) == Plan(
        "brands", "full read", 1, 2, 0
    )
    assert plan_list("brands", Page(b"[1]", 1), 2) == Plan(
        "brands", "full read; the list does not tell its length", 1, None, None
    )
    assert plan_lists("variants", 7) == Plan(
        "variants", "full read, a list a parent", 7, None, None
    )


def test_a_plan_of_orders_reads_the_summaries_and_nothing_else() -> None:
    service = Lists({"/orders": numbered(25)})
    orders, traffic = RESOURCE["orders"], Traffic()

    plan = plan_resource(
        service.service(),
        orders,
        shape_of(orders),
        traffic,
        stored=stored("orders", [*numbered(30)[1:]]),
    )

    assert (plan.strategy, plan.requests, plan.records) == (
        "manifest; 1 bodies by id; 5 to confirm",
        2 + 3 + 1 + 5 + 2,  # looks, pages, a body, questions and two controls
        1,
    )
    assert {query["verbose"] for query in service.queries} == {"false"}
    assert (service.singles, traffic.requests) == ([], 3)


def test_minutes_are_those_of_all_requests_at_the_pace_that_was_seen() -> None:
    plans = [Plan("a", "", 100, None, None), Plan("b", "", 20, None, None)]

    assert minutes(plans, seconds_a_request=0.5) == 1
