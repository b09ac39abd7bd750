"""The page over all accounts in a real browser: from a disk and a server, for everybody."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from support.warehouses.browsing import Visit, served
from support.warehouses.fleets import Desk
from support.warehouses.publication import ODD_NAME

pytestmark = pytest.mark.browser

SIZES = ((1280, 900), (360, 740))


def test_it_is_read_from_disk_and_server_and_tells_its_age_and_what_is_newer(
    desk: Desk, browser: Browser
) -> None:
    desk.told["west"] = {"trouble": ODD_NAME}
    desk.publish()
    with served(desk.fleet) as url:
        for width, height in SIZES:
            for address in (url, desk.fleet.as_uri()):
                window = browser.new_page(viewport={"width": width, "height": height})
                visit = Visit(window, address)
                window.goto(f"{address}/index.html")
                expect(window.locator("[data-since]").first).to_contain_text("days")
                expect(window.locator("main img")).to_have_count(0)
                expect(window.get_by_text("Ölmühle").first).to_be_visible()
                assert not window.evaluate("document.documentElement.scrollWidth > innerWidth")
                found = Axe().run(window, options={"preload": False}).response["violations"]
                assert [
                    one["id"] for one in found if one["impact"] in ("serious", "critical")
                ] == []
                assert visit.complaints == []
                assert visit.foreign_requests() == []
        desk.build("west", 4)
        desk.publish()
        window.evaluate("wholesale.newer.check()")
        expect(window.locator("#newer")).to_contain_text("Newer figures were published")
        window.get_by_role("button", name="Show them").click()
        expect(window.locator("html")).to_have_attribute("data-version", desk.manifest.version)
