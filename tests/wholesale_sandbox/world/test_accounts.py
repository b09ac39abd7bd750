"""Buyers have habits."""

from collections import Counter

from support.records.seeded import (
    ORDERS,
    READ_ORDERS,
)


def test_few_buyers_order_often_and_prefer_few_vendors() -> None:
    buyers = Counter(order["buyer_id"] for order in READ_ORDERS)
    often = buyers.most_common(8)  # of 80
    assert sum(count for _, count in often) > 0.4 * ORDERS
    for buyer_id, count in often:
        vendors = Counter(
            order["vendor_id"] for order in READ_ORDERS if order["buyer_id"] == buyer_id
        )
        assert sum(count for _, count in vendors.most_common(5)) > 0.7 * count
