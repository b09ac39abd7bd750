"""What the service sends becomes rows of its tables, to the last digit and with all children."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from conftest import Loader
from support.few import few
from support.records.changes import LATER
from support.records.samples import guid, line, order
from wholesale.api.resources import RESOURCE
from wholesale_elt.past import WATCHED, log_of, past_of
from wholesale_sandbox.server import Sandbox

CHILD_TABLES = {
    "orders__order_line_items",
    "orders__order_comments",
    "items__options",
    "variants__options",
}


def test_an_order_becomes_one_row_and_its_entries_rows_of_the_child_tables(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put(
        "orders",
        order(
            "A1",
            order_line_items=[line("x", quantity=3), line("y")],
            order_comments=[{"body": "soon?"}],
        ),
    )

    outcome = loader.load("orders")

    assert outcome.is_complete
    assert loader.rows("select id, order_number, total, created_at, updated_at from orders") == [
        (
            guid("A1"),
            "A1",
            Decimal("10.500000000"),
            datetime(2026, 1, 1, 10, tzinfo=UTC),
            datetime(2026, 1, 2, 10, tzinfo=UTC),
        )
    ]
    assert loader.rows(
        "select order_id, line_number, sku, quantity from orders__order_line_items order by 2"
    ) == [(guid("A1"), 1, "x", 3), (guid("A1"), 2, "y", 1)]
    assert loader.rows("select order_id, comment_number, body from orders__order_comments") == [
        (guid("A1"), 1, "soon?")
    ]


def test_every_resource_and_child_has_its_table_even_where_the_service_has_no_record(
    loader: Loader,
) -> None:
    assert loader.load().is_complete
    assert set(loader.contents()) == {
        *RESOURCE,
        *CHILD_TABLES,
        *map(past_of, (*RESOURCE, *CHILD_TABLES)),
        *map(log_of, WATCHED),
        "quarantine",
        "sync_changes",
        "sync_child_rows",
        "sync_suspects",
    }


def test_variants_and_buyer_users_know_whose_list_they_were_found_in(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("items", {"id": guid("item"), "title": "Mug", "options": []})
    variant = {"id": guid("red"), "sku": "M-R", "options": [{"name": "Colour", "value": "red"}]}
    sandbox.put("variants", variant, parent_id=guid("item"))
    sandbox.put("buyers", {"id": guid("buyer"), "zip": "02134"})
    sandbox.put("buyer_users", {"id": guid("user"), "role": "owner"}, parent_id=guid("buyer"))

    loader.load()

    assert loader.rows("select id, parent_id, sku from variants") == [
        (guid("red"), guid("item"), "M-R")
    ]
    assert loader.rows("select * exclude (_extra, valid_from) from variants__options") == [
        (guid("red"), 1, "Colour", "red")
    ]
    assert loader.rows("select id, buyer_id, role from buyer_users") == [
        (guid("user"), guid("buyer"), "owner")
    ]
    assert loader.rows("select zip from buyers") == [("02134",)]


def test_a_value_that_does_not_fit_is_kept_as_sent_and_counted(
    sandbox: Sandbox, loader: Loader
) -> None:
    odd = order("A", total="12,50", sub_total=0.1234567891, updated_at="yesterday")
    sandbox.put("orders", odd | {"order_line_items": [line("x", quantity="three")]})

    outcome = loader.load("orders")

    assert outcome.misfits == {
        ("orders", "total"): 1,
        ("orders", "sub_total"): 1,
        ("orders", "updated_at"): 1,
        ("orders__order_line_items", "quantity"): 1,
    }
    assert loader.rows(
        "select total, sub_total, updated_at, _extra->>'total', _extra->>'sub_total',"
        " _extra->>'updated_at' from orders"
    ) == [(None, Decimal("0.123456789"), None, "12,50", "0.1234567891", "yesterday")]
    assert loader.rows("select quantity, _extra from orders__order_line_items") == [
        (None, '{"quantity":"three"}')
    ]


def test_an_unknown_field_becomes_a_column_that_later_runs_keep(
    sandbox: Sandbox, loader: Loader
) -> None:
    full = order("A", payment_status="paid")
    sandbox.put("orders", full | {"invoice_number": "I-1", "weight": 1.25, "tags": ["a"]})
    first = loader.load("orders")
    sandbox.put("orders", full | {"weight": "heavy", "updated_at": LATER})
    second = loader.load("orders")

    assert first.found == ("orders.invoice_number", "orders.weight", "orders.tags")
    assert second.found == ()
    assert loader.rows("select invoice_number, weight, tags, _extra from orders") == [
        (None, None, None, '{"weight":"heavy"}')
    ]
    types = "select column_name, data_type from duckdb_columns() where table_name = 'orders'"
    assert {("weight", "DECIMAL(38,9)"), ("tags", "JSON"), ("invoice_number", "VARCHAR")} <= set(
        loader.rows(types)
    )


def test_a_record_without_an_id_goes_to_quarantine_and_the_run_is_not_complete(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("orders", order("A"))
    sandbox.put("orders", b'{"id":"odd","order_number":"B"}')
    sandbox.storage.collection("orders").put("odd", b'{"id":null,"order_number":"B"}')

    outcome = loader.load("orders")

    assert not outcome.is_complete
    assert outcome.certificates[0].reason == "1 record in quarantine"
    assert loader.rows("select order_number from orders") == [("A",)]
    quarantined = (
        'select run_id, resource, page, "index", reason, body from quarantine order by body, 2'
    )
    first = ("orders", 1, 1, "has no id", '{"id":null,"order_number":"B"}')
    assert loader.rows(quarantined) == [(outcome.run_id, *first)]

    sandbox.put("orders", b'{"id":"odder","order_number":"C"}')
    sandbox.storage.collection("orders").put("odder", b'{"id":null,"order_number":"C"}')
    sandbox.put("brands", {"id": guid("good"), "name": "A"})
    sandbox.put("brands", b'{"id":"odd","name":"B"}')
    sandbox.storage.collection("brands").put("odd", b'{"id":null,"order_number":"B"}')
    again = loader.load("orders", "brands")

    assert [row.reason for row in again.certificates] == [
        "2 records in quarantine",
        "1 record in quarantine",
    ]
    assert loader.rows(quarantined) == [
        (again.run_id, "brands", 1, 1, *first[3:]),
        (again.run_id, *first),
        (again.run_id, "orders", 1, 2, "has no id", '{"id":null,"order_number":"C"}'),
    ], "a record that is found again stands there once, as it was seen last"


@pytest.mark.slow
@pytest.mark.parametrize("above", few(["lowered", "refused", "misplaced", "gapped"], 2))
def test_whatever_becomes_of_longer_pages_no_order_is_lost(
    sandbox: Sandbox, loader: Loader, above: str
) -> None:
    names = [f"A{number}" for number in range(40)]
    for name in names:
        sandbox.put("orders", order(name))
    sandbox.dials.change({"limit_cap": 5, "limit_above_cap": above})

    for _ in range(2):
        (found,) = loader.load("orders").certificates
        assert (found.verdict, found.proof, found.ids_seen) == ("complete", "count", 40)
        assert loader.rows("select order_number from orders order by id") == [
            (name,) for name in sorted(names, key=guid)
        ]


def test_children_are_read_though_their_parents_are_not_selected(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("items", {"id": guid("with"), "variants_count": 1})
    sandbox.put("items", {"id": guid("without"), "variants_count": 0})
    sandbox.put("variants", {"id": guid("variant")}, parent_id=guid("with"))

    assert loader.load("variants").is_complete

    assert loader.rows("select id, parent_id from variants") == [(guid("variant"), guid("with"))]
    # One that counts no variants is asked all the same, as its count may be wrong.
    asked = {entry.path for entry in sandbox.requests.entries() if entry.path.endswith("variants")}
    assert {path.split("/")[-2] for path in asked} == {guid("with"), guid("without")}
    assert set(loader.contents()) == {
        *("variants", "variants__past", "variants__options", "variants__options__past"),
        "variants__observations",
        *("quarantine", "sync_changes", "sync_child_rows", "sync_suspects"),
    }
