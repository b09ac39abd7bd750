"""Writing: the files of the site, its data, and the page at the front."""

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
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
    headline_text,
    headlines,
    navigation,
    notice,
    render,
    time_text,
)
from wholesale_elt.dashboard.filters import ALL, FILTERS, MONTH, PERIOD
from wholesale_elt.dashboard.orders import (
    COLUMNS,
    LINES,
    count_orders_by_month,
    has_lines,
    items_by_month,
    orders_by_month,
)
from wholesale_elt.dashboard.page import Page
from wholesale_elt.dashboard.pages import PAGES
from wholesale_elt.dashboard.reports import read_months, read_report
from wholesale_elt.dashboard.sales import Sales
from wholesale_elt.dashboard.scripts import write_script
from wholesale_elt.process import budget, replace

SITE = Path(__file__).parent / "site"
PAGE = "index.html"
OF_A_FLEET = "fleet.*"
LATEST = "latest"
ENTRIES: Mapping[str, str] = {
    "dashboard/latest.js": f"{LATEST}.js",
    "dashboard/index.html": "entry.html",
    "index.html": "top.html",
}
"""Files of a published folder that have one path in all versions, and what they are called in the
version that they are copied from. `latest.js` tells a page that is open what is in force now."""
OF_THE_PUBLICATION = (
    *("version", "published_at", "as_of", "built_at", "verdict", "reasons"),
    *("currency", "time_zone"),
)
TakeData = Callable[[Set[str], str], bool]
"""Asked for the data files of a name, or in a folder of it, that are made of these tables alone:
whether they were put there, as the tables are those of a site that is there already."""
Read = Callable[[duckdb.DuckDBPyConnection], Iterator[tuple[str, Json]]]
"""Reads data files of a folder one after the other, each with its name."""
AT_ONCE = 2
"""Folders of data that are written at the same time, each by one thread: most questions are so
small that DuckDB's own threads would cost more than they save."""
OF_ROWS = {"rows"}
"""What a tile says of itself that its page need not know."""


def take_nothing(tables: Set[str], name: str) -> bool:
    """There is no such site."""
    return False


def write_dashboard(
    database: Path, folder: Path, manifest: Mapping[str, Any], take_data: TakeData = take_nothing
) -> None:
    """Write the whole site of the published DuckDB file into `folder`.

    `manifest` is what `current.json` says of this version. Of the file only the schema `bi` is
    read. What `take_data` puts into `folder` is not written. Memory is bounded by DuckDB's limit
    and one month of orders, whatever their number.
    Raises: WholesaleError when the file lacks a report, because an older release made it.
    """
    shutil.copytree(
        SITE, folder, ignore=shutil.ignore_patterns(PAGE, OF_A_FLEET), dirs_exist_ok=True
    )
    with _opened(database) as connection:
        sales = Sales(connection)
        _write_data(connection, sales, folder / "data", manifest, take_data)
        values = _values(sales, manifest)
    write_script(folder, LATEST, {name: manifest[name] for name in ("version", "published_at")})
    template = (SITE / PAGE).read_text("utf-8")
    site = PurePosixPath(manifest["dashboard"]).parent
    bases = {PAGE: ""} | {
        name: f"{site.relative_to(PurePosixPath(place).parent)}/"
        for place, name in ENTRIES.items()
        if name.endswith(".html")
    }
    for name, base in bases.items():
        (folder / name).write_text(render(template, values | {"base": base}), "utf-8")


def read_headline(database: Path, currency: str) -> str:
    """What the page of the published DuckDB file shows first, in one line."""
    front, *_ = PAGES
    with _opened(database) as connection:
        return headline_text(front, Sales(connection).headline(), currency)


def write_entries(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Put the entries of the version that `manifest` names in force, each at once or not at all.

    `folder` is the published one, in which the version lies where `manifest["dashboard"]` says.
    """
    site = (folder / manifest["dashboard"]).parent
    for place, name in ENTRIES.items():
        replace(folder / place, partial(shutil.copyfile, site / name))


@contextmanager
def _opened(database: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with budget.open_within(budget.PUBLISHING, database) as connection:
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
    take_data: TakeData,
) -> None:
    sold = {"rpt_periods", "rpt_sales_by_period"}
    moved = {"rpt_periods", "rpt_product_sales_by_period"}
    ordered = {"rpt_orders"}
    folders: Sequence[tuple[str, Set[str], Read]] = (
        ("items", {*ordered, LINES}, items_by_month),
        ("orders", ordered, orders_by_month),
        ("period", sold, lambda own: Sales(own).by_period()),
        ("cross", sold, lambda own: Sales(own).crossed()),
        ("trend", sold, lambda own: Sales(own).trends()),
        ("products", moved, lambda own: Sales(own).products()),
    )
    with ThreadPoolExecutor(AT_ONCE) as pool:
        written = [
            pool.submit(_write_folder, connection, folder, name, read)
            for name, tables, read in folders
            if not take_data(tables, name)
        ]
    for future in written:
        future.result()
    for page in PAGES:
        tables = {listing.model for listing, _ in page.listings}
        if not tables or take_data(tables | {"rpt_periods"}, page.name):
            continue
        if page.is_by_month:
            for month, report in read_months(connection, page, sales.months()).items():
                write_script(folder, f"{page.name}/{month[:7]}", report)
        else:
            write_script(folder, page.name, read_report(connection, page))
    write_script(folder, "daily", sales.daily())
    write_script(folder, "definitions", read_definitions())
    order_counts = count_orders_by_month(connection)
    has_items = bool(order_counts) and has_lines(connection)
    meta = {name: manifest[name] for name in OF_THE_PUBLICATION} | {
        "filters": _filters(sales),
        "business_day": sales.ends()["business_day"],
        "periods": sales.periods(),
        "shards": sales.shards(),
        "orders": order_counts,
        "has_items": has_items,
        "order_columns": msgspec.to_builtins(COLUMNS),
        "pages": [_registered(page) for page in PAGES],
    }
    write_script(folder, "meta", meta)


def _write_folder(
    connection: duckdb.DuckDBPyConnection, folder: Path, name: str, read: Read
) -> None:
    with connection.cursor() as own:
        for key, table in read(own):
            write_script(folder, f"{name}/{key}", table)


def _filters(sales: Sales) -> list[Json]:
    """The filters with their choices, and with the one that holds unless another is made."""
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


def _registered(page: Page) -> Json:
    """What the page's scripts need of the registry: how tiles look, not where rows come from."""
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
        "end_of_figures": end_of_figures(ends["business_day"], ends["last_ordered_date"]),
        "notice": notice(ends["last_ordered_date"], ends["quiet_day_count"]),
        "days": days_text(row) if ends["business_day"] else "",
        "navigation": navigation(PAGES),
        "title": front.title,
        "period_label": row["period_label"],
        "headlines": headlines(front, row, manifest["currency"]),
    }
