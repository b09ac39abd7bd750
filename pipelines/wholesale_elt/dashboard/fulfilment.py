"""Fulfilment: where orders stand, how long they wait, and how long each step takes, as observed."""

from collections.abc import Mapping

import duckdb

from wholesale_elt.dashboard.columnar import Json, read_table
from wholesale_elt.dashboard.tasks import ORDER

MOST_ROWS = 2_000
TAKEN = " union all ".join(
    f"select '{step}' as step, {ORDER}, sub_total as amount, {step}_date as day,"
    f" days_to_{step} as days from wholesale_bi.rpt_fulfilment where days_to_{step} is not null"
    for step in ("accepted", "sent", "done", "settled")
)
"""The first time that an order was seen to have taken a step."""
FULFILMENT: Mapping[str, str] = {
    "states": """
        select
            order_status,
            order_standing as standing,
            order_count,
            amount,
            median_waiting_days as median_days,
            old_order_count as old_count,
            old_amount,
            first_ordered_date as first_day,
            last_ordered_date as last_day,
            last_old_ordered_date as last_old_day,
            recent_order_count as recent_count,
            recent_amount,
            recent_median_waiting_days as recent_median_days,
            first_recent_ordered_date as first_recent_day
        from wholesale_bi.rpt_fulfilment_states
        order by order_status
    """,
    "waiting": f"""
        select {ORDER}, sub_total as amount
        from wholesale_bi.rpt_fulfilment
        where is_waiting
        order by waiting_days desc nulls last, amount desc nulls last, order_id
        limit {{most}}
    """,
    "cancelled": """
        select order_status, ordered_date, count(*) as order_count,
            cast(sum(sub_total) as decimal(38, 9)) as amount
        from wholesale_marts.fct_orders
        where is_cancelled and not is_deleted and ordered_date is not null
        group by order_status, ordered_date
        order by ordered_date, order_status
    """,
    "steps": """
        select step, order_count, median_days, most_days, longest_days
        from wholesale_bi.rpt_fulfilment_steps_totals
        order by step
    """,
    "taken": f"""
        from ({TAKEN})
        order by day desc, order_number desc, step limit {{most}}
    """,
}
"""The data of the page; `states` and `steps` count all rows of the lists that have a limit."""


def read_fulfilment(connection: duckdb.DuckDBPyConnection, most: int = MOST_ROWS) -> Json:
    """The data of the page, each list with `most` rows."""
    return {name: read_table(connection, sql.format(most=most)) for name, sql in FULFILMENT.items()}
