"""Meanings: the states of orders and payments, and the terms and other words of vendors, of which
nothing says what they mean."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wholesale.errors import counted, decimal_text, one_line

if TYPE_CHECKING:
    from wholesale_elt.warehouse import RawReader

UNKNOWN_STATES = (
    "select field_name, state, order_count, amount from {source}wholesale_bi.rpt_tasks"
    " where task_kind = 'unknown_state'"
    " order by order_count desc, field_name, state"
)
"""Of the reports in a database, whose name and a point are its `source`."""


@dataclass(frozen=True, slots=True)
class UnknownState:
    """A state without a meaning, how many orders are in it, and what they come to; or words
    of vendors.

    `amount` is decimal text; None if no order in it has one.
    """

    field: str
    state: str
    orders: int
    amount: str | None

    def __str__(self) -> str:
        amount = "" if self.amount is None else f", {self.amount}"
        return (
            f"what {self.field} {one_line(self.state)} means is not set"
            f" ({counted(self.orders, 'order')}{amount})"
        )


def read_unknown_states(raw: "RawReader") -> Sequence[UnknownState]:
    """Those that the last build found; none before the first one."""
    return unknown_states(raw.rows(UNKNOWN_STATES.format(source="")))


def unknown_states(rows: Iterable[Sequence[Any]]) -> Sequence[UnknownState]:
    """The rows of `UNKNOWN_STATES`."""
    return [
        UnknownState(field, state, orders, None if amount is None else decimal_text(amount))
        for field, state, orders, amount in rows
    ]


def how_to_set(found: Iterable[UnknownState]) -> str:
    """What to do about them, in a line."""
    names = {"order_status": "waiting_order_statuses", "payment_status": "open_payment_statuses"}
    fields = {each.field for each in found}
    told = []
    if settings := " or ".join(sorted(names[field] for field in fields & names.keys())):
        told = [f"name each in {settings}, or in another of the settings of states in [build]"]
    if "order_terms" in fields:
        told.append("give the days of terms in [build.terms]")
    if any(field.startswith(("order_processing", "order_shipping")) for field in fields):
        told.append("say what words of vendors on processing mean in [build.processing]")
    return "; ".join(told)
