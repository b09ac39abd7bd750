"""Reports: rows of the reports that a page lists, as its data file holds them."""

import duckdb

from wholesale_elt.dashboard.columnar import Json, read_table
from wholesale_elt.dashboard.page import Listing, Page, Rows


def read_report(connection: duckdb.DuckDBPyConnection, page: Page, where: str = "true") -> Json:
    """The data file of a page: each list by its name, one that is cut with its `total` of rows.

    `where` is a condition on the rows of all lists, besides their own.
    """
    return {
        listing.name: _read(connection, listing, rows, where) for listing, rows in page.listings
    }


def _read(connection: duckdb.DuckDBPyConnection, listing: Listing, rows: Rows, where: str) -> Json:
    columns = ", ".join(column.name for column in listing.columns)
    source = f"from bi.{listing.model} where ({rows.where}) and {where}"
    limit = "" if rows.most is None else f" limit {rows.most}"
    table = read_table(connection, f"select {columns} {source} order by {rows.order}{limit}")
    if table["length"] == rows.most:
        ((total,),) = connection.sql(f"select count(*) {source}").fetchall()
        table["total"] = total
    return table
