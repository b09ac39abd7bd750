"""Finding one's way in the dashboard, in a real browser: pages, menus, addresses, keyboard."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from support.warehouses.browsing import Visit
from support.warehouses.publication import Publication
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
        expect(window.page.locator(".rail [aria-current]")).to_have_text(page.title)
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
    assert data == {"meta", "news", "tasks", "facts/index", "facts/orders"}
    assert sum(path.stat().st_size for path in scripts) < MOST_BYTES


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


def test_a_bar_leads_to_its_days_and_brackets_to_the_period_before(
    visit: Callable[..., Visit],
) -> None:
    window = visit()
    window.open("sales")
    window.page.locator(".chart .mark").nth(3).focus()
    window.page.keyboard.press("Enter")
    window.settle()
    chosen = window.page.url
    assert "period=20" in chosen
    window.page.keyboard.press("[")
    expect(window.page).not_to_have_url(chosen)
    window.page.keyboard.press("]")
    expect(window.page).to_have_url(chosen)


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


def test_what_was_chosen_of_the_colours_stays(visit: Callable[..., Visit]) -> None:
    window = visit(color_scheme="light")
    window.open("sales")
    window.page.get_by_role("button", name="Light or dark").click()
    expect(window.page.locator("html")).to_have_attribute("data-theme", "dark")
    window.page.reload()
    expect(window.page.locator("html")).to_have_attribute("data-theme", "dark")
