"""Itemised: what gives another amount to a metric, order by order, as it was and as it is.

What is counted once has an entry for each buyer, user, order or product that came or went, and what
is judged by buyer one for each of these. The amounts of all entries are those of all causes.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import duckdb

from wholesale.errors import Unanswerable
from wholesale_elt.causes.effects import compared_parts, effect_parts, stated
from wholesale_elt.causes.sides import Both, Row, Sides, rows_of, sides_of
from wholesale_elt.figures import Metric, Question, read_metrics

TOLD_ONCE = re.compile(r"(?:case when .+ then )?(\w+)(?: end)?")
"""The value of what is counted once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What an order, or what is counted once, gave to a metric in the earlier of two databases, and
    gives in the later, by one cause; of the lines of an order those that are others.

    `counted_id` is the buyer, user, order or product that is counted once or judged; None where an
    entry is an order's. `order_ids` are the orders behind it; what these have in common is told.
    """

    cause: str
    fields: Sequence[str]
    counted_id: str | None
    order_ids: Sequence[str]
    order_id: str | None
    order_number: str | None
    buyer_id: str | None
    vendor_id: str | None
    was: Decimal | int
    now: Decimal | int

    @property
    def amount(self) -> Decimal | int:
        return self.now - self.was


def entries(
    connection: duckdb.DuckDBPyConnection, question: Question, both: Both | None = None
) -> Sequence[Entry]:
    """The entries that lead from the metric of a question in the attached database BEFORE to that
    in AFTER. Where no unit gives another amount, nothing else is read. Who asks for many metrics
    knows `both` before.

    Raises: Unanswerable for a ratio, whose parts have them, and as `difference` does.
    """
    sides = sides_of(connection, question, both)
    [metric] = sides.asked.plan.metrics
    if metric.parts:
        raise Unanswerable(f"{metric.name} is a ratio: ask for {' and '.join(metric.parts)}")
    if not _has_moved(connection, metric, sides):
        return ()
    found = rows_of(connection, _statement(metric, sides))
    return [_entry(metric, row, are_of_buyers=sides.asked.are_of_buyers) for row in found]


def has_moved(
    connection: duckdb.DuckDBPyConnection, question: Question, both: Both | None = None
) -> bool:
    """Whether any unit gives another amount to the metric of a question, or to a part of a ratio:
    where none does, there is no cause.

    Raises: Unanswerable as `difference` does.
    """
    sides = sides_of(connection, question, both)
    [metric] = sides.asked.plan.metrics
    counted = [read_metrics()[name] for name in metric.parts] if metric.parts else [metric]
    return any(_has_moved(connection, each, sides) for each in counted)


def _has_moved(connection: duckdb.DuckDBPyConnection, metric: Metric, sides: Sides) -> bool:
    parts = stated(compared_parts(metric, sides.asked))
    statement = f"{parts}\n\nselect 1 from compared limit 1"
    moved = sides.both.moved
    if statement not in moved:
        moved[statement] = bool(connection.execute(statement).fetchall())
    return moved[statement]


def _statement(metric: Metric, sides: Sides) -> str:
    parts = stated(effect_parts(metric, sides.asked))
    if metric.kind == "distinct":
        columns = "cause, fields, member as counted_id, orders"
        columns += ", cast(amount < 0 as bigint) as was, cast(amount > 0 as bigint) as now"
        return f"{parts}\n\nselect {columns}\nfrom effects"
    sums = ", ".join(
        f"cast(sum(share_{side}) as {metric.type}) as {name}"
        for side, name in (("before", "was"), ("after", "now"))
    )
    of_buyers = sides.asked.are_of_buyers
    unit = "owner" if of_buyers else "order_id"
    counted = "owner" if of_buyers else "cast(null as varchar)"
    return (
        f"{parts}\n\nselect cause, fields, {counted} as counted_id,"
        f" flatten(list(orders)) as orders, {sums}\nfrom caused\ngroup by cause, fields, {unit}"
    )


def _entry(metric: Metric, row: Row, *, are_of_buyers: bool) -> Entry:
    orders = {each["order_id"]: each for each in row["orders"] if each["order_id"] is not None}
    told = dict(_in_common(list(orders.values())))
    if are_of_buyers:
        told["buyer_id"] = row["counted_id"]
    elif metric.kind == "distinct":
        once = TOLD_ONCE.fullmatch(metric.value)
        if once and once[1] in ("buyer_id", "order_id"):
            told[once[1]] = row["counted_id"]
    return Entry(
        cause=row["cause"],
        fields=row["fields"].split(", ") if row["fields"] else [],
        counted_id=row["counted_id"],
        order_ids=sorted(orders),
        was=row["was"],
        now=row["now"],
        **told,
    )


def _in_common(orders: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str | None]]:
    for name in ("order_id", "order_number", "buyer_id", "vendor_id"):
        found = {order[name] for order in orders}
        yield name, found.pop() if len(found) == 1 else None
