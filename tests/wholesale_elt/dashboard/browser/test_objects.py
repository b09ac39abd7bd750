"""Pages of a buyer, vendor, product, category and order, in a real browser."""

from collections.abc import Callable
from decimal import Decimal
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from support.warehouses.browsing import Visit
from support.warehouses.publication import Publication

pytestmark = pytest.mark.browser

LINES = "wholesale_marts.fct_order_lines"
NAMED = {
    "buyer": "select buyer_id, company_name from wholesale_marts.dim_buyers"
    " where company_name <> '' order by buyer_id limit 1",
    "vendor": "select vendor_id, vendor_name from wholesale_marts.dim_vendors"
    " where vendor_name <> '' order by length(vendor_name) desc limit 1",
    "product": f"select item_id, max(item_title) from {LINES} where item_title <> ''"
    " group by item_id order by count(*) desc, item_id limit 1",
    "category": f"select category_name, category_name from {LINES} where category_name is not null"
    " group by 1 order by count(*) desc, 1 limit 1",
    "order": "select order_number, order_number from wholesale_marts.fct_orders"
    " order by ordered_at desc nulls last limit 1",
}
"""The key and the name of one of each."""
ADDED_UP = """rows => rows.map((row) => [
    row.querySelector("dt").textContent.trim(),
    row.querySelector("dd").textContent.replace("\u2212", "-").replace(/[^0-9.-]/g, ""),
])"""
"""What pairs of a page say, amounts without their signs of currency."""


@pytest.mark.parametrize("size", ["desk", "phone"])
@pytest.mark.parametrize("page", NAMED)
def test_an_object_opens_under_its_name_and_fits(
    visit: Callable[..., Visit], publication: Publication, page: str, size: str
) -> None:
    [(key, name)] = publication.rows(NAMED[page])
    window = visit(size=size)
    window.open(f"{page}/{quote(key, safe='')}?period=all_time")
    expect(window.page.locator("h1")).to_contain_text(name.strip())
    expect(window.page.locator(".object-title h2")).to_contain_text(name.strip())
    expect(window.page.locator(".failure")).to_have_count(0)
    assert window.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("page", NAMED)
def test_what_is_not_there_says_so_and_leads_on(visit: Callable[..., Visit], page: str) -> None:
    window = visit()
    window.open(f"{page}/never%20%3Cb%3Eheard")
    expect(window.page.locator("main .empty")).to_contain_text("never <b>heard")
    expect(window.page.locator("main .empty a")).to_have_count(1)


def test_a_vendor_a_product_and_a_category_count_what_the_marts_do(
    visit: Callable[..., Visit], publication: Publication
) -> None:
    window = visit()
    [(vendor, _)] = publication.rows(NAMED["vendor"])
    [(sales, orders)] = publication.rows(
        "select sum(sub_total), count(*) from wholesale_marts.fct_orders"
        " where is_sale and vendor_id = ?",
        vendor,
    )
    window.open(f"vendor/{vendor}?period=all_time")
    assert (window.figure("sales"), window.figure("orders")) == (sales, orders)
    for page, column in (("product", "item_id"), ("category", "category_name")):
        [(key, _)] = publication.rows(NAMED[page])
        [(sales, units)] = publication.rows(
            f"select sum(total_price), sum(quantity) from {LINES} where is_sale and {column} = ?",
            key,
        )
        window.open(f"{page}/{quote(key, safe='')}?period=all_time")
        assert window.figure("product_sales") == sales
        assert window.figure("product_units") == units


def test_what_a_buyer_owes_is_what_its_list_of_orders_adds_up_to(
    visit: Callable[..., Visit], publication: Publication
) -> None:
    [(buyer, amount)] = publication.rows(
        "select buyer_id, sum(total) from wholesale_marts.fct_orders where is_sale"
        " and is_return is not true and payment_standing = 'open'"
        " and lower(order_status) in ('shipped', 'delivered') and buyer_id is not null"
        " group by 1 order by 2 desc limit 1"
    )
    window = visit()
    window.open(f"buyer/{buyer}")
    assert window.figure("open") == Decimal(amount)
    window.page.locator("[data-tile=open] a").click()
    window.settle()
    assert window.figure("to_pay") == Decimal(amount)


@pytest.mark.parametrize("period", ["all_time", "last_12_months"])
def test_a_buyer_counts_from_its_own_part_what_the_marts_do(
    visit: Callable[..., Visit], publication: Publication, period: str
) -> None:
    [(buyer, sales, orders, units)] = publication.rows(
        "with days as (select first_day, last_day from wholesale_bi.rpt_periods"
        " where period_key = ?), sold as (select orders.* from"
        " wholesale_marts.fct_orders as orders, days where is_sale and (first_day is null"
        " or ordered_date between first_day and last_day))"
        " select buyer_key, sum(sub_total), count(*), (select sum(quantity) from"
        f" {LINES} as lines where lines.order_id in (select order_id from sold as own"
        " where own.buyer_key = sold.buyer_key) and product_id is not null)"
        " from sold where buyer_id is not null group by buyer_key order by 3 desc, 1 limit 1",
        period,
    )
    window = visit()
    window.open(f"buyer/{buyer}?period={period}")
    assert window.figure("sales") == Decimal(sales)
    expect(window.page.locator("[data-tile=sales] .was")).to_contain_text(f"{orders} orders")
    while window.page.get_by_text("Show more of").count():
        window.page.get_by_text("Show more of").first.click()
        window.settle()
    pieces = window.page.locator("[data-metric=product_units]").evaluate_all(
        "cells => cells.map((cell) => cell.dataset.exact)"
    )
    assert sum(map(int, pieces)) == units
    assert not [name for name in window.requests if "/facts/" in name and "index" not in name]


def test_the_amounts_of_an_order_add_up_and_its_lines_are_its_own(
    visit: Callable[..., Visit], publication: Publication
) -> None:
    window = visit()
    for number, lines, pieces in publication.rows(
        "select any_value(order_number), any_value(line_count), any_value(unit_count)"
        " from wholesale_marts.fct_orders where order_number <> '' and line_count > 1"
        " and total is not null and sub_total is not null"
        " group by sign(total - sub_total), line_discount_amount > 0, is_cancelled order by 1"
    ):
        window.open(f"order/{number}")
        rows = window.page.locator("table:has(caption:text-is('Lines'))")
        expect(rows.locator("tbody tr:not(.totals)")).to_have_count(lines)
        expect(rows.locator(".totals [data-metric=quantity]")).to_have_attribute(
            "data-exact", str(pieces)
        )
        told = dict(window.page.locator(".pairs").first.locator("div").evaluate_all(ADDED_UP))
        whole = told.pop("Total", None) or told.pop("To pay")
        rest = ("Discount and other", "Further discount and other", "Freight and other")
        named = ("Goods", "Discount on lines", *rest)
        parts = [amount for name, amount in told.items() if name in named]
        assert sum(map(Decimal, parts)) == Decimal(whole), (number, told)


def test_a_report_opens_with_its_rows_and_its_columns_explained(
    visit: Callable[..., Visit], publication: Publication
) -> None:
    window = visit()
    window.open("reports")
    [(count,)] = publication.rows(
        "select count(*) from duckdb_tables() where schema_name = 'wholesale_bi'"
    )
    expect(window.page.locator(".reports tbody tr")).to_have_count(count)
    window.page.get_by_role("link", name="Reorders", exact=True).click()
    window.settle()
    [(rows,)] = publication.rows("select count(*) from wholesale_bi.rpt_reorders")
    expect(window.page.locator("main")).to_contain_text(f"{rows:,} rows")
    expect(window.page.locator(".meanings dd").first).not_to_be_empty()
    assert window.foreign_requests() == []
