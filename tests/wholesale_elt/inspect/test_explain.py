"""`explain` says of one order what a sync would do about it, and a sync then does it."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import httpx
import pytest

from conftest import Loader
from support.records.samples import guid, line, order
from support.services.trust import NOBODY
from wholesale.errors import ContentError, WholesaleError
from wholesale.settings import ApiSettings
from wholesale_elt.inspect.explain import OrderState, explain_order
from wholesale_sandbox.server import Sandbox

LATER = "2026-02-02T10:00:00Z"
NOW = datetime(2026, 11, 21, tzinfo=UTC)


def verdict(loader: Loader, name: str) -> str:
    return explain_order(guid(name), loader.settings, loader.warehouse, now=NOW).verdict()


def asked_for(sandbox: Sandbox, loader: Loader) -> int:
    """How many orders the next sync reads by id."""
    sandbox.requests.clear()
    loader.load("orders")
    return sandbox.requests.counts().get("get_order", 0)


def test_both_sides_are_shown_with_their_lines_and_comments(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("orders", order("A", order_line_items=[line("x"), line("y")]))
    loader.load("orders")
    sandbox.put("orders", order("A", total="12", updated_at=LATER, order_comments=[{"body": "!"}]))

    explanation = explain_order(guid("A"), loader.settings, loader.warehouse)

    old, new = datetime(2026, 1, 2, 10, tzinfo=UTC), datetime(2026, 2, 2, 10, tzinfo=UTC)
    assert explanation.stored == OrderState("A", "received", old, Decimal("10.5"), 2, 0)
    assert explanation.service == OrderState("A", "received", new, Decimal(12), 0, 1)
    assert explanation.in_mart is None


@pytest.mark.parametrize(
    "name",
    [
        "A",
        "a",
        "#A",
        " # a",
        "po7",
        "PO 7",
        "#PO 7",
        guid("A"),
        f" {guid('A').upper()}\n",
        f"{{{guid('A')}}}",
    ],
)
def test_an_order_may_be_named_by_its_number_its_po_number_or_its_id(
    sandbox: Sandbox, loader: Loader, name: str
) -> None:
    sandbox.put("orders", order("A", po_number="PO 7"))
    loader.load("orders")

    explanation = explain_order(name, loader.settings, loader.warehouse)

    assert explanation.order_id == guid("A")
    assert explanation.stored == explanation.service


def test_a_number_of_several_orders_is_refused_with_their_ids(
    sandbox: Sandbox, loader: Loader
) -> None:
    for name in ("A", "B"):
        sandbox.put("orders", order(name, po_number="PO 7"))
    loader.load("orders")

    with pytest.raises(WholesaleError) as caught:
        explain_order("PO 7", loader.settings, loader.warehouse)

    assert all(guid(name) in str(caught.value) for name in ("A", "B"))


def test_what_is_stored_is_shown_where_the_service_is_not_set_or_does_not_answer(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("orders", order("A"))
    loader.load("orders")
    nowhere = ApiSettings.of(
        base_url="http://127.0.0.1:9/api/external/v1", api_key="sandbox", attempts=1
    )

    for settings in (None, nowhere):
        explanation = explain_order("A", settings, loader.warehouse)

        assert explanation.stored
        assert explanation.stored.order_number == "A"
        assert explanation.service is None
        assert explanation.not_asked
        assert "not asked" in explanation.verdict()


def test_an_order_that_is_nowhere_is_said_to_be_nowhere(sandbox: Sandbox, loader: Loader) -> None:
    assert verdict(loader, "A") == "neither stored nor at the service: check the id"


def test_a_new_order_is_fetched_by_the_next_sync(sandbox: Sandbox, loader: Loader) -> None:
    sandbox.put("orders", order("A"))
    assert verdict(loader, "A").startswith("not stored yet: the next sync")
    loader.load("orders")
    assert verdict(loader, "A").startswith("the same as the service shows it")


def test_another_spelling_of_a_reference_is_no_difference(sandbox: Sandbox, loader: Loader) -> None:
    sandbox.put("orders", order("A", buyer_id=guid("b"), order_line_items=[line(guid("i"))]))
    loader.load("orders")
    sandbox.dials.change({"faults": [{"fault": "references-in-capitals"}]})

    assert verdict(loader, "A").startswith("the same as the service shows it")


def test_a_changed_order_is_fetched_by_the_next_sync(sandbox: Sandbox, loader: Loader) -> None:
    sandbox.put("orders", order("A"))
    loader.load("orders")
    sandbox.put("orders", order("A", total="12", updated_at=LATER))

    assert verdict(loader, "A").startswith("changed since it was stored")
    assert asked_for(sandbox, loader) == 1


def test_a_silent_edit_waits_for_the_audit_whose_day_is_told(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("orders", order("A"))
    loader.load("orders")
    sandbox.put("orders", order("A", order_line_items=[line("x")]))

    explanation = explain_order(guid("A"), loader.settings, loader.warehouse, now=NOW)

    assert explanation.verdict() == (
        "of the same updated_at, but other in order_line_items: no list shows that, so it is"
        f" fetched by the audit of {explanation.audited_on}, or now with --full"
    )
    assert NOW.date() < explanation.audited_on <= NOW.date() + timedelta(days=30)
    assert asked_for(sandbox, loader) == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "said", "fetched"),
    [
        (
            "payment_status = 'void', sub_total = 3",
            "other in sub_total, payment_status: the list shows that",
            1,
        ),
        ("po_number = 'X'", "other in po_number: no list shows that", 0),
        ("vendor_name = 'X'", "the same as the service shows it", 1),  # lists alone show it
    ],
)
def test_any_documented_field_in_which_the_two_sides_differ_is_named(
    sandbox: Sandbox, loader: Loader, change: str, said: str, fetched: int
) -> None:
    paid = order("A", payment_status="paid", sub_total="1.5", order_line_items=[line("x")])
    sandbox.put("orders", paid)
    loader.load("orders")
    loader.execute(f"update orders set {change}")

    explanation = explain_order(guid("A"), loader.settings, loader.warehouse, now=NOW)

    assert said in explanation.verdict()
    assert asked_for(sandbox, loader) == fetched


def test_a_deleted_order_is_marked_by_the_next_sync_and_may_come_back(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("orders", order("A"))
    sandbox.put("orders", order("B"))
    loader.load("orders")
    sandbox.delete("orders", guid("A"))
    assert verdict(loader, "A").startswith("gone at the service: the next sync")
    loader.load("orders")
    assert verdict(loader, "A") == "deleted at the service, and marked as deleted"
    sandbox.put("orders", order("A"))
    assert verdict(loader, "A").startswith("marked as deleted, but it is there again")
    loader.load("orders")
    assert verdict(loader, "A").startswith("the same as the service shows it")


def test_a_young_order_is_fetched_once_more(sandbox: Sandbox, loader: Loader) -> None:
    soon = (datetime.now(UTC) + timedelta(seconds=30)).isoformat()
    sandbox.put("orders", order("A", updated_at=soon))
    loader.load("orders")

    assert "as it changed recently, the next sync fetches it again" in verdict(loader, "A")
    assert asked_for(sandbox, loader) == 1


def test_an_order_that_comes_without_its_lines_is_said_to_be_incomplete(
    sandbox: Sandbox, loader: Loader
) -> None:
    for name in ("A", "B", *map(str, range(20))):
        sandbox.put("orders", order(name, order_line_items=[line("x")]))
    loader.load("orders")
    sandbox.put("orders", order("A", order_line_items=None, updated_at=LATER))
    sandbox.put("orders", order("C", order_line_items=None))

    why = "it comes without order_line_items, which a sync takes for incomplete"
    kept = "another one is stored, and stays, and each sync asks for it again"
    assert verdict(loader, "A").startswith(f"{kept}: {why}")
    assert verdict(loader, "B").startswith("the same as the service shows it")
    assert verdict(loader, "C").startswith(f"not stored: {why}")

    loader.load("orders")

    assert verdict(loader, "A").startswith(f"{kept}: {why}")
    assert verdict(loader, "C").startswith("stored as it came, and each sync asks for it again: ")


def test_an_order_without_an_id_is_said_to_go_into_quarantine(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("orders", order("A"))
    planted = httpx.post(
        f"{sandbox.admin_url}/plants",
        json={"fault": "id-null", "resources": ["orders"]},
        verify=NOBODY,
        timeout=None,
    )
    assert planted.is_success

    with pytest.raises(ContentError, match="without an id that can be used"):
        verdict(loader, "A")


@pytest.mark.parametrize("name", ["x", "ä/ö?", "%00"])
def test_an_odd_id_is_no_error(sandbox: Sandbox, loader: Loader, name: str) -> None:
    explanation = explain_order(name, loader.settings, loader.warehouse)
    assert explanation.verdict() == "neither stored nor at the service: check the id"
