"""Resources: the 12 that can be read, where each is read, and what may be relied on, as data."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from wholesale.api.facts import Fact, assumed, documented


@dataclass(frozen=True, slots=True)
class Parent:
    """The resource whose records must be known before this one can be listed (one list per parent).

    `column` holds the parent's id in our table; the service may leave it out of the payload.
    `count_column` names the parent's own count of children, where it has one.
    """

    resource: str
    column: str
    count_column: str | None = None


@dataclass(frozen=True, slots=True)
class CopiedName:
    """A column that repeats the `name` of a record of another resource, whose id `key` holds."""

    column: str
    key: str
    resource: str
    name: str


@dataclass(frozen=True, slots=True)
class Resource:
    """One readable resource: a root table in the raw dataset with its children, keyed by `id`.

    - `record`: the name of its model in `records`.
    - `list_endpoint`, `get_endpoint`: names in ENDPOINTS; some records cannot be read by their ids.
    - `is_paged`: the list takes `page` and `limit`.
    - `version`: the field that changes whenever the record does; None where it has none.
    - `query`: sent with every request for records in full.
    - `summary`, `summary_query`: the fields of the summaries that the list shows if it is asked
      with this query; empty where there is only one form.
    - `summary_only`: those fields of summaries that the full form is not shown to have.
    - `basic_lists`: lists that a single record is shown to have in its basic form, which
      `summary_query` asks for, and not in full.
    - `copied_names`: columns that change with records of other resources, whatever `version` says.
    """

    name: str
    section: str
    record: str
    list_endpoint: str
    get_endpoint: str | None
    fields: Fact[str]
    is_paged: Fact[bool]
    version: Fact[str | None]
    parent: Parent | None = None
    query: tuple[tuple[str, str], ...] = ()
    summary: tuple[str, ...] = ()
    summary_query: tuple[tuple[str, str], ...] = ()
    summary_only: tuple[str, ...] = ()
    basic_lists: tuple[str, ...] = ()
    copied_names: tuple[CopiedName, ...] = ()


UNVERSIONED: str | None = None
UPDATED_AT: str | None = "updated_at"
SHOWN = "shown"
ORDER_SUMMARY_ONLY = (  # §2.4: in the summary and not in the basic form; the verbose is not shown
    "vendor_id",
    "vendor_name",
    "vendor_minimum_order_value",
    "buyer_id",
    "buyer_user_id",
    "buyer_company_name",
    "invoice_status",
)
ORDER_SUMMARY = (  # §2.4, entries of the order list
    "id",
    "order_number",
    "status",
    "sub_total",
    "total",
    *ORDER_SUMMARY_ONLY,
    "created_at",
    "updated_at",
)
NOT_SHOWN = "not shown"


def _not_shown(name: str, record: str, *, is_single: bool = True) -> Resource:
    """A resource whose fields and list the description does not show (§2.8, §4.12)."""
    return Resource(
        name=name,
        section="2.8",
        record=record,
        list_endpoint=f"list_{name}",
        get_endpoint=f"get_{name.removesuffix('s')}" if is_single else None,
        fields=documented(NOT_SHOWN, "2.8"),
        is_paged=assumed(True, "4.12"),
        version=assumed(UNVERSIONED, "2.8"),
    )


RESOURCES: tuple[Resource, ...] = (
    Resource(
        name="orders",
        section="2.4",
        record="Order",
        list_endpoint="list_orders",
        get_endpoint="get_order",
        fields=documented("shown, the verbose form in part", "2.4"),
        is_paged=documented(True, "4.2"),
        version=documented(UPDATED_AT, "2.4"),
        query=(("verbose", "true"),),
        summary=ORDER_SUMMARY,
        summary_query=(("verbose", "false"),),
        summary_only=ORDER_SUMMARY_ONLY,
        basic_lists=("order_line_items", "order_comments"),  # §2.4
        copied_names=(  # §2.4
            CopiedName("vendor_name", "vendor_id", "vendors", "name"),
            CopiedName("buyer_company_name", "buyer_id", "buyers", "company_name"),
        ),
    ),
    Resource(
        name="vendors",
        section="2.7",
        record="Vendor",
        list_endpoint="list_vendors",
        get_endpoint="get_vendor",
        fields=documented(SHOWN, "2.7"),
        is_paged=documented(True, "4.7"),
        version=documented(UPDATED_AT, "2.7"),
    ),
    Resource(
        name="buyers",
        section="2.5",
        record="Buyer",
        list_endpoint="list_buyers",
        get_endpoint="get_buyer",
        fields=documented(SHOWN, "2.5"),
        is_paged=assumed(True, "4.12"),
        version=documented(UPDATED_AT, "2.5"),
    ),
    Resource(
        name="buyer_users",
        section="2.6",
        record="BuyerUser",
        list_endpoint="list_buyer_users",
        get_endpoint="get_buyer_user",
        fields=documented(SHOWN, "2.6"),
        is_paged=assumed(True, "4.12"),
        version=documented(UPDATED_AT, "2.6"),
        parent=Parent("buyers", "buyer_id"),
    ),
    Resource(
        name="items",
        section="2.1",
        record="Item",
        list_endpoint="list_items",
        get_endpoint="get_item",
        fields=documented(SHOWN, "2.1"),
        is_paged=assumed(True, "4.12"),
        version=documented(UNVERSIONED, "2.1"),
    ),
    Resource(
        name="variants",
        section="2.2",
        record="Variant",
        list_endpoint="list_variants",
        get_endpoint="get_variant",
        fields=documented(SHOWN, "2.2"),
        is_paged=assumed(True, "4.12"),
        version=documented(UNVERSIONED, "2.2"),
        parent=Parent("items", "parent_id", count_column="variants_count"),
    ),
    _not_shown("item_images", "ItemImage"),
    _not_shown("price_lists", "PriceList"),
    _not_shown("prices", "Price"),
    Resource(
        name="brands",
        section="2.8",
        record="Brand",
        list_endpoint="list_brands",
        get_endpoint="get_brand",
        fields=documented("named in the create body only", "4.12"),
        is_paged=documented(True, "4.12"),
        version=assumed(UNVERSIONED, "2.8"),
    ),
    _not_shown("categories", "Category", is_single=False),
    _not_shown("custom_fields", "CustomField", is_single=False),
)

RESOURCE: Mapping[str, Resource] = MappingProxyType(
    {resource.name: resource for resource in RESOURCES}
)
