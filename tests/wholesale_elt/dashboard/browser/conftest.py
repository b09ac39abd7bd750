"""A published dashboard, and windows of a real browser to look at it."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import duckdb
import pytest
from playwright.sync_api import Browser

from support.warehouses.browsing import SIZES, Visit, served
from support.warehouses.marts import Marts
from support.warehouses.publication import ODD_NAME, Publication
from wholesale_elt.publish.publisher import publish_marts


@pytest.fixture(scope="session")
def publication(loaded: Marts, tmp_path_factory: pytest.TempPathFactory) -> Publication:
    """A business with an odd name in it, as `publish` leaves it; or the folder PUBLISHED."""
    if "PUBLISHED" in os.environ:
        return Publication(Path(os.environ["PUBLISHED"]))
    marts = loaded.copy(tmp_path_factory.mktemp("dashboard"))
    with duckdb.connect(str(marts.database)) as connection:
        connection.execute("use wholesale_raw")
        connection.execute(
            "update vendors set name = ? where id ="
            " (select vendor_id from orders group by all order by count(*) desc limit 1)",
            [ODD_NAME],
        )
    marts.build()
    folder = marts.database.parent / "published"
    publish_marts(marts.warehouse, str(folder))
    return Publication(folder)


@pytest.fixture(scope="session")
def one_order(loaded: Marts, tmp_path_factory: pytest.TempPathFactory) -> Publication:
    """An account with one order, as `publish` leaves it."""
    marts = loaded.copy(tmp_path_factory.mktemp("one_order"))
    [(key,)] = marts.rows(
        "select id from wholesale_raw.orders where status <> 'cancelled' order by id limit 1"
    )
    marts.change(
        f"delete from wholesale_raw.orders where id <> '{key}'",
        f"delete from wholesale_raw.orders__order_line_items where order_id <> '{key}'",
        f"delete from wholesale_raw.orders__order_comments where order_id <> '{key}'",
    )
    marts.build()
    folder = marts.database.parent / "published"
    publish_marts(marts.warehouse, str(folder), is_even_if_incomplete=True)
    return Publication(folder)


@pytest.fixture(params=["file", "http"])
def address_of_site(request: pytest.FixtureRequest, publication: Publication) -> Iterator[str]:
    """Where the same site stands: in a folder, and on a web server."""
    if request.param == "file":
        yield publication.folder.as_uri()
    else:
        with served(publication.folder) as url:
            yield url


@pytest.fixture
def visit(browser: Browser, publication: Publication) -> Iterator[Callable[..., Visit]]:
    """Opens windows; whatever they complained of, or asked of others, fails the test."""
    with ExitStack() as windows:
        visits: list[Visit] = []

        def start(address: str | Path | None = None, size: str = "desk", **options: Any) -> Visit:
            place = address or publication.folder
            context = browser.new_context(viewport=SIZES[size], **options)
            windows.callback(context.close)
            url = place.as_uri() if isinstance(place, Path) else place
            visits.append(Visit(context.new_page(), url))
            return visits[-1]

        yield start
        for window in visits:
            assert window.complaints == []
            assert window.foreign_requests() == []
