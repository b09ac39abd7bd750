"""Columns: the heading that people read, and how a spreadsheet shows the values."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from wholesale_elt.figures import NO_CURRENCY

MONEY, SHARE, INDEX = "currency of the account", "share", "index"
INITIALS: Mapping[str, str] = {"id": "ID", "sku": "SKU", "msrp": "MSRP", "abc": "ABC"}
NAMED: Mapping[str, str] = {
    "date_day": "Day",
    "month_start": "Month",
    "company_name": "Buyer",
    "member": "Member key",
    "buyer_company_name": "Buyer",
    "item_title": "Product",
    "variant_title": "Variant",
    "sub_total": "Sales amount",
}
"""Where the words of a column's name are not those of a person."""
QUESTION = re.compile(r"^(is|has)_")
DECIMAL = re.compile(r"DECIMAL\(\d+,\s*(\d+)\)")
WHOLE, DAY, MONTH, MOMENT, TEXT = "#,##0", "yyyy-mm-dd", "yyyy-mm", "yyyy-mm-dd hh:mm", "@"
PERCENT, AMOUNT = "0.0%", "#,##0.00"
MOST_DECIMALS, USUAL_DECIMALS = 4, 2
"""A quotient has six decimals, and is shown with the usual ones; its cell has all of them."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a sheet: `format` is one of Excel's."""

    name: str
    heading: str
    meaning: str
    format: str


def column_of(name: str, type_: str, unit: str | None, meaning: str, currency: str) -> Column:
    """The column of a report with DuckDB's type, and what a figure in it is counted in."""
    heading = heading_of(name) + _unit_shown(name, type_, unit, currency)
    return Column(name, heading, meaning, _format(name, type_, unit))


def heading_of(name: str) -> str:
    """A name of a column in words: `first_ordered_date` is `First ordered date`."""
    if name in NAMED:
        return NAMED[name]
    words = QUESTION.sub("", name).removesuffix("_name").split("_")
    text = " ".join(INITIALS.get(word, word) for word in words)
    return text[:1].upper() + text[1:]


def _unit_shown(name: str, type_: str, unit: str | None, currency: str) -> str:
    if type_.startswith("TIMESTAMP"):
        return " (UTC)"
    if unit == MONEY:
        return in_currency("", currency)
    return f" ({unit})" if unit in ("days", "seconds") and unit not in name else ""


def in_currency(heading: str, currency: str) -> str:
    """The heading of amounts, with their currency if a setting names it."""
    return heading if currency == NO_CURRENCY else f"{heading} ({currency})"


def _format(name: str, type_: str, unit: str | None) -> str:
    if type_ == "DATE":
        return MONTH if "month" in name else DAY
    if type_.startswith("TIMESTAMP"):
        return MOMENT
    if found := DECIMAL.match(type_):
        return _decimals(int(found[1]), unit or "")
    if type_ in ("DOUBLE", "FLOAT"):
        return AMOUNT
    return WHOLE if type_.endswith(("INT", "INTEGER")) else TEXT


def _decimals(scale: int, unit: str) -> str:
    if unit.startswith(SHARE):
        return PERCENT
    shown = 3 if unit.startswith(INDEX) else scale if scale <= MOST_DECIMALS else USUAL_DECIMALS
    return f"{WHOLE}.{'0' * shown}"
