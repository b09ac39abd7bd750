"""Fields: undocumented fields that a setting names, as columns of the marts of their records."""

import re
from collections.abc import Mapping

from wholesale.api import PERSONAL_FIELDS, RESOURCES
from wholesale_elt.models.project import Field
from wholesale_elt.models.rendering.failures import Unknown

DECIMAL = "decimal"
"""How a setting calls `decimal(38, 9)`: a comma would end an entry of its list."""
TYPES: Mapping[str, str] = {
    DECIMAL: "decimal(38, 9)",
    **{name: name for name in ("bigint", "boolean", "date", "json", "text", "timestamptz")},
}
"""The types that a column may have, by their names in the setting."""
MARTS: Mapping[str, str] = {"orders": "fct_orders"} | {
    table: f"dim_{table}"
    for table in (
        *("brands", "buyer_users", "buyers", "categories", "custom_fields", "item_images"),
        *("items", "price_lists", "variants", "vendors"),
    )
}
"""The mart that has a row for each record, by raw table."""
SINGULAR = re.compile(r"ies$|s$")
FIELD = re.compile(
    r"(?P<table>[a-z]\w*)\.(?P<name>[a-z_]\w*)( +as +(?P<column>\w+))?( +(?P<type>\w+))?", re.ASCII
)
FORM = "write it as orders.some_field, orders.some_field as other_name, or orders.some_field date"


def field_of(text: str) -> Field:
    """The field that an entry of the setting names.

    Raises: ValueError for one that names none, another table, or another type.
    """
    found = FIELD.fullmatch(text.strip())
    if not found:
        raise ValueError(f"{text[:80]!r} is no field of a table; {FORM}")
    table, name, type_ = found["table"], found["name"], found["type"] or ""
    known = {resource.name for resource in RESOURCES}
    if table not in known:
        raise ValueError(f"{text[:80]!r}: {Unknown('table of records', table, known)}")
    if type_ not in {*TYPES, ""}:
        raise ValueError(f"{text[:80]!r}: {type_} is no type; use {', '.join(sorted(TYPES))}")
    key = SINGULAR.sub(lambda end: "y" if end[0] == "ies" else "", table) + "_id"
    return Field(
        *(table, name, found["column"] or name, TYPES.get(type_, "")), MARTS.get(table, ""), key
    )


def personal_name(name: str) -> str:
    """The name that the API has for a field that can identify a person, however it is spelled;
    empty for other fields."""
    return _PERSONAL.get(_letters(name), "")


def _letters(name: str) -> str:
    return name.replace("_", "").lower()


_PERSONAL = {_letters(name): name for name in PERSONAL_FIELDS}
