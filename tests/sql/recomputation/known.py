"""Known: what each order was known to be when a day was over."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import cache

from .arithmetic import least
from .books import Books, Record
from .events import counts, found_late, in_force


def sales_known_on(books: Books, day: date) -> Mapping[str, Decimal | None]:
    """What the first sync that began after this day left behind: the orders that counted, each with
    its amount. Of the last day of the figures, what there is now."""
    until = None if day == books.figures_up_to else _seen_until(books, day)
    late = found_late(books)
    rows = (
        (order_id, _row(seen, until, is_late=order_id in late))
        for order_id, seen in in_force(books).items()
    )
    return {
        order_id: books.amount(row["sub_total"])
        for order_id, row in rows
        if row and counts(books, row)
    }


@cache
def _seen_until(books: Books, day: date) -> datetime | None:
    """When that sync ended; None if there was none."""
    return least(
        run["ended_at"]
        for run in books.rows("sync_runs")
        if run["resource"] == "orders" and not books.is_ahead(run["started_at"])
        if books.day(run["started_at"]) > day  # type: ignore[operator]
    )


def _row(seen: Sequence[Record], until: datetime | None, *, is_late: bool) -> Record | None:
    """The row of an order by then. One that was not seen yet was as it was first seen, unless it
    was found late: nobody knew of it."""
    if until is None:
        return seen[-1]
    known = [row for row in seen if row["valid_from"] is None or row["valid_from"] <= until]
    return known[-1] if known else None if is_late else seen[0]
