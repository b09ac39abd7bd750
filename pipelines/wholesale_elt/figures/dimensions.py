"""Dimensions: by what figures can be told apart: columns of a fact, and of what a fact names.

A name is no identity: where the two differ, the key is a column of the models that has the id, or
the name of what has none, and the title is the one name of that key.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

ORDERS, LINES = "fct_orders", "fct_order_lines"
BUYERS, LOST_BUYERS = "rpt_reorders", "rpt_lost_buyers"
FULFILMENT, RECEIVABLES = "rpt_fulfilment", "rpt_receivables"
"""The tables that metrics count: a row an order, a row an order line, a row a buyer with a sale, a
row a buyer that was lost, a row an order that is no return, a row an order that is not paid, or of
which that is not known."""
MARTS, BI = "wholesale_marts", "wholesale_bi"


@dataclass(frozen=True, slots=True)
class Join:
    """A table of which each row of a fact finds one row at most, so that no row counts twice."""

    table: str
    on: str
    schema: str = MARTS


@dataclass(frozen=True, slots=True)
class Dimension:
    """A dimension: `key` tells its members apart, `title` is what people call them, if that is
    another column: a key has one. `joins` are the tables besides the fact that these expressions
    name. A member may be one of which a metric counts nothing, as `cancelled`: `decides` has
    columns of metrics, each with the flag that it needs. A place is found by all its codes and
    names. `synonyms` are what people ask for who mean it."""

    name: str
    meaning: str
    key: str
    title: str | None = None
    joins: tuple[str, ...] = ()
    decides: tuple[tuple[str, str], ...] = ()
    is_place: bool = False
    synonyms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """A table that metrics count, called `alias`, with its schema and the column of its day."""

    schema: str
    alias: str
    day: str | None
    joins: Mapping[str, Join]
    dimensions: Mapping[str, Dimension]

    @property
    def words(self) -> Mapping[str, Sequence[str]]:
        """What else people call each dimension."""
        return {name: dimension.synonyms for name, dimension in self.dimensions.items()}


SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "vendor": ("supplier", "manufacturer", "maker", "seller", "wholesaler"),
    "buyer": ("customer", "client", "retailer", "shop", "store", "account"),
    "order_id": ("order",),
    "order_number": ("order",),
    "order_status": ("status", "order_state"),
    "payment_status": ("status", "payment_state"),
    "invoice_status": ("status", "invoice_state"),
    "payment_method": ("payment_type",),
    "country": ("nation",),
    "state": ("region", "province", "territory"),
    "city": ("town",),
    "buyer_kind": ("buyer_type", "customer_kind", "customer_type", "new_or_returning"),
    "buyer_user": ("user", "person", "contact"),
    "buyer_user_role": ("role", "user_role"),
    "price_list": ("pricelist", "price_book", "price_tier"),
    "account_manager": (
        *("rep", "sales_rep", "representative", "sales_representative", "salesperson"),
        *("salesman", "manager", "sales_manager", "agent", "sales_agent"),
    ),
    "weekday": ("day_of_week",),
    "product": ("item", "article", "style"),
    "sku": ("variant",),
    "category": ("department", "product_category"),
    "parent_category": ("category_above",),
    "top_category": ("main_category", "product_group"),
    "brand": ("label",),
    "color": ("colour",),
    "options": ("attribute",),
    "promise": ("on_time",),
    "due_bucket": ("ageing", "aging", "bucket", "age_bucket"),
    "order_terms": ("terms", "payment_terms"),
}
"""What people ask for, in the singular, who mean a dimension of that name, of whatever fact."""


def _by_name(*dimensions: Dimension) -> Mapping[str, Dimension]:
    return {each.name: replace(each, synonyms=SYNONYMS.get(each.name, ())) for each in dimensions}


def _names(kind: str, key: str) -> Join:
    on = f"{kind}_names.name_kind = '{kind}' and {key} = {kind}_names.name_key"
    return Join("dim_names", on)


_OF_AN_ORDER = {
    "vendor_names": _names("vendor", "orders.vendor_key"),
    "buyer_names": _names("buyer", "orders.buyer_key"),
    "buyers": Join("dim_buyers", "orders.buyer_id = buyers.buyer_id"),
    "buyer_users": Join("dim_buyer_users", "orders.buyer_user_id = buyer_users.buyer_user_id"),
    "vendors": Join("dim_vendors", "orders.vendor_id = vendors.vendor_id"),
}
_STATE = (("is_sale", "is_sale"), ("is_return", "is_sale"), ("is_cancelled", "is_cancelled"))
_COUNTRY = "nullif(orders.shipping_country, '')"
_REGION = f"concat_ws('-', {_COUNTRY}, nullif(orders.shipping_state, ''))"

_OF_ORDERS = _by_name(
    Dimension(
        "vendor", "Who sold it.", "orders.vendor_key",
        "vendor_names.display_name", ("vendor_names",),
    ),
    Dimension(
        "buyer", "Who bought it.", "orders.buyer_key",
        "buyer_names.display_name", ("buyer_names",),
    ),
    Dimension("order_id", "The order.", "orders.order_id", decides=_STATE),
    Dimension("order_number", "Number of the order.", "orders.order_number", decides=_STATE),
    Dimension(
        "order_status", "State of the order now.", "orders.order_status", decides=_STATE
    ),
    Dimension(
        "payment_status", "State of the payment now.", "orders.payment_status",
        decides=(("is_refunded", "is_refunded"),),
    ),
    Dimension("invoice_status", "State of the invoice now.", "orders.invoice_status"),
    Dimension("payment_method", "How it is paid.", "orders.payment_method_type"),
    Dimension("country", "Country that it is shipped to.", _COUNTRY, is_place=True),
    Dimension(
        "state", "Country and state that it is shipped to.", f"nullif({_REGION}, '')",
        is_place=True,
    ),
    Dimension("city", "City that it is shipped to.", "nullif(orders.shipping_city, '')"),
    Dimension(
        "buyer_kind", "`new` on the day of the buyer's first sale, `returning` afterwards.",
        "orders.buyer_kind",
    ),
    Dimension(
        "buyer_user", "Who ordered for the buyer, by id: names are personal.",
        "nullif(orders.buyer_user_id, '')",
    ),
    Dimension(
        "buyer_user_role", "Role of who ordered.", "nullif(buyer_users.user_role, '')", None,
        ("buyer_users",),
    ),
    Dimension(
        "price_list", "Price list of the buyer.", "buyers.price_list_id",
        "buyers.price_list_title", ("buyers",),
    ),
    Dimension(
        "account_manager", "Account manager of the buyer.", "buyers.account_manager_id", None,
        ("buyers",),
    ),
    Dimension(
        "weekday", "Day of the week, 1 for Monday.",
        "cast(isodow(orders.ordered_date) as bigint)",
    ),
)  # fmt: skip
_OF_LINES = _by_name(
    Dimension(
        "product", "The item.", "order_lines.item_key",
        "item_names.display_name", ("item_names",),
    ),
    Dimension(
        "sku", "SKU of the line.", "order_lines.sku_key",
        "sku_names.display_name", ("sku_names",),
    ),
    Dimension(
        "category", "Category of the product.",
        "coalesce(nullif(order_lines.category_name, ''), items.category_name)", None, ("items",),
    ),
    Dimension(
        "parent_category", "Category above that of the item.", "categories.parent_category_id",
        "categories.parent_category_title", ("items", "categories"),
    ),
    Dimension(
        "top_category", "Uppermost category of the item.", "categories.top_category_id",
        "categories.top_category_title", ("items", "categories"),
    ),
    Dimension("brand", "Brand of the product.", "items.brand_name", None, ("items",)),
    Dimension("color", "Colour of the variant.", "variants.color", None, ("variants",)),
    Dimension("size", "Size of the variant.", "variants.size", None, ("variants",)),
    Dimension(
        "options", "All options of the variant, as `Color: Red, Size: M`.",
        "variants.variant_options", None, ("variants",),
    ),
)  # fmt: skip
_OF_FULFILMENT = _by_name(
    Dimension(
        "promise", "Whether the vendor kept its promise to ship: `kept`, `broken`, `pending` or"
        " `unknown`.", "fulfilment.promise",
    ),
)  # fmt: skip
_OF_RECEIVABLES = _by_name(
    Dimension(
        "due_bucket", "Days past the due day: `not due`, `1-30` and so on.",
        "receivables.due_bucket",
    ),
    Dimension(
        "due_from", "From which day on the days of terms count.", "receivables.due_from"
    ),
    Dimension("order_terms", "Terms of the vendor.", "receivables.order_terms"),
)  # fmt: skip
_OF_BUYERS = _by_name(
    Dimension("buyer", "The buyer.", "reorders.buyer_id", "reorders.company_name"),
    Dimension("account_manager", "Its account manager.", "reorders.account_manager_id"),
    Dimension("state", "Where its latest sale was shipped to.", "reorders.state", is_place=True),
)
_OF_LOST_BUYERS = _by_name(
    Dimension("buyer", "The buyer.", "lost_buyers.buyer_id", "lost_buyers.company_name"),
    Dimension("account_manager", "Its account manager.", "lost_buyers.account_manager_id"),
    Dimension("state", "Where its latest sale was shipped to.", "lost_buyers.state", is_place=True),
)


def _of_each_order(alias: str, own: Mapping[str, Dimension]) -> Fact:
    """A report that has a row an order, with the dimensions of the order besides its own."""
    joins = {"orders": Join(ORDERS, f"{alias}.order_id = orders.order_id"), **_OF_AN_ORDER}
    of_orders = {
        name: replace(each, joins=("orders", *each.joins), decides=())
        for name, each in _OF_ORDERS.items()
    }
    return Fact(BI, alias, "ordered_date", joins, of_orders | dict(own))


FACTS: Mapping[str, Fact] = {
    ORDERS: Fact(
        MARTS, "orders", "ordered_date",
        _OF_AN_ORDER, _OF_ORDERS,
    ),
    LINES: Fact(
        MARTS, "order_lines", "ordered_date",
        {
            "orders": Join(ORDERS, "order_lines.order_id = orders.order_id"),
            **_OF_AN_ORDER,
            "item_names": _names("item", "order_lines.item_key"),
            "sku_names": _names("sku", "order_lines.sku_key"),
            "items": Join("dim_items", "order_lines.item_id = items.item_id"),
            "categories": Join("dim_categories", "items.category_id = categories.category_id"),
            "variants": Join("dim_variants", "order_lines.variant_id = variants.variant_id"),
        },
        {
            name: replace(each, joins=("orders", *each.joins))
            for name, each in _OF_ORDERS.items()
        } | dict(_OF_LINES),
    ),
    BUYERS: Fact(
        BI, "reorders", None,
        {"buyers": Join("dim_buyers", "reorders.buyer_id = buyers.buyer_id")}, _OF_BUYERS,
    ),
    LOST_BUYERS: Fact(
        BI, "lost_buyers", "lost_date",
        {"buyers": Join("dim_buyers", "lost_buyers.buyer_id = buyers.buyer_id")}, _OF_LOST_BUYERS,
    ),
    FULFILMENT: _of_each_order("fulfilment", _OF_FULFILMENT),
    RECEIVABLES: _of_each_order("receivables", _OF_RECEIVABLES),
}  # fmt: skip
"""By the name of the table."""
