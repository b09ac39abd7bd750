"""Folders: groups of data files of one kind, and the rows that each of them is made from."""

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass

import duckdb

from wholesale_elt.dashboard.columnar import Json
from wholesale_elt.dashboard.orders import (
    LINES,
    MONTH_OF_ORDER,
    STORED,
    items_by_month,
    orders_by_month,
)
from wholesale_elt.dashboard.page import DashboardPage
from wholesale_elt.dashboard.pages import PAGES
from wholesale_elt.dashboard.reports import MONTH_START, read_months
from wholesale_elt.dashboard.sales import MEASURES, PRODUCTS, Sales

ALL_COLUMNS = "*"
Read = Callable[[duckdb.DuckDBPyConnection, Set[str]], Iterator[tuple[str, Json]]]
"""Reads the data files of a folder one by one, each with its name. Files of the given names exist
already, and need not be read."""


@dataclass(frozen=True, slots=True)
class ShownCells:
    """The cells of a report or mart that the files of a folder show: its columns, and in `name` the
    SQL for the name of the file that shows a row; if that is empty, any file may show it."""

    table: str
    columns: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class DataFolder:
    """Files below `data/<name>/`; one changes only if cells of its rows do."""

    name: str
    made_of: Sequence[ShownCells]
    read: Read

    @property
    def tables(self) -> Set[str]:
        return {cells.table for cells in self.made_of}


def _of_months(page: DashboardPage) -> DataFolder:
    """The folder of a page by month; the periods determine its months."""
    name = f"strftime({MONTH_START}, '%Y-%m')"
    return DataFolder(
        page.name,
        (
            ShownCells("rpt_periods", ALL_COLUMNS),
            *(ShownCells(listing.model, ALL_COLUMNS, name) for listing, _ in page.listings),
        ),
        lambda own, taken: read_months(own, page, Sales(own).months(), taken),
    )


PERIODS = ShownCells("rpt_periods", "period_key", "period_key")
SOLD = (PERIODS, ShownCells("rpt_sales_by_period", f"vendor_id, state, {MEASURES}", "period_key"))
FOLDERS: Sequence[DataFolder] = (
    DataFolder(
        "items",
        (
            ShownCells("rpt_orders", "order_id, order_number, ordered_date", MONTH_OF_ORDER),
            ShownCells(LINES, "order_id, item_id, ordered_date", MONTH_OF_ORDER),
        ),
        items_by_month,
    ),
    DataFolder("orders", (ShownCells("rpt_orders", STORED, MONTH_OF_ORDER),), orders_by_month),
    DataFolder("period", SOLD, lambda own, taken: Sales(own).by_period(taken)),
    DataFolder("cross", SOLD, lambda own, taken: Sales(own).crossed(taken)),
    DataFolder(
        "trend",
        (ShownCells("rpt_periods", ALL_COLUMNS), ShownCells("rpt_sales_by_period", ALL_COLUMNS)),
        lambda own, taken: Sales(own).trends(),
    ),
    DataFolder(
        "products",
        (
            PERIODS,
            ShownCells("rpt_product_sales_by_period", f"product_id, {PRODUCTS}", "period_key"),
        ),
        lambda own, taken: Sales(own).products(taken),
    ),
    *(_of_months(page) for page in PAGES if page.is_by_month),
)
CELLS: Set[ShownCells] = {cells for folder in FOLDERS for cells in folder.made_of}
