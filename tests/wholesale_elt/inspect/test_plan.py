"""A plan counts the requests that a sync would send, and sends as few as tell it."""

from datetime import UTC, datetime

from support.records.lists import Lists, numbered, orders, stored
from wholesale.api.profile import ServiceProfile
from wholesale.api.resources import RESOURCE
from wholesale.compare.past import Past
from wholesale.compare.stored import NOTHING, Stored
from wholesale.http.traffic import Traffic
from wholesale.json.page import Page
from wholesale.tables.shapes import shape_of
from wholesale_elt.inspect.plan import Plan, minutes, plan_list, plan_lists, plan_resource


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
        "variants", "full read, one list per parent", 7, None, None
    )


def test_a_plan_of_orders_reads_the_summaries_and_nothing_else() -> None:
    service = Lists({"/orders": orders(25)})
    resource, traffic = RESOURCE["orders"], Traffic()

    plan = plan_resource(
        service.service(),
        resource,
        shape_of(resource),
        traffic,
        stored=stored("orders", [*orders(30)[1:]]),
    )

    assert (plan.strategy, plan.requests, plan.records) == (
        "list in short, then 1 in full one by one, and 5 to ask for",
        2 + 3 + 1 + 2 * 5 + 2,  # looks, pages, a body, questions asked twice, two controls
        1,
    )
    assert {query["verbose"] for query in service.queries} == {"false"}
    assert (service.singles, traffic.requests) == ([], 1 + 3)


def test_a_plan_of_a_list_that_is_not_counted_reads_it_to_an_empty_page() -> None:
    service = Lists({"/orders": orders(25)})
    resource, traffic = RESOURCE["orders"], Traffic()
    known = ServiceProfile(lists_not_counted=frozenset({"orders"}))

    plan = plan_resource(service.service(known), resource, shape_of(resource), traffic)

    assert (plan.strategy, plan.records) == ("list in short, then 25 in full by page", 25)
    assert traffic.requests == 1 + 3 + 1


def test_minutes_are_those_of_all_requests_at_the_pace_that_was_seen() -> None:
    plans = [Plan("a", "", 100, None, None), Plan("b", "", 20, None, None)]

    assert minutes(plans, seconds_a_request=0.5) == 1


def test_a_plan_of_a_list_knows_how_often_it_is_read() -> None:
    vendors = RESOURCE["vendors"]
    service = Lists({"/vendors": numbered(25)})

    def requests(kept: Stored, known: ServiceProfile | None = None) -> int:
        return plan_resource(
            service.service(known), vendors, shape_of(vendors), Traffic(), stored=kept
        ).requests

    assert requests(NOTHING) == 2 + 2 * 3
    assert requests(stored("vendors", numbered(25))) == 2 + 3
    assert (
        requests(
            stored("vendors", numbered(25)),
            ServiceProfile(lists_not_counted=frozenset({"vendors"})),
        )
        == 2 + 2 * 3
    )


def test_a_plan_of_children_is_one_request_a_parent() -> None:
    variants = RESOURCE["variants"]
    plan = plan_resource(Lists({}).service(), variants, shape_of(variants), Traffic(), parents=7)

    assert plan == plan_lists("variants", 7)


def test_a_plan_stops_early_where_a_sync_would() -> None:
    resource, traffic = RESOURCE["orders"], Traffic()
    newest = sorted(orders(30), key=lambda row: str(row["id"]), reverse=True)
    kept = stored("orders", newest).after(Past(scanned_at=datetime.now(UTC)))
    now = [newest[0] | {"updated_at": "2026-01-01T00:00:00Z"}, *newest[1:]]

    plan = plan_resource(
        Lists({"/orders": now}).service(ServiceProfile(newest_change_first=True)),
        resource,
        shape_of(resource),
        traffic,
        stored=kept,
    )

    assert plan.strategy == "head of the list, then 1 in full one by one"
    assert (plan.requests, plan.records) == (traffic.requests + 1, 1)
