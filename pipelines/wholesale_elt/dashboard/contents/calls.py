"""Sheet: whom to call, in the order of the tasks, and what there is to say to each."""

from collections.abc import Iterator, Mapping

import duckdb

from wholesale_elt.dashboard.columnar import Json, read_table

CALLS = "calls"
OF_CALLS = frozenset(
    {
        *("rpt_call_sheet", "rpt_call_sheet_products", "rpt_receivables", "rpt_next_orders"),
        *("dim_buyers", "dim_as_of", "fct_orders", "fct_order_comments"),
    }
)
"""What the sheet is made of."""
MOST_BUYERS = 500
"""Most buyers of the sheet, the most urgent first; its totals count all."""
A_FILE = 20
"""Buyers of a file: what a page shows at first."""
MOST_BILLS = 5
OF_BUYERS, OF_COMMENTS = ("phone",), ("author", "body")
"""Columns that are published only where the policy says so."""
PLACED = """
    create or replace temp table called as
    select
        *,
        row_number() over (order by call_reason = 'silent' desc, call_reason, position) - 1 as place
    from wholesale_bi.rpt_call_sheet
"""
BUYERS = """
    select
        called.* exclude (place, position, order_comment_id),
        next_orders.standing,
        next_orders.first_day_80,
        next_orders.last_day_80,
        next_orders.last_day_90,
        next_orders.judged_count,
        next_orders.right_count,
        buyers.city,
        buyers.state,
        buyers.country,
        buyers.price_list_title{own}
    from called
    left join wholesale_marts.dim_buyers as buyers using (buyer_id)
    left join wholesale_bi.rpt_next_orders as next_orders using (buyer_id)
    left join wholesale_marts.fct_order_comments as comments using (order_comment_id)
    where place < {most}
    order by place
"""
TOTALS = "select count(*) as buyer_count, sum(monthly_amount) as monthly_amount from called"
PARTS: Mapping[str, str] = {
    "products": """
        select products.* exclude (call_product_id, position)
        from wholesale_bi.rpt_call_sheet_products as products
        inner join called using (buyer_id)
        where place between {first} and {last}
        order by place, product_list desc, products.position
    """,
    "purchases": """
        select buyer_id, ordered_date as day,
            cast(sum(sub_total) as decimal(38, 9)) as amount
        from wholesale_marts.fct_orders as orders
        inner join called using (buyer_id)
        cross join wholesale_marts.dim_as_of as as_of
        where place between {first} and {last} and orders.is_sale
            and orders.is_return is not true and as_of.as_of_date - orders.ordered_date < 365
        group by place, buyer_id, day
        order by place, day
    """,
    "bills": f"""
        select buyer_id, bills.order_id, bills.order_number, bills.total, bills.due_date,
            bills.days_overdue, bills.is_overdue, bills.age_in_days
        from wholesale_bi.rpt_receivables as bills
        inner join called using (buyer_id)
        where place between {{first}} and {{last}} and bills.is_open
        qualify row_number() over (
            partition by buyer_id
            order by bills.due_date nulls last, bills.ordered_date, bills.order_id
        ) <= {MOST_BILLS}
        order by place, bills.due_date nulls last, bills.ordered_date, bills.order_id
    """,
}
"""What there is to say to the buyers of a file."""


def read_calls(
    connection: duckdb.DuckDBPyConnection, most: int = MOST_BUYERS, size: int = A_FILE
) -> Iterator[tuple[str, Json]]:
    """The files of the sheet by their names: `index`, and from `0` on those of `size` buyers each,
    in their order there."""
    connection.execute(PLACED)
    own = "".join(
        f", {alias}.{name}"
        for alias, table, names in (
            ("buyers", "dim_buyers", OF_BUYERS),
            ("comments", "fct_order_comments", OF_COMMENTS),
        )
        for name in names
        if _is_published(connection, table, name)
    )
    buyers = read_table(connection, BUYERS.format(own=own, most=most))
    totals = read_table(connection, TOTALS)
    yield "index", {"buyers": buyers, "totals": totals, "size": size}
    for number, first in enumerate(range(0, buyers["length"], size)):
        span = {"first": first, "last": min(first + size, buyers["length"]) - 1}
        yield (
            str(number),
            {name: read_table(connection, sql.format(**span)) for name, sql in PARTS.items()},
        )


def _is_published(connection: duckdb.DuckDBPyConnection, table: str, column: str) -> bool:
    found = connection.execute(
        "select 1 from duckdb_columns() where database_name = current_database()"
        " and schema_name = 'wholesale_marts' and table_name = ? and column_name = ?",
        [table, column],
    )
    return bool(found.fetchall())
