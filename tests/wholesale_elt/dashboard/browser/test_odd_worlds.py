"""Whatever stands in the raw tables is built, published, and opens in a browser."""

import os
from collections import Counter
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
def test_an_odd_world_opens_and_tells_what_was_set_aside(
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
    window.open("health")
    rows = window.page.locator("[data-tile=set_aside] tbody tr")
    shown = Counter[tuple[str, str]]()
    for row in rows.all():
        table, name, count, *_ = row.locator("th, td").all_inner_texts()
        shown[table, name] += int(count.replace(",", ""))
    assert shown == world.set_aside
    window.open("overview?period=all_time")
    orders, sales = sales_of(marts)
    assert (window.figure("orders"), window.figure("sales")) == (orders, sales)


def test_open_amounts_of_which_nothing_is_known_are_told_as_unknown(
    loaded: Marts, tmp_path: Path, visit: Callable[..., Visit]
) -> None:
    marts, folder = loaded.copy(tmp_path), tmp_path / "published"
    marts.change("update wholesale_raw.orders set payment_status = null")
    marts.build()
    publish_marts(marts.warehouse, str(folder))
    ((count,),) = marts.rows("select count(*) from wholesale_bi.rpt_orders")

    window = visit(folder)
    window.open("chase")

    tile = window.page.locator("[data-tile=open]")
    assert f"{count:,}" in tile.locator(".doubt").inner_text()
    assert tile.locator(".figure").inner_text() == "\u2013"
    assert tile.locator(".change").count() == 0
    window.page.locator("[name=vendor]").select_option(index=1)
    assert tile.locator(".doubt").count() == 1
