"""Each of the 56 endpoints: one success with its whole answer, and every documented error."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

import httpx
import pytest

from wholesale.api.endpoints import ENDPOINT, ENDPOINTS, Endpoint
from wholesale_sandbox.contract.fields import RESOURCE
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings
from wholesale_sandbox.storage.outbox import Mail

Json = dict[str, Any]

THEN = "2025-01-02T03:04:05.678901Z"
TIMES = {"created_at": THEN, "updated_at": THEN}
NEW_TIMES = {"created_at": "<now>", "updated_at": "<now>"}
EDITED = {"updated_at": "<now>"}


def guid(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012d}"


ITEM, BARE_ITEM, VARIANT, BUYER, USER = guid(1), guid(2), guid(3), guid(4), guid(5)
IMAGE, PRICE_LIST, PRICE, BRAND, CATEGORY = guid(6), guid(7), guid(8), guid(9), guid(10)
CUSTOM_FIELD, VENDOR, IDLE_VENDOR, ORDER = guid(11), guid(12), guid(13), guid(14)
UNKNOWN = guid(99)

IDS = {
    "itemId": ITEM,
    "variantId": VARIANT,
    "buyerId": BUYER,
    "buyerUserId": USER,
    "itemImageId": IMAGE,
    "priceListId": PRICE_LIST,
    "priceId": PRICE,
    "brandId": BRAND,
    "vendorId": VENDOR,
    "orderId": ORDER,
}

item: Json = {
    "id": ITEM,
    "title": "Mug",
    "description": "Stoneware",
    "product_code": "MUG",
    "sku": None,
    "upc": None,
    "status": "published",
    "category_id": CATEGORY,
    "vendor_id": VENDOR,
    "brand_id": BRAND,
    "options": [{"name": "Color", "values": ["Red", "Blue"]}],
    "msrp": 15,
    "unit_price": "7.50",
    "map": None,
    "moq": 6,
    "quantity_multiplier": 2,
    "variants_count": 1,
    "category_name": "Kitchen",
    "vendor_name": "Clay & Co",
    "brand_name": "Terra",
}
bare_item: Json = item | {
    "id": BARE_ITEM,
    "product_code": "PLATE",
    "vendor_id": None,
    "vendor_name": None,
    "options": [],
    "variants_count": 0,
}
variant: Json = {
    "id": VARIANT,
    "parent_id": ITEM,
    "parent_title": "Mug",
    "parent_product_code": "MUG",
    "title": "Red",
    "description": None,
    "sku": "MUG-R",
    "upc": None,
    "msrp": 15,
    "unit_price": "7.50",
    "map": None,
    "moq": None,
    "quantity_multiplier": None,
    "options": [{"name": "Color", "value": "Red"}],
    "sku_status": "active",
    "category_id": CATEGORY,
    "vendor_id": VENDOR,
    "brand_id": BRAND,
    "category_name": "Kitchen",
    "vendor_name": "Clay & Co",
    "brand_name": "Terra",
}
buyer: Json = {
    "id": BUYER,
    "company_name": "Corner Shop",
    "company_ein": "12-3456789",
    "email": "shop@example.com",
    "phone": "+1 555 0100",
    "address1": "1 High St",
    "address2": None,
    "city": "Boston",
    "state": "MA",
    "zip": "02134",
    "country": "US",
    "website": None,
    "price_list_id": PRICE_LIST,
    "account_manager_id": None,
    **TIMES,
}
user: Json = {
    "id": USER,
    "full_name": "Ann Lee",
    "email": "ann@example.com",
    "role": "owner",
    "status": "invited",
    **TIMES,
}
vendor: Json = {
    "id": VENDOR,
    "name": "Clay & Co",
    "minimum_order_value": 100.5,
    "minimum_order_quantity": 10,
    "address1": None,
    "address2": None,
    "city": "Salem",
    "state": "MA",
    "country": "US",
    "zip": 1970,
    "website": None,
    "email": "clay@example.com",
    "phone": None,
    "ein": None,
    "order_contact_name": None,
    "order_contact_phone": None,
    "payment_contact_name": None,
    "payment_contact_phone": None,
    "shipping_type": "FlatRate",
    "shipping_scheme": {"base": "5.00"},
    "status": "active",
    "order_processing_time": None,
    "order_processing_on": None,
    "order_shipping_days": ["monday", "friday"],
    "order_processing_cut_off_time": None,
    "order_terms": None,
    "description": None,
    "logo": None,
    **TIMES,
}
idle_vendor: Json = vendor | {"id": IDLE_VENDOR, "name": "Idle & Sons"}
new_vendor: Json = dict.fromkeys(vendor) | {
    "id": "<id>",
    "shipping_scheme": {},
    "order_shipping_days": [],
    "status": "active",
    **NEW_TIMES,
}
image: Json = {"id": IMAGE, "item_id": ITEM, "url": "https://a.example/m.png", "position": 1}
image |= TIMES
price_list: Json = {"id": PRICE_LIST, "title": "Retail", "description": None, **TIMES}
price: Json = {"id": PRICE, "price_list_id": PRICE_LIST, "variant_id": VARIANT, "item_id": ITEM}
price |= {"unit_price": "6.75", **TIMES}
brand: Json = {"id": BRAND, "title": "Terra", "handle": "terra", "description": None, "logo": None}
brand |= TIMES
category: Json = {"id": CATEGORY, "title": "Kitchen", "parent_id": None, **TIMES}
custom_field: Json = {
    "id": CUSTOM_FIELD,
    "name": "Glaze",
    "kind": "text",
    "applies_to": "items",
}
custom_field |= TIMES

line: Json = {
    "item_id": ITEM,
    "title": "Mug",
    "variant": "Red",
    "sku": "MUG-R",
    "quantity": 6,
    "unit_price": 6.75,
    "total_price": 40.5,
    "discount_amount": "0.50",
    "categoy_name": "Kitchen",
    "vendor_name": "Clay & Co",
}
STREET = ("name", "email", "company", "phone", "address1", "address2")
ADDRESS = (*STREET, "city", "state", "country", "zip")
PAY = "billing_payment_method"
INSTRUCTIONS = ("pay_to", "send_to_address", "memo", "other")
order_head: Json = {"id": ORDER, "order_number": "1001", "status": "received"}
order_head |= {"sub_total": 40.5, "total": "40.00"}
order_parties: Json = {
    "vendor_id": VENDOR,
    "vendor_name": "Clay & Co",
    "vendor_minimum_order_value": 100.5,
    "buyer_id": BUYER,
    "buyer_user_id": USER,
    "buyer_company_name": "Corner Shop",
    "invoice_status": "invoiced",
}
order_basic: Json = {
    **order_head,
    **{f"shipping_{part}": part for part in ADDRESS},
    **{f"billing_{part}": part for part in ADDRESS},
    "payment_status": "unpaid",
    "transaction_fee": 0,
    f"{PAY}_type": "PaymentMethod::Check",
    **{f"{PAY}_instruction_{name}": None for name in INSTRUCTIONS},
    "order_line_items": [line],
    "po_number": "PO-7",
    "order_line_items_discount_amount": "0.50",
    "order_comments": [{"author": "Ann", "body": "Thanks", "created_at": THEN}],
    **TIMES,
}
order_summary: Json = order_head | order_parties | TIMES
order_verbose: Json = (
    order_basic | order_parties | {"invoice_number": "I-1", "invoice_generated_at": THEN}
)

# resource, record, parent
STOCK: tuple[tuple[str, Json, str | None], ...] = (
    ("categories", category, None),
    ("brands", brand, None),
    ("vendors", vendor, None),
    ("vendors", idle_vendor, None),
    ("items", item, None),
    ("items", bare_item, None),
    ("variants", variant, ITEM),
    ("item_images", image, None),
    ("price_lists", price_list, None),
    ("prices", price, None),
    ("buyers", buyer, None),
    ("buyer_users", user, BUYER),
    ("custom_fields", custom_field, None),
    ("orders", order_verbose, None),
)


def page(*records: Json) -> Json:
    pagination = {"current": 1, "previous": None, "next": None, "limit": 25}
    pagination |= {"total_pages": 1, "total_count": len(records)}
    return {"pagination": pagination, "data": list(records)}


@dataclass(frozen=True)
class Case:
    """A request and its whole answer; `ids` where they are not those of IDS."""

    endpoint: str
    status: int
    answer: object
    sent: Json | None = None
    ids: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)


SUCCESSES = (
    Case("get_root", 200, {"name": "Wholesale Catalog and Ordering Service", "version": "v1"}),
    Case("list_items", 200, page(item, bare_item)),
    Case(
        "create_item",
        201,
        dict.fromkeys(item)
        | {
            "id": "<id>",
            "title": "Cup",
            "product_code": "CUP",
            "status": "draft",
            "category_id": CATEGORY,
            "options": [{"name": "Size", "values": ["S", "L"]}],
            "unit_price": 2.5,
            "variants_count": 0,
            "category_name": "Kitchen",
        },
        {
            "item": {
                "title": "Cup",
                "product_code": "CUP",
                "category_id": CATEGORY,
                "unit_price": 2.5,
                "options": [{"name": "Size", "values": ["S", "L"], "_destroy": False}],
            }
        },
    ),
    Case("get_item", 200, item),
    Case(
        "update_item",
        200,
        item
        | {
            "title": "Big mug",
            "brand_id": None,
            "brand_name": None,
            "options": [{"name": "Size", "values": ["XL"]}],
        },
        {
            "item": {
                "title": "Big mug",
                "brand_id": None,
                "options": [
                    {"name": "Color", "_destroy": True},
                    {"name": "Size", "values": ["XL"]},
                ],
            }
        },
    ),
    Case("delete_item", 204, None),
    Case("list_variants", 200, page(variant)),
    Case(
        "create_variant",
        201,
        variant
        | {
            "id": "<id>",
            "title": "Blue / XL",
            "sku": None,
            "msrp": "9.00",
            "unit_price": None,
            "options": [{"name": "Color", "value": "Blue"}, {"name": "Size", "value": "XL"}],
        },
        {
            "variant": {
                "msrp": "9.00",
                "options": [{"name": "Color", "value": "Blue"}, {"name": "Size", "value": "XL"}],
            }
        },
    ),
    Case("get_variant", 200, variant),
    Case(
        "update_variant",
        200,
        variant
        | {
            "title": "Green",
            "sku_status": "inactive",
            "options": [{"name": "Color", "value": "Green"}],
        },
        {
            "variant": {
                "sku_status": "inactive",
                "parent_title": "ignored",
                "options": [{"name": "Color", "value": "Green"}],
            }
        },
    ),
    Case("delete_variant", 204, None),
    Case("list_buyers", 200, page(buyer)),
    Case(
        "create_buyer",
        201,
        dict.fromkeys(buyer) | {"id": "<id>", "company_name": "New Shop", **NEW_TIMES},
        {"buyer": {"company_name": "New Shop"}},
    ),
    Case("get_buyer", 200, buyer),
    Case(
        "update_buyer",
        200,
        buyer | {"city": "Lynn", "price_list_id": None, **EDITED},
        {"buyer": {"city": "Lynn", "price_list_id": None}},
    ),
    Case("delete_buyer", 204, None),
    Case("list_buyer_users", 200, page(user)),
    Case(
        "create_buyer_user",
        201,
        {
            "id": "<id>",
            "full_name": "Bo Ek",
            "email": "bo@example.com",
            "role": "user",
            "status": "invited",
            **NEW_TIMES,
        },
        {"buyer_user": {"full_name": "Bo Ek", "email": "bo@example.com"}},
    ),
    Case("get_buyer_user", 200, user),
    Case(
        "update_buyer_user",
        200,
        user | {"role": "user", **EDITED},
        {"buyer_user": {"role": "user", "status": "active"}},
    ),
    Case("delete_buyer_user", 204, None),
    Case("resend_invitation", 200, user),
    Case("reset_password", 200, user),
    Case("activate_buyer_user", 200, user | {"status": "active", **EDITED}),
    Case("deactivate_buyer_user", 200, user | {"status": "inactive", **EDITED}),
    Case("list_item_images", 200, page(image)),
    Case(
        "create_item_image",
        201,
        image | {"id": "<id>", "position": None, **NEW_TIMES},
        {"item_image": {"item_id": ITEM, "url": "https://a.example/m.png"}},
    ),
    Case("get_item_image", 200, image),
    Case(
        "update_item_image",
        200,
        image | {"position": 2, **EDITED},
        {"item_image": {"position": 2}},
    ),
    Case("delete_item_image", 204, None),
    Case("list_price_lists", 200, page(price_list)),
    Case(
        "create_price_list",
        201,
        price_list | {"id": "<id>", "title": "Trade", **NEW_TIMES},
        {"price_list": {"title": "Trade"}},
    ),
    Case("get_price_list", 200, price_list),
    Case(
        "update_price_list",
        200,
        price_list | {"description": "Shops", **EDITED},
        {"price_list": {"description": "Shops"}},
    ),
    Case("delete_price_list", 204, None),
    Case("list_prices", 200, page(price)),
    Case(
        "create_price",
        201,
        price | {"id": "<id>", "item_id": None, "unit_price": 6, **NEW_TIMES},
        {"price": {"price_list_id": PRICE_LIST, "variant_id": VARIANT, "unit_price": 6}},
    ),
    Case("get_price", 200, price),
    Case("update_price", 200, price | {"unit_price": 7, **EDITED}, {"price": {"unit_price": 7}}),
    Case("delete_price", 204, None),
    Case("list_brands", 200, page(brand)),
    Case(
        "create_brand",
        201,
        brand | {"id": "<id>", "title": "Aqua", "handle": None, **NEW_TIMES},
        {"brand": {"title": "Aqua"}},
    ),
    Case("get_brand", 200, brand),
    Case("update_brand", 200, brand | {"logo": "l.png", **EDITED}, {"brand": {"logo": "l.png"}}),
    Case("delete_brand", 204, None),
    Case("list_categories", 200, page(category)),
    Case(
        "create_category",
        201,
        category | {"id": "<id>", "title": "Cups", "parent_id": CATEGORY, **NEW_TIMES},
        {"category": {"title": "Cups", "parent_id": CATEGORY}},
    ),
    Case("list_custom_fields", 200, page(custom_field)),
    Case(
        "create_custom_field",
        201,
        custom_field | {"id": "<id>", "name": "Rank", "applies_to": None, **NEW_TIMES},
        {"custom_field": {"name": "Rank"}},
    ),
    Case("list_vendors", 200, page(vendor, idle_vendor)),
    Case(
        "create_vendor",
        201,
        new_vendor | {"name": "Wood & Sons", "zip": 2134},
        {"vendor": {"name": "Wood & Sons", "zip": "02134"}},
    ),
    Case("get_vendor", 200, vendor),
    Case(
        "update_vendor",
        200,
        vendor | {"shipping_scheme": {"base": 4}, **EDITED},
        {"vendor": {"shipping_scheme": {"base": 4}}},
    ),
    Case("delete_vendor", 204, None, ids={"vendorId": IDLE_VENDOR}),
    Case("list_orders", 200, page(order_summary)),
    Case("get_order", 200, order_basic),
)

OTHER_SUCCESSES = (
    Case("list_orders", 200, page(order_verbose), query={"verbose": "true"}),
    Case("list_orders", 200, page(order_summary), query={"verbose": "false"}),
    Case("get_order", 200, order_verbose, query={"verbose": "true"}),
    Case("get_order", 200, order_basic, query={"verbose": "false"}),
    Case("list_variants", 200, page() | {
        "pagination": page()["pagination"] | {"total_pages": 0}
    }, ids={"itemId": BARE_ITEM}),
    Case(
        "update_variant",
        200,
        variant
        | {"parent_id": BARE_ITEM, "parent_product_code": "PLATE"}
        | {"vendor_id": None, "vendor_name": None},
        {"variant": {"parent_id": BARE_ITEM}},
    ),
    Case(
        "create_item",
        201,
        dict.fromkeys(item)
        | {"id": "<id>", "title": "Cup", "product_code": "CUP", "status": "draft"}
        | {"category_id": CATEGORY, "category_name": "Kitchen"}
        | {"options": [], "variants_count": 0, "moq": 3},
        {
            "item": {
                "title": "Cup",
                "product_code": "CUP",
                "category_id": CATEGORY,
                "moq": 3.0,
                "status": None,
                "id": guid(77),
                "variants_count": 9,
                "category_name": "not taken",
                "unheard_of": [1],
            },
            "beside": 1,
        },
    ),
    Case("update_vendor", 200, vendor | {"zip": "SW1A 1AA", **EDITED},
         {"vendor": {"zip": "SW1A 1AA"}}),
)  # fmt: skip

UNAUTHORIZED = {
    "error": "Invalid Credentials",
    "details": "the credentials presented are not valid to access this resource",
}
NOT_FOUND = {"error": "Resource not found", "details": ""}


def refused(details: str) -> Json:
    return {"error": "Unprocessable Entity", "details": details}


INSIDE = "the fields must stand inside an object under the key "
NUMBER = "must be a decimal number, as a number or as text"
INT32 = "must be an integer from -2147483648 to 2147483647"
PAGES = "must be an integer from 1 to 2147483647"
VARIANT_OPTIONS = "options must be an array of objects with name (text), value (text) and _destroy"

REFUSALS = (
    Case("create_item", 422, refused("title is required"), {"item": {}}),
    Case("create_item", 422, refused("title is required"), {"item": {"title": None}}),
    Case("create_item", 422, refused("title must not be blank"), {"item": {"title": " "}}),
    Case("create_item", 422, refused("product_code is required"), {"item": {"title": "a"}}),
    Case(
        "create_item",
        422,
        refused("category_id is required"),
        {"item": {"title": "a", "product_code": "a"}},
    ),
    Case(
        "create_item",
        422,
        refused("category_id must be a guid"),
        {"item": {"title": "a", "product_code": "a", "category_id": "kitchen"}},
    ),
    Case(
        "create_item",
        422,
        refused("category_id names none of the categories"),
        {"item": {"title": "a", "product_code": "a", "category_id": UNKNOWN}},
    ),
    Case(
        "create_item",
        422,
        refused("product_code must be unique; another item has it"),
        {"item": {"title": "a", "product_code": "MUG", "category_id": CATEGORY}},
    ),
    Case(
        "update_item",
        422,
        refused("product_code must be unique; another item has it"),
        {"item": {"product_code": "PLATE"}},
    ),
    Case("update_item", 422, refused("title is required"), {"item": {"title": None}}),
    Case("update_item", 422, refused("title must be text"), {"item": {"title": 5}}),
    Case(
        "update_item",
        422,
        refused("status must be one of draft, published"),
        {"item": {"status": "sold"}},
    ),
    Case("update_item", 422, refused(f"msrp {NUMBER}"), {"item": {"msrp": "1,5"}}),
    Case("update_item", 422, refused(f"moq {INT32}"), {"item": {"moq": 2**31}}),
    Case("update_item", 422, refused(f"moq {INT32}"), {"item": {"moq": 1.5}}),
    Case("update_item", 422, refused(f"moq {INT32}"), {"item": {"moq": "1"}}),
    Case("update_item", 422, refused(f"moq {INT32}"), {"item": {"moq": True}}),
    Case(
        "update_item",
        422,
        refused("vendor_id names none of the vendors"),
        {"item": {"vendor_id": UNKNOWN}},
    ),
    Case(
        "update_item",
        422,
        refused("brand_id names none of the brands"),
        {"item": {"brand_id": UNKNOWN}},
    ),
    Case(
        "create_variant",
        422,
        refused("title is generated and not accepted in a body"),
        {"variant": {"title": "Red"}},
    ),
    Case(
        "create_variant",
        422,
        refused("parent_id must be the id of the item in the path, or be left out"),
        {"variant": {"parent_id": BARE_ITEM}},
    ),
    Case(
        "update_variant",
        422,
        refused("title is generated and not accepted in a body"),
        {"variant": {"title": "Red"}},
    ),
    Case(
        "update_variant",
        422,
        refused("parent_id names none of the items"),
        {"variant": {"parent_id": UNKNOWN}},
    ),
    Case(
        "update_variant",
        422,
        refused("parent_id must name an item"),
        {"variant": {"parent_id": None}},
    ),
    Case(
        "update_variant",
        422,
        refused(VARIANT_OPTIONS),
        {"variant": {"options": [{"name": "Color", "values": ["Red"]}]}},
    ),
    Case(
        "update_variant",
        422,
        refused("sku_status must be one of active, inactive"),
        {"variant": {"sku_status": "draft"}},
    ),
    Case("create_buyer", 422, refused("company_name is required"), {"buyer": {}}),
    Case(
        "update_buyer",
        422,
        refused("email must be an e-mail address"),
        {"buyer": {"email": "shop"}},
    ),
    Case(
        "update_buyer",
        422,
        refused("price_list_id names none of the price_lists"),
        {"buyer": {"price_list_id": UNKNOWN}},
    ),
    Case("create_buyer_user", 422, refused("full_name is required"), {"buyer_user": {}}),
    Case(
        "create_buyer_user",
        422,
        refused("email is required"),
        {"buyer_user": {"full_name": "Bo Ek"}},
    ),
    Case(
        "update_buyer_user",
        422,
        refused("role must be one of owner, user"),
        {"buyer_user": {"role": "admin"}},
    ),
    Case("create_item_image", 422, refused("item_id is required"), {"item_image": {}}),
    Case("create_price_list", 422, refused("title is required"), {"price_list": {}}),
    Case("create_price", 422, refused("price_list_id is required"), {"price": {}}),
    Case(
        "update_price",
        422,
        refused("variant_id names none of the variants"),
        {"price": {"variant_id": UNKNOWN}},
    ),
    Case("create_brand", 422, refused("title is required"), {"brand": {}}),
    Case("create_category", 422, refused("title is required"), {"category": {}}),
    Case("create_custom_field", 422, refused("name is required"), {"custom_field": {}}),
    Case(
        "create_custom_field",
        422,
        refused("kind must be one of text, number, boolean"),
        {"custom_field": {"name": "a", "kind": "map"}},
    ),
    Case("create_vendor", 422, refused("name is required"), {"vendor": {}}),
    Case(
        "update_vendor",
        422,
        refused("shipping_scheme must be an object"),
        {"vendor": {"shipping_scheme": []}},
    ),
    Case(
        "update_vendor",
        422,
        refused("order_shipping_days must be an array of texts"),
        {"vendor": {"order_shipping_days": [1]}},
    ),
    Case(
        "update_vendor",
        422,
        refused("minimum_order_value must be a number"),
        {"vendor": {"minimum_order_value": "100"}},
    ),
    Case(
        "update_vendor",
        422,
        refused("zip must be a number or text"),
        {"vendor": {"zip": True}},
    ),
    Case(
        "delete_vendor",
        422,
        refused("the vendor still has items (1); delete or move them first"),
    ),
    Case("list_orders", 422, refused("verbose must be true or false"), query={"verbose": "1"}),
    Case("get_order", 422, refused("verbose must be true or false"), query={"verbose": ""}),
    *(
        Case(endpoint.name, 422, refused(f"{name} {PAGES}"), query={name: value})
        for endpoint in ENDPOINTS
        if endpoint.name.startswith("list_")
        for name, value in (("page", "0"), ("page", "two"), ("limit", "-1"), ("limit", "1.0"))
    ),
    *(
        Case(endpoint.name, 422, refused(INSIDE + endpoint.wrapper.value), {"title": "flat"})
        for endpoint in ENDPOINTS
        if endpoint.wrapper
    ),
    Case("create_category", 404, NOT_FOUND, {"category": {"title": "a", "parent_id": UNKNOWN}}),
    Case("get_variant", 404, NOT_FOUND, ids={"itemId": BARE_ITEM}),
    Case("update_variant", 404, NOT_FOUND, {"variant": {}}, ids={"itemId": BARE_ITEM}),
    *(
        Case(
            endpoint.name,
            404,
            NOT_FOUND,
            {endpoint.wrapper.value: {}} if endpoint.wrapper else None,
            ids={name: unknown},
        )
        for endpoint in ENDPOINTS
        for name in IDS
        if "{" + name + "}" in endpoint.path
        for unknown in (UNKNOWN, "no-guid")
    ),
)

# Nothing that is sent makes this one: a dial does.
DIALLED = {("list_categories", 404)}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(SandboxSettings(empty=True)) as running:
        yield running


@pytest.fixture(scope="module")
def client(sandbox: Sandbox) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=sandbox.base_url, headers={"X-API-Key": "sandbox"}) as connected:
        yield connected


@pytest.fixture(scope="module")
def stranger(sandbox: Sandbox) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=sandbox.base_url) as connected:
        yield connected


@pytest.fixture(autouse=True)
def stock(sandbox: Sandbox) -> None:
    with sandbox.storage.transaction():
        for resource in RESOURCE:
            collection = sandbox.storage.collection(resource)
            for _, body in list(collection.records()):
                collection.delete(httpx.Response(200, content=body).json()["id"])
        sandbox.outbox.clear()
        for resource, record, parent_id in STOCK:
            sandbox.put(resource, record, parent_id)


def ask(client: httpx.Client, case: Case) -> httpx.Response:
    endpoint = ENDPOINT[case.endpoint]
    path = endpoint.path_for(**{**IDS, **case.ids})
    return client.request(endpoint.method, path, json=case.sent, params=dict(case.query))


def answer(response: httpx.Response) -> object:
    """What came, with generated ids and times made alike."""
    if not response.content:
        return None
    body = response.json()
    return generalised(body) if isinstance(body, dict) else body


def generalised(body: Json) -> Json:
    known = {value for value in globals().values() if isinstance(value, str)}
    if "id" in body and body["id"] not in known:
        assert str(UUID(body["id"])) == body["id"]
        body = body | {"id": "<id>"}
    times = {name: "<now>" for name in TIMES if body.get(name, THEN) > THEN}
    return body | times


def test_every_endpoint_has_a_success() -> None:
    assert [case.endpoint for case in SUCCESSES] == [endpoint.name for endpoint in ENDPOINTS]
    assert [case.status for case in SUCCESSES] == [endpoint.success.value for endpoint in ENDPOINTS]


def test_every_documented_error_has_a_case() -> None:
    documented = {
        (endpoint.name, status)
        for endpoint in ENDPOINTS
        for status in endpoint.errors
        if status != 401
    }
    provoked = {(case.endpoint, case.status) for case in REFUSALS}

    assert documented - provoked == DIALLED


@pytest.mark.parametrize("case", [*SUCCESSES, *OTHER_SUCCESSES], ids=lambda case: case.endpoint)
def test_an_endpoint_answers_with_its_whole_shape(client: httpx.Client, case: Case) -> None:
    response = ask(client, case)

    assert (response.status_code, answer(response)) == (case.status, case.answer)


@pytest.mark.parametrize("case", SUCCESSES, ids=lambda case: case.endpoint)
def test_fields_come_in_the_order_of_the_description(client: httpx.Client, case: Case) -> None:
    """§2 lists them so; a client may not rely on it, a reader likes it."""
    response = ask(client, case)

    if isinstance(case.answer, dict):
        assert list(response.json()) == list(case.answer)


@pytest.mark.parametrize("case", REFUSALS, ids=lambda case: f"{case.endpoint}-{case.status}")
def test_an_endpoint_refuses_with_the_error_object(client: httpx.Client, case: Case) -> None:
    response = ask(client, case)

    assert (response.status_code, response.json()) == (case.status, case.answer)


@pytest.mark.parametrize("headers", [{"X-API-Key": "wrong"}, {"X-API-Key": ""}, {}], ids=str)
@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.name)
def test_every_endpoint_wants_the_key(
    stranger: httpx.Client, endpoint: Endpoint, headers: dict[str, str]
) -> None:
    response = stranger.request(endpoint.method, endpoint.path_for(**IDS), headers=headers)

    assert (response.status_code, response.json()) == (401, UNAUTHORIZED)


@pytest.mark.parametrize(("name", "status"), sorted(DIALLED))
def test_a_documented_error_without_a_known_cause_can_be_dialled_in(
    sandbox: Sandbox, client: httpx.Client, name: str, status: int
) -> None:
    sandbox.dials.fail_next(1, status, endpoint=name)

    responses = [ask(client, Case(name, status, None)) for _ in range(2)]

    assert [response.status_code for response in responses] == [status, 200]
    assert responses[0].json() == NOT_FOUND


@pytest.mark.parametrize(
    "name", [endpoint.name for endpoint in ENDPOINTS if endpoint.method == "DELETE"]
)
def test_what_is_deleted_is_gone(client: httpx.Client, name: str) -> None:
    case = next(case for case in SUCCESSES if case.endpoint == name)

    deletion = ask(client, case)

    assert (deletion.content, "content-length" in deletion.headers) == (b"", False)
    again = ask(client, Case(name.replace("delete", "get"), 404, NOT_FOUND, ids=case.ids))
    assert (again.status_code, again.json()) == (404, NOT_FOUND)


def test_a_change_that_is_refused_changes_nothing(client: httpx.Client) -> None:
    refusal = {"item": {"title": "Changed", "moq": "many"}}

    ask(client, Case("update_item", 422, None, refusal))

    assert ask(client, Case("get_item", 200, item)).json() == item


def test_literals_are_served_as_they_were_sent(client: httpx.Client) -> None:
    path = ENDPOINT["update_item"].path_for(itemId=ITEM)

    response = client.put(path, content=b'{"item": {"msrp": 12.50, "map": "1e1", "unit_price": 3}}')

    assert b'"msrp":12.50,' in response.content
    assert b'"map":"1e1"' in client.get(path).content
    assert b'"unit_price":3,' in client.get(path).content


@pytest.mark.parametrize(
    "body", [b"", b"{", b'{"item": NaN}', b"\xff", b'{"item":' + b"[" * 5_000], ids=repr
)
def test_a_body_that_is_no_json_is_refused(client: httpx.Client, body: bytes) -> None:
    response = client.post("/items", content=body)

    assert (response.status_code, response.json()) == (422, refused("the body must be JSON"))


@pytest.mark.parametrize("body", [b"[]", b"5", b'"item"', b"null"])
def test_a_body_that_is_no_object_is_refused(client: httpx.Client, body: bytes) -> None:
    response = client.post("/items", content=body)

    assert response.status_code == 422
    assert response.json() == refused("the body must be an object with the key item")


def test_a_brand_may_come_as_a_form_with_a_file(sandbox: Sandbox, client: httpx.Client) -> None:
    response = client.post(
        "/brands",
        data={"brand[title]": "Aqua", "brand[handle]": "aqua", "beside": "ignored"},
        files={"brand[logo]": ("../logo.png", b"\x89PNG", "image/png")},
    )

    made = response.json()
    logo = f"/uploads/{made['id']}/logo.png"
    assert response.status_code == 201
    assert generalised(made) == brand | {
        "id": "<id>",
        "title": "Aqua",
        "handle": "aqua",
        "logo": logo,
        **NEW_TIMES,
    }
    file = httpx.get(httpx.URL(sandbox.base_url).join(logo))
    assert (file.content, file.headers["content-type"]) == (b"\x89PNG", "image/png")


@pytest.mark.parametrize(
    ("fields", "details"),
    [
        ({"title": "flat"}, "the fields must be written brand[name]"),
        ({"brand[handle]": "a"}, "title is required"),
    ],
)
def test_a_form_follows_the_rules_of_any_body(
    client: httpx.Client, fields: dict[str, str], details: str
) -> None:
    response = client.post("/brands", data=fields, files={"other": b""})

    assert (response.status_code, response.json()) == (422, refused(details))


def test_a_broken_form_is_refused(client: httpx.Client) -> None:
    response = client.post(
        "/brands", content=b"--x", headers={"Content-Type": "multipart/form-data"}
    )

    assert response.status_code == 422


def test_a_new_buyer_user_is_invited_and_can_be_invited_again(
    sandbox: Sandbox, client: httpx.Client
) -> None:
    sent = {"buyer_user": {"full_name": "Bo Ek", "email": "bo@example.com", "role": "owner"}}
    made = ask(client, Case("create_buyer_user", 201, None, sent)).json()
    for name in ("resend_invitation", "reset_password"):
        ask(client, Case(name, 200, None, ids={"buyerUserId": made["id"]}))

    mails = [replace(mail, sent_at=THEN) for mail in sandbox.outbox.mails()]

    invitation = Mail("invitation", "bo@example.com", BUYER, made["id"], THEN)
    assert mails == [invitation, invitation, replace(invitation, kind="password_reset")]


def test_a_buyer_user_is_not_found_under_another_buyer(
    sandbox: Sandbox, client: httpx.Client
) -> None:
    sandbox.put("buyers", buyer | {"id": guid(50)})

    for name in ("get_buyer_user", "update_buyer_user", "activate_buyer_user", "reset_password"):
        response = ask(client, Case(name, 404, NOT_FOUND, ids={"buyerId": guid(50)}))
        assert (response.status_code, response.json()) == (404, NOT_FOUND)


def test_an_items_change_shows_in_its_variants(client: httpx.Client) -> None:
    sent = {"item": {"title": "Cup", "product_code": "CUP", "vendor_id": IDLE_VENDOR}}

    ask(client, Case("update_item", 200, None, sent))

    assert ask(client, Case("get_variant", 200, None)).json() == variant | {
        "parent_title": "Cup",
        "parent_product_code": "CUP",
        "vendor_id": IDLE_VENDOR,
        "vendor_name": "Idle & Sons",
    }


def test_a_vendors_and_a_brands_new_name_shows_in_items_and_variants(client: httpx.Client) -> None:
    ask(client, Case("update_vendor", 200, None, {"vendor": {"name": "Clay Ltd"}}))
    ask(client, Case("update_brand", 200, None, {"brand": {"title": "Terra Nova"}}))

    names = {"vendor_name": "Clay Ltd", "brand_name": "Terra Nova"}
    assert ask(client, Case("get_item", 200, None)).json() == item | names
    assert ask(client, Case("get_variant", 200, None)).json() == variant | names


def test_an_item_counts_its_variants(client: httpx.Client) -> None:
    def counts() -> list[int]:
        listed = ask(client, Case("list_items", 200, None)).json()["data"]
        return [item["variants_count"] for item in listed]

    ask(client, Case("create_variant", 201, None, {"variant": {}}))
    created = counts()
    ask(client, Case("update_variant", 200, None, {"variant": {"parent_id": BARE_ITEM}}))
    moved = counts()
    ask(client, Case("delete_variant", 204, None, ids={"itemId": BARE_ITEM}))

    assert (created, moved, counts()) == ([2, 0], [1, 1], [1, 0])


def test_a_deletion_takes_along_what_hangs_on_the_record(
    sandbox: Sandbox, client: httpx.Client
) -> None:
    def left() -> dict[str, int]:
        resources = ("variants", "item_images", "prices", "buyer_users")
        return {resource: sandbox.storage.collection(resource).count() for resource in resources}

    ask(client, Case("delete_item", 204, None))
    ask(client, Case("delete_buyer", 204, None))

    assert left() == {"variants": 0, "item_images": 0, "prices": 0, "buyer_users": 0}


def test_a_deleted_brand_or_price_list_leaves_no_reference_behind(client: httpx.Client) -> None:
    ask(client, Case("delete_brand", 204, None))
    ask(client, Case("delete_price_list", 204, None))

    none = {"brand_id": None, "brand_name": None}
    assert ask(client, Case("get_item", 200, None)).json() == item | none
    assert ask(client, Case("get_variant", 200, None)).json() == variant | none
    assert ask(client, Case("get_buyer", 200, None)).json() == buyer | {"price_list_id": None}
    assert ask(client, Case("list_prices", 200, None)).json()["data"] == []


def test_options_are_merged_by_name_and_null_clears_them(client: httpx.Client) -> None:
    def options_after(sent: object) -> object:
        response = ask(client, Case("update_item", 200, None, {"item": {"options": sent}}))
        return response.json()["options"]

    assert options_after([{"name": "Size", "values": ["S"]}]) == [
        {"name": "Color", "values": ["Red", "Blue"]},
        {"name": "Size", "values": ["S"]},
    ]
    assert options_after([{"name": "Color", "values": ["Green"]}]) == [
        {"name": "Color", "values": ["Green"]},
        {"name": "Size", "values": ["S"]},
    ]
    assert options_after([{"name": "Color", "_destroy": True}]) == [
        {"name": "Size", "values": ["S"]}
    ]
    assert options_after([]) == [{"name": "Size", "values": ["S"]}]
    assert options_after(None) == []
