"""Tasks: what there is to do and what is owed, as `rpt_tasks` and `rpt_receivables` have it.

The page makes the sentences.
"""

from collections.abc import Mapping

import duckdb

from wholesale_elt.dashboard.columnar import Json, read_table

MOST_ROWS = 500
"""Most rows of a kind, the most urgent first; its totals count all."""
WAITING = ("unconfirmed", "old", "overdue")
"""Kinds of which it is told how many days they wait: the longest first, the others by money."""
ORDER = (
    "order_id, order_number, buyer_id, buyer_name, vendor_id, vendor_name, order_status,"
    " ordered_date, waiting_days"
)
PRODUCT = "product_id, item_title, variant_title, sku"
KINDS: Mapping[str, str] = {
    "unknown_state": "field_name, state, order_count",
    "unconfirmed": ORDER,
    "old": ORDER,
    "silent": "buyer_id, buyer_name, account_manager_id, median_days_between_orders,"
    " threshold_days as late_after_days, days_since_last_order, last_ordered_date, order_id,"
    f" order_number, basket_amount, {PRODUCT}",
    "overdue": f"{ORDER}, payment_status",
    "near_misses": f"{ORDER}, value_shortfall, minimum_order_value, quantity_shortfall,"
    f" minimum_order_quantity, {PRODUCT}, carton_units, carton_amount",
    "below_list": f"{ORDER}, order_line_id, {PRODUCT}, quantity, unit_price, list_price",
}
"""The columns of each kind besides the money."""
RECEIVABLES = """
    select
        case
            when not is_open then 'unknown'
            when age_bucket = 'undated' then 'undated'
            when age_bucket = '0-30' then 'up_to_30'
            when age_bucket = '31-60' then 'up_to_60'
            else 'over_60'
        end as age,
        count(*) as order_count,
        count(total) as known_count,
        sum(total) as amount,
        min(ordered_date) as first_day,
        max(ordered_date) as last_day
    from wholesale_bi.rpt_receivables
    group by age
    order by age = 'unknown', min(age_in_days) nulls last
"""
"""What was sent and is not paid, by age, and what tells of no payment."""
USUAL = "select max(usual_days) as usual_days_to_confirm from wholesale_bi.rpt_tasks"
TABLES = frozenset({"rpt_tasks", "rpt_receivables"})
"""What tasks are made of."""


def read_tasks(connection: duckdb.DuckDBPyConnection, most: int = MOST_ROWS) -> Json:
    """The `most` urgent rows of each kind, the largest, what all of a kind come to, and what is
    usual."""
    tables, largest = {}, {}
    for kind, columns in KINDS.items():
        urgent = "waiting_days desc, " if kind in WAITING else ""
        rows = (
            f"select {columns}, amount from wholesale_bi.rpt_tasks where task_kind = '{kind}'"
            " order by {}amount desc nulls last, order_count desc, task_id limit {}"
        )
        tables[kind] = read_table(connection, rows.format(urgent, most))
        largest[kind] = read_table(connection, rows.format("", 1))
    totals = " union all ".join(
        f"select '{kind}' as kind, count(*) as row_count,"
        " case when count(*) = 0 then 0 else cast(sum(amount) as decimal(38, 9)) end as amount,"
        " count(distinct buyer_id) as buyer_count,"
        f" {'min(waiting_days)' if kind in WAITING else 'null::bigint'} as least_days,"
        f" {'max(waiting_days)' if kind in WAITING else 'null::bigint'} as most_days"
        f" from wholesale_bi.rpt_tasks where task_kind = '{kind}'"
        for kind in KINDS
    )
    return {
        **tables,
        "largest": largest,
        "receivables": read_table(connection, RECEIVABLES),
        "totals": read_table(connection, totals),
        "usual": read_table(connection, USUAL),
    }
