"""What the pages of products and vendors are given: prices by list, and how fast a vendor ships."""

from collections import defaultdict
from pathlib import Path
from typing import Any

from support.warehouses.marts import Marts
from support.warehouses.sites import Site, publish

OBSERVED = "wholesale_marts.fct_order_status_changes"
ORDERS = "wholesale_marts.fct_orders"


def in_parts(site: Site, kind: str, table: str) -> list[dict[str, Any]]:
    """The rows of a table in all parts of a kind."""
    parts = [name for name in site.names() if name.startswith(f"of_{kind}/")]
    return [row for part in parts for row in site.table(part, table)]


def test_a_product_has_its_price_in_each_list_as_it_is_now(site: Site) -> None:
    rows = [tuple(row.values()) for row in in_parts(site, "products", "prices")]
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


def test_a_buyer_has_all_of_its_orders_and_lines_in_one_part(site: Site) -> None:
    parts = {row["buyer_id"]: row["part"] for row in site.table("buyers")}
    orders: dict[str, list[tuple[Any, ...]]] = {}
    lines: dict[str, int] = {}
    for part in sorted({*parts.values()}):
        rows = site.table(f"of_buyers/{part}", "orders")
        for row in rows:
            assert parts[row["buyer_id"]] == part
            orders.setdefault(row["buyer_id"], []).append((row["order_number"], row["sub_total"]))
        for line in site.table(f"of_buyers/{part}", "lines"):
            buyer = rows[line["place"]]["buyer_id"]
            lines[buyer] = lines.get(buyer, 0) + 1
    for buyer, count, numbers in site.answer(
        "select buyer_key, sum(line_count), list((order_number, sub_total))"
        " from wholesale_marts.fct_orders where buyer_key in"
        " (select buyer_id from wholesale_marts.dim_buyers) group by 1"
    ):
        assert lines.pop(buyer, 0) == count
        assert len(orders.pop(buyer)) == len(numbers)
    assert (orders, lines) == ({}, {})


def test_a_product_has_its_most_frequent_pairs_from_both_sides(site: Site) -> None:
    sides: dict[str, dict[str, int]] = defaultdict(dict)
    for row in in_parts(site, "products", "pairs"):
        sides[row["product_id"]][row["other_product_id"]] = row["order_count"]
    pairs: dict[str, dict[str, int]] = defaultdict(dict)
    for one, other, count in site.answer(
        "select product_id, other_product_id, order_count from wholesale_bi.rpt_bought_together"
    ):
        pairs[one][other] = pairs[other][one] = count
    assert sides.keys() == pairs.keys()
    for product, others in sides.items():
        most = sorted(pairs[product].values(), reverse=True)[:8]
        assert sorted(others.values(), reverse=True) == most
        assert others.items() <= pairs[product].items()


def test_a_report_says_what_it_has_and_opens_with_its_newest_or_largest_rows(site: Site) -> None:
    reports = site.content("reports")
    [(count,)] = site.answer("select count(*) from wholesale_bi.rpt_orders")
    assert reports["rpt_orders"]["row_count"] == count
    assert reports["rpt_orders"]["description"].startswith("Which orders are behind a number?")
    days = [row["ordered_date"] for row in site.table("reports/rpt_orders")]
    assert len(days) == min(count, 100)
    assert days == sorted(days, key=lambda day: day or "", reverse=True)
    assert all(column["description"] for each in reports.values() for column in each["fields"])
