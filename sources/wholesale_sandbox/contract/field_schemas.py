"""Field schemas: the JSON Schema of one field, as it is read and as it is sent."""

from collections.abc import Mapping
from typing import Any

from wholesale_sandbox.contract.assumptions import REQUIRED_FIELDS
from wholesale_sandbox.contract.fields import Field, FieldType, Resource

Schema = dict[str, Any]


def reference(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


INT32 = {"type": "integer", "format": "int32", "minimum": -(2**31), "maximum": 2**31 - 1}
DECIMAL_TEXT = r"^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$"

_VALUES: Mapping[FieldType, Schema] = {
    "guid": {"type": "string", "format": "uuid"},
    "text": {"type": "string"},
    "decimal": reference("Decimal"),
    "number": {"type": "number"},
    "integer": INT32,
    "boolean": {"type": "boolean"},
    "timestamp": {"type": "string", "format": "date-time"},
    "email": {"type": "string", "format": "email"},
    "map": {"type": "object"},
    "texts": {"type": "array", "items": {"type": "string"}},
    "item_options": {"type": "array", "items": reference("ItemOption")},
    "variant_options": {"type": "array", "items": reference("VariantOption")},
    "line_items": {"type": "array", "items": reference("LineItem")},
    "comments": {"type": "array", "items": reference("OrderComment")},
}

# Options are sent in another form than they are read in.
_CHANGES: Mapping[FieldType, Schema] = {
    "item_options": {"type": "array", "items": reference("ItemOptionChange")},
    "variant_options": {
        "type": "array",
        "items": reference("VariantOptionChange"),
    },
}

# VENDOR_ZIP: a number where it is all digits.
_EXCEPTIONS: Mapping[tuple[str, str], Schema] = {
    ("vendors", "zip"): {"type": ["number", "string"]},
}

# A variant is always one of an item.
_NEVER_CLEARED = {("variants", "parent_id")}

# BLANK_IS_MISSING
_NOT_BLANK = {"pattern": r"\S"}

# The meanings that a name alone does not give.
_MEANINGS: Mapping[tuple[str, str], str] = {
    ("items", "product_code"): "Belongs to one item only; its variants have none of their own.",
    ("items", "map"): "Lowest price at which the item may be advertised.",
    ("items", "moq"): "Smallest quantity that can be ordered.",
    ("items", "quantity_multiplier"): "Ordered quantities are multiples of this.",
    ("variants", "title"): "Put together by the service from the values of the options.",
    ("variants", "map"): "Lowest price at which the variant may be advertised.",
    ("variants", "moq"): "Smallest quantity that can be ordered.",
    ("vendors", "zip"): "A number in the description's sample: leading zeros are lost.",
    ("vendors", "shipping_type"): "Name of the way shipping is calculated.",
    ("brands", "logo"): "Where the logo is; a form may carry the file itself.",
    ("prices", "variant_id"): "The variant that has this price in the price list.",
}


def value_read(field: Field, resource: Resource) -> Schema:
    """In a record: null where it is empty."""
    value = _value(field, resource)
    nullable = value if field.name == "id" else _nullable(_allowed(value, field))
    return _described(nullable, field, resource)


def value_sent(field: Field, resource: Resource, *, creates: bool) -> Schema:
    """In a body: null clears it, unless the record cannot be without it."""
    value = _allowed(_CHANGES.get(field.type) or _value(field, resource), field)
    if is_required(field, resource):
        value = value | (_NOT_BLANK if field.type == "text" else {})
    elif creates or (resource.name, field.name) not in _NEVER_CLEARED:
        value = _nullable(value)
    return _described(value, field, resource)


def value_in_form(field: Field, resource: Resource) -> Schema:
    """In multipart/form-data, where all values are texts."""
    blank = _NOT_BLANK if is_required(field, resource) else {}
    return _described({"type": "string"} | blank, field, resource)


def value_nested(field: Field) -> Schema:
    """In an entry of a record, such as a line item."""
    return _nullable(_VALUES[field.type]) | _marks(field)


def value_of(field: Field) -> Schema:
    """The bare value, without null."""
    return _VALUES[field.type]


def is_required(field: Field, resource: Resource) -> bool:
    """On create: by §2, or assumed."""
    return field.required or field.name in REQUIRED_FIELDS.value.get(resource.name, ())


def _described(value: Schema, field: Field, resource: Resource) -> Schema:
    meaning = _MEANINGS.get((resource.name, field.name))
    return value | _marks(field) | ({"description": meaning} if meaning else {})


def _value(field: Field, resource: Resource) -> Schema:
    return _EXCEPTIONS.get((resource.name, field.name)) or _VALUES[field.type]


def _allowed(value: Schema, field: Field) -> Schema:
    return value | {"enum": list(field.allowed)} if field.allowed else value


def _nullable(value: Schema) -> Schema:
    if "$ref" in value or "format" in value:
        return {"anyOf": [value, {"type": "null"}]}
    enum = {"enum": [*value["enum"], None]} if "enum" in value else {}
    types = value["type"] if isinstance(value["type"], list) else [value["type"]]
    return value | {"type": [*types, "null"]} | enum


def _marks(field: Field) -> Schema:
    return ({} if field.documented else {"x-documented": False}) | (
        {"x-refers-to": field.refers_to} if field.refers_to else {}
    )
