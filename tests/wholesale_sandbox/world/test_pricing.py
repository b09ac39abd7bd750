"""A buyer pays what its price list says."""

from collections import Counter

from support.records.seeded import (
    CATALOGUE,
    READ_ORDERS,
    amount,
)


def test_a_line_costs_what_the_price_list_of_the_buyer_says() -> None:
    prices = {
        (price["price_list_id"], price["variant_id"]): amount(price["unit_price"])
        for price in CATALOGUE["prices"].values()
    }
    variants = {variant["sku"]: variant for variant in CATALOGUE["variants"].values()}
    seen = Counter[str]()
    for order in READ_ORDERS:
        price_list_id = CATALOGUE["buyers"][order["buyer_id"]]["price_list_id"]
        for line in order["order_line_items"]:
            variant = variants.get(line["sku"])
            if variant is None:
                seen["item without variants"] += 1
                continue
            assert (line["item_id"], line["variant"]) == (variant["parent_id"], variant["title"])
            if price_list_id is None:
                seen["default pricing"] += 1
                assert amount(line["unit_price"]) == amount(variant["unit_price"])
            else:
                seen["price list"] += 1
                assert amount(line["unit_price"]) == prices[price_list_id, variant["id"]]
    assert min(seen.values()) > 100
    assert len(seen) == 3
