"""What the pages of products and vendors are given: prices by list, and how fast a vendor ships."""

from pathlib import Path
from typing import Any

import pytest

from support.warehouses.javascript import COUNTING, loaded_scripts
from support.warehouses.marts import Marts
from support.warehouses.sites import Site, publish
from wholesale_elt.dashboard.contents.histories import MOST_PAIRS
from wholesale_elt.dashboard.contents.objects import ORDERS_A_PART
from wholesale_elt.dashboard.contents.reports import MOST_ROWS

OBSERVED = "wholesale_marts.fct_order_status_changes"
ORDERS = "wholesale_marts.fct_orders"
LINES = "wholesale_marts.fct_order_lines"
NEWEST_FIRST = "ordered_date desc nulls last, order_number desc, order_id"
MOST = (
    f"select buyer_key from {ORDERS} where buyer_key in"
    " (select buyer_id from wholesale_marts.dim_buyers)"
    " group by 1 order by count(*) desc, 1 limit 1"
)
NUMBER_OF_MOST = f"select count(*) from {ORDERS} where buyer_key = ({MOST})"


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


@pytest.fixture(scope="module")
def crowded(built: Marts, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Of which one buyer has the orders of some parts."""
    times = f"range(1, 2 + {2 * ORDERS_A_PART} // ({NUMBER_OF_MOST})) as times(n)"
    more = "select own.* replace ({2} n || order_id as order_id) from {0} as own, {1} where {3}"
    line = "n || order_line_id as order_line_id,"
    of_most = f"order_id in (select order_id from {ORDERS} where buyer_key = ({MOST}))"
    return publish(
        built,
        tmp_path_factory.mktemp("crowded"),
        f"insert into {LINES} {more.format(LINES, times, line, of_most)}",
        f"insert into {ORDERS} {more.format(ORDERS, times, '', of_most)}",
    )


def test_a_buyer_has_all_of_its_orders_and_lines_in_its_parts(crowded: Site) -> None:
    buyers = {row["buyer_id"]: row for row in crowded.table("buyers")}
    spread = [row for row in buyers.values() if row["part"] < row["last_part"]]
    assert [row["last_part"] - row["part"] for row in spread] == [2]
    orders: dict[str, list[str]] = {}
    lines: dict[str, int] = {}
    for part in range(1 + max(row["last_part"] for row in buyers.values())):
        if f"of_buyers/{part}" not in crowded.names():
            continue
        rows = crowded.table(f"of_buyers/{part}", "orders")
        assert len(rows) <= 3 * ORDERS_A_PART
        for row in rows:
            assert buyers[row["buyer_id"]]["part"] <= part <= buyers[row["buyer_id"]]["last_part"]
            orders.setdefault(row["buyer_id"], []).append(row["order_number"])
        for line in crowded.table(f"of_buyers/{part}", "lines"):
            buyer = rows[line["place"]]["buyer_id"]
            lines[buyer] = lines.get(buyer, 0) + 1
    for buyer, count, numbers in crowded.answer(
        f"select buyer_key, sum(line_count), list(order_number order by {NEWEST_FIRST})"
        f" from {ORDERS} where buyer_key in (select buyer_id from wholesale_marts.dim_buyers)"
        " group by 1"
    ):
        assert lines.pop(buyer, 0) == count
        assert orders.pop(buyer) == numbers
    assert (orders, lines) == ({}, {})


def test_the_page_of_a_buyer_reads_all_of_its_parts(crowded: Site) -> None:
    with loaded_scripts(*COUNTING, "format", "age", "objects") as scripts:
        for name in crowded.names():
            if name.startswith(("of_buyers/", "buyers", "products", "meta")):
                scripts.receive(name, crowded.content(name))
        scripts.run("wholesale.load('meta').then((meta) => { wholesale.meta = meta; })")
        [[key, numbers, lines]] = crowded.answer(
            f"select buyer_key, list(order_number order by {NEWEST_FIRST}), sum(line_count)"
            f" from {ORDERS} where buyer_key = ({MOST}) group by 1"
        )
        found = scripts.run(
            f"wholesale.objects.all('buyers').then((all) => all.get('{key}'))"
            ".then(wholesale.objects.ofBuyer)"
        )
        numbered = {order["place"]: order["order_number"] for order in found["orders"]}
        assert [*numbered.values()] == numbers
        assert len(found["lines"]) == lines
        assert {line["place"] for line in found["lines"]} <= numbered.keys()


def test_a_product_has_its_pairs_from_both_sides(site: Site) -> None:
    sides = {
        (row["product_id"], row["other_product_id"]): row["order_count"]
        for row in in_parts(site, "products", "pairs")
    }
    pairs = site.answer(
        "select product_id, other_product_id, order_count from wholesale_bi.rpt_bought_together"
    )
    known: dict[str, dict[str, int]] = {}
    for one, other, count in pairs:
        known.setdefault(one, {})[other] = count
        known.setdefault(other, {})[one] = count
    for product, others in known.items():
        told = {other: count for (one, other), count in sides.items() if one == product}
        assert told.items() <= others.items()
        assert sorted(told.values()) == sorted(others.values())[-MOST_PAIRS:]
    assert {product for product, _ in sides} == known.keys()


def test_a_report_says_what_it_has_and_opens_with_its_newest_or_largest_rows(site: Site) -> None:
    reports = site.content("reports")
    [(count,)] = site.answer("select count(*) from wholesale_bi.rpt_orders")
    assert reports["rpt_orders"]["row_count"] == count
    assert reports["rpt_orders"]["description"].startswith("Which orders are behind a number?")
    days = [row["ordered_date"] for row in site.table("reports/rpt_orders")]
    assert len(days) == min(count, MOST_ROWS)
    assert days == sorted(days, key=lambda day: day or "", reverse=True)
    assert all(column["description"] for each in reports.values() for column in each["fields"])
