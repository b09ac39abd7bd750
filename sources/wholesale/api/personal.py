"""Personal data: its classes, and the class of each field of each raw table."""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import get_args

from wholesale.api.records import RECORDS, Child, PersonalClass, RawColumn, Record
from wholesale.api.resources import RESOURCES

CLASSES: Mapping[PersonalClass, str] = MappingProxyType(
    {
        "name": "what a person is called",
        "contact": "e-mail addresses and phone numbers",
        "address": "street, house and postcode",
        "tax_number": "numbers by which tax offices know a company or its owner (EIN)",
        "payment": "to whom, where and how to pay",
        "free_text": "what people write in words of their own",
        "reference": "numbers that buyers give their orders, in which some write names",
        "company": "names and sites of companies that buy, which may be those of a person",
        "locality": "cities",
        "undocumented": "fields that the description does not know, and values that do not fit:"
        " nobody knows what they hold",
    }
)
IDENTIFYING = frozenset(CLASSES) - {"reference", "company", "locality", "undocumented"}
"""Classes that can identify a person by themselves: left out of what is published."""


def _fields(record: type[Record], table: str) -> Iterator[tuple[str, str, PersonalClass | None]]:
    """Table, field and class, of a record and of its entries."""
    for name, class_ in record.assumed_fields.items():
        yield table, name, class_
    for name, field in record.model_fields.items():
        for about in field.metadata:
            if isinstance(about, RawColumn):
                yield table, name, about.personal
            if isinstance(about, Child):
                (entry, _) = get_args(field.annotation)
                child = f"{table}__{name}"
                yield from ((child, key, None) for key in (about.parent_key, about.number))
                yield from _fields(entry, child)


def _by_table() -> Mapping[str, Mapping[str, PersonalClass | None]]:
    found: dict[str, dict[str, PersonalClass | None]] = {}
    for resource in RESOURCES:
        for table, name, class_ in _fields(RECORDS[resource.record], resource.name):
            found.setdefault(table, {})[name] = class_
    return MappingProxyType(found)


CLASS_OF_FIELD = _by_table()
"""By table and field, of the fields that are documented or assumed; None tells of no person."""
_CLASS_OF_NAME: Mapping[str, PersonalClass] = {
    name: class_ for fields in CLASS_OF_FIELD.values() for name, class_ in fields.items() if class_
}
_CLASS_ELSEWHERE: Mapping[str, PersonalClass | None] = {"currency": None, **_CLASS_OF_NAME}
"""Of a field where it is not known: the models read the currency wherever one is named."""
PERSONAL_FIELDS = frozenset(
    name for name, class_ in _CLASS_OF_NAME.items() if class_ in IDENTIFYING
)
"""Names of the fields that can identify a person, of all records and their entries."""


def class_of(table: str, field: str) -> PersonalClass | None:
    """The class of a field of a raw table; one that is not known there has that of its name
    elsewhere, if it is personal, and is undocumented otherwise. `shippingEmail` is the name
    `shipping_email`."""
    known = CLASS_OF_FIELD.get(table, {})
    if field in known:
        return known[field]
    if field in _CLASS_ELSEWHERE:
        return _CLASS_ELSEWHERE[field]
    return _CLASS_OF_LETTERS.get(_letters(field), "undocumented")


def _letters(name: str) -> str:
    """A name without what its spellings differ in."""
    return re.sub(r"[\W_]", "", name).lower()


_CLASS_OF_LETTERS = {_letters(name): class_ for name, class_ in _CLASS_OF_NAME.items()}
