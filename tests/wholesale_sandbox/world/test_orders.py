"""Orders are exact, believable, and computed from their number."""

from collections import Counter
from datetime import datetime
from uuid import UUID

import msgspec
import pytest

from support.records.seeded import (
    CATALOGUE,
    ORDERS,
    READ_ORDERS,
    WORLD,
    amount,
    moment,
)
from wholesale_sandbox.contract.fields import (
    ORDER_INVOICE_FIELDS,
)
from wholesale_sandbox.values.moments import of
from wholesale_sandbox.world.business import World


def test_an_order_id_is_a_guid_that_knows_its_number() -> None:
    ids = [WORLD.orders.id(number) for number in range(ORDERS)]
    assert [WORLD.orders.number(record_id) for record_id in ids] == list(range(ORDERS))
    assert [order["id"] for order in READ_ORDERS] == ids
    assert {(UUID(record_id).version, str(UUID(record_id))) for record_id in ids} == {
        (4, record_id) for record_id in ids
    }


@pytest.mark.parametrize(
    "record_id",
    [
        "",
        "nonsense",
        WORLD.orders.id(ORDERS),
        WORLD.orders.id(3).upper(),
        WORLD.orders.id(3)[:-1],
        f"0{WORLD.orders.id(3)[1:]}" if WORLD.orders.id(3)[0] != "0" else "1",
        World(seed=2, orders=ORDERS).orders.id(3),
        "00000000-0000-4000-8000-000000000000",
    ],
)
def test_an_id_of_no_order_has_no_number(record_id: str) -> None:
    assert WORLD.orders.number(record_id) is None


def test_an_order_has_one_to_twelve_lines_of_one_vendor() -> None:
    counts = [len(order["order_line_items"]) for order in READ_ORDERS]
    assert (min(counts), max(counts)) == (1, 12)
    assert 4.5 < sum(counts) / ORDERS < 5.5
    for order in READ_ORDERS:
        skus = [line["sku"] for line in order["order_line_items"]]
        assert len(set(skus)) == len(skus)
        assert {line["vendor_name"] for line in order["order_line_items"]} == {order["vendor_name"]}


def test_the_amounts_of_an_order_are_exact() -> None:
    for order in READ_ORDERS:
        lines = order["order_line_items"]
        for line in lines:
            assert amount(line["total_price"]) == line["quantity"] * amount(line["unit_price"])
        sub_total = amount(order["sub_total"])
        discount = amount(order["order_line_items_discount_amount"])
        assert sub_total == sum(amount(line["total_price"]) for line in lines)
        assert discount == sum(amount(line["discount_amount"]) for line in lines)
        assert amount(order["total"]) >= sub_total - discount


def test_decimals_of_the_catalogue_come_as_numbers_and_as_texts() -> None:
    unit_prices = Counter(
        isinstance(variant["unit_price"], str) for variant in CATALOGUE["variants"].values()
    )
    assert 0.1 < unit_prices[True] / unit_prices.total() < 0.2


def test_quantities_are_multiples_and_mostly_at_least_the_minimum() -> None:
    below = count = 0
    for order in READ_ORDERS:
        for line in order["order_line_items"]:
            item = CATALOGUE["items"][line["item_id"]]
            assert line["quantity"] > 0
            assert line["quantity"] % (item["quantity_multiplier"] or 1) == 0
            below += line["quantity"] < (item["moq"] or 1)
            count += 1
    assert 0 < below < 0.1 * count


def test_the_minimum_order_value_is_the_vendors_and_sometimes_missed() -> None:
    missed = 0
    for order in READ_ORDERS:
        minimum = order["vendor_minimum_order_value"]
        known = CATALOGUE["vendors"][order["vendor_id"]]["minimum_order_value"]
        assert (minimum is None) == (known is None)
        if minimum is not None:
            assert amount(minimum) == amount(known)
            missed += amount(order["sub_total"]) < amount(minimum)
    assert 0 < missed < 0.4 * ORDERS


def test_nobody_orders_before_being_there() -> None:
    for order in READ_ORDERS:
        buyer = CATALOGUE["buyers"][order["buyer_id"]]
        user = CATALOGUE["buyer_users"][order["buyer_user_id"]]
        vendor = CATALOGUE["vendors"][order["vendor_id"]]
        for party in (buyer, user, vendor):
            assert moment(party["created_at"]) <= moment(order["created_at"])
        assert user["status"] == "active"
        assert order["buyer_company_name"] == buyer["company_name"]


def test_a_third_of_the_orders_has_comments_and_some_have_a_po_number() -> None:
    comments = Counter(len(order["order_comments"]) for order in READ_ORDERS)
    assert comments.keys() == {0, 1, 2, 3}
    assert 0.3 < 1 - comments[0] / ORDERS < 0.4
    numbered = sum(bool(order["po_number"]) for order in READ_ORDERS)
    assert 0.3 < numbered / ORDERS < 0.5


def test_a_later_order_is_new_and_goes_on_with_the_numbers() -> None:
    at = of(datetime.fromisoformat("2026-09-01T10:20:30.000004Z"))
    record_id, body = WORLD.orders.later(ORDERS, at)
    order = msgspec.json.decode(body)
    assert (record_id, body) == WORLD.orders.later(ORDERS, at)
    assert WORLD.orders.number(record_id) is None
    assert record_id not in {WORLD.orders.id(number) for number in range(ORDERS + 1)}
    assert {
        name: order[name]
        for name in ("id", "order_number", "status", "created_at", "updated_at", "invoice_status")
    } == {
        "id": record_id,
        "order_number": "00002001",
        "status": "received",
        "created_at": "2026-09-01T10:20:30.000004Z",
        "updated_at": "2026-09-01T10:20:30.000004Z",
        "invoice_status": "not_invoiced",
    }
    assert order["buyer_id"] in CATALOGUE["buyers"]
    assert set(ORDER_INVOICE_FIELDS).isdisjoint(order)
