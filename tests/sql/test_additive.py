"""Whoever adds up a column of a report gets what the facts have: no row is the sum of others."""

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from support.warehouses.marts import Marts
from wholesale_elt.models import read_contract

ORDERS = "wholesale_marts.fct_orders as orders"
LINES = "wholesale_marts.fct_order_lines as lines"


@dataclass(frozen=True)
class Sums:
    """Of which facts the columns of a report are sums, by their names; `by` a column of both, for
    which no two values add up."""

    facts: str
    columns: Mapping[str, str]
    by: str = ""


SOLD = {"order_count": "count(*)", "sales_amount": "sum(sub_total)"}
OPEN = {
    "order_count": "count(*) filter (payment_standing = 'open')",
    "open_amount": "sum(total) filter (payment_standing = 'open')",
    "open_without_total_count": "count(*) filter (payment_standing = 'open' and total is null)",
    "unknown_order_count": "count(*) filter (payment_standing = 'unknown')",
    "unknown_amount": "sum(total) filter (payment_standing = 'unknown')",
    "unknown_without_total_count": (
        "count(*) filter (payment_standing = 'unknown' and total is null)"
    ),
}
PRODUCTS = {"unit_count": "sum(quantity)", "sales_amount": "sum(total_price)"}
UNSHORT = "wholesale_bi.rpt_minimum_orders using (order_id)"


def of_periods(facts: str, columns: Mapping[str, str], *, before: Mapping[str, str]) -> list[Sums]:
    """Sums of the facts of each period, and of the year before it if that is covered."""
    of = f"wholesale_bi.rpt_periods inner join {facts} on is_sale and"
    year_before = {f"{name}_year_before": sum_ for name, sum_ in before.items()}
    return [
        Sums(
            f"{of} (ordered_date between first_day and last_day or period_key = 'all_time')",
            columns,
            "period_key",
        ),
        Sums(
            f"{of} is_year_before_covered"
            " and ordered_date between year_before_first_day and year_before_last_day",
            year_before,
            "period_key",
        ),
    ]


REPORTS: Mapping[str, Sums | list[Sums]] = {
    "rpt_account_managers": Sums(
        f"{ORDERS} where is_sale and buyer_id in (select buyer_id from wholesale_marts.dim_buyers)",
        SOLD,
    ),
    "rpt_buyer_cohorts": Sums(f"{ORDERS} where is_sale and buyer_id is not null", SOLD),
    "rpt_buyer_concentration": Sums(
        f"{ORDERS} where is_sale",
        {
            "sales_amount": "sum(sub_total)",
            "unassigned_sales_amount": "coalesce(sum(sub_total) filter (buyer_id is null), 0)",
        },
    ),
    "rpt_catalogue": Sums(
        f"{LINES} where is_sale",
        {**PRODUCTS, "order_count": "count(distinct (order_id, product_id))"},
    ),
    "rpt_catalogue_classes": Sums(f"{LINES} where is_sale", {"sales_amount": "sum(total_price)"}),
    "rpt_daily_sales": Sums(
        f"{ORDERS} where is_sale and ordered_date is not null",
        {
            **SOLD,
            "unit_count": "sum(known_unit_count)",
            "billed_amount": "sum(total)",
            "discount_amount": "sum(line_discount_amount)",
        },
    ),
    "rpt_events": Sums(
        f"{ORDERS} where is_sale and sub_total is not null", {"amount_effect": "sum(sub_total)"}
    ),
    "rpt_fulfilment": Sums(
        f"{ORDERS} where is_sale and not is_return", {"sub_total": "sum(sub_total)"}
    ),
    "rpt_fulfilment_states": Sums(
        f"{ORDERS} cross join wholesale_marts.dim_as_of, wholesale_marts.dim_settings"
        " where is_sale and not is_return",
        {
            **{"order_count": "count(*)", "amount": "sum(sub_total)"},
            "old_order_count": "count(*) filter (as_of_date - ordered_date > old_order_days)",
            "old_amount": "sum(sub_total) filter (as_of_date - ordered_date > old_order_days)",
            "recent_order_count": "count(*) filter (as_of_date - ordered_date <= done_days)",
            "recent_amount": "sum(sub_total) filter (as_of_date - ordered_date <= done_days)",
        },
    ),
    "rpt_fulfilment_steps": Sums(
        "wholesale_bi.rpt_fulfilment",
        {
            "order_count": "count(days_to_accepted) + count(days_to_sent) + count(days_to_done)"
            " + count(days_to_settled)"
        },
    ),
    "rpt_geography": Sums(f"{ORDERS} where is_sale", {**SOLD, "billed_amount": "sum(total)"}),
    "rpt_lost_buyers": Sums(
        f"{ORDERS} where is_sale and buyer_id in"
        " (select buyer_id from wholesale_bi.rpt_reorders where days_since_last_order > 90)",
        {"sales_amount": "sum(sub_total)"},
    ),
    "rpt_minimum_orders": Sums(
        f"{ORDERS} inner join {UNSHORT}",
        {"sub_total": "sum(orders.sub_total)", "unit_count": "sum(orders.known_unit_count)"},
    ),
    "rpt_open_orders": Sums(f"{ORDERS} where is_sale", OPEN),
    "rpt_order_states": Sums(
        f"{ORDERS} where not is_deleted",
        {
            "order_count": "2 * count(*)",
            "amount": "sum(coalesce(sub_total, total)) + sum(total)",
        },
    ),
    "rpt_orders": Sums(
        f"{ORDERS} where is_sale",
        {"sub_total": "sum(sub_total)", "total": "sum(total)", "unit_count": "sum(unit_count)"},
    ),
    "rpt_payment_ageing": Sums(f"{ORDERS} where is_sale", OPEN),
    "rpt_price_realisation": Sums(
        f"{LINES} where is_sale and list_price is not null",
        {
            "line_count": "count(*)",
            "unit_count": "sum(quantity)",
            "charged_amount": "sum(total_price)",
            "discount_amount": "sum(discount_amount)",
        },
    ),
    "rpt_product_sales_by_period": of_periods(
        LINES, PRODUCTS, before={"sales_amount": "sum(total_price)"}
    ),
    "rpt_order_terms": Sums(
        "wholesale_bi.rpt_receivables", {"order_count": "count(*)", "amount": "sum(total)"}
    ),
    "rpt_receivables": Sums(
        f"{ORDERS} where is_sale and not is_return and (payment_standing = 'unknown'"
        " or payment_standing = 'open' and order_standing in ('sent', 'done', 'unknown'))",
        {"total": "sum(total)"},
    ),
    "rpt_receivables_by_buyer": Sums(
        "wholesale_bi.rpt_receivables",
        {
            "order_count": "count(*) filter (is_open)",
            "open_amount": "sum(total) filter (is_open)",
            "overdue_order_count": "count(*) filter (is_overdue)",
            "overdue_amount": "sum(total) filter (is_overdue)",
            "unknown_order_count": "count(*) filter (not is_open)",
            "unknown_amount": "sum(total) filter (not is_open)",
            "open_without_total_count": "count(*) filter (is_open and total is null)",
            "unknown_without_total_count": "count(*) filter (not is_open and total is null)",
        },
    ),
    "rpt_reorders": Sums(f"{ORDERS} where is_sale and buyer_id is not null", SOLD),
    "rpt_sales_by_period": of_periods(
        ORDERS,
        {
            **SOLD,
            "unit_count": "sum(known_unit_count)",
            "net_sales_amount": "sum(net_sub_total)",
            "billed_amount": "sum(total)",
            "refunded_amount": "coalesce(sum(sub_total) filter (is_refunded), 0)",
            "discount_amount": "sum(line_discount_amount)",
            "below_minimum_value_count": (
                "count(*) filter (not is_return and sub_total < vendor_minimum_order_value)"
            ),
        },
        before=SOLD,
    ),
    "rpt_vendor_scorecard": [
        Sums(f"{ORDERS} where is_sale", {**SOLD, "billed_amount": "sum(total)"}),
        Sums(
            "wholesale_bi.rpt_fulfilment",
            {
                "promise_judged_count": "count(*) filter (promise in ('kept', 'broken'))",
                "promise_unknown_count": "count(*) filter (promise = 'unknown')",
            },
        ),
    ],
}
"""The reports of business but those of sums, with one row, or without any column to add up."""
NOT_ADDED_UP = {
    *("active_buyer_count", "assigned_buyer_count", "buyer_count", "cohort_buyer_count"),
    *("new_buyer_count", "repeat_buyer_count", "buyer_count_year_before", "vendor_count"),
    *("sold_item_count", "published_item_count", "product_count", "never_ordered_count"),
    *("ordered_but_inactive_count", "purchase_count", "month_number", "position"),
    *("day_count", "seen_day_count", "target", "so_far"),
    *("cumulative_sales_amount", "sales_amount_7_days", "sales_amount_28_days"),
    *("sales_amount_28_days_year_before", "top_5_sales_amount"),
    *("average_order_value", "average_order_value_year_before", "unit_price", "change_rate"),
    *("price", "price_before", "minimum_order_value", "minimum_order_quantity"),
    *("value_shortfall", "quantity_shortfall"),  # no fact has them
    *("list_buyer_count", "window_days"),
    *(
        f"{name}_{side}"  # of windows that overlap
        for name in ("seen_days", "unit_count", "sales_amount", "order_count", "buyer_count")
        for side in ("before", "after")
    ),
    *("product_order_count", "other_product_order_count", "expected_orders", "lift"),
    *("vendor_order_count", "large_order_count"),  # an order has many pairs
    *("off_list_price_line_count", "unobserved_line_count", "uncompared_line_count"),
    *("list_price_amount", "paid_amount"),  # of prices at the time
    *("days_to_reorder", "median_days_between_orders", "late_after_days"),
    *("days_since_last_order", "age_in_days", "waiting_days", "overdue_days", "monthly_amount"),
    *("terms_days", "days_overdue", "vendor_count"),
    *("days_to_accepted", "days_to_sent", "days_to_done", "days_to_settled"),
    *("median_waiting_days", "recent_median_waiting_days"),
    *("median_days", "most_days", "longest_days"),
    *("threshold_days", "usual_days", "basket_amount", "carton_quantity", "carton_amount"),
    *("amount_before", "amount_after", "total_after", "changed_line_count", "price_after"),
    *("list_price", "quantity", "amount", "order_count"),  # of tasks: a line may be of two
    *("usual_product_count", "left_out_product_count", "like_buyer_count", "taking_buyer_count"),
    *("owed_order_count", "owed_amount", "owed_without_total_count", "overdue_order_count"),
    *("unknown_order_count", "usual_quantity"),  # of buyers to call alone
    *("due_count", "due_and_ordered_count", "ordered_count", "ordered_without_window_count"),
    *("due_share_sum", "due_usual_amount", "due_amount"),  # a buyer is due in many weeks
    *("claimed_percent", "judged_count", "right_count", "mean_width_days"),  # by many parts
    *("unusual_count", "count_by_chance", "compared_count"),
    *("usual_amount", "low_amount", "high_amount"),
    *("known_amount", "expected_amount"),  # windows do not add up
    *(f"{end}_{share}" for end in ("low", "high") for share in (50, 80, 90)),
}
"""What differs, runs on, or is of one row alone; shares and growths besides."""


def business() -> dict[str, list[str]]:
    """The columns of numbers of each report of business whose rows are no sums of others."""
    return {
        table.name: [
            column.name
            for column in table.columns.values()
            if column.type.startswith(("bigint", "decimal"))
            and not (column.unit or "").startswith(("share", "index", "per order"))
        ]
        for table in read_contract("bi").values()
        if table.about == "business" and not table.has_one_row
        if not table.name.endswith("_totals")
    }


def sums_of(report: str) -> list[Sums]:
    sums = REPORTS.get(report, [])
    return sums if isinstance(sums, list) else [sums]


def test_of_each_column_of_numbers_is_told_whether_it_adds_up() -> None:
    assert REPORTS.keys() <= business().keys()
    for report, columns in business().items():
        added = {name for sums in sums_of(report) for name in sums.columns}
        assert added <= set(columns), report
        assert set(columns) - added <= NOT_ADDED_UP, report


@pytest.mark.parametrize("report", REPORTS)
def test_a_report_adds_up_to_the_facts(built: Marts, report: str) -> None:
    for sums in sums_of(report):
        of_report = ", ".join(f"coalesce(sum({name}), 0)" for name in sums.columns)
        of_facts = ", ".join(f"coalesce({sum_}, 0)" for sum_ in sums.columns.values())
        by = f"group by {sums.by}" if sums.by else ""
        key = f"{sums.by}, " if sums.by else ""
        found = built.rows(f"select {key}{of_report} from wholesale_bi.{report} {by} order by all")
        facts = built.rows(f"select {key}{of_facts} from {sums.facts} {by} order by all")
        assert found
        assert [row for row in found if any(row[bool(key) :])] == [
            row for row in facts if any(row[bool(key) :])
        ]


def test_no_key_of_a_report_stands_for_all(built: Marts) -> None:
    """Sums over all are in reports of their own, and only there."""
    for report in business():
        for column in read_contract("bi")[report].columns.values():
            if column.type == "text" and (report, column.name) != ("rpt_periods", "period_kind"):
                assert built.rows(
                    f"select count(*) from wholesale_bi.{report}"
                    f" where {column.name} in ('all', '(all)', 'total')"
                ) == [(0,)], (report, column.name)
