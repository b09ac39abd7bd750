"""Fulfilment: where orders stand, how long they wait, and how long each step takes, as observed."""

from collections.abc import Mapping

import duckdb

from wholesale_elt.dashboard.columnar import Json, read_table
from wholesale_elt.dashboard.tasks import ORDER

MOST_ROWS = 2_000
SEEN = " union all ".join(
    f"select '{step}' as step, {ORDER}, sub_total as amount, {step}_date as day,"
    f" days_to_{step} as days from wholesale_bi.rpt_fulfilment where days_to_{step} >= 0"
    for step in ("accepted", "sent", "done", "settled")
)
STEPS = f"steps as ({SEEN})"
"""The first time that an order was seen to have taken a step."""
DAYS = """
    count(*) as order_count,
    cast(quantile_disc(days, 0.5) as bigint) as median_days,
    list_sort(list(days))[cast(ceil((count(*) + 1) * 0.9) as integer)] as most_days,
    max(days) as longest_days
"""
"""How long a step takes. Within `most_days` are nine of ten, the next one among them; of fewer than
nine orders that is not told."""
FULFILMENT: Mapping[str, str] = {
    "states": """
        select
            order_status,
            max(order_standing) as standing,
            count(*) as order_count,
            cast(sum(sub_total) as decimal(38, 9)) as amount,
            cast(quantile_disc(waiting_days, 0.5) as bigint) as median_days,
            count(*) filter (is_old) as old_count,
            case when old_count = 0 then 0
                else cast(sum(sub_total) filter (is_old) as decimal(38, 9)) end as old_amount,
            min(ordered_date) as first_day,
            max(ordered_date) as last_day,
            max(ordered_date) filter (is_old) as last_old_day,
            count(*) filter (is_recent) as recent_count,
            cast(sum(sub_total) filter (is_recent) as decimal(38, 9)) as recent_amount,
            cast(quantile_disc(waiting_days, 0.5) filter (is_recent) as bigint)
                as recent_median_days,
            min(ordered_date) filter (is_recent) as first_recent_day
        from wholesale_bi.rpt_fulfilment
        group by order_status
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
    "steps": f"""
        with {STEPS} select step, {DAYS}
        from steps
        group by step order by step
    """,
    "taken": f"""
        with {STEPS} select * from steps
        order by day desc, order_number desc, step limit {{most}}
    """,
}
"""The data of the page; `states` and `steps` count all rows of the lists that have a limit."""


def read_fulfilment(connection: duckdb.DuckDBPyConnection, most: int = MOST_ROWS) -> Json:
    """The data of the page, each list with `most` rows."""
    return {name: read_table(connection, sql.format(most=most)) for name, sql in FULFILMENT.items()}
