"""Finding one's way in the dashboard, in a real browser: pages, menus, addresses, keyboard."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import Locator, Route, expect
from playwright.sync_api import Page as BrowserPage

from support.warehouses.browsing import Visit
from support.warehouses.marts import Marts
from support.warehouses.publication import Publication
from support.warehouses.sites import publish
from wholesale_elt.dashboard.pages import PAGES

pytestmark = pytest.mark.browser
MOST_BYTES = 400_000
"""Of scripts and styles."""


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
        expect(notice).to_be_visible()
        notice.get_by_role("button").click()
        window.settle()
        assert window.page.evaluate("wholesale.meta.version") == newer
        expect(notice).to_be_hidden()


def test_each_page_opens_under_its_name(visit: Callable[..., Visit], address_of_site: str) -> None:
    window = visit(address_of_site)
    for page in PAGES:
        window.open(page.name)
        expect(window.page).to_have_title(f"{page.title} · Wholesale")
        expect(window.page.locator(".rail [aria-current] span").first).to_have_text(page.title)
        expect(window.page.locator(".failure")).to_have_count(0)


def test_the_first_page_reads_little(visit: Callable[..., Visit], publication: Publication) -> None:
    window = visit()
    window.open()
    scripts, data = set(), set()
    for url in window.requests:
        path = urlsplit(url).path
        _, _, name = path.partition("/data/")
        if name:
            data.add(re.sub(r"-[\d-]+\.js$", "", name).removesuffix(".js"))
        elif url.startswith("file:"):
            scripts.add(Path(path))
    assert data == {
        "meta",
        "news",
        "tasks",
        "outlook",
        "facts/index",
        "facts/orders",
        "facts/members_of_orders",
    }
    assert sum(path.stat().st_size for path in scripts) < MOST_BYTES


def test_a_page_that_cannot_be_read_says_so_until_it_can(
    visit: Callable[..., Visit], publication: Publication, tmp_path: Path
) -> None:
    copy = tmp_path / "published"
    shutil.copytree(publication.folder, copy)
    script = copy / Path(publication.dashboard).parent / "pages/sales.js"
    away = script.rename(script.with_suffix(".away"))
    window = visit(copy)
    window.open()
    window.go("sales")
    expect(window.page.get_by_role("alert")).to_contain_text("pages/sales.js cannot be read")
    expect(window.page.locator(".rail [aria-current]")).to_have_text("Sales")
    away.rename(script)
    window.go("buyers")
    window.go("sales")
    expect(window.page.get_by_role("alert")).to_have_count(0)
    assert window.figure("sales")
    assert window.complaints
    window.complaints.clear()


@pytest.mark.parametrize("address_of_site", ["http"], indirect=True)
def test_the_last_of_several_pages_is_shown_however_long_one_before_took(
    visit: Callable[..., Visit], address_of_site: str
) -> None:
    window = visit(address_of_site)
    window.open()
    held: list[Route] = []
    window.page.route("**/pages/sales.js", lambda route: held.append(route))
    with window.page.expect_request("**/pages/sales.js"):
        window.page.evaluate("location.hash = '#/sales'")
    window.page.evaluate("location.hash = '#/vendors'")
    expect(window.page).to_have_title("Vendors \u00b7 Wholesale")
    held.pop().continue_()
    window.settle()
    expect(window.page).to_have_title("Vendors \u00b7 Wholesale")


def test_what_is_chosen_stands_in_the_address_and_back_takes_it_back(
    visit: Callable[..., Visit],
) -> None:
    window = visit()
    window.open("sales")
    before = window.figure("sales")
    window.page.get_by_role("button", name="Period").click()
    window.page.get_by_role("button", name="Last 28 days").click()
    expect(window.page).to_have_url(f"{window.address}/index.html#/sales?period=last_28_days")
    window.settle()
    assert window.figure("sales") != before
    window.page.go_back()
    window.settle()
    assert window.figure("sales") == before


def test_a_member_is_chosen_by_its_name_and_is_a_chip_until_it_is_taken_away(
    visit: Callable[..., Visit], publication: Publication
) -> None:
    [(vendor, name)] = publication.rows(
        "select vendor_id, min(vendor_name) from wholesale_bi.rpt_orders group by all"
        " order by count(*), vendor_id limit 1"
    )
    window = visit()
    window.open("sales?period=all_time&compare=none")
    page = window.page
    page.get_by_role("button", name="Add a filter").click()
    controls = page.get_by_role("group", name="Period and filters")
    controls.get_by_role("button", name="Vendor", exact=True).click()
    page.get_by_role("searchbox", name="Vendor").fill(name)
    controls.get_by_role("button", name=name).click()
    expect(page.locator(".chip")).to_contain_text(name)
    assert f"vendor={vendor}" in page.url
    window.settle()
    [(count,)] = publication.rows(
        "select count(*) from wholesale_bi.rpt_orders where vendor_id = ?", vendor
    )
    assert window.figure("orders") == count
    page.get_by_role("button", name="Without Vendor").click()
    expect(page.locator(".chip")).to_have_count(0)


def test_a_menu_closes_by_escape_and_gives_the_focus_back(visit: Callable[..., Visit]) -> None:
    window = visit()
    window.open("sales")
    button = window.page.get_by_role("button", name="Compared with")
    button.focus()
    window.page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-expanded", "true")
    window.page.keyboard.press("Escape")
    expect(button).to_have_attribute("aria-expanded", "false")
    expect(button).to_be_focused()


def test_arrows_move_in_a_menu_and_a_filter_begins_anew_when_it_is_opened_again(
    visit: Callable[..., Visit],
) -> None:
    window = visit()
    window.open("sales")
    page = window.page
    button = page.get_by_role("button", name="Add a filter")
    button.focus()
    page.keyboard.press("ArrowDown")
    entries = page.locator(".panel button")
    expect(entries.first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(entries.nth(1)).to_be_focused()
    page.keyboard.press("End")
    expect(entries.last).to_be_focused()
    page.keyboard.press("Home")
    first = entries.first.text_content()
    page.keyboard.press("Enter")
    expect(page.locator(".panel input")).to_be_focused()
    page.keyboard.press("Escape")
    expect(button).to_be_focused()
    button.click()
    assert entries.first.text_content() == first


def test_a_comparison_is_taken_up_again_after_none(visit: Callable[..., Visit]) -> None:
    window = visit()
    window.open("sales?compare=none&period=last_90_days")
    window.page.get_by_role("button", name="Compared with").click()
    window.page.get_by_role("button", name="the year before", exact=True).click()
    window.settle()
    expect(window.page.get_by_role("region", name="What moved").locator(".moved")).to_be_visible()
    expect(window.page.locator(".failure")).to_have_count(0)


def test_an_older_answer_is_dimmed_until_the_later_one_is_there(
    visit: Callable[..., Visit],
) -> None:
    window = visit()
    window.open("sales")
    window.page.evaluate(
        "(window.seen = [], new MutationObserver(() =>"
        " window.seen.push(document.querySelectorAll('.loaded.old[aria-busy=true]').length))"
        ".observe(document.getElementById('main'), {attributes: true, subtree: true}),"
        " location.hash = '#/sales?period=last_28_days')"
    )
    window.settle()
    expect(window.page.locator(".loaded.old")).to_have_count(0)
    assert max(window.page.evaluate("window.seen")) > 0


def drag(page: BrowserPage, from_: Locator, to: Locator) -> None:
    """From one mark of a chart to another, the button still held."""
    for mark in (from_, to):
        box = mark.bounding_box()
        assert box
        page.mouse.move(box["x"] + 9, box["y"] + 90, steps=5)
        page.mouse.down()


def test_bars_are_pressed_dragged_and_taken_back(visit: Callable[..., Visit]) -> None:
    window = visit()
    page = window.page
    marks = page.locator(".chart .mark")
    window.open("sales")
    whole = page.url
    marks.nth(3).click()
    window.settle()
    month = page.url
    assert re.search("period=20.*whole=last_12_months", month)
    page.locator(".chart .mark:has(.bar-now:not([height='0']))").nth(1).click()
    window.settle()
    expect(marks).to_have_count(1)
    marks.first.click()
    expect(page).to_have_url(whole)
    window.settle()

    drag(page, marks.nth(2), marks.nth(5))
    marks.nth(5).dispatch_event("pointercancel")
    page.mouse.up()
    expect(page).to_have_url(whole)
    drag(page, marks.nth(2), marks.nth(5))
    page.mouse.up()
    expect(page).not_to_have_url(whole)
    window.settle()
    page.get_by_role("button", name="Back to last 12 months").click()
    expect(page).to_have_url(whole)


def test_a_chart_is_read_and_pressed_by_keys(visit: Callable[..., Visit]) -> None:
    window = visit()
    page = window.page
    window.open("sales?period=last_90_days")
    marks = page.locator(".chart .mark")
    expect(page.locator(".chart .mark[tabindex='0']")).to_have_count(1)
    marks.nth(3).focus()
    expect(page.locator(".tip")).to_contain_text("Difference")
    page.keyboard.press("ArrowRight")
    expect(marks.nth(4)).to_be_focused()
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press(" ")
    window.settle()
    chosen = page.url
    assert ".." in chosen
    page.keyboard.press("[")
    expect(page).not_to_have_url(chosen)
    page.keyboard.press("]")
    expect(page).to_have_url(chosen)


def test_a_fall_or_a_gain_is_counted_alone_by_its_bar(visit: Callable[..., Visit]) -> None:
    window = visit()
    window.open("sales?by=vendor&period=last_90_days")
    window.page.locator(".moved a.moved-track").first.click()
    window.settle()
    expect(window.page.locator(".chip")).to_contain_text("Vendor")


def test_what_moved_is_told_by_each_dimension_while_the_answer_before_is_still_there(
    visit: Callable[..., Visit],
) -> None:
    window = visit()
    window.open("sales?period=last_90_days")
    for by in ("Vendor", "State", "Category", "Buyer"):
        window.page.get_by_role("group", name="By", exact=True).get_by_text(by, exact=True).click()
        window.settle()
        expect(window.page.locator("main .moved").first).to_be_visible()
        expect(window.page.locator(".failure")).to_have_count(0)


@pytest.mark.parametrize("period", ["all_time", "last_90_days"])
def test_any_figure_has_a_course_and_says_its_values(
    visit: Callable[..., Visit], period: str
) -> None:
    window = visit()
    window.open(f"explore?period={period}&grain=month")
    window.page.locator(".chart .mark").nth(1).focus()
    names = window.page.locator(".line-name text:first-child, .line-names a").count()
    assert names > 1
    expect(window.page.locator(".tip dt")).to_have_count(names)
    window.page.get_by_role("button", name="Weeks").click()
    expect(window.page).to_have_url(re.compile("grain=week"))


def test_keys_are_told_behind_a_question_mark(visit: Callable[..., Visit]) -> None:
    window = visit()
    window.open("sales")
    dialog = window.page.get_by_role("dialog", name="Keys")
    window.page.keyboard.press("?")
    expect(dialog).to_be_visible()
    window.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_links_keep_their_names_and_the_search_its_place_on_smaller_screens(
    visit: Callable[..., Visit],
) -> None:
    window = visit()
    page = window.page
    page.set_viewport_size({"width": 1_000, "height": 800})
    window.open("sales")
    expect(
        page.get_by_role("navigation", name="Pages").get_by_role("link", name="Vendors")
    ).to_have_count(1)
    page.keyboard.press("/")
    expect(page.get_by_role("combobox")).to_be_focused()
    page.set_viewport_size({"width": 390, "height": 800})
    window.open("sales")
    page.get_by_role("button", name="More pages").click()
    page.get_by_role("combobox").fill("vendors")
    page.locator(".found a", has_text="Vendors").first.click()
    expect(page).to_have_url(re.compile("#/vendors"))
    expect(page.locator(".panel")).to_have_count(0)


def test_a_search_finds_an_order_with_or_without_its_zeros(
    visit: Callable[..., Visit], publication: Publication
) -> None:
    [(number,)] = publication.rows(
        "select max(order_number) from wholesale_bi.rpt_orders where order_number like '0%'"
    )
    window = visit()
    for typed in (number, number.lstrip("0")):
        window.open("sales")
        window.page.keyboard.press("/")
        window.page.keyboard.type(typed)
        expect(window.page.locator(".found a").first).to_contain_text(number.lstrip("0"))
        window.page.keyboard.press("Enter")
        expect(window.page).to_have_url(f"{window.address}/index.html#/order/{number}")


def test_a_search_finds_a_figure_by_what_people_call_it(visit: Callable[..., Visit]) -> None:
    window = visit()
    window.open("sales")
    window.page.keyboard.press("/")
    window.page.keyboard.type("turnover")
    figures = window.page.get_by_role("group", name="Figures").get_by_role("option")
    expect(figures.first).to_contain_text("Sales")
    window.page.keyboard.press("Enter")
    expect(window.page).to_have_url(re.compile("#/explore\\?.*metric=(sales|net_sales)"))


WRONG = (
    *("nonsense", "Sales", "salse/x", "sales/x", "today/nope", "fulfilment/later", "glossary/word"),
    *("sales?period=2999-05", "sales?period=garbage", "sales?compare=never", "sales?metric=none"),
    *("sales?grain=hour", "sales?grain=day&period=all_time", "sales?vendor=nobody"),
    *("products?state=Nowhere", "orders?city=Nowhere", "buyers?vendr=a", "explore?by=colour"),
    *("explore?metric=salles", "products?show=some"),
)


def test_a_wrong_address_says_so_and_never_silently_shows_something_else(
    visit: Callable[..., Visit],
) -> None:
    window = visit()
    wrong = window.page.locator("main > .notice.wrong")
    told = {}
    for view in WRONG:
        window.open(view)
        told[view] = wrong.count()
    assert told == dict.fromkeys(WRONG, 1)
    window.open("sales?grain=weeks")
    wrong.locator("a").click()
    window.settle()
    expect(wrong).to_have_count(0)
    expect(window.page).to_have_url(re.compile("grain=week$"))


def test_a_search_for_a_purchase_order_shows_the_order_itself(
    visit: Callable[..., Visit], built: Marts, tmp_path: Path
) -> None:
    site = publish(
        built,
        tmp_path,
        "update wholesale_marts.fct_orders set po_number = 'PO-77 / 4711' where order_id ="
        " (select min(order_id) from wholesale_marts.fct_orders where order_number is not null)",
    )
    [(number,)] = site.answer(
        "select order_number from wholesale_marts.fct_orders where po_number = 'PO-77 / 4711'"
    )
    window = visit(tmp_path)
    for typed in ("po-77 / 4711", "774711", "4711"):
        window.open("sales")
        window.page.keyboard.press("/")
        window.page.keyboard.type(typed)
        found = window.page.locator(".found a", has_text="purchase order PO-77 / 4711")
        expect(found).to_contain_text(str(number).lstrip("0"))
        expect(found).to_have_attribute("href", re.compile(f"#/order/{number}"))


@pytest.mark.parametrize("address_of_site", ["file", "http"], indirect=True)
def test_a_copied_link_says_if_it_opens_on_this_computer_alone(
    visit: Callable[..., Visit], address_of_site: str
) -> None:
    window = visit(address_of_site)
    window.open("sales")
    window.page.get_by_role("button", name="Copy link").click()
    expect(window.page.get_by_role("button", name="Copied")).to_be_visible()
    is_of_disk = address_of_site.startswith("file:")
    expect(window.page.locator(".copied")).to_have_count(int(is_of_disk))


SHIFTS = """
    (window.shifted = 0, new PerformanceObserver((list) => {
        for (const each of list.getEntries())
            if (!each.hadRecentInput) window.shifted += each.value;
    }).observe({ type: "layout-shift", buffered: true }))
"""
MOST_SHIFTED = 0.1
"""What is good by the measure of browsers."""


@pytest.mark.parametrize("size", ["desk", "phone"])
def test_nothing_moves_while_the_first_page_is_drawn(
    visit: Callable[..., Visit], size: str
) -> None:
    window = visit(size=size)
    window.page.add_init_script(SHIFTS)
    window.open()
    window.page.wait_for_timeout(500)
    assert window.page.evaluate("window.shifted") < MOST_SHIFTED


def test_an_object_that_is_not_there_leads_to_the_nearest_of_that_name(
    visit: Callable[..., Visit], publication: Publication
) -> None:
    [(buyer, name)] = publication.rows(
        "select buyer_id, company_name from wholesale_marts.dim_buyers"
        " where length(company_name) > 8 order by buyer_id limit 1"
    )
    window = visit()
    window.open(f"buyer/{quote(name, safe='')}")
    window.page.locator(".empty .a", has_text=name).click()
    window.settle()
    expect(window.page).to_have_url(re.compile(f"#/buyer/{buyer}"))


def test_what_was_chosen_of_the_colours_stays(visit: Callable[..., Visit]) -> None:
    window = visit(color_scheme="light")
    window.open("sales")
    window.page.get_by_role("button", name="Light or dark").click()
    expect(window.page.locator("html")).to_have_attribute("data-theme", "dark")
    window.page.reload()
    expect(window.page.locator("html")).to_have_attribute("data-theme", "dark")
