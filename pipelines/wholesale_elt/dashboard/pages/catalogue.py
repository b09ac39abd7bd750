"""Catalogue: what sells, what does not, what should not, and what changed its price."""

from collections.abc import Sequence

from wholesale_elt.dashboard.filters import VENDOR
from wholesale_elt.dashboard.page import MOST_ROWS, Column, DashboardPage, Rows, Table

PRODUCT: Sequence[Column] = (
    Column("item_title", "text", "Item"),
    Column("variant_title", "text", "Variant"),
    Column("sku", "code", "SKU"),
    Column("vendor_name", "text", "Vendor"),
)
VENDOR_ID = Column("vendor_id")
ITEM_ID = Column("item_id")
SALES = Column("sales_amount", "amount", "Sales", has_bar=True)
ORDERS = Column("order_count", "count", "Orders")
UNITS = Column("unit_count", "count", "Units")
PRICE = Column("unit_price", "price", "Price")
CLASS = Column("abc_class", "code", "Class", words={"none": "Unsold"})
LAST_ORDER = Column("last_ordered_date", "date", "Last order")

CATALOGUE = DashboardPage(
    name="catalogue",
    title="Catalogue",
    question="What sells, what does not, and what should not?",
    tiles=(
        Table(
            name="classes",
            label="ABC classes",
            explanation="A: the products that bring the first 80 % of all sales. B: the next 15 %."
            " C: the rest.",
            model="rpt_catalogue_classes",
            columns=(
                CLASS,
                Column("product_count", "count", "Products"),
                Column("product_share", "rate", "Share of products"),
                Column("sales_amount", "amount", "Sales"),
                Column("sales_share", "rate", "Share of sales", has_bar=True),
                Column("never_ordered_count", "count", "Never ordered"),
                Column("ordered_but_inactive_count", "count", "Inactive"),
                VENDOR_ID,
            ),
            rows=Rows(order="vendor_id <> 'all', vendor_id, abc_class"),
            filters=(VENDOR,),
            has_totals=True,
            empty="This vendor has no products.",
        ),
        Table(
            name="price_changes",
            label="Price changes",
            explanation="List prices that changed, the newest first. Changes are seen by syncs, so"
            " the history begins with the first one.",
            model="rpt_price_changes",
            columns=(
                *PRODUCT,
                Column("price_list", "text", "List"),
                Column("observed_at", "moment", "Seen"),
                Column("price_before", "price", "Before"),
                Column("price", "price", "Now"),
                Column("change_rate", "change", "Change"),
                VENDOR_ID,
            ),
            rows=Rows(order="observed_at desc, price_change_id", most=MOST_ROWS),
            filters=(VENDOR,),
            sort="observed_at",
            size=8,
            empty="No price has changed since the first sync.",
        ),
        Table(
            name="best_sellers",
            label="Best sellers",
            explanation="Products with the largest sales of all time.",
            model="rpt_catalogue",
            columns=(
                *(*PRODUCT, CLASS, SALES, UNITS, ORDERS),
                Column("buyer_count", "count", "Buyers"),
                Column("repeat_buyer_rate", "rate", "Buy again"),
                *(PRICE, LAST_ORDER, VENDOR_ID, ITEM_ID),
            ),
            rows=Rows(
                order="sales_amount desc, product_id", where="order_count > 0", most=MOST_ROWS
            ),
            filters=(VENDOR,),
            sort="sales_amount",
            empty="Nothing was sold.",
        ),
        Table(
            name="never_ordered",
            label="Never ordered",
            explanation="Products that can be ordered and never were, the most expensive first.",
            model="rpt_catalogue",
            columns=(*PRODUCT, Column("category_name", "text", "Category"), PRICE, VENDOR_ID),
            rows=Rows(
                order="unit_price desc nulls last, product_id",
                where="is_never_ordered",
                most=MOST_ROWS,
            ),
            filters=(VENDOR,),
            sort="unit_price",
            empty="Every product that can be ordered was ordered.",
        ),
        Table(
            name="ordered_but_inactive",
            label="Ordered but inactive",
            explanation="Products with sales that cannot be ordered any more: unpublished, deleted,"
            " or not in the catalogue.",
            model="rpt_catalogue",
            columns=(*PRODUCT, SALES, ORDERS, UNITS, LAST_ORDER, VENDOR_ID, ITEM_ID),
            rows=Rows(
                order="sales_amount desc, product_id",
                where="is_ordered_but_inactive",
                most=MOST_ROWS,
            ),
            filters=(VENDOR,),
            sort="sales_amount",
            empty="All that was sold can still be ordered.",
        ),
    ),
)
