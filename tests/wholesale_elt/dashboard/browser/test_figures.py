"""The dashboard's figures, in a real browser: what SQL answers, whatever is filtered."""

import csv
from collections.abc import Callable
from decimal import Decimal

import pytest
from playwright.sync_api import expect

from support.warehouses.browsing import Visit
from support.warehouses.publication import Publication

pytestmark = pytest.mark.browser

MILLIONTH = Decimal("0.000001")


def test_headlines_are_what_sql_answers_whatever_is_filtered(
    visit: Callable[..., Visit], publication: Publication
) -> None:
    vendor, state = publication.busiest()
    [(year, month)] = publication.rows(
        "select max(period_key) filter (where period_kind = 'year'),"
        " min(period_key) filter (where period_kind = 'month') from wholesale_bi.rpt_periods"
    )
    views = [
        (period, *who)
        for period in ("last_12_months", "last_90_days", "all_time", year, month)
        for who in (("all", "all"), (vendor, "all"), ("all", state), (vendor, state))
    ]
    window = visit()
    for period, who, where in views:
        window.open(f"overview?period={period}&vendor={who}&state={where}")
        count, amount, buyers = publication.orders(period, who, where)
        assert window.figure("orders") == count, (period, who, where)
        assert window.figure("sales") == amount, (period, who, where)
        assert window.figure("buyers") == buyers, (period, who, where)
        if count:
            average = window.figure("average_order_value")
            assert abs(average - amount / count) <= MILLIONTH


def test_the_other_headlines_are_what_sql_answers(
    visit: Callable[..., Visit], publication: Publication
) -> None:
    window = visit()
    window.open("chase")
    [(open_amount, old_amount)] = publication.rows(
        "select sum(total), sum(total) filter (where age_bucket = 'over 90')"
        " from wholesale_bi.rpt_orders where is_open"
    )
    [(below, near)] = publication.rows(
        "select count(*), count(*) filter (where is_near_miss) from wholesale_bi.rpt_minimum_orders"
    )
    assert window.figure("open") == open_amount
    assert window.figure("open_over_90_days") == old_amount
    assert window.figure("short_orders") == below
    assert window.figure("near_misses") == near

    window.open("buyers")
    [(rate, late, lapsed)] = publication.rows(
        "select avg(has_reordered_within_90_days::integer), count(*) filter (where is_late),"
        " count(*) filter (where is_lapsed) from wholesale_bi.rpt_reorders"
    )
    assert abs(window.figure("reordering") - Decimal(rate)) <= MILLIONTH
    assert window.figure("late_buyers") == late
    assert window.figure("lapsed_buyers") == lapsed
    [(share,)] = publication.rows(
        "select top_5_share from wholesale_bi.rpt_buyer_concentration_totals"
    )
    assert window.figure("top_5_share") == share


def test_a_table_is_downloaded_under_what_it_is_of_with_its_headings(
    visit: Callable[..., Visit],
) -> None:
    window = visit()
    window.open("overview?period=last_90_days")
    with window.page.expect_download() as download:
        window.page.get_by_role("button", name="Download Top vendors as CSV").click()

    assert download.value.suggested_filename == "top-vendors_last_90_days.csv"
    with open(download.value.path(), encoding="utf-8-sig", newline="") as file:
        headings = next(csv.reader(file))
    assert {"Vendor id", "Vendor", "Sales"} <= {heading.partition(" (")[0] for heading in headings}


def test_a_number_opens_the_orders_behind_it(
    visit: Callable[..., Visit], publication: Publication, address: str
) -> None:
    window = visit(address)
    page = window.page
    window.open("overview?period=all_time")
    page.locator("[data-tile=sales] button.figure").click()
    count, amount, buyers = publication.orders("all_time", "all", "all")
    assert window.found() == {
        "order_count": count,
        "sales_amount": amount,
        "buyer_count": buyers,
    }
    with page.expect_download() as download:
        page.get_by_role("button", name="Download CSV").click()
    assert download.value.suggested_filename.startswith("orders-")
    with open(download.value.path(), encoding="utf-8-sig", newline="") as file:
        found = {row["order_id"]: Decimal(row["sub_total"]) for row in csv.DictReader(file)}
    assert found == dict(
        publication.rows("select order_id, sub_total from wholesale_bi.rpt_orders")
    )

    page.keyboard.press("Escape")
    expect(page.locator("#drill")).to_be_hidden()
    expect(page.locator("[data-tile=sales] button.figure")).to_be_focused()


@pytest.mark.parametrize(
    ("view", "button"),
    [
        ("overview", "[data-tile=buyers] button.figure"),
        ("overview?period=last_90_days", "[data-tile=top_vendors] td button"),
        ("overview?period=this_year", "[data-tile=top_states] td button"),
        ("vendors?period=all_time", "td[data-column=order_count] button"),
        (
            "vendors?period=all_time",
            "tr:has-text('%') >> td[data-column=below_minimum_value_count] button",
        ),
        ("buyers", "[data-tile=at_risk] td[data-column=order_count] button"),
        ("buyers", "[data-tile=concentration] td button"),
        ("buyers", "[data-tile=reordering] button.figure"),
        ("buyers", "[data-tile=late_buyers] button.figure"),
        ("buyers", "[data-tile=lapsed_buyers] button.figure"),
        ("buyers", "[data-tile=cohorts] td button"),
        ("months", "[data-tile=vendor_scorecard] td button"),
        ("chase", "[data-tile=open] button.figure"),
        ("chase", "[data-tile=open_over_90_days] button.figure"),
        ("chase", "[data-tile=open_by_age] td button"),
        ("chase", "[data-tile=short_orders] button.figure"),
        ("chase?state=US-CA", "[data-tile=near_misses] button.figure"),
    ],
)
def test_the_orders_behind_a_number_add_up_to_it(
    visit: Callable[..., Visit], view: str, button: str
) -> None:
    window = visit()
    window.open(view)
    window.page.locator(button).first.click()
    assert window.found()


def test_what_moved_most_comes_first_with_its_exact_difference(
    visit: Callable[..., Visit], publication: Publication
) -> None:
    window = visit()
    window.open("overview?period=last_90_days")
    for key, other in (("vendor_name", "state"), ("state", "vendor_id")):
        moved = publication.rows(
            f"select {key}, sales_amount - sales_amount_year_before as difference"
            " from wholesale_bi.rpt_sales_by_period_totals where period_key = 'last_90_days'"
            f" and {other} = 'all' and {key} <> 'all' and difference <> 0"
            " order by abs(difference) desc limit 1"
        )
        name = "Vendors" if key == "vendor_name" else "States"
        table = window.page.get_by_role("region", name=f"{name} that moved")
        [(first, difference)] = moved
        row = table.locator("tbody tr").first
        assert row.locator("th").inner_text() == " ".join(first.split())
        expect(row.locator("[data-column=difference]")).to_have_attribute(
            "data-tone", "up" if difference > 0 else "down"
        )
        expect(row.locator("[data-column=difference]")).to_have_text(f"{difference:+,.2f}")


def test_cohorts_begin_with_the_month_after_the_first(visit: Callable[..., Visit]) -> None:
    window = visit()
    window.open("buyers")
    heat = window.page.locator(".heat")
    assert heat.locator("thead th").all_inner_texts()[2] == "+1"
    assert heat.locator(".shade-8").count() >= 1


def test_a_product_leads_to_the_orders_of_its_item(
    visit: Callable[..., Visit], publication: Publication
) -> None:
    window = visit()
    window.open("catalogue")
    [(item, count, sales)] = publication.rows(
        "select any_value(lines.item_id), count(*), sum(orders.sub_total)"
        " from wholesale_bi.rpt_orders as orders"
        " inner join (select distinct order_id, item_id from wholesale_marts.fct_order_lines) as"
        " lines"
        " using (order_id) where lines.item_id = (select item_id from wholesale_bi.rpt_catalogue"
        " where order_count > 0 order by sales_amount desc, product_id limit 1)"
    )
    window.page.locator("[data-tile=best_sellers] tbody th button").first.click()
    progress = window.page.locator("#drill .progress")
    expect(progress).to_have_text(f"{count:,} orders found")
    with window.page.expect_download() as download:
        window.page.get_by_role("button", name="Download CSV").click()
    with open(download.value.path(), encoding="utf-8-sig", newline="") as file:
        found = [Decimal(row["sub_total"]) for row in csv.DictReader(file)]
    assert (len(found), sum(found)) == (count, sales), item
