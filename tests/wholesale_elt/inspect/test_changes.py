"""`changes` names each record and line that came, changed or went, and what it was and is."""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from conftest import Loader
from support.records.samples import guid, line, order
from support.services.command import run_command
from support.warehouses.destinations import Place
from wholesale.errors import ConfigurationError
from wholesale.names import moment_of
from wholesale_elt.inspect.changes import HIDDEN, Change, find_changes
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_sandbox.server import Sandbox

LATER = "2026-03-01T10:00:00Z"
LINES, COMMENTS = "orders__order_line_items", "orders__order_comments"
TIMES = datetime(2026, 1, 2, 10, tzinfo=UTC), datetime(2026, 3, 1, 10, tzinfo=UTC)


def begin(sandbox: Sandbox) -> None:
    for name in ("edited", "shipped", "invoiced", "moved", "cancelled", "gone", "same", "back"):
        lines = [line("x"), line("y")]
        sandbox.put("orders", order(name, sub_total="5", order_line_items=lines))
    sandbox.put("vendors", {"id": guid("vendor"), "name": "Nord"})


def go_on(sandbox: Sandbox) -> None:
    later: Mapping[str, Any] = {"updated_at": LATER, "sub_total": "5"}
    lines = [line("x", quantity=5), line("y"), line("z")]
    comments = [{"body": "?"}]
    sandbox.put(
        "orders",
        order("edited", total="11", order_line_items=lines, order_comments=comments, **later),
    )
    kept = [line("x"), line("y")]
    sandbox.put("orders", order("shipped", status="shipped", order_line_items=kept, **later))
    invoice = {"invoice_number": "INV-1", "invoice_generated_at": LATER}
    states = {"status": "shipped", "invoice_status": "invoiced", "payment_status": "paid"}
    sandbox.put("orders", order("invoiced", order_line_items=kept, **invoice, **states, **later))
    sandbox.put("orders", order("moved", status="shipped", order_line_items=lines, **later))
    sandbox.put(
        "orders", order("cancelled", status="Cancelled", order_line_items=kept[:1], **later)
    )
    sandbox.delete("orders", guid("gone"))
    sandbox.put("orders", order("back", order_line_items=kept, **later))
    sandbox.put("orders", order("late", sub_total="5", order_line_items=kept))
    sandbox.put("orders", order("new", created_at="2999-01-01T00:00:00Z", sub_total="7"))
    sandbox.put("vendors", {"id": guid("vendor"), "name": "Süd"})


def change(kind: Any, name: str, resource: str = "orders", **more: Any) -> Change:
    return Change(kind, resource, guid(name), name, **more)


def expected() -> list[Change]:
    nothing = {"sku": (None, "z"), "quantity": (None, 1)}
    z = {**nothing, "unit_price": (None, Decimal("2.5")), "total_price": (None, Decimal("2.5"))}
    touched = {"updated_at": TIMES}
    total = {"total": (Decimal("10.5"), Decimal(11))}
    [none, half, five, seven] = map(Decimal, ("0", "2.5", "5", "7"))
    went = {name: pair[::-1] for name, pair in {**z, "sku": (None, "y")}.items()}
    same: dict[str, Any] = {"amounts": (five, five)}
    shipped = {"status": ("received", "shipped"), **touched}
    hidden = (HIDDEN, HIDDEN)
    invoiced = {
        **shipped,
        "invoice_status": (None, "invoiced"),
        "payment_status": (None, "paid"),
        **dict.fromkeys(("invoice_number", "invoice_generated_at"), hidden),
    }
    cancelled = {"status": ("received", "Cancelled"), **touched}
    return [
        change("edited", "edited", fields={**total, **touched}, **same),
        change("state changed", "shipped", fields=shipped, **same),
        change("state changed", "invoiced", fields=invoiced, **same),
        change("edited", "moved", fields=shipped, **same),
        change("cancelled", "cancelled", fields=cancelled, amounts=(five, none)),
        change("deleted", "gone", amounts=(five, none)),
        change("reappeared", "back", fields=touched, amounts=(none, five)),
        change("found late", "late", amounts=(none, five)),
        change("new", "new", amounts=(none, seven)),
        *(
            each
            for name in ("edited", "moved")
            for each in (
                change(
                    *("edited", name, LINES),
                    number=1,
                    sku="x",
                    amounts=(half, half),
                    fields={"quantity": (1, 5)},
                ),
                change("new", name, LINES, number=3, sku="z", amounts=(none, half), fields=z),
            )
        ),
        change(
            *("deleted", "cancelled", LINES), number=2, sku="y", amounts=(half, none), fields=went
        ),
        change("new", "edited", COMMENTS, number=1, fields={"body": (HIDDEN, HIDDEN)}),
        Change("edited", "vendors", guid("vendor"), fields={"name": ("Nord", "Süd")}),
    ]


@pytest.mark.parametrize("destination", ["duckdb", "postgres"])
def test_each_change_has_its_kind_and_fields_and_what_did_not_change_is_not_named(
    sandbox: Sandbox, place_in: Callable[[str], Place], destination: str
) -> None:
    place = place_in(destination)
    begin(sandbox)
    place.load("orders", "vendors")
    sandbox.delete("orders", guid("back"))
    place.load("orders", "vendors")
    go_on(sandbox)
    place.load("orders", "vendors")
    moment = datetime.now(UTC)

    found = find_changes(place.warehouse, cancelled={"cancelled"})

    told = [replace(each, changed_at=None) for each in found.changes]
    assert sorted(told, key=repr) == sorted(expected(), key=repr)
    assert {each.changed_at for each in found.changes if each.resource == "orders"} == {
        moment_of(run_id)
        for (run_id,) in place.rows("select max(run_id) from wholesale_raw.sync_runs")
    }
    again = find_changes(place.warehouse, found.since, found.until, cancelled={"cancelled"})
    assert again == found
    assert find_changes(place.warehouse, moment).changes == []
    place.load("orders", "vendors")
    assert find_changes(place.warehouse).changes == []
    until = find_changes(place.warehouse, found.since, moment, cancelled={"cancelled"})
    assert until.changes == found.changes


def test_what_came_and_went_in_between_is_no_change(sandbox: Sandbox, loader: Loader) -> None:
    sandbox.put("orders", order("A", order_line_items=[line("x")]))
    loader.load("orders")
    since = datetime.now(UTC)
    sandbox.put("orders", order("B", order_line_items=[line("x")]))
    loader.load("orders")
    sandbox.delete("orders", guid("B"))
    loader.load("orders")
    sandbox.put("orders", order("A", updated_at=LATER, order_line_items=[line("y")]))
    loader.load("orders")
    sandbox.put("orders", order("A", order_line_items=[line("x")]))
    loader.load("orders")

    assert find_changes(loader.warehouse, since).changes == []
    assert [(each.kind, each.resource) for each in find_changes(loader.warehouse).changes] == [
        ("edited", "orders"),
        ("edited", LINES),
    ]


def test_a_sync_under_a_clock_that_was_ahead_is_not_the_last(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("orders", order("A"))
    loader.load("orders")
    sandbox.put("orders", order("B"))
    loader.load("orders")
    loader.execute(
        "update sync_runs set run_id = '2999' || substr(run_id, 5)"
        " where run_id = (select max(run_id) from sync_runs)"
    )
    for name in ("C", "D"):
        sandbox.put("orders", order(name))
        loader.load("orders")

    assert [each.order_number for each in find_changes(loader.warehouse).changes] == ["D"]


def test_an_order_that_was_cancelled_before_is_not_cancelled_by_another_word(
    sandbox: Sandbox, loader: Loader
) -> None:
    words = {"A": "void", "B": "received", "C": "Cancelled", "D": "void"}
    for name in words:
        sandbox.put("orders", order(name, sub_total="5", status="cancelled"))
    sandbox.put("orders", order("D", sub_total="5"))
    loader.load("orders")
    for name, word in words.items():
        sandbox.put("orders", order(name, sub_total="5", status=word, updated_at=LATER))
    loader.load("orders")

    found = find_changes(loader.warehouse, cancelled={"cancelled", "void"})

    none, five = Decimal(), Decimal(5)
    assert {each.order_number: (each.kind, each.amounts) for each in found.changes} == {
        "A": ("state changed", (none, none)),
        "B": ("state changed", (none, five)),
        "C": ("state changed", (none, none)),
        "D": ("cancelled", (five, none)),
    }


def test_one_sync_is_not_enough_to_compare(sandbox: Sandbox, loader: Loader) -> None:
    loader.load("brands")

    for since in (None, datetime(2020, 1, 1, tzinfo=UTC)):
        with pytest.raises(ConfigurationError):
            find_changes(Warehouse(loader.warehouse.database), since)


def test_the_command_prints_one_object(sandbox: Sandbox, loader: Loader) -> None:
    begin(sandbox)
    loader.load("orders")
    since = datetime.now(UTC).isoformat()
    sandbox.put("orders", order("edited", sub_total="6.5", total="11", updated_at=LATER))
    loader.load("orders")
    database = loader.warehouse.database
    words = ["changes", "--database", database.name, "--since"]

    done = run_command([*words, since, "--json"], database.parent, os.environ)

    changes = json.loads(done.stdout)["changes"]
    assert changes[0] == {
        "kind": "edited",
        "resource": "orders",
        "id": guid("edited"),
        "order_number": "edited",
        "number": None,
        "sku": None,
        "amount_before": "5",
        "amount_after": "6.5",
        "amount_effect": "1.5",
        "changed_at": changes[1]["changed_at"],
        "fields": {
            "sub_total": {"from": "5", "to": "6.5"},
            "total": {"from": "10.5", "to": "11"},
            "updated_at": {"from": TIMES[0].isoformat(), "to": TIMES[1].isoformat()},
        },
    }
    assert [(each["kind"], each["number"], each["sku"]) for each in changes[1:]] == [
        ("deleted", 1, "x"),
        ("deleted", 2, "y"),
    ]
    assert since < changes[0]["changed_at"] < datetime.now(UTC).isoformat()
    printed = run_command([*words, since], database.parent, os.environ)
    assert (printed.returncode, "10.50 → 11.00" in printed.stdout) == (0, True)
    assert run_command([*words, "soon"], database.parent, os.environ).returncode == 2
