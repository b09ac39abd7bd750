"""Schemas: the JSON Schema of records, bodies, pages and errors, from the registry of fields."""

from collections.abc import Iterable

from wholesale.api import ENDPOINT
from wholesale_sandbox.contract.field_schemas import (
    DECIMAL_TEXT,
    INT32,
    Schema,
    is_required,
    reference,
    value_in_form,
    value_nested,
    value_of,
    value_read,
    value_sent,
)
from wholesale_sandbox.contract.fields import (
    COMMENT_FIELDS,
    ITEM_OPTION_FIELDS,
    LINE_ITEM_FIELDS,
    ORDER_BASIC_FIELDS,
    ORDER_INVOICE_FIELDS,
    ORDER_SUMMARY_FIELDS,
    RESOURCE,
    RESOURCES,
    VARIANT_OPTION_FIELDS,
    Field,
    Resource,
)


def components() -> dict[str, Schema]:
    """The schemas by name: what is read, what is written (`…Create`, `…Update`), pages, errors."""
    orders = RESOURCE["orders"]
    records = {
        record_name(resource): _record(resource, resource.fields)
        for resource in RESOURCES
        if resource != orders
    } | {
        "OrderSummary": _record(orders, _named(orders, ORDER_SUMMARY_FIELDS)),
        "OrderBasic": _record(orders, _named(orders, ORDER_BASIC_FIELDS)),
        "OrderVerbose": _record(orders, orders.fields, absent=ORDER_INVOICE_FIELDS),
    }
    bodies = {
        name: _body(resource, creates=creates)
        for resource in RESOURCES
        for verb, name, creates in (
            ("create", create_name(resource), True),
            ("update", update_name(resource), False),
        )
        if f"{verb}_{resource.wrapper}" in ENDPOINT
    }
    pages = {page_name(name): _page(name) for name in records if name != "OrderBasic"}
    entries = {
        "ItemOption": _entry(_kept(ITEM_OPTION_FIELDS)),
        "ItemOptionChange": _change(ITEM_OPTION_FIELDS),
        "VariantOption": _entry(_kept(VARIANT_OPTION_FIELDS)),
        "VariantOptionChange": _change(VARIANT_OPTION_FIELDS),
        "LineItem": _entry(LINE_ITEM_FIELDS),
        "OrderComment": _entry(COMMENT_FIELDS),
    }
    return records | bodies | pages | entries | _shared()


def record_name(resource: Resource) -> str:
    """`buyer_users` → `BuyerUser`."""
    return "".join(word.capitalize() for word in resource.wrapper.split("_"))


def create_name(resource: Resource) -> str:
    return f"{record_name(resource)}Create"


def update_name(resource: Resource) -> str:
    return f"{record_name(resource)}Update"


def page_name(record: str) -> str:
    return f"{record}Page"


def form(resource: Resource) -> Schema:
    """The body of a create as form fields, written `brand[title]` (§4.12)."""
    fields = {f"{resource.wrapper}[{field.name}]": field for field in _written(resource)}
    return {
        "type": "object",
        "properties": {name: value_in_form(field, resource) for name, field in fields.items()},
        "required": [name for name, field in fields.items() if is_required(field, resource)],
    }


def _named(resource: Resource, names: Iterable[str]) -> list[Field]:
    return [field for name in names if (field := resource.field(name))]


def _written(resource: Resource) -> list[Field]:
    return [field for field in resource.fields if not field.read_only]


def _kept(option_fields: Iterable[Field]) -> list[Field]:
    """An option as it is read: `_destroy` is an order to the service, never a stored value."""
    return [field for field in option_fields if field.name != "_destroy"]


def _record(resource: Resource, fields: Iterable[Field], *, absent: Iterable[str] = ()) -> Schema:
    """A record as it is read: every field there, empty ones null; `absent` may be left out."""
    properties = {field.name: value_read(field, resource) for field in fields}
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in set(absent)],
        "x-section": resource.section,
    }


def _body(resource: Resource, *, creates: bool) -> Schema:
    """The fields that a body may carry under its wrapper; others are ignored, refused ones not."""
    fields = _written(resource)
    properties = {field.name: value_sent(field, resource, creates=creates) for field in fields}
    refused: Schema = {field.name: {"not": {}} for field in resource.fields if field.refused}
    required = [field for field in fields if creates and is_required(field, resource)]
    assumed = [field.name for field in required if not field.required]
    return {
        "type": "object",
        "properties": properties | refused,
        **({"required": [field.name for field in required]} if required else {}),
        **({"x-assumed-required": assumed} if assumed else {}),
        "x-section": resource.section,
    }


def _entry(fields: Iterable[Field]) -> Schema:
    """An entry nested in a record, as it is read."""
    return {
        "type": "object",
        "properties": {field.name: value_nested(field) for field in fields},
    }


def _change(option_fields: Iterable[Field]) -> Schema:
    """An option in a body: set with what it holds, or taken away by its name."""
    properties = {field.name: value_of(field) for field in option_fields}
    held = [name for name in properties if name != "_destroy"]
    return {
        "anyOf": [
            {
                "type": "object",
                "properties": properties | {"_destroy": {"const": False}},
                "required": held,
            },
            {
                "type": "object",
                "properties": {"name": properties["name"], "_destroy": {"const": True}},
                "required": ["name", "_destroy"],
            },
        ]
    }


def _page(record: str) -> Schema:
    return {
        "type": "object",
        "properties": {
            "pagination": reference("Pagination"),
            "data": {"type": "array", "items": reference(record)},
        },
        "required": ["pagination", "data"],
        "x-section": "2.3",
    }


def _shared() -> dict[str, Schema]:
    """Numbers that travel as text, the envelope of lists, errors, and the response of the root."""
    count = INT32 | {"minimum": 0}
    number = INT32 | {"minimum": 1}
    neighbour = number | {"type": ["integer", "null"]}
    return {
        "Service": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "version": {"type": "string"}},
            "required": ["name", "version"],
            "x-section": "4.12",
            "x-documented": False,
        },
        "Decimal": {
            "description": "A decimal number, as a JSON number or as its text.",
            "oneOf": [{"type": "number"}, {"type": "string", "pattern": DECIMAL_TEXT}],
            "x-section": "2",
        },
        "Pagination": {
            "type": "object",
            "properties": {
                "current": number,
                "previous": neighbour | {"description": "null on the first page"},
                "next": neighbour | {"description": "null on the last page"},
                "limit": number,
                "total_pages": count,
                "total_count": count,
            },
            "required": ["current", "previous", "next", "limit", "total_pages", "total_count"],
            "x-section": "2.3",
        },
        "Error": {
            "type": "object",
            "properties": {"error": {"type": "string"}, "details": {"type": "string"}},
            "required": ["error", "details"],
            "x-section": "2.9",
        },
    }
