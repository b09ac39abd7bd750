"""Numbers: the stored order that people know by a number, or by its id."""

from collections.abc import Collection

from wholesale.api import typed_id
from wholesale.errors import WholesaleError, legible
from wholesale_elt.warehouse import RawReader

NUMBERS = ("order_number", "po_number")
FOLDED = "lower(replace(replace({}, ' ', ''), '#', ''))"
"""A number as people write it: in any case, with a sign before it, or blanks."""
MOST_IDS = 3
"""So many orders are named where several have one number."""


def find_order(raw: RawReader, text: str) -> str | None:
    """The id, as it is stored, of the order with that id, number or PO number; else of one whose
    number is the same in another case, or with `#` and blanks; None if there is none.

    Raises: WholesaleError if several have that number.
    """
    known, text = raw.column_names("orders"), text.strip()
    if "id" not in known:
        return None
    rows = _find(raw, "id = %s", typed_id(text)) or _by_number(raw, text, known)
    if len(rows) > 1:
        ids = ", ".join(str(row[0]) for row in rows[:MOST_IDS])
        raise WholesaleError(
            f"{len(rows)} stored orders have the number {legible(text)}: name one by its id, such"
            f" as {ids}"
        )
    return str(rows[0][0]) if rows else None


def _by_number(raw: RawReader, text: str, known: Collection[str]) -> list[tuple[str]]:
    names = [name for name in NUMBERS if name in known]
    for form in ("{}", FOLDED):
        is_same = f"{form} = {form} and {form} <> ''"
        where = " or ".join(is_same.format(name, "%s", name) for name in names)
        if rows := _find(raw, where, *([text] * len(names))):
            return rows
    return []


def _find(raw: RawReader, where: str, *values: str) -> list[tuple[str]]:
    return list(raw.rows(f"select id from {raw.name('orders')} where {where} order by id", *values))
