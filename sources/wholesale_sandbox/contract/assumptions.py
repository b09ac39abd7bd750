"""Assumptions of the sandbox where the API description leaves a matter open, by name."""

from typing import Any, Literal

from wholesale.api import Assumption, Statement

# Lists and pages

FIRST_PAGE: Assumption[Literal[0, 1]] = Assumption(
    "FIRST_PAGE", 1, "8", "number of the first page, which is served when none is asked for"
)
DEFAULT_LIMIT = Assumption("DEFAULT_LIMIT", 25, "8", "records on a page when no limit is asked for")
LIMIT_CAP = Assumption("LIMIT_CAP", 250, "8", "largest number of records on a page")
LIMIT_ABOVE_CAP: Assumption[Literal["lowered", "refused"]] = Assumption(
    "LIMIT_ABOVE_CAP", "lowered", "8", "a larger limit is lowered to the cap without an error"
)
ALL_LISTS_PAGED = Assumption(
    "ALL_LISTS_PAGED", True, "4.12", "lists with no documented parameters take page and limit too"
)
LIST_SHAPE: Assumption[Literal["envelope", "plural", "nested", "bare", "whole"]] = Assumption(
    "LIST_SHAPE", "envelope", "4.12", "lists of no described shape come in the envelope of §2.3"
)
LIST_ORDER: Assumption[Literal["oldest", "newest", "updated", "shuffled"]] = Assumption(
    "LIST_ORDER", "oldest", "4.2", "lists begin with the oldest record"
)
PAGE_PAST_END = Assumption(
    "PAGE_PAST_END", 200, "8", "status of a page past the last one; its data is empty"
)
EMPTY_LIST_PAGES = Assumption("EMPTY_LIST_PAGES", 0, "2.3", "total_pages of a list without records")
PAGE_RULE = Assumption(
    "PAGE_RULE", 422, "8", "status when page or limit is no integer from 1 to 2147483647"
)
DEFAULT_VERBOSE = Assumption(
    "DEFAULT_VERBOSE", False, "4.2", "form of orders when verbose is not sent"
)
VERBOSE_RULE = Assumption(
    "VERBOSE_RULE", 422, "4.2", "status when verbose is neither true nor false"
)

# Statuses and errors

SERVICE_ROOT = Assumption(
    "SERVICE_ROOT",
    {"name": "Wholesale Catalog and Ordering Service", "version": "v1"},
    "4.12",
    "answer of GET /",
)
DELETED_STATUS = Assumption(
    "DELETED_STATUS", 204, "4.12", "status of a deletion, without a body, as §4.9 has it for images"
)
KEY_FIRST = Assumption(
    "KEY_FIRST", True, "5", "the key is checked before path, method, parameters and body"
)
UNKNOWN_PATH = Assumption("UNKNOWN_PATH", 404, "7", "status of a path that is no endpoint")
WRONG_METHOD = Assumption(
    "WRONG_METHOD",
    405,
    "7",
    "status of a method that a path does not have; Allow names those it has",
)
MALFORMED_BODY = Assumption("MALFORMED_BODY", 422, "7", "status of a body that is not JSON")
FAILURE = Assumption("FAILURE", 500, "7", "status when the service itself fails")
TOO_MANY_REQUESTS = Assumption(
    "TOO_MANY_REQUESTS", 429, "8", "status when a rate limit is dialled in; Retry-After in seconds"
)
MALFORMED_ID = Assumption(
    "MALFORMED_ID", 404, "7", "status when an id in the path is no guid: there is no such record"
)

# Bodies

CONTENT_TYPE_READ = Assumption(
    "CONTENT_TYPE_READ",
    False,
    "4",
    "a body is read as JSON whatever its Content-Type says"
    " (POST /brands: unless it is multipart/form-data)",
)
KEYS_BESIDE_WRAPPER = Assumption(
    "KEYS_BESIDE_WRAPPER", "ignored", "4.12", "keys of a body beside the wrapper key"
)
UNKNOWN_FIELDS = Assumption(
    "UNKNOWN_FIELDS", "ignored", "4", "fields that the description does not know, in a body"
)
READ_ONLY_FIELDS = Assumption(
    "READ_ONLY_FIELDS", "ignored", "2", "read-only fields in a body (a variant's title is refused)"
)
NULL_CLEARS = Assumption(
    "NULL_CLEARS", True, "4.12", "null clears an optional field; one with a default takes it again"
)
BLANK_IS_MISSING = Assumption(
    "BLANK_IS_MISSING", True, "2.1", "a required text of blanks only counts as missing"
)
UNKNOWN_REFERENCE = Assumption(
    "UNKNOWN_REFERENCE", 422, "7", "status when a field names a record that does not exist"
)
UNKNOWN_PARENT_CATEGORY = Assumption(
    "UNKNOWN_PARENT_CATEGORY",
    404,
    "7",
    "status of POST /categories with an unknown parent_id: gives the documented 404 a cause",
)
REQUIRED_FIELDS: Assumption[dict[str, tuple[str, ...]]] = Assumption(
    "REQUIRED_FIELDS",
    {
        "vendors": ("name",),
        "buyers": ("company_name",),
        "item_images": ("item_id",),
        "price_lists": ("title",),
        "prices": ("price_list_id", "unit_price"),
        "brands": ("title",),
        "categories": ("title",),
        "custom_fields": ("name",),
    },
    "2.7",
    "fields required on create beside the documented ones",
)
DEFAULT_VALUES: Assumption[dict[str, dict[str, str]]] = Assumption(
    "DEFAULT_VALUES",
    {
        "items": {"status": "draft"},
        "variants": {"sku_status": "active"},
        "buyer_users": {"role": "user", "status": "invited"},
        "vendors": {"status": "active"},
        "custom_fields": {"kind": "text"},
    },
    "3",
    "values of a new record where its body gives none",
)
INTEGRAL_NUMBERS = Assumption(
    "INTEGRAL_NUMBERS", "accepted", "2.1", "an integer written 3.0 in a body; served as 3"
)
LARGEST_NUMBER = Assumption(
    "LARGEST_NUMBER", "as a double", "8", "a number beyond the range of doubles is refused"
)
VENDOR_ZIP = Assumption(
    "VENDOR_ZIP", "number where it is all digits", "2.7", "a vendor's zip; otherwise text"
)

# Items and variants

VARIANT_TITLE_SEPARATOR = Assumption(
    "VARIANT_TITLE_SEPARATOR", " / ", "2.2", "stands between the option values of a variant's title"
)
OPTIONS_MERGED = Assumption(
    "OPTIONS_MERGED",
    "by name",
    "2.1",
    "an option sent replaces the one of its name or is added;"
    " _destroy true removes it; options not sent stay",
)
PARENT_COPIES = Assumption(
    "PARENT_COPIES",
    "ignored",
    "4.10",
    "parent_title and parent_product_code in a body: they follow the parent",
)
PARENT_MOVES = Assumption(
    "PARENT_MOVES", True, "4.10", "a parent_id in PUT moves the variant under that item"
)
PARENT_ON_CREATE = Assumption(
    "PARENT_ON_CREATE", 422, "4.12", "status of POST of a variant whose parent_id is another item"
)
WRONG_PARENT = Assumption(
    "WRONG_PARENT",
    404,
    "7",
    "status when a variant or buyer user is addressed under another parent",
)

# Deletions

ITEM_DELETION = Assumption(
    "ITEM_DELETION", "cascades", "4.12", "an item takes its variants, images and prices with it"
)
VARIANT_DELETION = Assumption(
    "VARIANT_DELETION", "cascades", "4.12", "a variant takes its prices with it"
)
BUYER_DELETION = Assumption(
    "BUYER_DELETION", "cascades", "4.12", "a buyer takes its buyer users with it"
)
PRICE_LIST_DELETION = Assumption(
    "PRICE_LIST_DELETION",
    "cascades",
    "4.12",
    "a price list takes its prices with it; buyers who had it have none",
)
BRAND_DELETION = Assumption(
    "BRAND_DELETION", "clears", "4.12", "items of a deleted brand have no brand"
)
VENDOR_IN_USE = Assumption(
    "VENDOR_IN_USE",
    422,
    "4.8",
    "status of the deletion of a vendor that has items: gives the documented 422 a cause",
)

# Buyer users

INVITATION_RESENT = Assumption(
    "INVITATION_RESENT", "always", "4.12", "resend_invitation sends one whatever the status"
)
PASSWORD_RESET = Assumption(
    "PASSWORD_RESET", "mail", "4.12", "reset_password sends a mail and changes no status"
)
ACTIVATION = Assumption(
    "ACTIVATION", "active", "3", "status after activate, from any status, invited as well"
)
DEACTIVATION = Assumption(
    "DEACTIVATION", "inactive", "3", "status after deactivate, from any status"
)

# Brands

BRAND_LOGO_FILE = Assumption(
    "BRAND_LOGO_FILE",
    "/uploads/{brandId}/{name}",
    "4.12",
    "logo of a brand that came with a file; the file is served there without a key",
)

# The world that is served

ORDER_STATUSES = Assumption(
    "ORDER_STATUSES",
    ("received", "confirmed", "shipped", "delivered", "cancelled"),
    "3",
    "order states, in the order an order takes them; only received is a documented sample",
)
PAYMENT_STATUSES = Assumption(
    "PAYMENT_STATUSES",
    ("unpaid", "paid", "refunded", "voided"),
    "3",
    "payment_status of an order; voided: cancelled before it was paid",
)
INVOICE_STATUSES = Assumption(
    "INVOICE_STATUSES",
    ("not_invoiced", "invoiced", "paid"),
    "3",
    "invoice_status of an order; the invoice fields are there unless it is not_invoiced",
)
PAYMENT_METHOD_TYPES = Assumption(
    "PAYMENT_METHOD_TYPES",
    (
        "PaymentMethod::CreditCard",
        "PaymentMethod::Check",
        "PaymentMethod::NetTerms",
        "PaymentMethod::Wire",
    ),
    "2.4",
    "labels of billing_payment_method_type; instructions are given for checks",
)
SHIPPING_TYPES = Assumption(
    "SHIPPING_TYPES",
    (
        "ShippingCalculator::FlatRate",
        "ShippingCalculator::OrderValueTable",
        "ShippingCalculator::PercentOfOrder",
    ),
    "2.7",
    "names of shipping calculator kinds in a vendor's shipping_type",
)
VENDOR_STATUSES = Assumption("VENDOR_STATUSES", ("active", "inactive"), "3", "status of a vendor")
LINE_ITEM_ID = Assumption(
    "LINE_ITEM_ID", "the item", "2.4", "item_id of a line: the parent; sku tells the variant"
)
LINE_TOTAL = Statement(
    "LINE_TOTAL", "2.4", "total_price of a line: quantity x unit_price, before its discount_amount"
)
ORDER_TOTALS = Assumption(
    "ORDER_TOTALS",
    "total = sub_total - discounts + freight",
    "2.4",
    "sub_total: sum of total_price; discounts: sum of discount_amount; freight has no field",
)
ORDER_AMOUNTS = Assumption(
    "ORDER_AMOUNTS",
    "number or text",
    "2",
    "type of JSON value of an order's amounts: mostly the one of §2.4, else the other",
)


ASSUMPTIONS: tuple[Assumption[Any] | Statement, ...] = tuple(
    value for value in globals().values() if isinstance(value, Assumption | Statement)
)


def table() -> str:
    """One row per assumption as text: name, value (none for a statement), §, meaning."""
    rows = [("name", "value", "§", "meaning")]
    rows += [(one.name, _value(one), one.section, one.meaning) for one in ASSUMPTIONS]
    widths = [min(40, max(len(row[column]) for row in rows)) for column in range(3)]
    return "\n".join(
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[3]])
        for row in rows
    )


def _value(assumption: Assumption[Any] | Statement) -> str:
    return str(assumption.value) if isinstance(assumption, Assumption) else ""
