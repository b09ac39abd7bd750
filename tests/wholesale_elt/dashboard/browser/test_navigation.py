"""Finding one's way in the dashboard, in a real browser: pages, filters, tables, keyboard."""

import re
import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import expect

from support.warehouses.browsing import Visit
from support.warehouses.publication import Publication
from wholesale_elt.dashboard.page import DashboardPage
from wholesale_elt.dashboard.pages import PAGES

pytestmark = pytest.mark.browser


def test_a_page_left_open_says_that_there_are_newer_figures_and_takes_them(
    visit: Callable[..., Visit], publication: Publication, tmp_path: Path
) -> None:
    copy = tmp_path / "published"
    shutil.copytree(publication.folder, copy)
    pages = (publication.dashboard, "index.html", "dashboard/index.html")
    for newer, place in zip(("2997", "2998", "2999"), pages, strict=True):
        window = visit(copy)
        window.page.goto(f"{window.address}/{place}")
        window.settle()
        notice = window.page.locator("#newer")
        window.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(notice).to_be_hidden()

        publication.site(
            copy,
            version=newer,
            dashboard=f"dashboard/{newer}/index.html",
            published_at="2999-01-02T03:04:05.678Z",
        )
        window.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(notice).to_have_text("Newer figures were published 2999-01-02 03:04 UTC. Show them")
        notice.get_by_role("button").click()
        expect(window.page.locator("#colophon")).to_contain_text(f"Version {newer},")
        expect(notice).to_be_hidden()


def test_a_page_whose_version_is_gone_says_that_there_are_newer_figures(
    visit: Callable[..., Visit], publication: Publication, tmp_path: Path
) -> None:
    copy = tmp_path / "published"
    shutil.copytree(publication.folder, copy)
    window = visit(copy)
    window.open()
    publication.site(copy, version="2999", dashboard="dashboard/2999/index.html")
    shutil.rmtree((copy / publication.dashboard).parent)

    window.page.get_by_role("link", name="Buyers", exact=True).click()
    expect(window.page.locator(".failure")).to_have_text(
        "These figures are no longer there, because newer ones are."
    )
    window.page.get_by_role("button", name="Show them").click()
    expect(window.page.locator("#colophon")).to_contain_text("Version 2999,")
    expect(window.page.locator("h1")).to_have_text("Buyers")
    assert all("ERR_FILE_NOT_FOUND" in text for text in window.complaints)
    window.complaints.clear()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_each_page_opens_with_all_its_tiles(
    visit: Callable[..., Visit], address: str, page: DashboardPage
) -> None:
    window = visit(address)
    window.open(page.name)
    expect(window.page.locator("h1")).to_have_text(page.title)
    expect(window.page).to_have_title(f"{page.title} · Wholesale")
    expect(window.page.locator("#pages [aria-current]")).to_have_text(page.title)
    shown = window.page.locator("[data-tile]").evaluate_all(
        "tiles => tiles.map(tile => tile.dataset.tile)"
    )
    assert set(shown) == {tile.name for tile in page.tiles}
    expect(window.page.locator(".top")).to_contain_text("complete as of 20")
    expect(window.page.locator(".top")).to_contain_text("Figures up to 20")
    expect(window.page.locator("[data-tile] > footer", has_text="complete")).to_have_count(0)
    if page.tiles:
        days = re.compile(r"20\d\d-\d\d-\d\d")
        expect(window.page.locator(".days")).to_contain_text(days)
    expect(window.page.locator(".failure")).to_have_count(0)
    expect(window.page.locator("#banner")).to_be_hidden()


def test_the_figures_stand_there_before_any_script(visit: Callable[..., Visit]) -> None:
    plain = visit(java_script_enabled=False)
    plain.page.goto(f"{plain.address}/index.html")
    without = plain.page.locator(".headline .figure").all_inner_texts()
    window = visit()
    window.open()
    assert window.page.locator(".headline .figure").all_inner_texts() == without
    assert window.page.locator(".headline h2").all_inner_texts() == (
        plain.page.locator(".headline h2").all_inner_texts()
    )


def test_the_overview_reads_no_more_than_it_shows(visit: Callable[..., Visit]) -> None:
    window = visit()
    window.open()
    expect(window.page.locator("[data-tile=trend] .chart svg")).to_be_visible()
    data = [url.partition("/data/")[2] for url in window.requests if "/data/" in url]
    assert sorted(data) == [
        *("daily.js", "meta.js"),
        *("period/last_12_months.js", "products/last_12_months.js", "trend/all.js"),
    ]
    assert window.requests[-1].endswith("/vendor/echarts.common.min.js")


def test_filters_change_the_figures_and_the_address(
    visit: Callable[..., Visit], publication: Publication, address: str
) -> None:
    vendor, state = publication.busiest()
    window = visit(address)
    page = window.page
    window.open()
    first = page.locator("[data-tile=sales] .figure").inner_text()

    page.get_by_label("Vendor", exact=True).select_option(vendor)
    page.get_by_label("State", exact=True).select_option(state)
    page.get_by_label("Period", exact=True).select_option("all_time")
    page.wait_for_function(f"location.hash.includes('{state}')")
    expect(page.locator(".scope")).to_contain_text("All time · ")
    expect(page.locator("#news")).to_contain_text(state)
    assert window.figure("orders") == publication.orders("all_time", vendor, state)[0]

    page.get_by_role("link", name="Vendors", exact=True).click()
    expect(page.locator("h1")).to_have_text("Vendors")
    expect(page.locator("[data-tile=vendors] .ignored")).to_have_text("Not narrowed by vendor")
    expect(page.locator("[data-tile=vendors] tr.selected")).to_have_count(1)
    page.go_back()
    expect(page.locator("h1")).to_have_text("Overview")

    shared = visit(address)
    shared.page.goto(page.url)
    shared.settle()
    assert shared.figure("sales") == window.figure("sales")

    page.get_by_role("button", name="Reset").click()
    expect(page.locator("[data-tile=sales] .figure")).to_have_text(first)
    assert page.evaluate("location.hash") == "#/overview"


def test_days_of_ones_own_choice_are_counted_from_their_orders_and_kept_in_the_address(
    visit: Callable[..., Visit], publication: Publication, address: str
) -> None:
    vendor, _ = publication.busiest()
    ((last,),) = publication.rows("select max(last_day) from wholesale_bi.rpt_periods")
    first = last - timedelta(days=99)
    window = visit(address)
    page = window.page
    window.open()
    page.get_by_label("To", exact=True).fill(str(first))
    page.wait_for_function(f"location.hash.includes('{first}')")
    page.get_by_label("From", exact=True).fill(str(last))
    page.wait_for_function(f"location.hash.includes('{first}..{last}')")
    window.settle()

    expect(page.get_by_label("Period", exact=True)).to_have_value("chosen")
    expect(page.get_by_label("From", exact=True)).to_have_value(str(first))
    expect(page.get_by_label("To", exact=True)).to_have_value(str(last))
    expect(page.locator(".scope")).to_contain_text(f"{first} to {last} · All vendors")
    expect(page.locator(".days")).to_contain_text(f"{first} to {last}, compared with 20")
    page.get_by_label("Vendor", exact=True).select_option(vendor)
    page.wait_for_function(f"location.hash.includes('{vendor}')")
    window.settle()
    sold = (
        "select count(*), sum(sub_total), count(distinct buyer_id) from wholesale_bi.rpt_orders"
        f" where vendor_id = ? and ordered_date between '{first}' and '{last}'"
    )
    [expected] = publication.rows(sold, vendor)
    for name, figure in zip(("orders", "sales", "buyers"), expected, strict=True):
        assert window.figure(name) == figure

    page.locator("[data-tile=sales] button.figure").click()
    expect(page.locator("[data-check=sales_amount]")).to_have_attribute("data-agrees", "true")
    page.get_by_role("button", name="Close").click()
    shared = visit(address)
    shared.page.goto(page.url)
    shared.settle()
    assert shared.figure("sales") == expected[1]
    page.get_by_label("Period", exact=True).select_option("all_time")
    expect(page.locator(".scope")).to_contain_text("All time")
    expect(page.get_by_label("To", exact=True)).to_have_value(str(last))


def test_chosen_days_that_are_a_month_come_to_what_the_month_comes_to(
    visit: Callable[..., Visit],
) -> None:
    window = visit()
    told = []
    for period in ("2026-03", "2026-03-01..2026-03-31"):
        window.open(f"overview?period={period}")
        parts = (".headline .figure", ".headline .change", "[data-tile=moved] tbody tr")
        told.append([window.page.locator(part).all_inner_texts() for part in parts])
        assert all(told[-1])
    assert told[0] == told[1]


CLOSE_AND_GO_ON = """async () => {
    const dialog = document.getElementById("drill");
    const closed = new Promise((resolve) => dialog.addEventListener("close", resolve));
    dialog.close();
    document.getElementById("filter-period").focus();
    await closed;
    return document.activeElement.id;
}"""


def test_who_goes_on_at_once_when_the_orders_close_keeps_the_focus(
    visit: Callable[..., Visit],
) -> None:
    window = visit()
    window.open()
    window.page.locator("[data-tile=sales] button.figure").click()
    expect(window.page.locator("#drill")).to_be_visible()

    assert window.page.evaluate(CLOSE_AND_GO_ON) == "filter-period"


def test_everything_can_be_reached_with_the_keyboard(
    visit: Callable[..., Visit], publication: Publication
) -> None:
    window = visit()
    page = window.page
    window.open()
    press = page.keyboard.press

    press("Tab")
    expect(page.get_by_text("Skip to the numbers")).to_be_focused()
    press("Enter")
    expect(page.locator("#main")).to_be_focused()
    assert window.figure("orders") == publication.orders("last_12_months", "all", "all")[0]
    press("Tab")
    press("Tab")
    expect(page.locator("[data-tile=sales] button.figure")).to_be_focused()
    press("Enter")
    expect(page.locator("#drill")).to_be_visible()
    assert page.evaluate("document.getElementById('drill').contains(document.activeElement)")
    press("Escape")
    expect(page.locator("#drill")).to_be_hidden()
    expect(page.locator("[data-tile=sales] button.figure")).to_be_focused()

    page.get_by_label("Period", exact=True).focus()
    press("ArrowDown")
    expect(page.locator(".scope")).not_to_contain_text("Last 12 months")
    expect(page.get_by_label("Period", exact=True)).to_be_focused()

    page.locator("[data-tile=top_vendors] tbody th button").first.focus()
    press("Enter")
    expect(page.locator("tr.selected th button")).to_be_focused()

    page.get_by_role("link", name="Buyers", exact=True).focus()
    press("Enter")
    expect(page.locator("h1")).to_have_text("Buyers")
    expect(page.locator("#main")).to_be_focused()


def test_a_table_is_sorted_searched_and_turned(
    visit: Callable[..., Visit], publication: Publication
) -> None:
    window = visit()
    tile = window.page.locator("[data-tile=best_sellers]")
    window.open("catalogue")
    sold = [
        title
        for (title,) in publication.rows(
            "select item_title from wholesale_bi.rpt_catalogue where order_count > 0"
            " order by sales_amount desc, product_id"
        )
    ]
    titles = tile.locator("tbody th")
    assert titles.all_inner_texts()[0] == sold[0]
    expect(tile.locator("[aria-sort=descending]")).to_have_text("Sales")
    tile.get_by_role("button", name="Sales").click()
    expect(tile.locator("[aria-sort=ascending]")).to_have_text("Sales")
    tile.get_by_role("button", name="Sales").click()
    tile.get_by_role("button", name="Next").click()
    expect(tile.locator(".position")).to_contain_text("13\N{EN DASH}24 of")
    tile.get_by_role("searchbox").fill(sold[0].upper())
    expect(tile.locator(".position")).to_contain_text(f"of {sold.count(sold[0])}")


def test_the_theme_is_the_readers_choice_and_kept(
    visit: Callable[..., Visit], address: str
) -> None:
    window = visit(address, color_scheme="light")
    page = window.page
    window.open()
    expect(page.locator("[data-tile=trend] .chart svg")).to_be_visible()
    background = "getComputedStyle(document.body).backgroundColor"
    stroke = (
        "document.querySelector('.chart svg path[stroke-width=\"2.5\"]').getAttribute('stroke')"
    )
    light, light_line = page.evaluate(background), page.evaluate(stroke)
    page.get_by_role("button", name="Dark colours").click()
    dark = page.evaluate(background)
    assert dark != light
    page.wait_for_function(f"{stroke} !== '{light_line}'")
    page.reload()
    window.settle()
    assert page.evaluate(background) == dark
    page.get_by_role("button", name="Light colours").click()
    assert page.evaluate(background) == light


def test_a_tile_leads_to_the_definition_of_its_figures(visit: Callable[..., Visit]) -> None:
    window = visit()
    window.open("buyers?state=US-CA")
    window.page.get_by_role("link", name="Definitions of Buyers to call").click()
    expect(window.page.locator("h1")).to_have_text("Definitions")
    title = window.page.locator("#definition-at_risk")
    expect(title).to_be_focused()
    expect(title).to_be_in_viewport()
    expect(window.page.locator("[data-definition=at_risk] dt").first).to_have_text("Buyer")


def test_on_a_phone_the_page_that_is_shown_is_seen_among_the_pages(
    visit: Callable[..., Visit],
) -> None:
    window = visit(size="phone")
    for page in (PAGES[-1], PAGES[0]):
        window.open(page.name)
        expect(window.page.locator("#pages [aria-current]")).to_be_in_viewport(ratio=0.9)
