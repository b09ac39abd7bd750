"""Forecasts: in which windows buyers order next, where months may end, how often that was right."""

from collections.abc import Mapping

import duckdb

from wholesale_elt.dashboard.columnar import Json, read_table
from wholesale_elt.dashboard.news import named

MOST_BUYERS = 2_000
"""Most buyers of the list, the most urgent first; its counts are of all."""
LAST_DAY = "coalesce(orders.last_day_90, orders.last_day_80)"
FORECASTS: Mapping[str, str] = {
    "buyers": f"""
        select
            orders.* exclude (buyer_name, state, figures_up_to, order_again_share),
            buyer_names.display_name as buyer_name
        from wholesale_bi.rpt_next_orders as orders
        left join {named("buyer", "orders.buyer_id")}
        order by
            case orders.standing
                when 'passed' then 1
                when 'due' then 2
                when 'later' then 3
                when 'too_few_purchases' then 5
                else 4
            end,
            case when orders.standing = 'passed' then {LAST_DAY} end desc,
            orders.first_day_50,
            orders.last_day_50,
            orders.purchase_count desc,
            orders.buyer_id
        limit {MOST_BUYERS}
    """,
    "counts": """
        select
            standing,
            account_manager_id,
            count(*) as buyer_count,
            count(usual_amount) as known_count,
            cast(sum(usual_amount) as decimal(38, 9)) as usual_amount,
            max(figures_up_to) as figures_up_to
        from wholesale_bi.rpt_next_orders
        group by all
        order by all
    """,
    "record": """
        from wholesale_bi.rpt_forecast_record_totals
        union all
        from wholesale_bi.rpt_forecast_record where part in ('age', 'month')
        order by part, member, claimed, is_shown desc
    """,
    "weeks": "from wholesale_bi.rpt_due_weeks order by week_start desc limit 12",
}
OUTLOOK = """
    select * exclude (expected_amount) from (
        from wholesale_bi.rpt_sales_outlook_totals union all from wholesale_bi.rpt_sales_outlook
    )
    order by outlook_id
"""


def read_forecasts(connection: duckdb.DuckDBPyConnection) -> Json:
    return {name: read_table(connection, sql) for name, sql in FORECASTS.items()}
