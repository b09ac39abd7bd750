"""Columns: which column of an export is which field of an order or of a line, by its name."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wholesale.errors import ConfigurationError, legible

NUMBER, CREATED_AT, TOTAL, SUB_TOTAL = "order_number", "created_at", "total", "sub_total"
QUANTITY, UNIT_PRICE, TOTAL_PRICE = "quantity", "unit_price", "total_price"
CATEGORY, CURRENCY = "categoy_name", "currency"
"""The first is the API's own spelling (§2.4)."""
ORDER_FIELDS: Mapping[str, str] = {
    NUMBER: "order number, order no, order, order id, number, name, invoice no, invoice number,"
    " invoice, document number, sales order, reference",
    CREATED_AT: "created at, order date, ordered at, ordered, date, created, placed at, order"
    " placed, invoice date, document date, transaction date, date created, date ordered",
    "status": "order status, status, state of order, fulfillment status, order state",
    "payment_status": "payment status, financial status, paid status, payment",
    TOTAL: "total, order total, grand total, total amount, order amount, amount due, total inc tax,"
    " total incl tax, invoice total",
    SUB_TOTAL: "sub total, subtotal, net total, order subtotal, total excl tax, net amount",
    "buyer_company_name": "buyer company name, buyer, buyer name, customer, customer name, company,"
    " billing company, shipping company, account, account name, retailer, store, client, sold to,"
    " customer id, customer company",
    "po_number": "po number, po, po no, purchase order, customer po, purchase order number",
    "shipping_city": "shipping city, city, ship city, ship to city",
    "shipping_state": "shipping state, shipping province, ship state, province, region, state",
    "shipping_country": "shipping country, country, ship country, ship to country",
    CURRENCY: "currency, currency code",
}
"""Fields of an order, the names of each."""
LINE_FIELDS: Mapping[str, str] = {
    "sku": "sku, lineitem sku, line item sku, item code, product code, stock code, stockcode, item"
    " no, item number, article, article number, code, product sku, item sku",
    "title": "title, product, product name, product title, item, item name, lineitem name, line"
    " item name, description, item description, product description, article name",
    "variant": "variant, variant title, variation, option, variant name",
    QUANTITY: "quantity, qty, lineitem quantity, line item quantity, units, quantity ordered, qty"
    " ordered, ordered quantity, pieces",
    UNIT_PRICE: "unit price, unitprice, price, lineitem price, line item price, item price, rate,"
    " wholesale price, price each, unit cost",
    TOTAL_PRICE: "total price, line total, lineitem total, line amount, extended price, line item"
    " total, amount, row total, extended amount, line price, sales",
    "discount_amount": "discount amount, line discount, lineitem discount, discount, line item"
    " discount",
    CATEGORY: "category, category name, product type, product category, department, type",
    "vendor_name": "vendor name, vendor, supplier, supplier name, brand, manufacturer, lineitem"
    " vendor, line item vendor, brand name, maker",
}
"""Fields of a line, the names of each."""
FIELDS = (*ORDER_FIELDS, *LINE_FIELDS)
AMOUNTS = frozenset({TOTAL, SUB_TOTAL, UNIT_PRICE, TOTAL_PRICE, "discount_amount"})
NAMES = {
    field: [re.sub(r"[^a-z0-9]", "", name) for name in (f"{field}, {names}").split(",")]
    for field, names in {**ORDER_FIELDS, **LINE_FIELDS}.items()
}


@dataclass(frozen=True, slots=True)
class Matched:
    """The column of each field that was found, by its place; and those of no field, which become
    extra fields, by the name that they get."""

    fields: Mapping[str, int]
    extra: Mapping[str, int]


def match(names: Sequence[str], given: Mapping[str, str]) -> Matched:
    """Find a column for each field: the one that is `given`, else one of a known name, in any case
    and with any signs between. A given name that is empty leaves the field out.

    Raises: ConfigurationError for a field or column that does not exist, and if nothing tells the
    number, the day or the amount of an order.
    """
    plain = [re.sub(r"[^a-z0-9]", "", name.lower()) for name in names]
    fields: dict[str, int] = {}
    for field, name in given.items():
        if field not in FIELDS:
            raise ConfigurationError(
                f"--column {legible(field)}=… names no field: there are {', '.join(FIELDS)}"
            )
        if name:
            fields[field] = _place(name, names)
    for field in FIELDS:
        if field in given:
            continue
        taken = set(fields.values())
        places = [
            plain.index(name)
            for name in NAMES[field]
            if name in plain and plain.index(name) not in taken
        ]
        if places:
            fields[field] = places[0]
    _require(fields, names)
    extra: dict[str, int] = {}
    for place, name in enumerate(names):
        if place not in fields.values():
            extra[_extra_name(name, {*extra, *FIELDS})] = place
    return Matched(fields, extra)


def _place(name: str, names: Sequence[str]) -> int:
    for place, each in enumerate(names):
        if each.casefold() == name.strip().casefold():
            return place
    raise ConfigurationError(f"no column is called {legible(name)}: {_listed(names)}")


def _require(fields: Mapping[str, int], names: Sequence[str]) -> None:
    has_lines = {QUANTITY, UNIT_PRICE} <= fields.keys()
    has_amount = has_lines or not fields.keys().isdisjoint({TOTAL, SUB_TOTAL, TOTAL_PRICE})
    for field, what, is_there in (
        (NUMBER, "the number of an order", NUMBER in fields),
        (CREATED_AT, "the day of an order", CREATED_AT in fields),
        (TOTAL, "the amount of an order or line", has_amount),
    ):
        if not is_there:
            raise ConfigurationError(
                f"no column seems to be {what}: name it by --column '{field}=NAME';"
                f" {_listed(names)}"
            )


def _listed(names: Sequence[str]) -> str:
    return f"there are {legible(', '.join(names))}"


def _extra_name(name: str, taken: set[str]) -> str:
    """As a field of the API would be called."""
    plain = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") or "column"
    plain = f"own_{plain}" if plain[0].isdigit() or plain in taken or plain == "id" else plain
    while plain in taken:
        plain += "_"
    return plain
