"""Numbers: the stored order that people know by a number, or by its id in any spelling."""

from collections.abc import Collection

from wholesale.errors import WholesaleError, legible
from wholesale_elt.warehouse import Raw, same_id

NUMBERS = ("order_number", "po_number")
MOST_IDS = 3
"""So many orders are named where several have one number."""


def find_order(raw: Raw, text: str) -> str | None:
    """The id, as it is stored, of the order with that id, number or PO number; None if there is
    none.

    Raises: WholesaleError if several have that number.
    """
    known, text = raw.column_names("orders"), text.strip()
    if "id" not in known:
        return None
    rows = _find(raw, same_id("id", text)) or _by_number(raw, text, known)
    if len(rows) > 1:
        ids = ", ".join(str(row[0]) for row in rows[:MOST_IDS])
        raise WholesaleError(
            f"{len(rows)} stored orders have the number {legible(text)}: name one by its id, such"
            f" as {ids}"
        )
    return str(rows[0][0]) if rows else None


def _by_number(raw: Raw, text: str, known: Collection[str]) -> list[tuple[str]]:
    names = [name for name in NUMBERS if name in known]
    return _find(raw, " or ".join(f"{name} = %s" for name in names), *([text] * len(names)))


def _find(raw: Raw, where: str, *values: str) -> list[tuple[str]]:
    return list(raw.rows(f"select id from {raw.name('orders')} where {where} order by id", *values))
