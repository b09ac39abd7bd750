"""The pictures of the dashboard in its README, of the business that `wholesale demo` makes up.

They are taken anew where DASHBOARD_PICTURES is set.
"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from support.warehouses.browsing import Visit
from support.warehouses.marts import Marts
from support.warehouses.publication import Publication
from wholesale.api.resources import RESOURCE
from wholesale.settings import ApiSettings
from wholesale_elt.cli.demo import CURRENCY
from wholesale_elt.load.sync import sync_resources
from wholesale_elt.publish.publisher import publish_marts
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        "DASHBOARD_PICTURES" not in os.environ, reason="DASHBOARD_PICTURES is not set"
    ),
]

PICTURES = Path(__file__).parents[1] / "pictures"
MOST_BYTES = 160_000
MOMENT = "2026-07-01T05:00:00Z"


def test_the_pictures_of_readme(
    visit: Callable[..., Visit], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BUILD__CURRENCY", CURRENCY)
    marts = Marts(tmp_path / "demo.duckdb")
    with Sandbox(SandboxSettings(orders=10_000)) as running:
        settings = ApiSettings.of(base_url=running.base_url, api_key="sandbox")
        sync_resources(settings, marts.warehouse, tuple(RESOURCE))
    marts.change(
        f"update wholesale_raw.sync_runs set started_at = '{MOMENT}', ended_at = '{MOMENT}'"
    )
    marts.build()
    publish_marts(marts.warehouse, str(tmp_path / "published"))
    site = tmp_path / "site"
    Publication(tmp_path / "published").site(
        site,
        version="demo",
        published_at=MOMENT,
        as_of=MOMENT,
        dashboard="dashboard/demo/index.html",
    )
    for name, view, scheme, (width, height) in (
        ("overview", "overview", "light", (1120, 960)),
        ("overview-phone", "overview", "dark", (360, 740)),
        ("chase", "chase", "light", (1120, 840)),
        ("chase-phone", "chase", "light", (360, 740)),
        ("buyers", "buyers", "dark", (1120, 620)),
        ("months", "months", "light", (1120, 840)),
    ):
        window = visit(site, color_scheme=scheme, reduced_motion="reduce")
        window.page.set_viewport_size({"width": width, "height": height})
        window.open(view)
        if window.page.locator(".chart").count():
            expect(window.page.locator(".chart svg").first).to_be_visible()
        picture = window.page.screenshot(path=PICTURES / f"dashboard-{name}.png")
        assert len(picture) < MOST_BYTES
