"""Kinds: what became of a record between two moments. Pure: SQL, asked of no database.

It is said here alone. `wholesale changes` asks it of the rows of two moments, the causes of a
figure of the orders of two versions, and the model `rpt_events`, by the macro that is made of it,
of each row of the past and the one after it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Self

Kind = Literal["found late", "new", "deleted", "reappeared", "cancelled", "state changed", "edited"]
STATUS, TIME, INVOICE, CREATED_AT = "status", "_at", "invoice", "created_at"


@dataclass(frozen=True, slots=True)
class Side:
    """A record at one of the moments, in SQL; all is NULL where it was not there yet."""

    key: str
    is_deleted: str
    is_cancelled: str
    status: str
    ordered_at: str

    @classmethod
    def of(cls, orders: str) -> Self:
        """An order in a table with the columns of `fct_orders`."""
        names = ("order_id", "is_deleted", "is_cancelled", "order_status", "ordered_at")
        return cls(*(f"{orders}.{name}" for name in names))


def conditions(
    before: Side,
    after: Side,
    complete_as_of: str,
    *,
    has_other_state: str = "false",
    has_other_content: str = "true",
) -> Mapping[Kind, str]:
    """The condition of each kind, of which the first one that holds counts, for two sides that
    differ in anything. Of what was gone before and still is, none holds.

    `complete_as_of` is the moment as of which all was known before: what was placed by then was
    found late. `has_other_state` says whether a state differs, `has_other_content` whether a field
    does that `is_content`, or a line.
    """
    is_there = f"not {after.is_deleted}"
    is_not_yet = f"{before.key} is null and {is_there}"
    is_cancelled = f"{after.is_cancelled} and not {before.is_cancelled}"
    is_by_state = f"({before.status} is null or {before.status} <> {after.status})"
    has_moved_on = f"{has_other_state} and not {has_other_content}"
    return {
        "found late": f"{is_not_yet} and {after.ordered_at} <= {complete_as_of}",
        "new": is_not_yet,
        "deleted": f"not {before.is_deleted} and {after.is_deleted}",
        "reappeared": f"{before.is_deleted} and {is_there}",
        "cancelled": f"{is_there} and {is_cancelled} and {is_by_state}",
        "state changed": f"{is_there} and {has_moved_on}",
        "edited": is_there,
    }


def kind_of(conditions: Mapping[Kind, str]) -> str:
    """The name of the first that holds, NULL if none does."""
    cases = " ".join(f"when {when} then '{kind}'" for kind, when in conditions.items())
    return f"case {cases} end"


def with_other_content(kind: Kind | None) -> Kind | None:
    """The kind of what differs in its contents, too, by what its kind is without them."""
    return "edited" if kind == "state changed" else kind


def is_content(column: str) -> bool:
    """Whether it is more than a state, or what goes with one: the time of it, and the invoice."""
    is_time = column.endswith(TIME) and column != CREATED_AT
    return not (column.endswith(STATUS) or is_time or column.startswith(INVOICE))
