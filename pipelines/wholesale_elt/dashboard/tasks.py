"""Tasks: what there is to do and what is owed, as `rpt_tasks` and `rpt_receivables` have it.

The page makes the sentences.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import duckdb

from wholesale.errors import WholesaleError

if TYPE_CHECKING:
    from wholesale_elt.dashboard.columnar import Json

MOST_ROWS = 500
"""Most rows of a kind, the most urgent first; its totals count all."""
ORDER = (
    "order_id, order_number, buyer_id, buyer_name, vendor_id, vendor_name, order_status,"
    " ordered_date, waiting_days"
)
PRODUCT = "product_id, item_title, variant_title, sku"
KINDS: Mapping[str, str] = {
    "unknown_state": "field_name, state, order_count",
    "unconfirmed": ORDER,
    "old": ORDER,
    "due": "buyer_id, buyer_name, account_manager_id, median_days_between_orders,"
    " days_since_last_order, last_ordered_date, order_id, order_number, basket_amount,"
    " order_in_week_share, last_day_80",
    "silent": "buyer_id, buyer_name, account_manager_id, median_days_between_orders,"
    " threshold_days as late_after_days, days_since_last_order, last_ordered_date, order_id,"
    f" order_number, basket_amount, {PRODUCT}",
    "unusual": "dimension, member, member_name, first_day, last_day, low_amount, high_amount",
    "overdue": f"{ORDER}, payment_status",
    "near_misses": f"{ORDER}, value_shortfall, minimum_order_value, quantity_shortfall,"
    f" minimum_order_quantity, {PRODUCT}, carton_quantity, carton_amount",
    "below_list": f"{ORDER}, order_line_id, {PRODUCT}, quantity, unit_price, list_price",
}
"""The columns of each kind that the page shows, besides the money."""
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
USUAL = """
    select
        (select max(usual_days) from wholesale_bi.rpt_tasks) as usual_days_to_confirm,
        (
            select cast(coalesce(sum(order_count), 0) as bigint)
            from wholesale_bi.rpt_order_states
            where field_name = 'order_status' and state is null
        ) as stateless_count
"""
"""What is usual, and how many orders tell no state, so that nobody knows whether they wait."""
WITHOUT_SUM = ("unusual",)
"""Kinds whose amounts do not add up: what a buyer took is what its vendor sold."""
TOTALS = " union all ".join(
    f"select '{kind}' as kind, count(*) as row_count,"
    f" case when {kind in WITHOUT_SUM} then null when count(*) = 0 then 0"
    " else cast(sum(amount) as decimal(38, 9)) end as amount,"
    " count(distinct buyer_id) as buyer_count,"
    " min(waiting_days) as least_days, max(waiting_days) as most_days"
    f" from wholesale_bi.rpt_tasks where task_kind = '{kind}'"
    for kind in KINDS
)
"""What all of each kind come to."""
STATELESS = f"select stateless_count from ({USUAL})"
OF_KIND = "from wholesale_bi.rpt_tasks where task_kind = ? order by position"
TABLES = frozenset({"rpt_tasks", "rpt_receivables", "rpt_order_states"})
"""What tasks are made of."""


def read_tasks(connection: duckdb.DuckDBPyConnection, most: int = MOST_ROWS) -> "Json":
    """The `most` urgent rows of each kind, the largest, what all of a kind come to, and what is
    usual."""
    from wholesale_elt.dashboard.columnar import read_table  # with Arrow

    return {
        **{kind: read_table(connection, rows_of(kind, most)) for kind in KINDS},
        "largest": {kind: read_table(connection, largest_of(kind)) for kind in KINDS},
        "receivables": read_table(connection, RECEIVABLES),
        "totals": read_table(connection, TOTALS),
        "usual": read_table(connection, USUAL),
    }


def rows_of(kind: str, most: int = MOST_ROWS) -> str:
    """A query for the most urgent rows of a kind."""
    return f"{_of_kind(kind)} order by position limit {most}"


def largest_of(kind: str) -> str:
    return f"{_of_kind(kind)} order by amount desc nulls last, position limit 1"


def _of_kind(kind: str) -> str:
    columns = f"{KINDS[kind]}, amount"
    return f"select {columns} from wholesale_bi.rpt_tasks where task_kind = '{kind}'"


def tasks_of(connection: duckdb.DuckDBPyConnection, kind: str) -> Sequence[Mapping[str, Any]]:
    """All tasks of a kind, the most urgent first.

    Raises: WholesaleError for an unknown kind, or if an earlier release published the file.
    """
    if kind not in KINDS:
        raise WholesaleError(f"there are no tasks of the kind {kind}, only of {', '.join(KINDS)}")
    try:
        asked = connection.execute(OF_KIND, [kind])
    except (duckdb.CatalogException, duckdb.BinderException):
        raise WholesaleError(
            "the published version has no tasks, as an earlier release made it: run"
            " `wholesale build` and publish again"
        ) from None
    names = [column[0] for column in asked.description or ()]
    return [dict(zip(names, row, strict=True)) for row in asked.fetchall()]


def count_stateless(connection: duckdb.DuckDBPyConnection) -> int:
    """How many orders tell no state."""
    [(count,)] = connection.execute(STATELESS).fetchall()
    return int(count)
