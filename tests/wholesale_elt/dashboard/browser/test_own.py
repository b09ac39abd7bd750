"""Reports show the tables that users added, and Explore counts their metrics of orders."""

from collections.abc import Callable
from pathlib import Path

import pytest

from support.warehouses.added import SIZES, add
from support.warehouses.browsing import Visit
from support.warehouses.marts import Marts
from wholesale_elt.publish.publisher import publish_marts

pytestmark = pytest.mark.browser


def test_tables_of_users_are_reports_and_their_metrics_are_in_explore(
    marts: Marts, visit: Callable[..., Visit], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(tmp_path, monkeypatch)
    assert marts.build().left_out == ""
    publish_marts(marts.warehouse, "published")
    window = visit(tmp_path / "published")

    window.open("explore?metric=large_orders")

    assert "Large orders" in window.page.locator("main").inner_text()
    window.open("reports/size_sales")
    text = window.page.locator("main").inner_text()
    assert "What do large buyers buy?" in text
    assert {size for size, *_ in marts.rows(SIZES)} <= set(text.split())
    assert window.foreign_requests() == []
