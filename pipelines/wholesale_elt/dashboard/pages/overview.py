"""Overview: the state of business, compared with a year before."""

from collections.abc import Sequence

from wholesale_elt.dashboard.filters import EVERY_FILTER, PERIOD, STATE, VENDOR
from wholesale_elt.dashboard.page import Column, ColumnType, DashboardPage, Headline, Picture, Table

SALES = "rpt_sales_by_period"
BESIDES = ("rpt_headlines", "rpt_periods", "rpt_orders")


def compared(name: str, type_: ColumnType, label: str) -> Sequence[Column]:
    """A measure, that of a year before, and the growth from the one to the other."""
    return (
        Column(name, type_, label),
        Column(f"{name}_year_before", type_, "A year before"),
        Column(f"{name}_growth", "change", "Change", is_coloured=True),
    )


def headline(name: str, measure: Sequence[Column], *, explanation: str, behind: str) -> Headline:
    now, before, growth = measure
    return Headline(
        name=name,
        label=now.label,
        explanation=explanation,
        model=SALES,
        columns=measure,
        filters=EVERY_FILTER,
        has_totals=True,
        figure=f"{{{now.name}}}",
        note=f"{{{growth.name}}} on {{{before.name}}} a year before",
        otherwise="nothing to compare with a year before",
        behind=behind,
    )


SALES_AMOUNT = compared("sales_amount", "amount", "Sales")
ORDER_COUNT = compared("order_count", "count", "Orders")
BUYER_COUNT = compared("buyer_count", "count", "Buyers")
AVERAGE_ORDER_VALUE = compared("average_order_value", "amount", "Average order")
RANKING = (
    Column("sales_amount", "amount", "Sales", has_bar=True),
    Column("sales_amount_growth", "change", "Change", is_coloured=True),
    Column("order_count", "count", "Orders"),
)
TREND = Picture(
    name="trend",
    label="By month",
    explanation="The twelve months up to the end of the period, or all months of all time, each"
    " compared with the same month a year before. The last month may not be over.",
    model=SALES,
    columns=(
        Column("period_key", "month", "Month"),
        *(*SALES_AMOUNT, *ORDER_COUNT, *BUYER_COUNT, *AVERAGE_ORDER_VALUE),
    ),
    filters=EVERY_FILTER,
    has_totals=True,
)

DAILY = Picture(
    name="daily",
    label="By day",
    explanation="Sales of the last thirteen weeks up to the last day that was over, of all vendors"
    " and states.",
    model="rpt_daily_sales",
    columns=(
        Column("date_day", "date", "Day"),
        Column("sales_amount", "amount", "Sales"),
        Column("order_count", "count", "Orders"),
    ),
)
MOVED = Picture(
    name="moved",
    label="What moved",
    explanation="The vendors and states whose sales grew or fell most since a year before.",
    model=SALES,
    columns=(
        Column("vendor_name", "text", "Vendor"),
        Column("state", "code", "State"),
        Column("sales_amount", "amount", "Sales"),
        Column("sales_amount_year_before", "amount", "A year before"),
        Column("vendor_id"),
    ),
    filters=EVERY_FILTER,
    has_totals=True,
)

MOVED_PRODUCTS = Picture(
    name="moved_products",
    label="Products that moved",
    explanation="The products whose sales grew or fell most since a year before, among those that"
    " were sold then.",
    model="rpt_product_sales_by_period",
    columns=(
        Column("item_title", "text", "Item"),
        Column("variant_title", "text", "Variant"),
        Column("vendor_name", "text", "Vendor"),
        Column("sales_amount", "amount", "Sales"),
        Column("sales_amount_year_before", "amount", "A year before"),
        Column("vendor_id"),
    ),
    filters=(PERIOD, VENDOR),
)

OVERVIEW = DashboardPage(
    name="overview",
    title="Overview",
    question="How is business, compared with a year before?",
    tiles=(
        headline(
            "sales",
            SALES_AMOUNT,
            explanation="Sum of the orders' sub_total. Cancelled and deleted orders are left out,"
            " and returns lower it.",
            behind="Orders behind the sales",
        ),
        headline(
            "orders",
            ORDER_COUNT,
            explanation="Orders that count as a sale: neither cancelled nor deleted.",
            behind="Orders",
        ),
        headline(
            "buyers",
            BUYER_COUNT,
            explanation="Different buyers with a sale. Do not add up the buyers of several months,"
            " vendors or states: one buyer may be in more than one of them.",
            behind="Orders of these buyers",
        ),
        headline(
            "average_order_value",
            AVERAGE_ORDER_VALUE,
            explanation="Sales divided by the orders that have an amount.",
            behind="Orders behind the average",
        ),
        TREND,
        MOVED,
        MOVED_PRODUCTS,
        Table(
            name="top_vendors",
            label="Top vendors",
            explanation="Vendors with the largest sales.",
            model=SALES,
            columns=(Column("vendor_name", "text", "Vendor"), *RANKING, Column("vendor_id")),
            filters=(PERIOD, STATE),
            has_totals=True,
            sort="sales_amount",
            size=10,
            is_half=True,
        ),
        Table(
            name="top_states",
            label="Top states",
            explanation="Where the orders with the largest sales are shipped to.",
            model=SALES,
            columns=(Column("state", "code", "State"), *RANKING),
            filters=(PERIOD, VENDOR),
            has_totals=True,
            sort="sales_amount",
            size=10,
            is_half=True,
        ),
        DAILY,
    ),
    besides=BESIDES,
)
