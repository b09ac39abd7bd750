"""Rules: why what a row gives to a figure is different. Pure: SQL, asked of no database.

Each row whose share differs has one cause, the first rule in this order that holds for it; so the
shares of all causes add up to the difference. What became of an order is said by `past.kinds`;
what is beside that tells of figures alone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from wholesale_elt.past import Side, conditions

CAUSES: Mapping[str, str] = {
    "new": "orders placed since the earlier version",
    "found late": "orders placed before that, which it did not have yet",
    "deleted": "orders that the service no longer has",
    "left": "orders that the later version does not have: of another vendor's part now, or removed",
    "reappeared": "orders that were gone, and are there again",
    "cancelled": "orders that were cancelled",
    "state changed": "the order, its payment or its invoice has another status",
    "line added": "lines that their order did not have",
    "line removed": "lines that their order no longer has",
    "set aside": "a value is left out as implausible, or no longer is",
    "setting changed": "the same orders, counted differently as a setting changed",
    "period moved": "the same orders, while the period now has other days",
    "moved": "now of another vendor, buyer, category or day",
    "lines changed": "orders with other lines or quantities",
    "edited": "another amount, or another value in the fields named",
    "time passed": "the same orders, judged on a later day",
    "definition changed": "the same data, counted by other SQL",
    "model changed": "the same orders, while a model of yours made other rows: by its SQL, a"
    " parameter, or what else it reads",
}
"""Each cause by its name, in the order of the rules, and what it says to a reader."""

STATES = ("order_status", "payment_status", "invoice_status")
OF_LINES = (
    *("known_unit_count", "line_count"),
    *("lines_without_quantity_count", "lines_without_amount_count"),
)
"""Columns of orders that count their lines."""
SOURCES: Mapping[str, Sequence[str]] = {
    "is_sale": (),  # follows from the state, which has rules of its own
    "is_cancelled": (),
    "is_deleted": (),
    "is_refunded": (),
    "is_return": ("sub_total", "total"),
    "is_open": ("sub_total", "total"),  # a return is not owed
    "is_overdue": ("sub_total", "total", "invoiced_date", "ordered_at"),
    "promise": ("sub_total", "total", "ordered_at", "vendor_key", "days_to_sent"),
    "net_sub_total": ("sub_total", "line_discount_amount"),
    "sub_total_before_discounts": ("sub_total", "line_discount_amount"),
    "ordered_date": ("ordered_at",),
}
"""What columns of orders follow from, if not from themselves."""
SOURCES_OF_LINES: Mapping[str, Sequence[str]] = {
    "is_sale": (),
    "total_price": ("quantity", "unit_price", "total_price"),
}
SENT_AS: Mapping[str, str] = {
    "ordered_at": "created_at",
    "line_discount_amount": "order_line_items_discount_amount",
    "invoiced_date": "invoice_generated_at",
}
"""Names in `set_aside`, where they are not those of the columns."""
DISCOUNTED = ("net_sub_total", "sub_total_before_discounts")
DAYS_TO_MOVE = ("days_to_accepted", "days_to_sent", "days_to_settled")
OWED = ("is_open", "is_overdue")
STANDINGS: Mapping[str, str] = {
    "order_standing": "order_status",
    "payment_standing": "payment_status",
}
"""What each state means by the settings: by both it follows whether an order is owed."""
IS_OVERDUE_ELSE = "compared.is_overdue_before <> compared.is_overdue_after"
"""Whether a bill that is owed in both versions is overdue in one of them."""
AS_OVERDUE_BY_TIME = """(coalesce(
        compared.as_of_date_after > compared.due_date_before,
        compared.as_of_date_after - compared.ordered_date_before > compared.overdue_days_before,
        false
    ) is not distinct from compared.is_overdue_after)"""
"""Whether a bill, as it was, judged on the later day, is what it is now."""
PROMISED = ("processing", "time_zone")
PLAUSIBILITY = ("largest_amount", "largest_quantity", "first_plausible_day")
"""Settings that say which values are implausible."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A cause, when it is that, and which fields or settings tell more, both in SQL."""

    cause: str
    when: str
    fields: str = "null"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What counts: the columns that a row's share follows from, of lines or orders; the dimensions
    that it is told apart or chosen by; whether days are chosen; and the settings that differ."""

    used: Sequence[str]
    are_lines: bool = False
    members: Sequence[str] = ()
    has_days: bool = False
    settings: Sequence[str] = field(default_factory=tuple)
    are_judged_later: bool = False

    @property
    def are_owed(self) -> bool:
        return not {*OWED}.isdisjoint(self.used)


def rules_for(asked: Asked, complete_as_of: str) -> Iterator[Rule]:
    """The rules for `compared`, a row of before beside its row of after, with the order of each,
    `order_before` and `order_after`.

    `complete_as_of` is the moment, in SQL, as of which the earlier version was complete.
    """
    yield from of_life(complete_as_of)
    yield from _of_states(asked)
    if asked.are_lines:
        yield Rule("line added", "compared.unit_before is null")
        yield Rule("line removed", "compared.unit_after is null")
    states = {name: of_unit(f"{name}__key") for name in asked.members if name in STATES}
    if states:
        yield Rule("state changed", any_of(states.values()), told(states))
    yield from _of_plausibility(asked)
    yield from _of_settings(asked)
    if asked.has_days:
        is_same_day = f"not {of_order('ordered_date')}"
        yield Rule("period moved", f"{of_unit('is_in_span')} and {is_same_day}")
    moved = {name: of_unit(f"{name}__key") for name in asked.members}
    if asked.has_days:
        moved["ordered_at"] = of_unit("is_in_span")
    if moved:
        yield Rule("moved", any_of(moved.values()), told(moved))
    yield from _of_fields(asked)


def case(rules: Sequence[Rule], column: str) -> str:
    """The SQL of a column of rules, `cause` or `fields`, or of their place, `place`."""
    found = []
    for rule in rules:
        place = str(list(CAUSES).index(rule.cause))
        told = {"cause": f"'{rule.cause}'", "fields": rule.fields, "place": place}[column]
        found.append(f"when {rule.when} then {told}")
    last = {
        "cause": "'definition changed'",
        "fields": "null",
        "place": str(list(CAUSES).index("definition changed")),
    }[column]
    lines = "\n    ".join(found)
    return f"case\n    {lines}\n    else {last}\nend"


def of_life(complete_as_of: str) -> Iterator[Rule]:
    """What became of the order, as everywhere; and what only versions can tell."""
    kinds = conditions(Side.of("order_before"), Side.of("order_after"), complete_as_of)
    for kind in ("found late", "new", "deleted"):
        yield Rule(kind, kinds[kind])
    yield Rule("left", "order_before.is_deleted is false and order_after.order_id is null")
    yield Rule("reappeared", kinds["reappeared"])
    yield Rule("cancelled", kinds["cancelled"], "'order_status'")


def _of_states(asked: Asked) -> Iterator[Rule]:
    is_another = f"{of_order('is_cancelled')} and {of_order('order_status')}"
    yield Rule("state changed", is_another, "'order_status'")
    if "is_refunded" in asked.used:
        is_paid_otherwise = f"{of_order('is_refunded')} and {of_order('payment_status')}"
        yield Rule("state changed", is_paid_otherwise, "'payment_status'")
    if asked.are_owed:
        for standing, state in STANDINGS.items():
            yield Rule("state changed", f"{of_order(standing)} and {of_order(state)}", f"'{state}'")
    if "promise" in asked.used:
        yield Rule("state changed", of_order("order_status"), "'order_status'")


def _of_plausibility(asked: Asked) -> Iterator[Rule]:
    before, after = "order_before.set_aside", "order_after.set_aside"
    own = ("compared.set_aside_before", "compared.set_aside_after")
    names = dict.fromkeys(source for name in asked.used for source in _sources(asked, name))
    if asked.has_days:
        names["ordered_at"] = None
    set_aside = {}
    for name in names:
        of_line = asked.are_lines and name not in OF_ORDER
        sides = [_names(text, name) for text in (own if of_line else (before, after))]
        set_aside[name] = f"({' <> '.join(sides)})"
    changed = [name for name in asked.settings if name in PLAUSIBILITY]
    if set_aside and changed:
        yield Rule("setting changed", any_of(set_aside.values()), f"'{', '.join(changed)}'")
    elif set_aside:
        yield Rule("set aside", any_of(set_aside.values()), told(set_aside))


def _of_settings(asked: Asked) -> Iterator[Rule]:
    def rule(when: str, setting: str) -> Rule:
        told = f"'{setting}'" if setting in asked.settings else "null"
        cause = "setting changed" if setting in asked.settings else "definition changed"
        return Rule(cause, when, told)

    is_same_state = f"{of_order('is_cancelled')} and not {of_order('order_status')}"
    yield rule(is_same_state, "cancelled_order_statuses")
    if "is_refunded" in asked.used:
        is_same_payment = f"{of_order('is_refunded')} and not {of_order('payment_status')}"
        yield rule(is_same_payment, "refunded_payment_statuses")
    if asked.are_owed:
        for standing, state in STANDINGS.items():
            changed = [name for name in asked.settings if name.endswith(f"_{state}es")]
            cause = "setting changed" if changed else "definition changed"
            told = f"'{', '.join(changed)}'" if changed else "null"
            yield Rule(cause, f"{of_order(standing)} and not {of_order(state)}", told)
    for name in DISCOUNTED:
        if name in asked.used:
            are_same = f"not {of_order('sub_total')} and not {of_order('line_discount_amount')}"
            yield rule(f"{of_order(name)} and {are_same}", "is_discount_in_amounts")
    standings = [name for name in asked.settings if name.endswith("_statuses")]
    for name in asked.used:
        if standings and name in DAYS_TO_MOVE:
            is_same = f"not {of_order('order_status')} and not {of_order('payment_status')}"
            told = f"'{', '.join(standings)}'"
            yield Rule("setting changed", f"{of_order(name)} and {is_same}", told)
    matters = [f"{of_unit(f'{name}__key')}" for name in asked.members if name == "weekday"]
    if asked.has_days:
        matters.append(of_unit("is_in_span"))
    if "ordered_date" in asked.used:
        matters.append("true")
    if matters:
        is_same_moment = f"{of_order('ordered_date')} and not {of_order('ordered_at')}"
        yield rule(f"{is_same_moment} and {any_of(matters)}", "time_zone")


def _of_fields(asked: Asked) -> Iterator[Rule]:
    """Edits: the fields that the columns follow from."""
    counts = {name: of_order(name) for name in asked.used if name in OF_LINES}
    if counts and not asked.are_lines:
        yield Rule("lines changed", any_of(counts.values()), told(counts))
    fields = {
        source: of_unit(source) if asked.are_lines and source not in OF_ORDER else of_order(source)
        for name in asked.used
        if name not in OF_LINES
        for source in _sources(asked, name)
    }
    is_of_overdue = "is_overdue" in asked.used
    if is_of_overdue:
        are_others = f"{of_unit('order_terms')} and {of_unit('terms_days')}"
        fields["order_terms"] = f"coalesce({IS_OVERDUE_ELSE} and {are_others}, false)"
        if asked.are_judged_later and "time_zone" not in asked.settings:
            yield Rule("time passed", f"{IS_OVERDUE_ELSE} and {AS_OVERDUE_BY_TIME}")
    if fields:
        yield Rule("edited", any_of(fields.values()), told(fields))
    if is_of_overdue:
        yield from _of_due_days(asked)
    if "promise" in asked.used:
        yield from _of_promises(asked)


def _of_due_days(asked: Asked) -> Iterator[Rule]:
    """Settings by which a bill is due, and else the day on which it was seen to be sent."""
    for setting, when in (
        ("terms", of_unit("terms_days")),
        ("overdue_days", "compared.due_date_after is null"),
        ("time_zone", "true"),
    ):
        if setting in asked.settings:
            yield Rule("setting changed", when, f"'{setting}'")
    yield Rule("state changed", of_unit("due_date"), "'order_status'")


def _of_promises(asked: Asked) -> Iterator[Rule]:
    """Settings by which a vendor promises a day, and else its own words on processing."""
    changed = [name for name in asked.settings if name in PROMISED or "_order_" in name]
    is_another = of_unit("promised_date")
    if changed:
        yield Rule("setting changed", "true", f"'{', '.join(changed)}'")
    else:
        yield Rule("edited", is_another, "'promised_date'")
    if asked.are_judged_later:
        yield Rule("time passed", f"not {is_another}")


OF_ORDER = ("order_id", "buyer_id", "ordered_at")
"""Columns of a line that are those of its order."""


def _sources(asked: Asked, name: str) -> Sequence[str]:
    return (SOURCES_OF_LINES if asked.are_lines else SOURCES).get(name, (name,))


def of_order(column: str) -> str:
    return f"(order_before.{column} is distinct from order_after.{column})"


def of_unit(column: str) -> str:
    return f"(compared.{column}_before is distinct from compared.{column}_after)"


def any_of(conditions: Iterable[str]) -> str:
    return f"({' or '.join(conditions)})"


def told(conditions: Mapping[str, str]) -> str:
    """Which of these hold."""
    names = ", ".join(f"case when {when} then '{name}' end" for name, when in conditions.items())
    return f"concat_ws(', ', {names})"


def _names(set_aside: str, column: str) -> str:
    """Whether the text of columns that are set aside names this one."""
    name = SENT_AS.get(column, column)
    return f"list_contains(string_split(coalesce({set_aside}, ''), ', '), '{name}')"
