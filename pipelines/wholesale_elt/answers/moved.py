"""Moved: why a figure is another one, as rows."""

from collections.abc import Iterator
from typing import Any

from wholesale_elt.differences import Part, PublishedDifference

Row = dict[str, Any]


def _parts(found: PublishedDifference) -> Iterator[Part]:
    yield from found.difference.rows
    if not found.difference.rows:
        yield found.difference.total


def of_causes(found: PublishedDifference) -> list[Row]:
    """A row a cause, of each member of the dimensions."""
    metric = found.difference.metric
    return [
        {
            **part.members,
            "cause": each.cause,
            "fields": ", ".join(each.fields),
            **({"part": each.part, "part_amount": each.part_amount} if metric.parts else {}),
            metric.name: each.amount,
            "order_count": each.order_count,
        }
        for part in _parts(found)
        for each in part.causes
    ]


def of_orders(found: PublishedDifference, cause: str) -> list[Row]:
    """A row an order of this cause."""
    return [
        {
            **part.members,
            "cause": each.cause,
            "fields": ", ".join(each.fields),
            "order_number": order["order_number"],
            "order_id": order["order_id"],
            each.part: order["amount"],
        }
        for part in _parts(found)
        for each in part.causes
        if each.cause == cause
        for order in each.orders
    ]
