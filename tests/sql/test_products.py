"""What was sold is told of the product that it was, and its opposite of no other."""

from collections import defaultdict
from decimal import Decimal

import pytest

from support.warehouses.marts import Marts


def test_every_product_has_the_lines_that_name_it(built: Marts) -> None:
    variants = built.rows("select id, parent_id, sku from wholesale_raw.variants")
    by_sku = {(item, sku): variant for variant, item, sku in reversed(sorted(variants))}
    with_variants = {item for _, item, _ in variants}
    items = {item for (item,) in built.rows("select id from wholesale_raw.items")}
    orders: dict[str, set[str]] = defaultdict(set)
    sales: dict[str, Decimal] = defaultdict(Decimal)
    for order, item, sku, amount in built.rows(
        "select order_id, item_id, sku, total_price from wholesale_raw.orders__order_line_items"
        " where order_id in (select id from wholesale_raw.orders where status <> 'cancelled')"
    ):
        product = by_sku[item, sku] if item in with_variants else item
        orders[product].add(order)
        sales[product] += amount

    assert built.rows(
        "select product_id, order_count, sales_amount, is_never_ordered and is_orderable,"
        " is_ordered_but_inactive from wholesale_bi.rpt_catalogue"
        " where order_count > 0 order by 1"
    ) == sorted((key, len(orders[key]), sales[key], False, False) for key in orders)
    assert {key for (key,) in built.rows("select product_id from wholesale_bi.rpt_catalogue")} == {
        *(variant for variant, *_ in variants),
        *(items - with_variants),
    }


@pytest.mark.slow
def test_a_sku_that_was_renamed_takes_its_sales_along(marts: Marts) -> None:
    of_best = (
        "select product_id, sales_amount, is_never_ordered, is_ordered_but_inactive"
        " from wholesale_bi.rpt_catalogue where product_kind = 'variant'"
        " order by sales_amount desc limit 1"
    )
    realised = (
        "select sum(variant_price_amount), sum(paid_amount) from wholesale_bi.rpt_price_realisation"
    )
    ((best, *sold),), paid = marts.rows(of_best), marts.rows(realised)
    marts.change(f"update wholesale_raw.variants set sku = sku || '-NEW' where id = '{best}'")

    marts.build()

    assert marts.rows(of_best) == [(best, *sold)]
    assert marts.rows(realised) == paid
    assert marts.rows(
        "select count(*) from wholesale_bi.rpt_catalogue where product_kind = 'unlisted'"
    ) == [(0,)]


@pytest.mark.slow
def test_a_line_that_leads_to_an_item_only_says_nothing_of_its_variants(marts: Marts) -> None:
    marts.change(
        "alter table wholesale_raw.orders__order_line_items add column variant_id varchar",
        "create table one as select id, parent_id from wholesale_raw.variants"
        " where id in (select min(product_id) from wholesale_bi.rpt_catalogue"
        " where product_kind = 'variant' and order_count > 1)",
        "update wholesale_raw.orders__order_line_items set sku = 'SCRIBBLED'"
        " where item_id in (select parent_id from one)",
    )
    claims = (
        "select product_kind, bool_or(is_never_ordered), bool_or(is_ordered_but_inactive)"
        " from wholesale_bi.rpt_catalogue where item_id in (select parent_id from one)"
        " group by 1 order by 1"
    )
    marts.build()
    assert marts.rows(claims) == [("unlisted", False, False), ("variant", False, False)]

    marts.change(
        "update wholesale_raw.orders__order_line_items set variant_id = (select id from one)"
        " where item_id in (select parent_id from one)"
    )
    marts.build()
    assert marts.rows(
        "select count(*) from wholesale_bi.rpt_catalogue where product_kind = 'unlisted'"
    ) == [(0,)]
    assert marts.rows(
        "select order_count > 1 from wholesale_bi.rpt_catalogue"
        " where product_id in (select id from one)"
    ) == [(True,)]
