"""The pictures of the dashboard in its README, of the business that `wholesale demo` makes up.

They are taken anew where DASHBOARD_PICTURES is set.
"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from support.services.command import run_command
from support.warehouses.browsing import Visit

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        "DASHBOARD_PICTURES" not in os.environ, reason="DASHBOARD_PICTURES is not set"
    ),
]

PICTURES = Path(__file__).parents[1] / "pictures"
MOST_BYTES = 200_000
DESK, PHONE = (1280, 820), (390, 780)


def test_the_pictures_of_readme(visit: Callable[..., Visit], tmp_path: Path) -> None:
    done = run_command(["demo", "--no-open"], tmp_path, os.environ)
    assert done.returncode == 0, done.stderr
    for name, view, scheme, (width, height) in (
        ("today-light", "today", "light", DESK),
        ("today-dark", "today", "dark", DESK),
        ("today-phone", "today", "light", PHONE),
        ("sales", "sales", "light", DESK),
        ("changes", "changes", "light", DESK),
    ):
        window = visit(tmp_path / "published", color_scheme=scheme, reduced_motion="reduce")
        window.page.set_viewport_size({"width": width, "height": height})
        window.open(view)
        picture = window.page.screenshot(path=PICTURES / f"dashboard-{name}.png")
        assert len(picture) < MOST_BYTES
