"""What the pages of products and vendors are given: prices by list, and how fast a vendor ships."""

from pathlib import Path

from support.warehouses.marts import Marts
from support.warehouses.sites import Site, publish

OBSERVED = "wholesale_marts.fct_order_status_changes"
ORDERS = "wholesale_marts.fct_orders"


def test_a_product_has_its_price_in_each_list_as_it_is_now(site: Site) -> None:
    rows = [tuple(row.values()) for row in site.table("list_prices")]
    assert sorted(rows) == sorted(
        tuple(row)
        for row in site.answer(
            "select coalesce(variant_id, item_id), price_list_title, unit_price"
            " from wholesale_marts.fct_list_prices"
            " inner join wholesale_marts.dim_price_lists as lists using (price_list_id)"
            " where is_current and not fct_list_prices.is_deleted and not lists.is_deleted"
        )
    )
    assert rows


def test_a_product_has_its_brand_and_its_carton(site: Site) -> None:
    rows = {row["product_id"]: row for row in site.table("products")}
    for key, brand, carton in site.answer(
        "select variant_id, brand_name, quantity_multiplier from wholesale_marts.dim_variants"
        " union all select item_id, brand_name, quantity_multiplier"
        " from wholesale_marts.dim_items where variant_count = 0"
    ):
        if key in rows:
            found = rows[key]
            assert (found["brand_name"], found["quantity_multiplier"]) == (brand, carton)
    assert any(row["brand_name"] for row in rows.values())


def test_buyers_to_call_are_those_of_the_first_page_with_the_same_money(site: Site) -> None:
    told = {row["buyer_id"]: row["amount"] for row in site.table("tasks", "silent")}
    listed = {
        row["buyer_id"]: row["monthly_amount"]
        for row in site.table("buyers")
        if row["is_late"] and not row["is_lapsed"]
    }
    assert told
    assert listed == told


def test_a_vendor_has_the_days_that_its_orders_were_seen_to_take(
    built: Marts, tmp_path: Path
) -> None:
    one = (
        "select vendor_id from (select vendor_id, count(*) as n from"
        f" {ORDERS} where is_sale and is_return is not true and ordered_date is not null"
        " group by 1) where n > 2 order by vendor_id limit 1"
    )
    site = publish(
        built,
        tmp_path,
        f"delete from {OBSERVED}",
        f"insert into {OBSERVED} by name select 'c' || n as order_status_change_id, order_id,"
        " 'order_status' as field_name, 'confirmed' as state_before, 'shipped' as state_after,"
        " ordered_date + n * interval 2 day as observed_at from (select order_id, ordered_date,"
        f" row_number() over (order by order_id) as n from {ORDERS} where is_sale and is_return is"
        f" not true and ordered_date is not null and vendor_id = ({one})) where n <= 3",
    )
    [[vendor]] = site.answer(one)
    assert [tuple(row.values()) for row in site.table("vendor_steps")] == [
        (vendor, "sent", 3, 4, None, 6)
    ]
