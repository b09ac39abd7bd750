"""Items: the orders, buyers and products that an alert is about, with their places on the page."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wholesale.errors import Unanswerable, one_line
from wholesale_elt.monitoring.alerts import Item, number

if TYPE_CHECKING:
    from wholesale_elt.figures import Question

MOST_ITEMS = 10
"""So many are named; the page has the others."""
BUYER = "buyer"


def items_of(rows: Iterable[Mapping[str, Any]]) -> Sequence[Item]:
    """Of rows of tasks, of events or of a cause, the first ones."""
    return [_item(row) for row in islice(rows, MOST_ITEMS)]


def buyers_of(published: Path, question: "Question") -> tuple[Sequence[Item], int]:
    """The buyers of whom most of a figure is, and how many there are; none where it has no
    buyers."""
    from wholesale_elt.publish import ask_published

    (metric,) = question.metrics
    try:
        found = ask_published(published, replace(question, by=[BUYER])).figures.rows
    except Unanswerable:
        return [], 0
    rows = sorted((row for row in found if row[metric]), key=lambda row: -abs(row[metric]))
    named = [{f"{BUYER}_id": row[BUYER], **row, "amount": row[metric]} for row in rows]
    return items_of(named), len(rows)


def _item(row: Mapping[str, Any]) -> Item:
    from wholesale_elt.dashboard import address

    amount = row.get("amount")
    told = [] if amount is None else [number(amount)]
    if order := row.get("order_number") or row.get("order_id"):
        buyer = [str(row["buyer_name"])] if row.get("buyer_name") else []
        return Item(_text(f"order {order}", *buyer, *told), address("order", str(order)))
    if row.get("buyer_id"):
        name = row.get("buyer_name") or row["buyer_id"]
        return Item(_text(str(name), *told), address("buyer", str(row["buyer_id"])))
    if row.get("product_id"):
        name = row.get("item_title") or row.get("title") or row["product_id"]
        return Item(_text(str(name), *told), address("product", str(row["product_id"])))
    known = [str(row[name]) for name in ("field_name", "state") if row.get(name) is not None]
    return Item(_text(" ".join(known) or "without a name", *told), address("today"))


def _text(*parts: str) -> str:
    return one_line(", ".join(parts))
