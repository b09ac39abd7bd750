"""Months: the figures of vendors, account managers, places and prices in one month."""

from collections.abc import Sequence

from wholesale_elt.dashboard.filters import MONTH, VENDOR
from wholesale_elt.dashboard.page import MOST_ROWS, Column, DashboardPage, Rows, Table

OF_THE_MONTH = Column("month_start")
ORDERS = Column("order_count", "count", "Orders")
BUYERS = Column("buyer_count", "count", "Buyers")
SALES = Column("sales_amount", "amount", "Sales", has_bar=True)
AVERAGE = Column("average_order_value", "amount", "Average order")
LARGEST_FIRST = "sales_amount desc nulls last"

VENDOR_SCORES: Sequence[Column] = (
    Column("vendor_name", "text", "Vendor"),
    *(SALES, ORDERS, BUYERS),
    Column("new_buyer_count", "count", "New buyers"),
    AVERAGE,
    Column("discount_rate", "rate", "Discount"),
    Column("fee_rate", "rate", "Fees"),
    Column("below_minimum_value_rate", "rate", "Below minimum value"),
    Column("catalogue_sold_rate", "rate", "Catalogue sold"),
    *(Column("vendor_id"), OF_THE_MONTH),
)

MONTHS = DashboardPage(
    name="months",
    title="Months",
    question="How did vendors, account managers, places and prices do in a month?",
    is_by_month=True,
    tiles=(
        Table(
            name="vendor_scorecard",
            label="Vendor scorecard",
            explanation="Vendors with sales in the month. New buyers had never ordered from the"
            " vendor before. Catalogue sold is the share of the vendor's items that were sold.",
            model="rpt_vendor_scorecard",
            columns=VENDOR_SCORES,
            rows=Rows(order=f"{LARGEST_FIRST}, vendor_id"),
            filters=(MONTH, VENDOR),
            sort="sales_amount",
            size=15,
            empty="No vendor sold anything in this month.",
        ),
        Table(
            name="account_managers",
            label="Account managers",
            explanation="Sales to the buyers of each account manager, as they are assigned now."
            " Active buyers ordered in the month. The API gives account managers an id, no name.",
            model="rpt_account_managers",
            columns=(
                Column(
                    *("account_manager_id", "code", "Account manager"), words={"none": "Nobody"}
                ),
                *(SALES, ORDERS),
                Column("assigned_buyer_count", "count", "Buyers assigned"),
                Column("active_buyer_count", "count", "Active"),
                Column("active_rate", "rate", "Active share"),
                *(AVERAGE, OF_THE_MONTH),
            ),
            rows=Rows(order=f"{LARGEST_FIRST}, account_manager_id"),
            filters=(MONTH,),
            sort="sales_amount",
            empty="No account manager had sales in this month.",
        ),
        Table(
            name="geography",
            label="Countries and states",
            explanation="Where the orders of the month were shipped to.",
            model="rpt_geography",
            columns=(
                Column("shipping_state", "code", "State"),
                Column("shipping_country", "code", "Country"),
                *(SALES, ORDERS, BUYERS, AVERAGE, OF_THE_MONTH),
            ),
            rows=Rows(order=f"{LARGEST_FIRST}, shipping_country, shipping_state"),
            filters=(MONTH,),
            sort="sales_amount",
            empty="Nothing was shipped anywhere in this month.",
        ),
        Table(
            name="price_realisation",
            label="Price realisation",
            explanation="How much of its own price was paid for each variant, the largest first;"
            " price lists of buyers are not looked at. Off price are lines at another price than"
            " the variant's own of that time. Lines older than the first price that was seen are"
            " compared with it, as their own is not known."
            " Lines without a quantity or a price are in neither amount.",
            model="rpt_price_realisation",
            columns=(
                Column("item_title", "text", "Item"),
                Column("variant_title", "text", "Variant"),
                Column("vendor_name", "text", "Vendor"),
                Column("unit_count", "count", "Units"),
                Column("variant_price_amount", "amount", "At own price", has_bar=True),
                Column("paid_amount", "amount", "Paid"),
                Column("price_realisation_rate", "rate", "Realised"),
                Column("line_count", "count", "Lines"),
                Column("off_variant_price_line_count", "count", "Off price"),
                Column("unobserved_line_count", "count", "Price not known"),
                Column("uncompared_line_count", "count", "In neither amount"),
                *(Column("vendor_id"), OF_THE_MONTH),
            ),
            rows=Rows(
                order="variant_price_amount desc nulls last, price_realisation_id", most=MOST_ROWS
            ),
            filters=(MONTH, VENDOR),
            sort="variant_price_amount",
            empty="No variant with a price was sold in this month.",
        ),
    ),
    besides=("rpt_periods", "rpt_orders"),
)
