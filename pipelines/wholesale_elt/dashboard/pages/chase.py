"""Orders to chase: unpaid by age, and orders short of a vendor's minimum."""

from collections.abc import Sequence

from wholesale_elt.dashboard.filters import STATE, VENDOR
from wholesale_elt.dashboard.orders import ORDER, ORDER_KEYS
from wholesale_elt.dashboard.page import MOST_ROWS, Column, DashboardPage, Headline, Rows, Table

AGES = ("0-30", "31-60", "61-90", "over 90")
"""Days since the order, as macros/ages.sql names them."""
BOTH = (VENDOR, STATE)
NOTHING = "\u2013"
PLACE: Sequence[Column] = (Column("vendor_id"), Column("state"))
OPEN_ORDERS = "rpt_open_orders"
TOTALS = "rpt_minimum_order_totals"


def open_amount(name: str, label: str, explanation: str, age: str, behind: str) -> Headline:
    return Headline(
        name=name,
        label=label,
        explanation=explanation,
        model=OPEN_ORDERS,
        columns=(
            Column("open_amount", "amount"),
            Column("order_count", "count"),
            Column("open_without_total_count", "count"),
            Column("oldest_ordered_date", "date"),
            Column("unknown_order_count", "count"),
            Column("unknown_amount", "amount"),
            Column("age_bucket"),
            *PLACE,
        ),
        rows=Rows(order="vendor_id, state", where=f"age_bucket = '{age}'"),
        filters=BOTH,
        has_totals=True,
        figure="{open_amount}",
        note="{order_count} orders ({open_without_total_count} without an amount), oldest"
        " {oldest_ordered_date}",
        doubt="Payment state unknown for {unknown_order_count} orders ({unknown_amount})",
        behind=behind,
    )


def short_orders(name: str, label: str, explanation: str, *, figure: str, note: str) -> Headline:
    return Headline(
        name=name,
        label=label,
        explanation=explanation,
        model=TOTALS,
        columns=(
            Column("order_count", "count"),
            Column("near_miss_count", "count"),
            Column("value_shortfall", "amount"),
            *PLACE,
        ),
        rows=Rows(order="vendor_id, state"),
        filters=BOTH,
        has_totals=True,
        figure=figure,
        note=note,
        behind=label,
    )


CHASE = DashboardPage(
    name="chase",
    title="Orders to chase",
    question="Which orders need a call?",
    tiles=(
        open_amount(
            "open", "Open", "Billed and not settled, whatever its age.", "all", "Open orders"
        ),
        open_amount(
            "open_over_90_days",
            "Open over 90 days",
            "Billed more than 90 days ago and not settled.",
            "over 90",
            "Open for over 90 days",
        ),
        short_orders(
            "short_orders",
            "Below a minimum",
            "Orders below a vendor's minimum value or quantity.",
            figure="{order_count}",
            note="short by {value_shortfall} in all",
        ),
        short_orders(
            "near_misses",
            "Near misses",
            "Orders that almost reached each minimum that they missed (setting near_miss_share).",
            figure="{near_miss_count}",
            note="orders that almost reached the minimum",
        ),
        Table(
            name="open_by_age",
            label="Open by age",
            explanation="Billed and not settled, by days since the order: the API names no due"
            " dates. Orders in an unknown state of payment stand beside.",
            model=OPEN_ORDERS,
            columns=(
                Column("age_bucket", "code", "Days", values=AGES),
                Column("open_amount", "amount", "Open", has_bar=True),
                Column("order_count", "count", "Orders"),
                Column("open_without_total_count", "count", "Without an amount"),
                Column("oldest_ordered_date", "date", "Oldest"),
                Column("unknown_order_count", "count", "State unknown"),
                Column("unknown_amount", "amount", "Unknown"),
                *PLACE,
            ),
            rows=Rows(order="vendor_id, state, age_bucket", where="age_bucket <> 'all'"),
            filters=BOTH,
            has_totals=True,
        ),
        Table(
            name="open_orders",
            label="Largest open orders",
            explanation="Orders that are not settled, the largest first.",
            model="rpt_orders",
            columns=(
                *ORDER,
                Column("total", "amount", "Open", has_bar=True),
                Column("age_in_days", "count", "Days"),
                Column("payment_status", "code", "Payment"),
                *ORDER_KEYS,
            ),
            rows=Rows(order="total desc nulls last, order_id", where="is_open", most=MOST_ROWS),
            filters=BOTH,
            sort="total",
            empty="No order is known to be open.",
        ),
        Table(
            name="below_minimum",
            label="Below a minimum",
            explanation="Orders below a vendor's minimum value or quantity, the newest first. A"
            " near miss almost reached each minimum that it missed (by setting near_miss_share).",
            model="rpt_minimum_orders",
            columns=(
                *ORDER,
                Column("sub_total", "amount", "Sales"),
                Column("minimum_order_value", "amount", "Minimum"),
                Column(
                    *("value_shortfall", "amount", "Short by"), has_bar=True, words={"0": NOTHING}
                ),
                Column("quantity_shortfall", "count", "Units short", words={"0": NOTHING}),
                Column("is_near_miss", "flag", "Near miss"),
                *ORDER_KEYS,
            ),
            rows=Rows(order="ordered_date desc nulls last, order_id", most=MOST_ROWS),
            filters=BOTH,
            sort="ordered_date",
            empty="No order is below a minimum.",
        ),
    ),
    besides=("rpt_orders",),
)
