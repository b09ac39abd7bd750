"""The data files of the pages with lists: which rows of which report, and how many of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import duckdb

from wholesale_elt.dashboard.columnar import Json, read_row, read_table

MOST_ROWS = 2_000
"""Rows of a list that a page can hold; beyond it the list says what it is cut from."""
MOST_RUNS = 200


@dataclass(frozen=True, slots=True)
class Listing:
    """A table of a data file. With `most`, its first rows only; the rest is counted."""

    name: str
    sql: str
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """An object of a data file, from a query with one row."""

    name: str
    sql: str


PRODUCT = "product_id, sku, item_title, variant_title, vendor_id, vendor_name"
REPORTS: Mapping[str, Sequence[Listing | Row]] = {
    "buyers": (
        Row(
            "headlines",
            """
            select
                buyer_count, reorder_90_days_count, reorder_90_days_known_count,
                reorder_90_days_rate, late_count, late_sales_amount, lapsed_count,
                lapsed_sales_amount, top_5_share
            from bi.rpt_buyer_headlines
            """,
        ),
        Listing(
            "reorders",
            """
            select
                buyer_id, company_name, account_manager_id, state, order_count, sales_amount,
                first_ordered_date, last_ordered_date, has_reordered_within_90_days,
                median_days_between_orders, expected_next_order_date, days_since_last_order,
                is_late, is_lapsed, is_at_risk
            from bi.rpt_reorders
            order by is_at_risk desc, sales_amount desc, buyer_id
            """,
            MOST_ROWS,
        ),
        Listing(
            "cohorts",
            """
            select
                cohort_month, month_start, month_number, cohort_buyer_count, active_buyer_count,
                order_count, sales_amount, retention_rate, sales_retention_rate
            from bi.rpt_buyer_cohorts
            where cohort_month is not null
            order by cohort_month, month_number
            """,
        ),
        Listing(
            "concentration",
            """
            select
                vendor_id, vendor_name, buyer_count, sales_amount, top_5_sales_amount, top_5_share,
                herfindahl_index
            from bi.rpt_buyer_concentration
            order by vendor_id <> 'all', sales_amount desc, vendor_id
            """,
        ),
    ),
    "catalogue": (
        Listing(
            "classes",
            """
            select
                vendor_id, abc_class, product_count, product_share, never_ordered_count,
                ordered_but_inactive_count, sales_amount, sales_share
            from bi.rpt_catalogue_classes
            order by vendor_id <> 'all', vendor_id, abc_class
            """,
        ),
        Listing(
            "products",
            f"""
            select
                {PRODUCT}, product_kind, category_name, unit_price, is_orderable, order_count,
                buyer_count, repeat_buyer_rate, unit_count, sales_amount, abc_class,
                last_ordered_date
            from bi.rpt_catalogue
            where order_count > 0
            order by sales_amount desc, product_id
            """,
            MOST_ROWS,
        ),
        Listing(
            "never_ordered",
            f"""
            select {PRODUCT}, category_name, unit_price
            from bi.rpt_catalogue
            where is_never_ordered
            order by unit_price desc nulls last, product_id
            """,
            MOST_ROWS,
        ),
        Listing(
            "ordered_but_inactive",
            f"""
            select
                {PRODUCT}, product_kind, order_count, buyer_count, unit_count, sales_amount,
                last_ordered_date
            from bi.rpt_catalogue
            where is_ordered_but_inactive
            order by sales_amount desc, product_id
            """,
            MOST_ROWS,
        ),
        Listing(
            "price_changes",
            """
            select
                variant_id, sku, item_title, variant_title, vendor_id, vendor_name, price_list,
                observed_at, price_before, price, change_rate
            from bi.rpt_price_changes
            order by observed_at desc, price_change_id
            """,
            MOST_ROWS,
        ),
    ),
    "chase": (
        Listing(
            "open",
            """
            select vendor_id, state, age_bucket, order_count, open_amount, oldest_ordered_date
            from bi.rpt_open_orders
            order by vendor_id <> 'all', vendor_id, state <> 'all', state, age_bucket
            """,
        ),
        Listing(
            "open_orders",
            """
            select
                order_id, order_number, vendor_id, vendor_name, buyer_id, buyer_company_name, state,
                ordered_date, total, age_in_days, age_bucket, order_status, payment_status
            from bi.rpt_orders
            where is_open
            order by total desc nulls last, order_id
            """,
            MOST_ROWS,
        ),
        Listing(
            "minimum",
            """
            select
                order_id, order_number, vendor_id, vendor_name, buyer_id, buyer_company_name, state,
                ordered_date, sub_total, minimum_order_value, value_shortfall, unit_count,
                minimum_order_quantity, quantity_shortfall, is_near_miss
            from bi.rpt_minimum_orders
            order by ordered_date desc nulls last, order_id
            """,
            MOST_ROWS,
        ),
        Listing(
            "minimum_totals",
            """
            select vendor_id, state, order_count, near_miss_count, value_shortfall
            from bi.rpt_minimum_order_totals
            order by vendor_id <> 'all', vendor_id, state <> 'all', state
            """,
        ),
    ),
    "health": (
        Row(
            "headlines",
            """
            select
                resource_count, complete_resource_count, still_resource_count, check_count,
                reconciled_check_count, quarantined_record_count
            from bi.rpt_health_headlines
            """,
        ),
        Listing(
            "freshness",
            """
            select
                resource, last_run_at, verdict, is_complete, reason, complete_as_of, lag_seconds,
                built_at
            from bi.rpt_freshness
            order by resource
            """,
        ),
        Listing(
            "reconciliation",
            """
            select
                check_name, resource, severity, expected, found, difference, different_row_count,
                is_reconciled
            from bi.rpt_reconciliation
            order by reconciliation_id
            """,
        ),
        Listing(
            "runs",
            """
            select
                run_id, resource, started_at, ended_at, duration_seconds, strategy, page_count,
                request_count, byte_count, sweep_count, ids_seen_count, first_total_count,
                last_total_count, duplicate_count, new_count, changed_count, deleted_count,
                unreadable_count, audited_count, silent_count, missed_count, verdict, is_complete,
                reason, is_latest
            from bi.rpt_sync_runs
            order by run_id desc, resource
            """,
            MOST_RUNS,
        ),
        Listing(
            "quarantine",
            """
            select run_id, resource, reason, record_count, found_at
            from bi.rpt_quarantine
            order by run_id desc, resource, reason
            """,
            MOST_ROWS,
        ),
    ),
}


def read_report(connection: duckdb.DuckDBPyConnection, name: str) -> tuple[Json, Json]:
    """The content of a data file, and `{list: {"shown": n, "of": m}}` for what is cut."""
    content: Json = {}
    limits: Json = {}
    for part in REPORTS[name]:
        if isinstance(part, Row):
            content[part.name] = read_row(connection, part.sql)
            continue
        shown = part.sql if part.most is None else f"from ({part.sql}) limit {part.most}"
        content[part.name] = read_table(connection, shown)
        if content[part.name]["length"] == part.most:
            (of,) = connection.sql(f"select count(*) from ({part.sql})").fetchall()[0]
            if of > part.most:
                limits[part.name] = {"shown": part.most, "of": of}
    return content, limits
