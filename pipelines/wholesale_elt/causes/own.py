"""Own: the rows of a table that a user added, and why what they give is different. Pure: SQL, asked
of no database.

What made such a row is told by its order, or by the orders of its buyer. Of what else its model
reads nothing is known: what no order explains is told as that.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from wholesale.errors import Unanswerable
from wholesale_elt.causes.rules import (
    OF_LINES,
    STATES,
    Asked,
    Rule,
    any_of,
    of_life,
    of_order,
    of_unit,
    told,
)
from wholesale_elt.figures import Metric, Plan
from wholesale_elt.models import PUBLIC, read_contract

HOLDERS = ("order_id", "buyer_id")
"""The columns by one of which it is told which orders moved a row."""
CONTENTS = ("sub_total", "total", "line_discount_amount", "ordered_at", "buyer_id", "vendor_id")
"""Columns of orders that are more than a state."""
DERIVED = (
    *("is_sale", "is_cancelled", "is_refunded", "is_return"),
    *("net_sub_total", "ordered_date", "set_aside"),
)
"""Columns of orders that settings make other ones."""
UPDATED_AT = "updated_at"
ALL = (*STATES, *CONTENTS, *OF_LINES, *DERIVED, UPDATED_AT)
"""The columns of orders by which one that was touched is told."""


@dataclass(frozen=True, slots=True)
class OwnRows:
    """Rows of a table that a user added: each belongs to an order or buyer by the column `holder`,
    and is the same in both versions if its `key` is."""

    holder: str
    key: Sequence[str]

    @property
    def are_of_buyers(self) -> bool:
        return self.holder != HOLDERS[0]


def own_rows(planned: Plan, columns: Collection[str]) -> OwnRows:
    """The rows that a question counts of a table that a user added, which has these columns.

    Raises: Unanswerable if none of them tells which orders moved a row.
    """
    holder = next((name for name in HOLDERS if name in columns), None)
    if holder is None:
        raise Unanswerable(
            f"{planned.metrics[0].name} counts rows of {planned.table}, and nothing tells which"
            f" orders moved them: give that model a column {' or '.join(HOLDERS)}, or ask for"
            " figures of both versions"
        )
    declared = read_contract(*PUBLIC).get(planned.table)
    return OwnRows(holder, declared.key if declared and declared.key else (holder,))


def columns_of(rows: OwnRows, metric: Metric, alias: str) -> Sequence[str]:
    """What is read of each row: which one it is, whose, and what it gives.

    Where several rows have one key, which no test of theirs forbids, they are told apart by order.
    """
    key = ", ".join(f'{alias}."{name}"' for name in rows.key)
    order = ", ".join(f'{alias}."{name}"' for name in metric.columns) or key
    number = f"row_number() over (partition by {key} order by {order})"
    holder = f"cast({alias}.{rows.holder} as varchar)"
    order_id = "cast(null as varchar)" if rows.are_of_buyers else holder
    given = "varchar" if metric.kind == "distinct" else "decimal(38, 9)"
    return [
        f"concat_ws('/', {key}, {number}) as unit",
        f"{holder} as owner",
        f"{order_id} as order_id",
        f"cast({metric.value} as {given}) as share",
    ]


def rules_of_own(asked: Asked, complete_as_of: str, *, has_units: bool) -> Iterator[Rule]:
    """The rules for the order of a row, `order_before` and `order_after`; and with `has_units` for
    the row itself, `compared`."""
    states = {name: of_order(name) for name in STATES}
    contents = {name: of_order(name) for name in CONTENTS}
    yield from of_life(complete_as_of)
    if has_units:
        is_on_one_side = "(compared.unit_before is null) <> (compared.unit_after is null)"
        came_with_state = f"{is_on_one_side} and {any_of(states.values())}"
        yield Rule("state changed", came_with_state, told(states))
        if asked.has_days:
            when = f"not {is_on_one_side} and {of_unit('is_in_span')}"
            yield Rule("period moved", f"{when} and not {of_unit('day')}")
        moved = {name: of_unit(f"{name}__key") for name in asked.members}
        if asked.has_days:
            moved["day"] = of_unit("is_in_span")
        if moved:
            when = f"not {is_on_one_side} and {any_of(moved.values())}"
            yield Rule("moved", when, told(moved))
    lines = {name: of_order(name) for name in OF_LINES}
    yield Rule("edited", any_of(contents.values()), told(contents))
    yield Rule("lines changed", any_of(lines.values()), told(lines))
    yield Rule("state changed", any_of(states.values()), told(states))
    yield Rule("edited", of_order(UPDATED_AT))
    if asked.settings:
        names = f"'{', '.join(asked.settings)}'"
        yield Rule("setting changed", any_of(of_order(name) for name in DERIVED), names)
    yield Rule("model changed", "true")
