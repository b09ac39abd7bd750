"""Tables: the published tables that a fleet has by account, and which of their columns add up.

Left out are tables that are the same for all accounts (`dim_dates`), those about an account's own
loading (`rpt_sync_runs`, …), and reports whose rows are shares, ranks or averages of one account.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct


class IncludedTable(Struct, frozen=True):
    """A published table, why it is included, and the columns that no account may lack."""

    schema: str
    name: str
    reason: str
    needs: Sequence[str] = ()

    @property
    def key(self) -> str:
        return f"{self.schema}.{self.name}"


OF_ALL_TIME = (
    *("order_count", "unit_count", "line_count", "sales_amount", "net_sales_amount"),
    *("refunded_order_count", "refunded_amount", "billed_amount", "discount_amount", "fee_amount"),
    *("missing_amount_count", "undated_order_count"),
)
"""Columns of `rpt_headlines` that add up; buyers do not, as two accounts may have the same."""
OF_A_DAY = ("order_count", "unit_count", "sales_amount", "billed_amount", "discount_amount")
"""Columns of `rpt_daily_sales` that add up."""
SETTINGS: Mapping[str, str] = {
    "currency": "text",
    "time_zone": "text",
    "is_discount_in_amounts": "boolean",
    "cancelled_order_statuses": "text",
    "refunded_payment_statuses": "text",
    "largest_amount": "decimal(38, 9)",
    "largest_quantity": "bigint",
    "first_plausible_day": "date",
    "build_key": "text",
}
"""Columns of `dim_settings` with their types: sums of accounts that differ in one have no meaning.
The last also shows another release of the models."""

INCLUDED_TABLES = {
    taken.key: taken
    for taken in (
        IncludedTable("wholesale_marts", "fct_orders", "orders add up: a row each, of one account"),
        IncludedTable("wholesale_marts", "fct_order_lines", "so do their lines"),
        IncludedTable("wholesale_marts", "dim_vendors", "names what orders and lines refer to"),
        IncludedTable("wholesale_marts", "dim_buyers", "the same"),
        IncludedTable("wholesale_marts", "dim_items", "the same"),
        IncludedTable("wholesale_marts", "dim_variants", "the same"),
        IncludedTable(
            *("wholesale_marts", "dim_settings", "says what amounts and days mean"),
            ("currency", "time_zone", "build_key"),
        ),
        IncludedTable(
            *("wholesale_bi", "rpt_headlines", "all that was sold, in a row an account"),
            ("as_of_date", "last_ordered_date", *OF_ALL_TIME),
        ),
        IncludedTable(
            *(
                "wholesale_bi",
                "rpt_daily_sales",
                "what was sold by vendor and day: its sums add up",
            ),
            ("date_day", *OF_A_DAY),
        ),
        IncludedTable(
            "wholesale_bi", "rpt_freshness", "how old each resource is, and whether complete"
        ),
    )
}
"""By schema and name."""
