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


def test_a_line_joins_its_variant_and_its_product_by_their_ids(built: Marts) -> None:
    """Whatever the service says of it: here it states the variant of none."""
    of_a_variant = (
        "select count(*) from wholesale_raw.orders__order_line_items as lines where exists ("
        "select 1 from wholesale_raw.variants where parent_id = lines.item_id)"
    )
    assert built.rows(
        "select count(*), count(stated_variant_id), count(*) filter (lines.sku = variants.sku"
        " and lines.item_id = variants.item_id) from wholesale_marts.fct_order_lines as lines"
        " join wholesale_marts.dim_variants as variants using (variant_id)"
    ) == [(count, 0, count) for (count,) in built.rows(of_a_variant)]
    assert built.rows(
        "select count(*), sum(total_price) from wholesale_marts.fct_order_lines"
        " join wholesale_bi.rpt_catalogue using (product_id)"
    ) == built.rows("select count(*), sum(total_price) from wholesale_raw.orders__order_line_items")


@pytest.mark.slow
def test_a_line_of_two_variants_alike_is_of_neither(marts: Marts) -> None:
    marts.change(
        "create table twins as select parent_id, min(id) as one, max(id) as other"
        " from wholesale_raw.variants where sku_status = 'active' and parent_id in ("
        "select item_id from wholesale_raw.orders__order_line_items) group by 1"
        " having count(*) > 1 order by 1 limit 1",
        "update wholesale_raw.variants set sku = 'TWIN' where id in (select one from twins"
        " union all select other from twins)",
        "update wholesale_raw.orders__order_line_items set sku = 'TWIN'"
        " where item_id in (select parent_id from twins)",
    )
    lines = " from wholesale_marts.fct_order_lines where item_id in (select parent_id from twins)"

    marts.build("rpt_catalogue", "rpt_price_realisation")

    assert marts.rows(
        f"select count(*) > 0, count(variant_id), count(distinct product_id){lines}"
    ) == [(True, 0, 1)]
    assert marts.rows(
        "select product_kind, item_title is not null, vendor_name is not null, is_never_ordered"
        f" from wholesale_bi.rpt_catalogue where product_id in (select product_id{lines})"
    ) == [("unlisted", True, True, False)]
    assert marts.rows(
        "select bool_or(is_never_ordered) from wholesale_bi.rpt_catalogue"
        " where sku = 'TWIN' and product_kind = 'variant'"
    ) == [(False,)]


@pytest.mark.slow
def test_a_sku_that_was_renamed_takes_its_sales_along(marts: Marts) -> None:
    of_best = (
        "select product_id, sales_amount, is_never_ordered, is_ordered_but_inactive"
        " from wholesale_bi.rpt_catalogue where product_kind = 'variant'"
        " order by sales_amount desc limit 1"
    )
    realised = (
        "select sum(list_price_amount), sum(paid_amount) from wholesale_bi.rpt_price_realisation"
    )
    ((best, *sold),), paid = marts.rows(of_best), marts.rows(realised)
    marts.change(f"update wholesale_raw.variants set sku = sku || '-NEW' where id = '{best}'")

    marts.build("rpt_catalogue", "rpt_price_realisation")

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
    marts.build("rpt_catalogue", "rpt_price_realisation")
    assert marts.rows(claims) == [("unlisted", False, False), ("variant", False, False)]

    marts.change(
        "update wholesale_raw.orders__order_line_items set variant_id = (select id from one)"
        " where item_id in (select parent_id from one)"
    )
    marts.build("rpt_catalogue", "rpt_price_realisation")
    assert marts.rows(
        "select count(*) from wholesale_bi.rpt_catalogue where product_kind = 'unlisted'"
    ) == [(0,)]
    assert marts.rows(
        "select order_count > 1 from wholesale_bi.rpt_catalogue"
        " where product_id in (select id from one)"
    ) == [(True,)]
