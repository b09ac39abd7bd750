"""Changes: what moved the sales since somebody was told last, in five lines."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from wholesale.errors import WholesaleError, counted
from wholesale_elt.monitoring.alerts import Alert, number
from wholesale_elt.monitoring.items import items_of

if TYPE_CHECKING:
    from wholesale_elt.differences import Cause

METRIC = "sales"
MOST_CAUSES = 4


def _size(cause: "Cause") -> Decimal:
    return abs(Decimal(cause.amount or 0))


def changes_since(published: Path, version: str) -> Iterator[Alert]:
    """What is another one in the version in force, and its largest causes; nothing if the sales are
    made of the same. What cannot be compared any more is told so."""
    from wholesale_elt.dashboard import address
    from wholesale_elt.differences import why_published  # a sync need not import what is published
    from wholesale_elt.figures import Question

    try:
        found = why_published(published, Question(metrics=[METRIC]), version)
    except WholesaleError as error:
        yield Alert("changed", METRIC, f"not compared with version {version}: {error}")
        return
    total = found.difference.total
    if not total.causes:
        return
    since = found.before.as_of or version
    change = f"{number(total.before)} became {number(total.after)} since {since}"
    to = address("changes")
    yield Alert("changed", METRIC, change, to=to)
    causes = sorted(total.causes, key=_size, reverse=True)
    for cause in causes[:MOST_CAUSES]:
        of = f" ({', '.join(cause.fields)})" if cause.fields else ""
        orders = counted(cause.order_count, "order")
        yield Alert(
            *("changed", f"{cause.cause}{of}", f"{number(cause.amount)} by {orders}"),
            to=to,
            items=items_of(cause.orders),
            item_count=cause.order_count,
        )
    if more := causes[MOST_CAUSES:]:
        amount = sum(Decimal(cause.amount or 0) for cause in more)
        yield Alert("changed", "other causes", f"{number(amount)}")
