"""Whatever stands in the raw tables is built, published, and opens in a browser."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from support.records.odd_worlds import OddWorld, sales_of
from support.warehouses.browsing import Visit
from support.warehouses.marts import Marts
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
    loaded: Marts, tmp_path: Path, visit: Callable[..., Visit]
) -> None:
    marts, folder = loaded.copy(tmp_path), tmp_path / "published"
    [(key, number)] = marts.rows(
        "select id, order_number from wholesale_raw.orders where status <> 'cancelled'"
        " order by id limit 1"
    )
    marts.change(
        f"delete from wholesale_raw.orders where id <> '{key}'",
        f"delete from wholesale_raw.orders__order_line_items where order_id <> '{key}'",
        f"delete from wholesale_raw.orders__order_comments where order_id <> '{key}'",
    )
    marts.build()
    publish_marts(marts.warehouse, str(folder), is_even_if_incomplete=True)

    window = visit(folder)
    for view in (*(page.name for page in PAGES), f"order/{number}"):
        window.open(view)
        assert window.page.locator(".failure").count() == 0, view
    window.open("sales?period=all_time&compare=none")
    assert window.figure("orders") == 1
