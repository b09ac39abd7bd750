"""Reports: the rows of reports in the data files of pages."""

from collections.abc import Iterator, Mapping, Sequence

import duckdb

from wholesale_elt.dashboard.columnar import Json, read_table, read_tables
from wholesale_elt.dashboard.filters import FILTERS, MONTH
from wholesale_elt.dashboard.page import DashboardPage, ReportExtract, Rows

MONTH_START = FILTERS[MONTH].column


def read_page_data(connection: duckdb.DuckDBPyConnection, page: DashboardPage) -> Json:
    """The data file of a page: each list by name; one that is cut has the `total` of its rows."""
    return {listing.name: _read(connection, listing, rows) for listing, rows in page.listings}


def read_months(
    connection: duckdb.DuckDBPyConnection,
    page: DashboardPage,
    months: Sequence[str],
) -> Iterator[tuple[str, Json]]:
    """The data file of each of these months, which are given by their first days."""
    reports: Mapping[str, Json] = {month: {} for month in months}
    for listing, rows in page.listings if reports else ():
        for month, table in _read_months(connection, listing, rows, months):
            reports[month][listing.name] = table
    return ((month[:7], report) for month, report in reports.items())


def _read(connection: duckdb.DuckDBPyConnection, listing: ReportExtract, rows: Rows) -> Json:
    source = f"from {listing.source} where {rows.where}"
    limit = "" if rows.most is None else f" limit {rows.most}"
    table = read_table(
        connection, f"select {_columns(listing)} {source} order by {rows.order}{limit}"
    )
    if table["length"] == rows.most:
        ((table["total"],),) = connection.sql(f"select count(*) {source}").fetchall()
    return table


def _read_months(
    connection: duckdb.DuckDBPyConnection, listing: ReportExtract, rows: Rows, months: Sequence[str]
) -> Iterator[tuple[str, Json]]:
    source = (
        f"from {listing.source} where ({rows.where})"
        f" and list_contains({list(months)}::date[], {MONTH_START})"
    )
    month = f"cast({MONTH_START} as varchar)"
    first = f"row_number() over (partition by {MONTH_START} order by {rows.order})"
    cut = "" if rows.most is None else f" qualify {first} <= {rows.most}"
    counts = dict(
        connection.sql(f"select {month}, count(*) {source} group by {MONTH_START}").fetchall()
    )
    for key, table in read_tables(
        connection,
        f"select {month} as of_month, {_columns(listing)} {source}{cut}"
        f" order by of_month, {rows.order}",
        key="of_month",
        values=months,
    ):
        yield key, table | ({"total": counts[key]} if table["length"] == rows.most else {})


def _columns(listing: ReportExtract) -> str:
    return ", ".join(column.name for column in listing.columns)
