"""Assumptions of the sandbox where the API description leaves a matter open, by name."""

import json
from typing import Any, Literal

from wholesale.api import Assumption, Statement
from wholesale_sandbox.contract.statements import STATEMENTS

AboveCap = Literal["lowered", "refused", "misplaced", "gapped"]

# Lists and pages

FIRST_PAGE: Assumption[Literal[0, 1]] = Assumption(
    "FIRST_PAGE", 1, "8", "number of the first page, which is served when none is asked for"
)
DEFAULT_LIMIT = Assumption("DEFAULT_LIMIT", 25, "8", "records on a page when no limit is asked for")
LIMIT_CAP = Assumption("LIMIT_CAP", 250, "8", "largest number of records on a page")
LIMIT_ABOVE_CAP: Assumption[AboveCap] = Assumption(
    "LIMIT_ABOVE_CAP", "lowered", "8", "a larger limit is lowered to the cap without an error"
)
LIST_SHAPE: Assumption[Literal["envelope", "plural", "nested", "bare", "whole", "unpaged"]] = (
    Assumption(
        "LIST_SHAPE", "envelope", "4.12", "lists of no described shape come in the envelope of §2.3"
    )
)
LIST_ORDER: Assumption[Literal["oldest", "newest", "updated", "shuffled"]] = Assumption(
    "LIST_ORDER", "oldest", "4.2", "lists begin with the oldest record"
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
    "response of GET /",
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

# Bodies

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

# Items and variants

VARIANT_TITLE_SEPARATOR = Assumption(
    "VARIANT_TITLE_SEPARATOR", " / ", "2.2", "stands between the option values of a variant's title"
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

VENDOR_IN_USE = Assumption(
    "VENDOR_IN_USE",
    422,
    "4.8",
    "status of the deletion of a vendor that has items: gives the documented 422 a cause",
)

# Buyer users

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

ASSUMPTIONS: tuple[Assumption[Any], ...] = tuple(
    value for value in globals().values() if isinstance(value, Assumption)
)


def table() -> str:
    """All of them and all statements as text, by §: §, name, meaning, and the value if any."""
    everything: tuple[Assumption[Any] | Statement, ...] = (*ASSUMPTIONS, *STATEMENTS)
    width = max(len(entry.name) for entry in everything)
    return "\n".join(
        f"§{entry.section.ljust(4)}  {entry.name.ljust(width)}  {_told(entry)}"
        for entry in sorted(everything, key=_section)
    )


def _section(entry: Assumption[Any] | Statement) -> tuple[int, ...]:
    return tuple(map(int, entry.section.split(".")))


def _told(entry: Assumption[Any] | Statement) -> str:
    if isinstance(entry, Statement):
        return entry.meaning
    return f"{entry.meaning}: {json.dumps(entry.value, ensure_ascii=False)}"
