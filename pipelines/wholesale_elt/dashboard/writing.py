"""Writing: writes the files of the site, its data, and the entry page."""

import shutil
from collections.abc import Callable, Iterator, Mapping, Set
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

import duckdb
import msgspec

from wholesale.errors import WholesaleError
from wholesale_elt.dashboard.columnar import Json
from wholesale_elt.dashboard.definitions import read_definitions
from wholesale_elt.dashboard.entry import (
    days_text,
    end_of_figures,
    headlines,
    navigation,
    notice,
    render,
    time_text,
)
from wholesale_elt.dashboard.filters import ALL, FILTERS, MONTH, PERIOD
from wholesale_elt.dashboard.folders import FOLDERS, DataFolder
from wholesale_elt.dashboard.orders import COLUMNS, count_orders_by_month, has_lines
from wholesale_elt.dashboard.page import DashboardPage
from wholesale_elt.dashboard.pages import PAGES
from wholesale_elt.dashboard.reports import read_page_data
from wholesale_elt.dashboard.sales import Sales
from wholesale_elt.dashboard.scripts import write_script
from wholesale_elt.process import budget, replace

SITE = Path(__file__).parent / "site"
PAGE = "index.html"
LATEST = "latest"
ENTRIES: Mapping[str, str] = {
    "dashboard/latest.js": f"{LATEST}.js",
    "dashboard/index.html": "entry.html",
    "index.html": "top.html",
}
"""Files of a published folder with one path in all versions, and their names in the version that
they are copied from. By `latest.js` an open page learns which version is in force."""
OF_THE_PUBLICATION = (
    *("version", "published_at", "as_of", "built_at", "verdict", "reasons"),
    *("currency", "time_zone"),
)
AT_ONCE = 2
"""Folders of data that are written at the same time, each by one thread: most queries are so small
that DuckDB's own threads would cost more than they save."""
Take = Callable[[Set[str], str], bool]
"""Puts the data file of a name, or all files of the folder of that name, into the site, if the
version in force has them of the same reports and marts."""
OF_ROWS = {"rows"}
"""Fields of a tile that the page does not need."""


def write_dashboard(
    database: Path, folder: Path, manifest: Mapping[str, Any], take: Take = lambda *data: False
) -> None:
    """Write the whole site of the published DuckDB file into `folder`.

    `manifest` is the content of `current.json`. Data that `take` has put there are not
    written. Memory is bounded by DuckDB's limit and one month of orders, whatever their
    number.
    Raises: WholesaleError if the file lacks a report, as an older release made it.
    """
    shutil.copytree(SITE, folder, ignore=shutil.ignore_patterns(PAGE), dirs_exist_ok=True)
    with _opened(database) as connection:
        sales = Sales(connection)
        _write_data(connection, sales, folder / "data", manifest, take)
        values = _values(sales, manifest)
    write_script(folder, LATEST, {name: manifest[name] for name in ("version", "published_at")})
    write_pages(folder, SITE / PAGE, values, manifest)


def write_pages(
    folder: Path, template: Path, values: Mapping[str, str], manifest: Mapping[str, Any]
) -> None:
    """Write the page of a site, and its entries, which differ in the path to the site's files."""
    text = template.read_text("utf-8")
    site = PurePosixPath(manifest["dashboard"]).parent
    bases = {PAGE: ""} | {
        name: f"{site.relative_to(PurePosixPath(place).parent)}/"
        for place, name in ENTRIES.items()
        if name.endswith(".html")
    }
    for name, base in bases.items():
        (folder / name).write_text(render(text, {**values, "base": base}), "utf-8")


def write_entries(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Put the entries of the version of this `manifest` in force, each atomically.

    `folder` is the published one; `manifest["dashboard"]` is the path of the version's page there.
    """
    site = (folder / manifest["dashboard"]).parent
    for place, name in ENTRIES.items():
        replace(folder / place, partial(shutil.copyfile, site / name))


@contextmanager
def _opened(database: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with budget.open_within(database) as connection:
        connection.execute("set threads = 1")
        try:
            yield connection
        except (duckdb.CatalogException, duckdb.BinderException) as error:
            first_line = str(error).partition("\n")[0]
            raise WholesaleError(
                f"the dashboard cannot be made from {database}: {first_line}; run `wholesale build`"
                " and publish again"
            ) from error


def _write_data(
    connection: duckdb.DuckDBPyConnection,
    sales: Sales,
    folder: Path,
    manifest: Mapping[str, Any],
    take: Take,
) -> None:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        written = [
            pool.submit(_write_folder, connection, folder, entry)
            for entry in FOLDERS
            if not take(entry.tables, entry.name)
        ]
    for future in written:
        future.result()
    for page in PAGES:
        tables = {listing.model for listing, _ in page.listings}
        if tables and not page.is_by_month and not take(tables, page.name):
            write_script(folder, page.name, read_page_data(connection, page))
    write_script(folder, "daily", sales.daily())
    write_script(folder, "definitions", read_definitions())
    order_counts = count_orders_by_month(connection)
    has_items = bool(order_counts) and has_lines(connection)
    meta = {name: manifest[name] for name in OF_THE_PUBLICATION} | {
        "filters": _filters(sales),
        "figures_up_to": sales.ends()["figures_up_to"],
        "periods": sales.periods(),
        "shards": sales.shards(),
        "orders": order_counts,
        "has_items": has_items,
        "order_columns": msgspec.to_builtins(COLUMNS),
        "pages": [_registered(page) for page in PAGES],
    }
    write_script(folder, "meta", meta)


def _write_folder(connection: duckdb.DuckDBPyConnection, folder: Path, entry: DataFolder) -> None:
    with connection.cursor() as own:
        for name, table in entry.read(own):
            write_script(folder, f"{entry.name}/{name}", table)


def _filters(sales: Sales) -> list[Json]:
    """The filters with their choices and defaults."""
    choices = sales.choices()
    defaults = {PERIOD: sales.headline()["period_key"], MONTH: choices[MONTH][0].value}
    return [
        {
            "name": entry.name,
            "label": entry.label,
            "column": entry.column,
            "otherwise": defaults.get(entry.name, ALL),
            "choices": msgspec.to_builtins(choices[entry.name]),
        }
        for entry in FILTERS.values()
    ]


def _registered(page: DashboardPage) -> Json:
    """The part of the registry that the page's scripts need: how tiles look, not their rows."""
    return {
        **{"name": page.name, "title": page.title, "question": page.question},
        "tiles": [
            {key: value for key, value in msgspec.to_builtins(tile).items() if key not in OF_ROWS}
            for tile in page.tiles
        ],
    }


def _values(sales: Sales, manifest: Mapping[str, Any]) -> dict[str, str]:
    row = sales.headline()
    ends = sales.ends()
    front, *_ = PAGES
    return {
        "verdict": manifest["verdict"],
        "reasons": "; ".join(manifest["reasons"]),
        "as_of": time_text(manifest["as_of"]),
        "end_of_figures": end_of_figures(ends["figures_up_to"], ends["last_ordered_date"]),
        "notice": notice(
            ends["last_ordered_date"], ends["quiet_day_count"], sales.mixed_currencies()
        ),
        "days": days_text(row) if ends["figures_up_to"] else "",
        "navigation": navigation(PAGES),
        "title": front.title,
        "period_label": row["period_label"],
        "headlines": headlines(front, row, manifest["currency"]),
    }
