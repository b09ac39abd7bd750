"""Back, Forward and a reload find a page as it was left, in a real browser."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from support.warehouses.browsing import Visit
from support.warehouses.marts import Marts
from support.warehouses.sites import publish

pytestmark = pytest.mark.browser
ROWS = "main .table:last-of-type tbody tr"
SORTED = "main th:is([aria-sort=ascending], [aria-sort=descending])"
SCROLLED = "window.scrollY"
SLOWLY = """
    (wholesale.objects.all = ((read) => (...kind) => new Promise((done) =>
        setTimeout(() => done(read(...kind)), 1500)))(wholesale.objects.all), 1)
"""
"""Lists of objects come late."""
IS_SCROLLED = "top => Math.abs(window.scrollY - top) < 2"


@pytest.fixture(scope="module")
def many(built: Marts, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A business with more buyers than a list shows at first."""
    folder = tmp_path_factory.mktemp("many")
    more = "range(30) as numbers(n)"
    publish(
        built,
        folder,
        "insert into wholesale_marts.dim_buyers by name select one.* replace (buyer_id || '-' || n"
        " as buyer_id, company_name || ' ' || n as company_name) from wholesale_marts.dim_buyers as"
        f" one, {more}",
        "insert into wholesale_bi.rpt_reorders by name select one.* replace (buyer_id || '-' || n"
        f" as buyer_id) from wholesale_bi.rpt_reorders as one, {more}",
    )
    return folder


def scrolled(page: Page, share: float = 0.6) -> float:
    """Somewhere down the page."""
    page.evaluate(
        "share => scrollTo(0, (document.documentElement.scrollHeight - innerHeight) * share)", share
    )
    page.wait_for_timeout(100)
    top = float(page.evaluate(SCROLLED))
    assert top > 100
    return top


def test_back_forward_and_a_reload_find_a_list_as_it_was_left(
    visit: Callable[..., Visit], many: Path
) -> None:
    window = visit(many)
    page = window.page
    window.open("buyers?show=all")
    page.get_by_role("button", name="Place", exact=True).click()
    window.settle()
    page.get_by_role("button", name=re.compile("Show more")).click()
    window.settle()
    page.get_by_label("Buyers by name or place").fill("a")
    expect(page).to_have_url(re.compile(r"buyers\.find=a"))
    window.settle()
    rows = page.locator("main [data-by=buyer] tbody tr")
    count = rows.count()
    assert count > 25
    link = rows.locator("th a").nth(count - 3)
    href = link.get_attribute("href")
    link.focus()
    page.wait_for_timeout(100)
    top = page.evaluate(SCROLLED)
    assert top > 100
    page.keyboard.press("Enter")
    window.settle()
    expect(page).to_have_url(re.compile("#/buyer/"))
    page.wait_for_function(IS_SCROLLED, arg=0)

    def is_as_it_was() -> None:
        window.settle()
        expect(rows).to_have_count(count)
        expect(page.locator(SORTED).first).to_have_text("Place")
        expect(page.get_by_label("Buyers by name or place")).to_have_value("a")
        page.wait_for_function(IS_SCROLLED, arg=top)

    page.go_back()
    is_as_it_was()
    assert page.evaluate("document.activeElement.getAttribute('href')") == href
    page.go_forward()
    window.settle()
    page.wait_for_function(IS_SCROLLED, arg=0)
    page.go_back()
    is_as_it_was()
    page.reload()
    is_as_it_was()
    page.go_back()
    window.settle()
    expect(rows).to_have_count(25)
    expect(page.locator(SORTED).first).to_have_text("Place")


def test_a_place_is_found_again_while_its_list_is_still_read(
    visit: Callable[..., Visit], many: Path
) -> None:
    window = visit(many)
    page = window.page
    window.open("buyers?show=all&buyers.rows=125")
    top = scrolled(page, 0.9)
    window.go("glossary")
    page.evaluate(SLOWLY)
    page.go_back()
    page.wait_for_function(IS_SCROLLED, arg=top)
    window.settle()
    page.wait_for_function(IS_SCROLLED, arg=top)


def test_what_a_reader_does_meanwhile_counts_more_than_the_place(
    visit: Callable[..., Visit], many: Path
) -> None:
    window = visit(many)
    page = window.page
    window.open("buyers?show=all&buyers.rows=125")
    scrolled(page, 0.9)
    window.go("glossary")
    page.evaluate(SLOWLY)
    page.go_back()
    page.wait_for_selector("main[data-page=buyers]")
    page.keyboard.press("Home")
    window.settle()
    page.wait_for_timeout(400)
    page.wait_for_function(IS_SCROLLED, arg=0)


def test_what_is_typed_makes_no_entries_and_what_is_pressed_does(
    visit: Callable[..., Visit],
) -> None:
    window = visit()
    page = window.page
    window.open("buyers")
    entries = page.evaluate("history.length")
    page.get_by_label("Buyers by name or place").press_sequentially("a")
    expect(page).to_have_url(re.compile(r"buyers\.find=a"))
    assert page.evaluate("history.length") == entries
    page.get_by_role("button", name="Place", exact=True).click()
    window.settle()
    assert page.evaluate("history.length") == entries + 1
    expect(page).to_have_url(re.compile(r"buyers\.sort=place"))
    page.go_back()
    window.settle()
    expect(page.locator(SORTED).first).not_to_have_text("Place")
    expect(page.get_by_label("Buyers by name or place")).to_have_value("a")


def test_what_is_unfolded_stays_so(visit: Callable[..., Visit]) -> None:
    window = visit()
    page = window.page
    window.open("health")
    page.locator("summary").first.click()
    expect(page.locator("details[open]")).to_have_count(1)
    window.go("sales")
    page.go_back()
    window.settle()
    expect(page.locator("details[open]")).to_have_count(1)
    page.locator("summary").first.click()
    expect(page.locator("details[open]")).to_have_count(0)
