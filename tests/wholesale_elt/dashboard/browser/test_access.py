"""The dashboard for everybody, in a real browser: no barrier, no hidden doubt, no data run."""

from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from support.browsing import Visit
from support.publication import ODD_NAME, Publication
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
        "select distinct vendor_id from bi.rpt_orders where vendor_name = ?", ODD_NAME
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
        for tile in window.page.locator("[data-tile] > footer").all():
            expect(tile).to_contain_text("incomplete as of 20")
    assert _faults(window) == []
