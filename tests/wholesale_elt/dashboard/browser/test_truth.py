"""What a page says of its age, of days that are not known, and of ticks, in a real browser."""

import json
import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from support.warehouses.browsing import Visit
from support.warehouses.marts import Marts
from support.warehouses.publication import Publication
from support.warehouses.sites import publish

pytestmark = pytest.mark.browser
GROWTH = re.compile("\u00d7|" r"[+\u2212]\d[\d,.]*\s?%")
BLOCKED = "Object.defineProperty(window, 'localStorage', {get: () => { throw new Error(); }})"


READ = re.compile(r"as of (.+), (?:less than an hour old|[\d,]+ \w+ old|age not known)")
ZONES = ("UTC", "America/New_York", "Pacific/Auckland")
CLOCKS = {
    "two years before": (-730, None),
    "a moment after": (0, None),
    "a day after": (1, None),
    "eight days after": (8, "8 days old"),
    "53 days after": (53, "53 days old"),
    "two years after": (731, "731 days old"),
}


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("clock", CLOCKS)
def test_a_page_says_how_old_it_is_by_any_clock(
    visit: Callable[..., Visit], publication: Publication, clock: str, zone: str
) -> None:
    days, told = CLOCKS[clock]
    manifest = json.loads((publication.folder / "current.json").read_text("utf-8"))
    read_at = datetime.fromisoformat(manifest["as_of"])
    window = visit(timezone_id=zone)
    window.page.clock.set_fixed_time(read_at + timedelta(days=days, minutes=10))
    window.open()
    top = window.page.locator("header.top")
    expect(top.get_by_text(re.compile("old$"))).to_have_count(int(days >= 0))
    expect(top.locator(".dot.partial")).to_have_count(int(days not in (0, 1)))
    notice = window.page.locator(".notice", has_text=told or "days old")
    expect(notice).to_have_count(int(told is not None))
    if told:
        assert notice.evaluate("one => one === document.querySelector('main').firstElementChild")
        expect(notice).to_contain_text("counted to")
    assert ("Today" in window.page.title()) is (days in (0, 1))
    assert ("Today" in window.page.locator(".rail").inner_text()) is (days in (0, 1))
    local = read_at.astimezone(ZoneInfo(zone))
    read = READ.search(top.inner_text().replace("\n", " "))
    assert read
    assert f"{local:%I:%M %p}" in read[1]
    named = {0: "today", 1: "yesterday"}.get(days, f"{local:%b} {local.day}")
    assert read[1].startswith(named) or (days, read[1][:9]) == (0, "yesterday")
    assert "\u2212" not in top.inner_text()


def test_figures_grow_late_and_old_while_the_page_is_open(visit: Callable[..., Visit]) -> None:
    window = visit()
    window.page.clock.install(time=datetime.now())
    window.open("buyers")
    notice = window.page.locator(".notice", has_text="days old")
    dot = window.page.locator("header.top .dot.partial")
    expect(dot).to_have_count(0)
    window.page.clock.fast_forward(3 * 24 * 3600 * 1000)
    expect(dot).to_have_count(1)
    expect(notice).to_have_count(0)
    window.page.clock.fast_forward(5 * 24 * 3600 * 1000)
    expect(notice).to_have_count(1)


@pytest.mark.parametrize("page", ["sales", "buyers", "products", "vendors", "explore"])
def test_nothing_grew_since_days_that_are_not_known(
    visit: Callable[..., Visit], publication: Publication, page: str
) -> None:
    [(first,)] = publication.rows("select min(ordered_date) from wholesale_bi.rpt_orders")
    start = date.fromisoformat(str(first)) + timedelta(days=300)
    window = visit()
    window.open(f"{page}?period={start}..{start + timedelta(days=60)}")
    main = window.page.locator("main")
    assert GROWTH.findall(main.inner_text()) == []
    expect(main.get_by_text("data begin")).to_have_count(1)
    expect(main.locator(".bar-before, .moved, .change")).to_have_count(0)


@pytest.mark.parametrize("width", [390, 1000, 1190, 1440])
def test_why_nothing_is_compared_is_told_in_full(
    visit: Callable[..., Visit], publication: Publication, width: int
) -> None:
    [(vendor,)] = publication.rows("select min(vendor_id) from wholesale_bi.rpt_orders")
    window = visit()
    window.page.set_viewport_size({"width": width, "height": 900})
    for page in ("sales", "explore", f"explore?vendor={vendor}"):
        window.open(page)
        told = window.page.locator(".controls [role=note]", has_text="data begin")
        expect(told).to_be_visible()
        assert told.evaluate(
            "one => one.parentElement.scrollWidth <= one.parentElement.clientWidth"
        )
        box = told.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width


def test_a_period_before_all_orders_is_not_known(visit: Callable[..., Visit]) -> None:
    window = visit()
    window.open("sales?period=2001")
    expect(window.page.locator("[data-tile=sales] .figure.unknown")).to_have_count(1)
    expect(window.page.locator(".notice", has_text="not known")).to_have_count(1)


def test_windows_of_one_browser_keep_the_ticks_of_both(visit: Callable[..., Visit]) -> None:
    window = visit()
    window.open()
    other = window.page.context.new_page()
    other.goto(window.page.url)
    other.wait_for_selector(".tasks .tick")
    window.page.locator(".task-title a").first.wait_for()
    titles = window.page.locator(".task-title a").all_inner_texts()
    assert len(titles) > 1

    def tick(page: object, title: str) -> None:
        page.get_by_label(f"Done: {title}", exact=True).check()  # type: ignore[attr-defined]

    tick(window.page, titles[0])
    expect(other.get_by_label(f"Done: {titles[0]}", exact=True)).to_be_checked()
    tick(other, titles[1])
    window.page.reload()
    window.settle()
    for title in titles[:2]:
        expect(window.page.get_by_label(f"Done: {title}", exact=True)).to_be_checked()


def test_a_line_is_ticked_with_all_rows_of_its_list_and_they_with_it(
    visit: Callable[..., Visit],
) -> None:
    window = visit()
    window.open()
    link = window.page.locator(".task-title :is(a[href*='today/o'], a[href*='today/below'])").first
    line = window.page.locator(".tasks li", has=link)
    line.locator(".tick").check()
    link.click()
    boxes = window.page.locator("main td .tick")
    expect(boxes.first).to_be_visible()
    count = boxes.count()
    assert count > 1
    for place in range(count):
        expect(boxes.nth(place)).to_be_checked()
    window.page.locator("main tbody th a").first.focus()
    window.page.keyboard.press("x")
    expect(boxes.first).not_to_be_checked()
    window.go("today")
    expect(line.locator(".tick")).not_to_be_checked()
    link.click()
    boxes.first.check()
    window.page.go_back()
    window.settle()
    expect(line.locator(".tick")).to_be_checked()


def test_the_rail_counts_what_is_open_whatever_page_is_shown(visit: Callable[..., Visit]) -> None:
    window = visit()
    window.open()
    count = window.page.locator(".rail .todo-count")
    expect(count).to_have_text(f"{window.page.locator('.tasks li').count()} to do")
    before = window.page.locator(".tasks li").count()
    window.page.locator(".tick").first.check()
    expect(count).to_have_text(f"{before - 1} to do")
    window.open("glossary")
    expect(count).to_have_text(f"{before - 1} to do")


def test_a_browser_that_keeps_nothing_says_so(visit: Callable[..., Visit]) -> None:
    window = visit()
    window.page.context.add_init_script(BLOCKED)
    window.open()
    window.page.locator(".tick").first.check()
    expect(window.page.locator(".tick:checked")).to_have_count(1)
    window.go("sales")
    window.go("today")
    expect(window.page.locator(".tick:checked")).to_have_count(1)
    expect(window.page.locator(".keys")).to_contain_text("keeps no ticks")


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        ("total = 90, line_discount_amount = 10", ["Goods", "Discount on lines", "To pay"]),
        (
            "total = 95, line_discount_amount = 10",
            ["Goods", "Discount on lines", "Freight and other", "To pay"],
        ),
        (
            "total = 90, line_discount_amount = null",
            ["Goods", "Discount and other", "To pay"],
        ),
        ("total = 110, line_discount_amount = null", ["Goods", "Freight and other", "To pay"]),
        ("total = 100, line_discount_amount = 0", ["Goods", "To pay"]),
        ("total = null, line_discount_amount = null", ["Goods", "Discount and freight", "To pay"]),
        (
            "total = 100, line_discount_amount = 0, is_cancelled = true, is_sale = false",
            ["Goods", "Total", "To pay"],
        ),
    ],
)
def test_the_amounts_of_an_order_are_those_that_its_fields_tell(
    built: Marts, tmp_path: Path, visit: Callable[..., Visit], changes: str, names: list[str]
) -> None:
    site = publish(
        built,
        tmp_path,
        f"update wholesale_marts.fct_orders set sub_total = 100, payment_status = null,"
        f" payment_method_type = null, invoice_status = null, {changes} where order_id ="
        " (select min(order_id) from wholesale_marts.fct_orders where is_sale)",
    )
    [(key,)] = site.answer("select min(order_id) from wholesale_marts.fct_orders where is_sale")
    if "is_sale" in changes:
        [(key,)] = site.answer(
            "select order_id from wholesale_marts.fct_orders where sub_total = 100 and is_cancelled"
        )
    window = visit(site.published)
    window.open(f"order/{key}")
    amounts = window.page.get_by_role("region", name="Amounts")
    told = [name for name in amounts.locator("dt").all_inner_texts() if name != "Payment"]
    assert told == names


def test_what_no_order_tells_is_nowhere_nothing(
    built: Marts, tmp_path: Path, visit: Callable[..., Visit]
) -> None:
    site = publish(
        built,
        tmp_path,
        "update wholesale_marts.fct_orders set sub_total = null, total = null",
        "update wholesale_marts.fct_order_lines set total_price = null",
    )
    window = visit(site.published)
    for page, tile in {"sales": "sales", "vendors": "sales", "products": "product_sales"}.items():
        window.open(f"{page}?period=all_time")
        assert window.figure(tile) is None
        expect(window.page.locator(f"[data-tile={tile}] .figure.unknown")).to_have_count(1)
        expect(window.page.locator(f"[data-metric={tile}] >> text=/^0/")).to_have_count(0)
    window.open("fulfilment?period=all_time")
    expect(window.page.locator("td[data-metric=amount]").first).to_have_text("\u2013")


def test_no_list_has_nothing_of_days_that_are_not_known(visit: Callable[..., Visit]) -> None:
    window = visit()
    for page in ("orders", "vendors", "buyers"):
        window.open(f"{page}?period=2001")
        main = window.page.locator("main")
        expect(main.locator("[data-tile=sales] .figure:not(.unknown)")).to_have_count(0)
        expect(main.locator("[data-metric=orders] >> text=/^0/")).to_have_count(0)
        expect(main.locator("[data-metric=sales] >> text=/^0/")).to_have_count(0)
        assert ", against " not in main.inner_text()


@pytest.mark.parametrize("unpriced", [0, 1])
def test_lines_add_up_only_if_each_has_an_amount(
    built: Marts, tmp_path: Path, visit: Callable[..., Visit], unpriced: int
) -> None:
    key = "(select min(order_id) from wholesale_marts.fct_order_lines)"
    site = publish(
        built,
        tmp_path,
        f"update wholesale_marts.fct_orders set sub_total = 99999 where order_id = {key}",
        "update wholesale_marts.fct_order_lines set total_price = null"
        f" where order_id = {key} and line_number <= {unpriced}",
    )
    [(order,)] = site.answer(f"select {key}")
    window = visit(site.published)
    window.open(f"order/{order}")
    expect(window.page.locator(".warned", has_text="add up to is not known")).to_have_count(
        unpriced
    )
    expect(window.page.locator(".warned", has_text="than the goods")).to_have_count(1 - unpriced)


def test_silence_says_that_it_is_told_whatever_orders_are_chosen(
    visit: Callable[..., Visit], publication: Publication
) -> None:
    [(vendor,)] = publication.rows("select min(vendor_id) from wholesale_bi.rpt_orders")
    [(silent,)] = publication.rows(
        "select count(*) from wholesale_bi.rpt_reorders where is_late and not is_lapsed"
    )
    window = visit()
    said = window.page.get_by_text("whatever orders are chosen")
    for view, is_said in (("buyers", False), (f"buyers?vendor={vendor}", True)):
        window.open(view)
        assert window.figure("silent") == silent
        expect(said).to_have_count(2 * is_said)
        expect(window.page.get_by_role("region", name="All buyers")).to_have_count(1 - is_said)


@pytest.mark.parametrize("width", [390, 1440])
def test_no_name_and_no_amount_is_wider_than_its_place(
    built: Marts, tmp_path: Path, visit: Callable[..., Visit], width: int
) -> None:
    site = publish(
        built,
        tmp_path,
        f"update wholesale_marts.dim_names set display_name = '{'x' * 300}'",
        "update wholesale_bi.rpt_reorders set is_late = true, is_lapsed = false",
        "update wholesale_marts.fct_orders set sub_total = 987654321160609 where is_sale",
    )
    window = visit(site.published)
    window.page.set_viewport_size({"width": width, "height": 900})
    for page in (
        "today",
        "sales?period=all_time",
        "buyers?period=all_time",
        "vendors?period=all_time",
    ):
        window.open(page)
        assert window.page.evaluate("document.documentElement.scrollWidth") <= width, page


def test_a_payment_that_is_not_told_is_no_step_that_was_reached(
    visit: Callable[..., Visit], built: Marts, tmp_path: Path
) -> None:
    site = publish(
        built,
        tmp_path,
        *(
            f"update {table} set payment_status = null, payment_standing = 'unknown'"
            for table in ("wholesale_marts.fct_orders", "wholesale_bi.rpt_orders")
        ),
    )
    [(number,)] = site.answer(
        "select order_number from wholesale_marts.fct_orders"
        " where is_sale and order_number is not null order by ordered_at desc, order_id limit 1"
    )
    window = visit(site.published)
    window.open(f"order/{number}")
    last = window.page.locator(".steps-line li").last
    expect(last).to_have_class(re.compile(r"\bopen\b"))
    expect(last).to_contain_text("not known")


@pytest.mark.parametrize("quiet_days", [0, 10])
def test_where_orders_stopped_the_day_is_told_on_which_periods_end(
    visit: Callable[..., Visit], built: Marts, tmp_path: Path, quiet_days: int
) -> None:
    site = publish(
        built,
        tmp_path,
        "update wholesale_bi.rpt_headlines set quiet_day_count = 400,"
        f" last_ordered_date = figures_up_to - {quiet_days}",
    )
    [(up_to,)] = site.answer("select figures_up_to from wholesale_bi.rpt_headlines")
    day = date.fromisoformat(up_to)
    window = visit(site.published, locale="en-US")
    window.open("sales")
    notice = window.page.locator(".notice", has_text="Orders stopped")
    expect(notice).to_contain_text(f"{day:%b} {day.day}, {day.year}")
    expect(window.page.locator(".controls")).to_contain_text(f"{day:%b} {day.day}, {day.year}")


def test_what_tells_rows_of_a_report_apart_is_shown_without_its_keys(
    visit: Callable[..., Visit], publication: Publication
) -> None:
    window = visit()
    reports = publication.rows(
        "select table_name from duckdb_columns() where schema_name = 'wholesale_bi'"
        " and column_name = 'period_key' order by 1"
    )
    assert len(reports) > 1
    for (report,) in reports:
        window.open(f"reports/{report}")
        headings = window.page.get_by_role("columnheader").all_inner_texts()
        assert "Period key" in headings
        assert not [each for each in headings if each.lower().endswith(" id")]


def test_the_newest_orders_are_found_from_the_first_page_and_from_that_of_orders(
    visit: Callable[..., Visit], built: Marts, tmp_path: Path
) -> None:
    site = publish(
        built, tmp_path, "update wholesale_bi.rpt_headlines set figures_up_to = figures_up_to - 9"
    )
    [(number,)] = site.answer(
        "select order_number from wholesale_marts.fct_orders"
        " order by ordered_at desc nulls last, order_number desc limit 1"
    )
    window = visit(site.published)
    newest = window.page.locator("main tbody tr").first.locator(".number")
    for page, link in (("today", "All orders"), ("orders", "all time")):
        window.open(page)
        window.page.locator("main").get_by_role("link", name=link).click()
        window.settle()
        expect(newest).to_have_text(str(number))
