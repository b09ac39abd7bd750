"""Orders: the lists behind every number, a data file a month."""

from collections.abc import Iterator, Sequence

import duckdb

from wholesale_elt.dashboard.columnar import Json, read_table
from wholesale_elt.dashboard.page import Column

UNDATED = "undated"
ORDER: Sequence[Column] = (
    Column("order_number", "code", "Order"),
    Column("ordered_date", "date", "Ordered"),
    Column("buyer_company_name", "text", "Buyer"),
    Column("vendor_name", "text", "Vendor"),
    Column("state", "code", "State"),
)
"""How an order is named, in every list of orders."""
ORDER_KEYS: Sequence[Column] = (Column("order_id"), Column("vendor_id"), Column("buyer_id"))
COLUMNS: Sequence[Column] = (
    *ORDER,
    Column("order_status", "code", "Status"),
    Column("payment_status", "code", "Payment"),
    Column("sub_total", "amount", "Sales"),
    Column("total", "amount", "Billed"),
    Column("is_open", "flag", "Open"),
    Column("is_below_minimum", "flag", "Below minimum"),
    *ORDER_KEYS,
    Column("age_bucket"),
)
"""What is shown of the orders behind a number, and what finds them."""
STORED = ", ".join(column.name for column in COLUMNS if column.name != "vendor_name")
"""The page knows the names of vendors by their ids."""


def orders_by_month(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, Json]]:
    """Each month with its orders, the newest first; those without a date come last.

    Month by month, as to sort all of them at once takes twice the memory.
    """
    months = connection.sql(
        f"select distinct coalesce(strftime(ordered_date, '%Y-%m'), '{UNDATED}') as month"
        " from bi.rpt_orders order by month"
    ).fetchall()
    for (month,) in months:
        first_day = f"date '{month}-01'"
        when = (
            "ordered_date is null"
            if month == UNDATED
            else f"ordered_date >= {first_day} and ordered_date < {first_day} + to_months(1)"
        )
        yield (
            month,
            read_table(
                connection,
                f"select {STORED} from bi.rpt_orders where {when}"
                " order by ordered_date desc, order_number desc, order_id",
            ),
        )
