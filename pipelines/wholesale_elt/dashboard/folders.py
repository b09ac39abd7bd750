"""Folders: groups of data files of one kind, and the reports and marts that they are made of."""

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass

import duckdb

from wholesale_elt.dashboard.columnar import Json
from wholesale_elt.dashboard.orders import LINES, items_by_month, orders_by_month
from wholesale_elt.dashboard.page import DashboardPage
from wholesale_elt.dashboard.pages import PAGES
from wholesale_elt.dashboard.reports import read_months
from wholesale_elt.dashboard.sales import SOLD, Sales


@dataclass(frozen=True, slots=True)
class DataFolder:
    """Files below `data/<name>/`, which `read` yields one by one, each with its name.

    They change only if one of the `tables` does.
    """

    name: str
    tables: Set[str]
    read: Callable[[duckdb.DuckDBPyConnection], Iterator[tuple[str, Json]]]


def _of_months(page: DashboardPage) -> DataFolder:
    """The folder of a page by month; the periods determine its months."""
    return DataFolder(
        page.name,
        {"rpt_periods", *(listing.model for listing, _ in page.listings)},
        lambda own: read_months(own, page, Sales(own).months()),
    )


OF_SALES = {"rpt_periods", *SOLD}
FOLDERS: Sequence[DataFolder] = (
    DataFolder("items", {"rpt_orders", LINES}, items_by_month),
    DataFolder("orders", {"rpt_orders"}, orders_by_month),
    DataFolder("period", OF_SALES, lambda own: Sales(own).by_period()),
    DataFolder("cross", OF_SALES, lambda own: Sales(own).crossed()),
    DataFolder("trend", OF_SALES, lambda own: Sales(own).trends()),
    DataFolder(
        "products",
        {"rpt_periods", "rpt_product_sales_by_period"},
        lambda own: Sales(own).products(),
    ),
    *(_of_months(page) for page in PAGES if page.is_by_month),
)
