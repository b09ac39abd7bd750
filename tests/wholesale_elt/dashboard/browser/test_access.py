"""The dashboard for everybody, in a real browser: no barrier, no hidden doubt, no data run."""

from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from support.warehouses.browsing import Visit
from support.warehouses.marts import Marts
from support.warehouses.publication import ODD_NAME, Publication
from support.warehouses.sites import publish, publish_nothing
from wholesale_elt.dashboard.pages import PAGES

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("size", "scheme"), [("desk", "light"), ("desk", "dark"), ("phone", "light"), ("phone", "dark")]
)
def test_nobody_is_shut_out(visit: Callable[..., Visit], size: str, scheme: str) -> None:
    window = visit(size=size, color_scheme=scheme, reduced_motion="reduce")
    faults = {}
    for page in PAGES:
        window.open(page.name)
        assert not window.page.evaluate("document.documentElement.scrollWidth > innerWidth")
        faults[page.name] = _faults(window)
    window.open()
    window.page.locator("[data-tile=orders] button.figure").click()
    window.found()
    faults["drill"] = _faults(window)
    assert faults == {name: [] for name in faults}


def _faults(window: Visit) -> list[tuple[str, str]]:
    # The page forbids the reading of style sheets that axe would begin with; it needs none of it.
    options = {"resultTypes": ["violations"], "preload": False}
    violations = Axe().run(window.page, options=options).response["violations"]
    return [
        (violation["id"], node["html"][:200])
        for violation in violations
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
    ]


def test_names_are_shown_as_they_are_and_never_run(
    visit: Callable[..., Visit], publication: Publication
) -> None:
    [(vendor,)] = publication.rows(
        "select distinct vendor_id from wholesale_bi.rpt_orders where vendor_name = ?", ODD_NAME
    )
    window = visit()
    for page in PAGES:
        window.open(f"{page.name}?vendor={vendor}&period=all_time")
        expect(window.page.locator("main img")).to_have_count(0)
    window.open("vendors?period=all_time")
    window.page.locator("tr", has_text="Ölmühle").locator(
        "[data-column=order_count] button"
    ).click()
    window.found()
    assert ODD_NAME in window.page.locator("#drill").evaluate("dialog => dialog.textContent")


def test_an_incomplete_publication_says_so_on_every_page(
    visit: Callable[..., Visit], publication: Publication, tmp_path: Path
) -> None:
    reason = "orders: total_count moved in four sweeps"
    publication.site(tmp_path, verdict="incomplete", reasons=[reason])
    window = visit(tmp_path)
    for page in PAGES:
        window.open(page.name)
        banner = window.page.get_by_role("region", name="Warning")
        expect(banner).to_be_visible()
        expect(banner).to_contain_text(reason)
        tiles = window.page.locator("[data-tile]").count()
        expect(window.page.locator("[data-tile] > footer", has_text="incomplete")).to_have_count(
            tiles
        )
    assert _faults(window) == []


def test_an_account_without_orders_has_a_dashboard_that_says_so(
    visit: Callable[..., Visit], built: Marts, tmp_path: Path
) -> None:
    publish_nothing(built, tmp_path)
    window = visit(tmp_path)
    for page in PAGES:
        window.open(page.name)
        expect(window.page.locator(".notice")).to_contain_text("This account has no orders")
        expect(window.page.locator(".failure")).to_have_count(0)
        assert window.page.locator("[data-tile]").count() == len(page.tiles)
    assert _faults(window) == []


def test_long_and_backward_texts_stay_in_their_cells(
    visit: Callable[..., Visit], built: Marts, tmp_path: Path
) -> None:
    publish(
        built,
        tmp_path,
        f"update wholesale_bi.rpt_orders set order_number = '{'9' * 5_000}',"
        " buyer_company_name = '\u202eexe.png' where is_open",
    )
    for size in ("desk", "phone"):
        window = visit(tmp_path, size=size)
        window.open("chase")
        tile = window.page.locator("[data-tile=open_orders]")
        assert tile.locator(".scroller").evaluate(
            "node => node.scrollWidth <= node.clientWidth + 1"
        )
        expect(tile.locator("tbody th").first).to_contain_text("99999999…")
        expect(tile.get_by_role("button", name="Copy 9999").first).to_be_visible()
        buyer = tile.locator("td[data-column=buyer_company_name] bdi").first
        expect(buyer).to_have_text("\u202eexe.png")
        assert tile.evaluate("node => node.getBoundingClientRect().height") < 1_800
