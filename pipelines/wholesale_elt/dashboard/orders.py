"""Orders: the lists of orders behind every number, in a data file for each month."""

from collections.abc import Iterator, Sequence

import duckdb

from wholesale_elt.dashboard.columnar import Json, read_tables
from wholesale_elt.dashboard.page import Column

UNDATED = "undated"
LINES = "fct_order_lines"
ORDER: Sequence[Column] = (
    Column("order_number", "code", "Order"),
    Column("ordered_date", "date", "Ordered"),
    Column("buyer_company_name", "text", "Buyer"),
    Column("vendor_name", "text", "Vendor"),
    Column("state", "code", "State"),
)
"""The columns that identify an order in every list."""
ORDER_KEYS: Sequence[Column] = (Column("order_id"), Column("vendor_id"), Column("buyer_id"))
COLUMNS: Sequence[Column] = (
    *ORDER,
    Column("order_status", "code", "Status"),
    Column("payment_status", "code", "Payment"),
    Column("sub_total", "amount", "Sales"),
    Column("total", "amount", "Billed"),
    Column("is_open", "flag", "Open"),
    Column("is_below_minimum_value", "flag", "Below minimum value"),
    *ORDER_KEYS,
    Column("age_bucket"),
)
"""Columns shown of the orders behind a number, and those by which they are found."""
STORED = ", ".join(column.name for column in COLUMNS if column.name != "vendor_name")
"""Columns that are not stored: the page has the names of vendors by id."""

MONTH_OF_ORDER = f"coalesce(strftime(ordered_date, '%Y-%m'), '{UNDATED}')"
NEWEST_FIRST = "ordered_date desc, order_number desc, order_id"
MOST_SORTED = 100_000
"""Orders that are sorted at a time, in whole months: scanning all orders for each month takes
longer, and sorting all of them at once takes too much memory."""


def orders_by_month(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, Json]]:
    """Each month with its orders, the newest first."""
    for months in _together(connection):
        yield from read_tables(
            connection,
            f"select {MONTH_OF_ORDER} as month, {STORED} from wholesale_bi.rpt_orders"
            f" where list_contains({months}, {MONTH_OF_ORDER}) order by {NEWEST_FIRST}",
            key="month",
        )


def items_by_month(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, Json]]:
    """Each month with the items in its orders, by the index of the order in the list above.

    There are none if the marts with the order lines are not published. All months are read by one
    query, as each of its own would scan all lines.
    """
    months = list(count_orders_by_month(connection))
    if not months or not has_lines(connection):
        return
    yield from read_tables(
        connection,
        f"""
        with orders as (
            select
                order_id,
                {MONTH_OF_ORDER} as month,
                row_number() over (partition by month order by {NEWEST_FIRST}) - 1 as place
            from wholesale_bi.rpt_orders
        ),
        lines as (
            select order_id, item_id, {MONTH_OF_ORDER} as month
            from wholesale_marts.{LINES}
            where item_id is not null
        )
        select distinct month, place, item_id
        from lines
        inner join orders using (order_id, month)
        order by month, place, item_id
        """,
        key="month",
        values=months,
    )


def count_orders_by_month(connection: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """The number of orders of each month."""
    return dict(
        connection.sql(
            f"select {MONTH_OF_ORDER} as month, count(*) from wholesale_bi.rpt_orders"
            " group by month order by month"
        ).fetchall()
    )


def _together(connection: duckdb.DuckDBPyConnection) -> Iterator[list[str]]:
    """All months, in groups whose orders are sorted together."""
    months: list[str] = []
    orders = 0
    for month, count in count_orders_by_month(connection).items():
        if months and orders + count > MOST_SORTED:
            yield months
            months, orders = [], 0
        months.append(month)
        orders += count
    if months:
        yield months


def has_lines(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether the marts are published, too."""
    return bool(
        connection.sql(
            "select 1 from duckdb_tables() where schema_name = 'wholesale_marts' and table_name"
            f" = '{LINES}'"
        ).fetchall()
    )
