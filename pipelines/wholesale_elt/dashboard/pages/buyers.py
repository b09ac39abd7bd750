"""Buyers: who comes back, who is late, and how much depends on few."""

from collections.abc import Sequence

from wholesale_elt.dashboard.filters import STATE, VENDOR
from wholesale_elt.dashboard.page import (
    MOST_ROWS,
    Column,
    DashboardPage,
    Headline,
    Picture,
    ReportExtract,
    Rows,
    Table,
)

HEADLINES = "rpt_buyer_headlines"
ONE_ROW = Rows(order="1")


def of_buyers(risk: str, label: str, explanation: str) -> Headline:
    """The buyers at risk for one of the two reasons, with what they bought so far."""
    return Headline(
        name=f"{risk}_buyers",
        label=label,
        explanation=explanation,
        model=HEADLINES,
        columns=(Column(f"{risk}_count", "count"), Column(f"{risk}_sales_amount", "amount")),
        rows=ONE_ROW,
        figure=f"{{{risk}_count}}",
        note=f"with {{{risk}_sales_amount}} of sales so far",
        behind=f"Orders of the {risk} buyers",
    )


BUYER: Sequence[Column] = (
    Column("company_name", "text", "Buyer"),
    Column("sales_amount", "amount", "At stake", has_bar=True),
    Column("order_count", "count", "Orders"),
    Column("last_ordered_date", "date", "Last order"),
    Column("days_since_last_order", "count", "Days since"),
    Column("median_days_between_orders", "count", "Usual days"),
    Column("is_lapsed", "flag", "Lapsed"),
    Column("state", "code", "State"),
    Column("account_manager_id", "code", "Account manager"),
    Column("expected_next_order_date"),
    Column("is_late"),
    Column("buyer_id"),
)

BUYERS = DashboardPage(
    name="buyers",
    title="Buyers",
    question="Who comes back, and who is about to be lost?",
    tiles=(
        Headline(
            name="reordering",
            label="Ordered again within 90 days",
            explanation="Share of the buyers whose first order is old enough to tell.",
            model=HEADLINES,
            columns=(
                Column("reorder_90_days_rate", "rate"),
                Column("reorder_90_days_count", "count"),
                Column("reorder_90_days_known_count", "count"),
            ),
            rows=ONE_ROW,
            figure="{reorder_90_days_rate}",
            note="{reorder_90_days_count} of {reorder_90_days_known_count} buyers",
            behind="Orders of the buyers who ordered again within 90 days",
        ),
        of_buyers(
            "late",
            "Late buyers",
            "Buyers whose last order is longer ago than nearly all gaps between their orders.",
        ),
        of_buyers(
            "lapsed",
            "Lapsed buyers",
            "Buyers whose last order is too long ago (more days than setting lapse_days).",
        ),
        Headline(
            name="top_5_share",
            label="Concentration",
            explanation="Share of all sales that comes from the five largest buyers.",
            model=HEADLINES,
            columns=(Column("top_5_share", "rate"), Column("buyer_count", "count")),
            rows=ONE_ROW,
            figure="{top_5_share}",
            note="of all sales come from five of {buyer_count} buyers",
        ),
        Picture(
            name="cohorts",
            label="Who comes back",
            explanation="Of the buyers who first ordered in a month, the share that orders in each"
            " later month. The first month is left out, as all of them order in it; the darkest"
            " shade is the largest share.",
            model="rpt_buyer_cohorts",
            columns=(
                Column("cohort_month", "month", "First order"),
                Column("cohort_buyer_count", "count", "Buyers"),
                Column("month_start", "month"),
                Column("month_number", "count"),
                Column("active_buyer_count", "count"),
                Column("order_count", "count"),
                Column("sales_amount", "amount"),
                Column("retention_rate", "rate"),
            ),
            rows=Rows(order="cohort_month, month_number", where="cohort_month is not null"),
        ),
        Table(
            name="at_risk",
            label="Buyers to call",
            explanation="Late or lapsed buyers, those who bought most so far first. The last order"
            " of a lapsed buyer is more days ago than setting lapse_days.",
            model="rpt_reorders",
            columns=BUYER,
            rows=Rows(order="sales_amount desc, buyer_id", where="is_at_risk", most=MOST_ROWS),
            filters=(STATE,),
            sort="sales_amount",
            size=15,
            empty="No buyer is late or lapsed.",
        ),
        Table(
            name="concentration",
            label="Concentration by vendor",
            explanation="Share of each vendor's sales that comes from its five largest buyers.",
            model="rpt_buyer_concentration",
            columns=(
                Column("vendor_name", "text", "Vendor"),
                Column("top_5_share", "rate", "Top 5 share", has_bar=True),
                Column("buyer_count", "count", "Buyers"),
                Column("top_5_sales_amount", "amount", "Top 5 sales"),
                Column("sales_amount", "amount", "Sales"),
                Column("vendor_id"),
            ),
            rows=Rows(order="sales_amount desc, vendor_id"),
            filters=(VENDOR,),
        ),
    ),
    lists=(
        ReportExtract(
            name="known",
            model="rpt_reorders",
            columns=(
                Column("buyer_id"),
                Column("first_ordered_date"),
                Column("has_reordered_within_90_days"),
                Column("is_late"),
                Column("is_lapsed"),
            ),
            rows=Rows(order="buyer_id", most=MOST_ROWS),
        ),
    ),
    besides=("rpt_orders",),
)
