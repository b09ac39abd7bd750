"""Orders: the lists behind every number, a data file a month."""

from collections.abc import Iterator, Sequence

import duckdb

from wholesale_elt.dashboard.columnar import Json, read_table
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


NEWEST_FIRST = "ordered_date desc, order_number desc, order_id"


def orders_by_month(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, Json]]:
    """Each month with its orders, the newest first; those without a date come last.

    Month by month, as to sort all of them at once takes twice the memory.
    """
    for month in count_orders_by_month(connection):
        yield (
            month,
            read_table(
                connection,
                f"select {STORED} from bi.rpt_orders where {_within(month)}"
                f" order by {NEWEST_FIRST}",
            ),
        )


def items_by_month(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, Json]]:
    """Each month with the items in its orders, by the place of the order in the list above.

    None where the marts are not published, whose lines tell it.
    """
    for month in count_orders_by_month(connection) if has_lines(connection) else ():
        yield (
            month,
            read_table(
                connection,
                f"""
                with orders as (
                    select order_id, row_number() over (order by {NEWEST_FIRST}) - 1 as place
                    from bi.rpt_orders
                    where {_within(month)}
                )
                select distinct orders.place, lines.item_id
                from marts.{LINES} as lines
                inner join orders on lines.order_id = orders.order_id
                where {_within(month)} and lines.item_id is not null
                order by orders.place, lines.item_id
                """,
            ),
        )


def count_orders_by_month(connection: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """How many orders the list of each month has."""
    return dict(
        connection.sql(
            f"select coalesce(strftime(ordered_date, '%Y-%m'), '{UNDATED}') as month, count(*)"
            " from bi.rpt_orders group by month order by month"
        ).fetchall()
    )


def has_lines(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether the marts are published, too."""
    return bool(
        connection.sql(
            f"select 1 from duckdb_tables() where schema_name = 'marts' and table_name = '{LINES}'"
        ).fetchall()
    )


def _within(month: str) -> str:
    """The condition on the day of an order."""
    if month == UNDATED:
        return "ordered_date is null"
    first_day = f"date '{month}-01'"
    return f"ordered_date >= {first_day} and ordered_date < {first_day} + to_months(1)"
