"""Vendors: the sales of each in the period."""

from wholesale_elt.dashboard.filters import PERIOD, STATE
from wholesale_elt.dashboard.page import Column, DashboardPage, Table
from wholesale_elt.dashboard.pages.overview import BESIDES, SALES

VENDORS = DashboardPage(
    name="vendors",
    title="Vendors",
    question="How does each vendor do?",
    tiles=(
        Table(
            name="vendors",
            label="Vendors",
            explanation="One row per vendor with sales. Below minimum value is the share of orders"
            " below the vendor's minimum order value; orders below its minimum quantity are among"
            " the orders to chase.",
            model=SALES,
            columns=(
                Column("vendor_name", "text", "Vendor"),
                Column("sales_amount", "amount", "Sales", has_bar=True),
                Column("sales_amount_year_before", "amount", "A year before"),
                Column("sales_amount_growth", "change", "Change", is_coloured=True),
                Column("order_count", "count", "Orders"),
                Column("buyer_count", "count", "Buyers"),
                Column("average_order_value", "amount", "Average order"),
                Column("discount_rate", "rate", "Discount"),
                Column("below_minimum_value_rate", "rate", "Below minimum value"),
                Column("below_minimum_value_count", "count", "Orders below it"),
                Column("vendor_id"),
            ),
            filters=(PERIOD, STATE),
            has_totals=True,
            sort="sales_amount",
            size=50,
            empty="No vendor sold anything in this period and state.",
        ),
    ),
    besides=BESIDES,
)
