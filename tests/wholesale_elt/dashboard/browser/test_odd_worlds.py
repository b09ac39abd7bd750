"""Whatever stands in the raw tables is built, published, and opens in a browser."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from support.records.odd_worlds import OddWorld, sales_of
from support.warehouses.browsing import Visit
from support.warehouses.marts import Marts
from support.warehouses.publication import Publication
from wholesale_elt.dashboard.pages import PAGES
from wholesale_elt.publish.publisher import publish_marts

pytestmark = pytest.mark.browser

SEEDS = range(int(os.environ.get("ODD_WORLDS", "3")))
"""A build takes its time: a hundred are lived through by `poe worlds`."""


@pytest.mark.parametrize("seed", SEEDS)
def test_an_odd_world_opens_and_counts_what_is_believed(
    seed: int, loaded: Marts, tmp_path: Path, visit: Callable[..., Visit]
) -> None:
    marts, world = loaded.copy(tmp_path), OddWorld(seed)
    folder = tmp_path / "published"
    world.befall(marts)

    marts.build()
    publish_marts(marts.warehouse, str(folder), is_even_if_incomplete=True)

    window = visit(folder)
    for page in PAGES:
        window.open(page.name)
        assert window.page.locator(".failure").count() == 0, page.name
    window.open("sales?period=all_time&compare=none")
    orders, sales = sales_of(marts)
    assert (window.figure("orders"), window.figure("sales")) == (orders, sales)


def test_an_account_with_one_order_opens(
    visit: Callable[..., Visit], one_order: Publication
) -> None:
    [(number,)] = one_order.rows("select order_number from wholesale_bi.rpt_orders")
    window = visit(one_order.folder)
    for view in (*(page.name for page in PAGES), f"order/{number}"):
        window.open(view)
        assert window.page.locator(".failure").count() == 0, view
    window.open("sales?period=all_time&compare=none")
    assert window.figure("orders") == 1
