"""Writing the site: the files it is made of, its data, and the page at the front."""

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

import duckdb
import msgspec

from wholesale.errors import WholesaleError
from wholesale_elt.dashboard.columnar import Json, read_row
from wholesale_elt.dashboard.entry import count_text, money_text, render, time_text
from wholesale_elt.dashboard.pages import PAGES
from wholesale_elt.dashboard.reports import REPORTS, read_report
from wholesale_elt.dashboard.sales import Sales
from wholesale_elt.dashboard.scripts import write_script

SITE = Path(__file__).parent / "site"
PAGE = "index.html"
ENTRY = "entry.html"
"""The page again, for the top of the published folder: it finds its files in this version."""
MEMORY_LIMIT = "500MB"
"""What DuckDB may hold in memory; beyond it spills to disk."""
OF_THE_PUBLICATION = (
    *("version", "published_at", "as_of", "built_at", "verdict", "reasons"),
    *("currency", "time_zone"),
)


def write_dashboard(database: Path, folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write the whole site of the published DuckDB file into `folder`.

    `manifest` is what `current.json` says of this version. Of the file only the schema `bi` is
    read. Memory is bounded by DuckDB's limit and one month of orders, whatever their number.
    Raises: WholesaleError when the file lacks a report, because an older release made it.
    """
    shutil.copytree(SITE, folder, ignore=shutil.ignore_patterns(PAGE), dirs_exist_ok=True)
    with _opened(database) as connection:
        sales = Sales(connection)
        _write_data(connection, sales, folder / "data", manifest)
        values = _values(sales, manifest)
    template = (SITE / PAGE).read_text("utf-8")
    base_of_entry = f"{PurePosixPath(manifest['dashboard']).parent}/"
    for name, base in ((PAGE, ""), (ENTRY, base_of_entry)):
        (folder / name).write_text(render(template, values | {"base": base}), "utf-8")


def write_entry(path: Path, manifest: Mapping[str, Any]) -> None:
    """Put the page of the version that `manifest` names at `path`, at once or not at all.

    The version lies beside it, where `manifest["dashboard"]` says.
    """
    version = path.parent / manifest["dashboard"]
    partial = path.with_name(f".{path.name}.partial")
    shutil.copyfile(version.with_name(ENTRY), partial)
    os.replace(partial, path)


@contextmanager
def _opened(database: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with (
        tempfile.TemporaryDirectory() as spill,
        duckdb.connect(
            str(database),
            read_only=True,
            config={"memory_limit": MEMORY_LIMIT, "temp_directory": spill},
        ) as connection,
    ):
        try:
            yield connection
        except (duckdb.CatalogException, duckdb.BinderException) as error:
            first_line = str(error).partition("\n")[0]
            raise WholesaleError(
                f"the dashboard cannot be made from {database}: {first_line}; run `wholesale build`"
                " and publish again"
            ) from error


def _write_data(
    connection: duckdb.DuckDBPyConnection, sales: Sales, folder: Path, manifest: Mapping[str, Any]
) -> None:
    order_counts: dict[str, int] = {}
    for key, table in sales.by_period():
        write_script(folder, f"period/{key}", table)
    for key, table in sales.crossed():
        write_script(folder, f"cross/{key}", table)
    for shard, table in sales.trends():
        write_script(folder, f"trend/{shard}", table)
    for month, table in sales.orders():
        write_script(folder, f"orders/{month}", table)
        order_counts[month] = table["length"]
    limits: Json = {}
    for name in REPORTS:
        content, cut = read_report(connection, name)
        write_script(folder, name, content)
        limits |= cut
    meta = {name: manifest[name] for name in OF_THE_PUBLICATION} | {
        **read_row(connection, "select as_of_date from bi.rpt_headlines"),
        "default_period": sales.headline().period_key,
        "periods": sales.periods(),
        "vendors": sales.vendors(),
        "states": sales.states(),
        "months": sales.months(),
        "orders": order_counts,
        "limits": limits,
        "pages": msgspec.to_builtins(PAGES),
    }
    write_script(folder, "meta", meta)


def _values(sales: Sales, manifest: Mapping[str, Any]) -> dict[str, str]:
    figures = sales.headline()
    currency = manifest["currency"]
    return {
        "verdict": manifest["verdict"],
        "reasons": "; ".join(manifest["reasons"]),
        "as_of": time_text(manifest["as_of"]),
        "period_key": figures.period_key,
        "period_label": figures.period_label,
        "sales_amount": money_text(figures.sales_amount, currency),
        "order_count": count_text(figures.order_count),
        "buyer_count": count_text(figures.buyer_count),
        "average_order_value": money_text(figures.average_order_value, currency),
    }
