"""What changed since the last run is found, and takes the place of what was there."""

from dataclasses import replace
from decimal import Decimal

import msgspec
import pytest

from conftest import Loader
from support.records.changes import LATER
from support.records.samples import guid, line, order
from wholesale.api import ServiceFacts
from wholesale_sandbox.server import Sandbox


def test_children_are_replaced_with_their_order_also_when_it_lost_the_last_one(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("orders", order("A", order_line_items=[line("x"), line("y")]))
    sandbox.put("orders", order("B", order_line_items=[line("z")], order_comments=[{"body": "?"}]))
    loader.load("orders")

    sandbox.put("orders", order("A", total="3", order_line_items=[line("y")]))
    sandbox.put("orders", order("B", updated_at=LATER))
    loader.load("orders")

    assert loader.rows("select order_number, total from orders order by 1") == [
        ("A", Decimal("3.000000000")),
        ("B", Decimal("10.500000000")),
    ]
    assert loader.rows("select order_id, line_number, sku from orders__order_line_items") == [
        (guid("A"), 1, "y")
    ]
    assert loader.rows("select * from orders__order_comments") == []


def test_a_changed_order_is_loaded_beside_one_without_an_id(
    sandbox: Sandbox, loader: Loader
) -> None:
    for number in range(30):
        sandbox.put("orders", order(f"A{number}"))
    sandbox.put("orders", b'{"id":"odd","order_number":"B"}')
    sandbox.storage.collection("orders").put("odd", b'{"id":null,"order_number":"B"}')
    loader.load("orders")
    sandbox.put("orders", order("A7", payment_status="paid", updated_at="2031-01-01T00:00:00Z"))

    outcome = loader.load("orders")

    assert outcome.certificates[0].reason == "1 record in quarantine"
    assert loader.rows("select order_number from orders where payment_status = 'paid'") == [("A7",)]


@pytest.mark.slow
def test_orders_of_as_many_columns_as_a_table_may_have_are_replaced(
    sandbox: Sandbox, loader: Loader
) -> None:
    many = {f"field_{number}": f"value {number}" for number in range(400)}
    for number in range(60):
        sandbox.put("orders", order(f"A{number}", **many))
    loader.load("orders")
    changed = many | {"updated_at": "2031-01-01T00:00:00Z", "field_7": "changed"}
    for number in range(20):
        sandbox.put("orders", order(f"A{number}", **changed))

    assert loader.load("orders").is_complete
    assert loader.rows("select count(*) from orders where field_7 = 'changed'") == [(20,)]


def at(second: int) -> str:
    return f"2026-01-02T10:00:{second:02}Z"


def test_only_what_changed_is_asked_for_again(sandbox: Sandbox, loader: Loader) -> None:
    for number in range(9):
        sandbox.put("orders", order(f"A{number}", updated_at=at(9 - number)))
    loader.load("orders")
    sandbox.requests.clear()
    loader.load("orders")
    quiet = sandbox.requests.counts()
    sandbox.put("orders", order("A4", total="9", updated_at=LATER))
    sandbox.put("orders", order("A5", invoice_status="generated", updated_at=at(4)))
    sandbox.requests.clear()
    changed = loader.load("orders")

    asked = sandbox.requests.counts()
    assert set(quiet) == {"list_orders"}
    assert set(asked) == {"list_orders", "get_order"}
    assert asked["get_order"] == 2
    # The head of the list down to what is known, a look behind it, and the head once more; or,
    # as the edit that told no time stands in no order, its two ends and then the three pages.
    assert quiet["list_orders"] <= 3 + 2
    assert asked["list_orders"] <= 2 + 2 + 3
    assert (changed.certificates[0].new, changed.certificates[0].changed) == (0, 2)
    assert loader.rows("select total, invoice_status from orders where total = 9") == [
        (Decimal("9.000000000"), None)
    ]


def test_an_edit_that_no_summary_shows_is_found_when_its_part_is_audited(
    sandbox: Sandbox, loader: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(40):
        sandbox.put("orders", order(f"A{number}", updated_at=at(number)))
    loader.load("orders")
    for number in range(0, 40, 4):
        sandbox.put("orders", order(f"A{number}", payment_status="paid", updated_at=at(number)))
    silent = loader.load("orders")
    unseen = loader.rows("select count(*) from orders where payment_status = 'paid'")

    monkeypatch.setattr("wholesale.compare.audit.PARTS", 3)
    sandbox.put("orders", order("A0", payment_status="paid", total="3", updated_at=LATER))
    for part in range(3):
        monkeypatch.setattr("wholesale_elt.runs.stored.part_due", lambda *_, part=part: part)
        loader.load("orders")

    assert (silent.certificates[0].audited, unseen) == (0, [(0,)])
    # One had told of its change, and is no silent edit.
    assert loader.rows(
        "select sum(audited) in (39, 40), sum(silent), sum(changed) from sync_runs"
    ) == [(True, 9, 10)]
    assert loader.rows("select count(*) from orders where payment_status = 'paid'") == [(10,)]


def test_where_the_audit_finds_that_most_orders_changed_all_are_read(
    sandbox: Sandbox, loader: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when a release of the service sends a field otherwise. Orders that differ whenever they
    are read make no later run read all."""
    monkeypatch.setattr("wholesale.compare.audit.PARTS", 3)
    audits: list[tuple[str, str, int | None, int | None]] = []
    for part, status in enumerate(["pending", "PENDING", "Pending"]):
        for number in range(40):
            sandbox.put("orders", order(f"A{number}", payment_status=status, updated_at=at(number)))
        if part:
            monkeypatch.setattr("wholesale_elt.runs.stored.part_due", lambda *_, part=part: part)
        sandbox.put("orders", order("new" + status, payment_status=status, updated_at=LATER))
        (run,) = loader.load("orders").certificates
        audits.append((run.verdict, run.strategy, run.new, run.changed))
        assert (2 * (run.silent or 0) > run.audited) is (part > 0)

    assert [audit[:3] for audit in audits] == [
        ("complete", "manifest", 41),
        ("complete", "full read", 1),
        ("complete", "manifest", 1),
    ]
    assert audits[1][3] == 40
    assert loader.rows(
        "select payment_status, count(*) > 20 from orders group by all order by payment_status"
    ) == [("PENDING", True), ("Pending", False), ("pending", False)]


def test_the_newer_of_two_versions_in_one_list_wins_with_its_children(
    sandbox: Sandbox, loader: Loader
) -> None:
    older = order("A", total="1", order_line_items=[line("x"), line("y")])
    newer = order("A", total="2", updated_at="2026-02-01T00:00:00Z", order_line_items=[line("z")])
    sandbox.put("orders", older)
    for name in "BCD":
        sandbox.put("orders", order(name))
    # The same id again, on a later page than the older version.
    sandbox.storage.collection("orders").put(guid("again"), msgspec.json.encode(newer))

    # The service counts five, and sends four.
    facts = ServiceFacts(lists_not_counted=frozenset({"orders"}))
    known = replace(loader, settings=loader.settings.model_copy(update={"service": facts}))
    outcome = known.load("orders")

    assert loader.rows("select order_number, total from orders where order_number = 'A'") == [
        ("A", Decimal("2.000000000"))
    ]
    assert loader.rows("select line_number, sku from orders__order_line_items") == [(1, "z")]
    (found,) = outcome.certificates
    assert (found.proof, found.duplicates, found.ids_seen) == ("agreement", 2, 4)
