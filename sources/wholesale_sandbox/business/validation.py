"""Validation: the fields of a body, checked against the rules of their resource (§2, §4).

Each value keeps its literal, so that 12.50 stays 12.50.
"""

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Raw

from wholesale_sandbox.contract import (
    DEFAULT_VALUES,
    MALFORMED_BODY,
    REQUIRED_FIELDS,
    Field,
    FieldType,
    Resource,
)
from wholesale_sandbox.responses import Refused, error, unprocessable

Record = dict[str, Raw]

SMALLEST_INTEGER, LARGEST_INTEGER = -(2**31), 2**31 - 1  # integer(int32), §2

_GUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.I)
_DECIMAL = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?", re.ASCII)
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")
_TIMESTAMP = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}\S*", re.ASCII)

_EMPTY: Mapping[FieldType, Raw] = {
    "map": Raw(b"{}"),
    "texts": Raw(b"[]"),
    "item_options": Raw(b"[]"),
    "variant_options": Raw(b"[]"),
}
NULL = Raw(b"null")

_object = msgspec.json.Decoder(dict[str, Raw])


def fields_sent(body: bytes, resource: Resource) -> Record:
    """The fields inside the wrapper key of a body.

    Raises: Refused (422) for a body that is no JSON or has its fields outside the wrapper.
    """
    try:
        sent = _object.decode(body)
    except msgspec.ValidationError:
        raise unprocessable(f"the body must be an object with the key {resource.wrapper}") from None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise Refused(error(MALFORMED_BODY.value, "the body must be JSON")) from None
    wrapped = sent.get(resource.wrapper)
    if wrapped is None:
        raise unprocessable(
            f"the fields must stand inside an object under the key {resource.wrapper}"
        )
    try:
        return _object.decode(wrapped)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise unprocessable(f"{resource.wrapper} must be an object") from None


def checked(sent: Record, resource: Resource, *, creating: bool) -> Record:
    """The fields of `sent` that may be written, in the order of the registry.

    On creation all writable fields are there, with their defaults.
    Raises: Refused (422) naming the first field that breaks a rule.
    """
    record: Record = {}
    required = REQUIRED_FIELDS.value.get(resource.name, ())
    for field in resource.fields:
        literal = sent.get(field.name)
        if field.refused and literal is not None:
            raise unprocessable(f"{field.name} is generated and not accepted in a body")
        if field.read_only or (literal is None and not creating):
            continue
        is_required = field.required or field.name in required
        value = NULL if literal is None else Raw(bytes(literal).strip())
        if value == NULL:
            if is_required:
                raise unprocessable(f"{field.name} is required")
            record[field.name] = absent(resource, field)
        else:
            record[field.name] = _checked_value(field, value, is_required)
    return record


def absent(resource: Resource, field: Field) -> Raw:
    """The default value of a field."""
    default = DEFAULT_VALUES.value.get(resource.name, {}).get(field.name)
    return _EMPTY.get(field.type, NULL) if default is None else literal_of(default)


def literal_of(value: object) -> Raw:
    return Raw(msgspec.json.encode(value))


def text_of(record: Mapping[str, Raw], name: str) -> str | None:
    """The text in a field; None if it has none."""
    try:
        return msgspec.json.decode(record.get(name, NULL), type=str | None)
    except msgspec.ValidationError:
        return None


def is_guid(value: object) -> bool:
    return isinstance(value, str) and _GUID.fullmatch(value) is not None


def _checked_value(field: Field, literal: Raw, is_required: bool) -> Raw:
    try:
        value = msgspec.json.decode(literal)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise unprocessable(f"{field.name} holds a value that cannot be read") from None
    if field.type == "number" and field.name == "zip":
        return _vendor_zip(field, value, literal)
    reader = _READERS[field.type]
    if not reader(value):
        raise unprocessable(f"{field.name} must be {_MEANINGS[field.type]}")
    if field.allowed and value not in field.allowed:
        raise unprocessable(f"{field.name} must be one of {', '.join(field.allowed)}")
    if is_required and isinstance(value, str) and not value.strip():
        raise unprocessable(f"{field.name} must not be blank")
    return literal_of(int(value)) if field.type == "integer" else literal


def _vendor_zip(field: Field, value: object, literal: Raw) -> Raw:
    """§2.7: numeric in the sample response; so all digits are served as a number."""
    if isinstance(value, str):
        is_number = value.isascii() and value.isdigit()
        return Raw((value.lstrip("0") or "0").encode()) if is_number else literal
    if _is_number(value):
        return literal
    raise unprocessable(f"{field.name} must be a number or text")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_integer(value: object) -> bool:
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and math.isfinite(value)
        and value == int(value)
        and SMALLEST_INTEGER <= value <= LARGEST_INTEGER
    )


def _is_decimal(value: object) -> bool:
    return _is_number(value) or (isinstance(value, str) and _DECIMAL.fullmatch(value) is not None)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _is_options(value: object, is_held: Callable[[Any], bool]) -> bool:
    """Entries of options: a name, and what it holds unless `_destroy` takes the option away."""
    return isinstance(value, list) and all(
        isinstance(entry, dict)
        and isinstance(entry.get("name"), str)
        and isinstance(entry.get("_destroy", False), bool)
        and (entry.get("_destroy") is True or is_held(entry))
        for entry in value
    )


_READERS: Mapping[FieldType, Callable[[object], bool]] = {
    "guid": is_guid,
    "text": lambda value: isinstance(value, str),
    "decimal": _is_decimal,
    "number": _is_number,
    "integer": _is_integer,
    "boolean": lambda value: isinstance(value, bool),
    "timestamp": lambda value: isinstance(value, str) and _TIMESTAMP.fullmatch(value) is not None,
    "email": lambda value: isinstance(value, str) and _EMAIL.fullmatch(value) is not None,
    "map": lambda value: isinstance(value, dict),
    "texts": _is_texts,
    "item_options": lambda value: _is_options(value, lambda entry: _is_texts(entry.get("values"))),
    "variant_options": lambda value: _is_options(
        value, lambda entry: isinstance(entry.get("value"), str)
    ),
}
_MEANINGS: Mapping[FieldType, str] = {
    "guid": "a guid",
    "text": "text",
    "decimal": "a decimal number, as a number or as text",
    "number": "a number",
    "integer": f"an integer from {SMALLEST_INTEGER} to {LARGEST_INTEGER}",
    "boolean": "true or false",
    "timestamp": "a timestamp of ISO 8601",
    "email": "an e-mail address",
    "map": "an object",
    "texts": "an array of texts",
    "item_options": "an array of objects with name (text), values (array of texts) and _destroy",
    "variant_options": "an array of objects with name (text), value (text) and _destroy",
}
