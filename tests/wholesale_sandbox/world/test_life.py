"""The states of an order, and when they changed."""

from collections import Counter
from datetime import datetime

from support.records.seeded import (
    CATALOGUE,
    ORDERS,
    READ_ORDERS,
    WORLD,
    moment,
)
from wholesale_sandbox.contract.assumptions import (
    INVOICE_STATUSES,
    ORDER_STATUSES,
    PAYMENT_METHOD_TYPES,
    PAYMENT_STATUSES,
    SHIPPING_TYPES,
    VENDOR_STATUSES,
)
from wholesale_sandbox.values.moments import of


def test_updated_at_is_known_without_the_body_and_never_before_created_at() -> None:
    for number, order in enumerate(READ_ORDERS):
        updated_at = moment(order["updated_at"])
        assert WORLD.orders.updated_at(number) == updated_at
        assert (
            moment(order["created_at"])
            <= updated_at
            < of(datetime.fromisoformat("2026-07-01T00:00Z"))
        )


def test_many_orders_share_the_moment_of_their_last_change() -> None:
    moments = Counter(order["updated_at"] for order in READ_ORDERS)
    assert 0.1 < sum(count for count in moments.values() if count > 1) / ORDERS < 0.6


def test_states_are_those_that_are_assumed_and_all_of_them_occur() -> None:
    assert {order["status"] for order in READ_ORDERS} == set(ORDER_STATUSES.value)
    assert {order["payment_status"] for order in READ_ORDERS} == set(PAYMENT_STATUSES.value)
    assert {order["invoice_status"] for order in READ_ORDERS} == set(INVOICE_STATUSES.value)
    methods = {order["billing_payment_method_type"] for order in READ_ORDERS}
    assert methods == set(PAYMENT_METHOD_TYPES.value)
    vendors = CATALOGUE["vendors"].values()
    assert {vendor["status"] for vendor in vendors} <= set(VENDOR_STATUSES.value)
    assert {vendor["shipping_type"] for vendor in vendors} <= set(SHIPPING_TYPES.value)
