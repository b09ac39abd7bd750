"""Statements: what the sandbox does where the description is silent, as text.

Code reads the value of an `Assumption`; statements have no value, and are only shown.
"""

from wholesale.api import ENDPOINTS, Statement
from wholesale_sandbox.contract.fields import COMMENT_FIELDS, ORDER_INVOICE_FIELDS, RESOURCES

_WRAPPERS = "; ".join(
    f"{endpoint.wrapper.value} in {endpoint.method} {endpoint.path}"
    for endpoint in ENDPOINTS
    if endpoint.wrapper and not endpoint.wrapper.is_documented
)
_UNSHOWN_FIELDS = "; ".join(
    f"{resource.name}: {', '.join(field.name for field in resource.fields)}"
    for resource in RESOURCES
    if resource.section == "2.8"
)
_COMMENT_FIELDS = ", ".join(field.name for field in COMMENT_FIELDS)

STATEMENTS: tuple[Statement, ...] = (
    # Lists and pages
    Statement(
        "ALL_LISTS_PAGED", "4.12", "lists with no documented parameters take page and limit too"
    ),
    Statement(
        "PREVIOUS_AND_NEXT", "2.3", "previous is null on the first page, next on the last one"
    ),
    Statement("PAGE_PAST_END", "8", "a page past the last one answers 200, and its data is empty"),
    # Statuses
    Statement(
        "DELETED_STATUS", "4.12", "a deletion answers 204 without a body, as §4.9 has it for images"
    ),
    Statement(
        "UNPROCESSABLE_EVERYWHERE",
        "7",
        "422 beyond the five endpoints of §7: wherever a body or a query breaks a rule",
    ),
    Statement(
        "NOT_FOUND_EVERYWHERE", "7", "404 beyond the endpoints of §7: wherever a path has an id"
    ),
    Statement("EMPTY_FIELDS", "2", "a field without a value is null, or an empty array or object"),
    Statement("KEY_FIRST", "5", "the key is checked before path, method, parameters and body"),
    Statement(
        "MALFORMED_ID", "7", "404 when an id in the path is no guid: there is no such record"
    ),
    Statement("IDS_IN_ANY_CASE", "2", "a path may write an id in capital letters too (RFC 9562)"),
    # Bodies
    Statement(
        "CONTENT_TYPE_READ",
        "4",
        "a body is read as JSON whatever its Content-Type says"
        " (POST /brands: unless it is multipart/form-data)",
    ),
    Statement("KEYS_BESIDE_WRAPPER", "4.12", "keys of a body beside the wrapper key are ignored"),
    Statement(
        "UNKNOWN_FIELDS", "4", "fields that the description does not know are ignored in a body"
    ),
    Statement(
        "READ_ONLY_FIELDS",
        "2",
        "read-only fields are ignored in a body; a variant's title is refused",
    ),
    Statement(
        "NULL_CLEARS",
        "4.12",
        "null clears an optional field; one with a default takes it again",
    ),
    Statement("WRAPPER_KEYS", "4.12", f"keys around fields where none is shown: {_WRAPPERS}"),
    Statement("BLANK_IS_MISSING", "2.1", "a required text of blanks only counts as missing"),
    Statement(
        "INTEGRAL_NUMBERS", "2.1", "an integer may be written 3.0 in a body, and is served as 3"
    ),
    Statement("LARGEST_NUMBER", "8", "a number beyond the range of doubles is refused"),
    Statement(
        "VENDOR_ZIP", "2.7", "a vendor's zip is a number where it is all digits, otherwise text"
    ),
    # Items and variants
    Statement(
        "OPTIONS_MERGED",
        "2.1",
        "an option sent replaces the one of its name or is added;"
        " _destroy true removes it; options not sent stay",
    ),
    Statement(
        "PARENT_COPIES",
        "4.10",
        "parent_title and parent_product_code stay as written; null, or a move that does not"
        " write them, makes them copies of the parent's, which follow it",
    ),
    Statement("PARENT_MOVES", "4.10", "a parent_id in PUT moves the variant under that item"),
    # Deletions
    Statement(
        "ITEM_DELETION", "4.12", "a deleted item takes its variants, images and prices with it"
    ),
    Statement("VARIANT_DELETION", "4.12", "a deleted variant takes its prices with it"),
    Statement("BUYER_DELETION", "4.12", "a deleted buyer takes its buyer users with it"),
    Statement(
        "PRICE_LIST_DELETION",
        "4.12",
        "a deleted price list takes its prices with it; buyers who had it have none",
    ),
    Statement("BRAND_DELETION", "4.12", "items of a deleted brand have no brand"),
    # Buyer users
    Statement(
        "INVITATION_RESENT", "4.12", "resend_invitation sends an invitation whatever the status"
    ),
    Statement("PASSWORD_RESET", "4.12", "reset_password sends a mail and changes no status"),
    # Fields that are not shown
    Statement("UNSHOWN_FIELDS", "2.8", f"fields that no table shows: {_UNSHOWN_FIELDS}"),
    Statement("COMMENT_FIELDS", "2.4", f"an entry of order_comments has {_COMMENT_FIELDS}"),
    Statement(
        "INVOICE_FIELDS",
        "2.4",
        f"a verbose order has {' and '.join(ORDER_INVOICE_FIELDS)} once an invoice was generated",
    ),
    # The world that is served
    Statement(
        "INVITATION_KEPT",
        "4.5",
        "an invitation is not mailed: it stands in the outbox of the admin surface",
    ),
    Statement("LINE_ITEM_ID", "2.4", "item_id of a line is the parent item; sku tells the variant"),
    Statement(
        "LINE_TOTAL",
        "2.4",
        "total_price of a line is quantity x unit_price, before its discount_amount",
    ),
    Statement(
        "ORDER_TOTALS",
        "2.4",
        "total = sub_total - discounts + freight, with sub_total the sum of total_price and"
        " discounts that of discount_amount; freight has no field",
    ),
)
