"""Explained: why a figure is another one than in the days before, in parts that add up to it.

The arithmetic is that of `wholesale why`: one thing after the other goes from what it was to what
it is, and what each does is the difference of two values as figures round them. So the parts add up
to the last digit. What cannot be split so is not explained.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from typing import Any

import duckdb

from wholesale_elt.figures.answer import Figures, ask
from wholesale_elt.figures.asking import Question
from wholesale_elt.figures.metrics import Metric, read_metrics

Row = Mapping[str, Any]
Value = Decimal | int
DIGITS = 120
"""Of products of sums; Python's usual context would round to 28."""
BUYER, VENDOR = "buyer", "vendor"
LEAST_SHARE = Decimal("0.05")
"""A member that made less of a change is not named."""
CAME, STAYED_AWAY, OTHERS = "came", "stayed away", "others"
OF_BUYERS = ("active_buyers", "product_buyers")
"""What counts buyers themselves."""
WITH_AN_AMOUNT = "orders with an amount"
"""How orders are called of which not all have one."""


@dataclass(frozen=True, slots=True)
class Factors:
    """A sum is how many of `counted` there are, times what one has: what `each` is called."""

    counted: str
    one: str
    many: str
    each: str


ORDERS_COUNTED = ("order", "orders")
FACTORS: Mapping[str, Factors] = {
    "sales": Factors("orders_with_an_amount", *ORDERS_COUNTED, "order size"),
    "product_sales": Factors("product_units", "piece", "pieces", "average price"),
    "units": Factors("orders", *ORDERS_COUNTED, "pieces an order"),
    "lines": Factors("orders", *ORDERS_COUNTED, "lines an order"),
}
BY_BUYERS = (
    *("orders", "active_buyers", "average_order_value"),
    *("product_orders", "product_buyers", "product_units", "average_unit_price"),
)
"""What is told by who came, who stayed away, and all others."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What one thing gives to a change: `orders`, `order size`, `pieces`, `average price`, buyers
    who `came` (with none before), who `stayed away` (with none now), and `others`. `count` is how
    many more there are of what is counted, or how many buyers came or stayed away."""

    effect: str
    count: Value | None
    amount: Value


@dataclass(frozen=True, slots=True)
class Largest:
    """The member that made most of a change, and its share of it."""

    by: str
    key: str
    name: str
    amount: Value
    share: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """A change of a metric, and its parts, which add up to it."""

    metric: str
    now: Value
    before: Value
    difference: Value
    effects: Sequence[Effect]
    largest: Largest | None


def explainable(metrics: Sequence[str]) -> Sequence[str]:
    """Those of these metrics whose change can be split."""
    return [name for name in metrics if name in FACTORS or name in BY_BUYERS]


def asked_to_explain(metrics: Sequence[str]) -> Sequence[str]:
    """What has to be asked, by a member, to explain these metrics: themselves, and their parts."""
    known = read_metrics()
    names: dict[str, None] = {}
    for name in explainable(metrics):
        parts = known[name].parts or ()
        counted = [FACTORS[name].counted] if name in FACTORS else []
        counted += ["orders"] if name == "sales" else []
        names |= dict.fromkeys((name, *parts, *counted))
    return list(names)


def member_of(where: Mapping[str, Any]) -> str:
    """By what changes are told: by buyer, or by vendor where a buyer is chosen."""
    return VENDOR if BUYER in where else BUYER


def explain(connection: duckdb.DuckDBPyConnection, question: Question) -> Sequence[Explained]:
    """Why the metrics of a question that is compared are what they are, those that can be split.

    One more question is asked. There is nothing to tell of days before that are not known.
    Raises: Unanswerable as `ask` does.
    """
    names = asked_to_explain(question.metrics)
    if question.compare == "none" or not names:
        return []
    by = member_of(question.where)
    found = ask(connection, replace(question, metrics=names, by=[by], grain=None))
    return explained_of(found, question.metrics, by)


def explained_of(found: Figures, metrics: Sequence[str], by: str) -> Sequence[Explained]:
    """The same of figures by a member that have all that `asked_to_explain` names."""
    told = [explain_change(name, found.total, found.rows, by) for name in explainable(metrics)]
    return [each for each in told if each is not None]


def explain_change(
    metric: str, total: Row, rows: Sequence[Row], by: str = BUYER
) -> Explained | None:
    """Why a metric is another one than before; None if nothing changed or it cannot be split.

    `total` and `rows`, a row for each member of `by`, have what `asked_to_explain` names, each with
    its `_before`, as compared figures do.
    """
    now, before = total.get(metric), total.get(f"{metric}_before")
    if now is None or before is None or now == before:
        return None
    with localcontext(prec=DIGITS):
        if metric in FACTORS:
            effects = _of_factors(metric, total)
        elif metric in BY_BUYERS and by == BUYER:
            effects = _of_buyers(read_metrics()[metric], total, rows)
        else:
            return None
        if effects is None or sum(each.amount for each in effects) != now - before:
            return None
        return Explained(
            metric=metric,
            now=now,
            before=before,
            difference=now - before,
            effects=[each for each in effects if each.amount != 0],
            largest=_largest(metric, now - before, rows, by),
        )


def _of_factors(metric: str, total: Row) -> list[Effect] | None:
    """First as many more of what is counted, each with what one had; then what each has more."""
    factors = FACTORS[metric]
    count, count_before = (total[f"{factors.counted}{ending}"] for ending in ("", "_before"))
    now, before = total[metric], total[f"{metric}_before"]
    if count is None or not count_before:
        return None
    between = before if count == count_before else quotient(count * before, count_before)
    noun = factors.many
    if metric == "sales" and (count, count_before) != (total["orders"], total["orders_before"]):
        noun = WITH_AN_AMOUNT
    return [
        Effect(noun, count - count_before, between - before),
        Effect(factors.each, None, now - between),
    ]


def _of_buyers(metric: Metric, total: Row, rows: Sequence[Row]) -> list[Effect] | None:
    """Who has some now and none before came, who has some before and none now stayed away. A ratio
    goes from all before to all others before, to these now, to all now."""
    counted = metric.parts[1] if metric.parts else metric.name
    groups: dict[str, list[Row]] = {CAME: [], STAYED_AWAY: [], OTHERS: []}
    for row in rows:
        if row[counted] is None or row[f"{counted}_before"] is None:
            return None
        is_known = row[BUYER] is not None
        came, stayed_away = not row[f"{counted}_before"], not row[counted]
        if not (came and stayed_away):
            kind = CAME if came else STAYED_AWAY if stayed_away else OTHERS
            groups[kind if is_known else OTHERS].append(row)
    if not metric.parts:
        effects = []
        for kind, members in groups.items():
            amount = sum(row[metric.name] - row[f"{metric.name}_before"] for row in members)
            effects.append(Effect(kind, None if kind == OTHERS else len(members), amount))
        return effects
    above, below = metric.parts
    sums = {}
    for ending in ("", "_before"):
        for name in metric.parts:
            values = [row[f"{name}{ending}"] for row in groups[OTHERS]]
            if any(value is None for value in values):
                return None
            sums[f"{name}{ending}"] = sum(values)
    if not sums[below] or not sums[f"{below}_before"]:
        return None
    others_before = quotient(sums[f"{above}_before"], sums[f"{below}_before"])
    others_now = quotient(sums[above], sums[below])
    now, before = total[metric.name], total[f"{metric.name}_before"]
    return [
        Effect(CAME, len(groups[CAME]), now - others_now),
        Effect(STAYED_AWAY, len(groups[STAYED_AWAY]), others_before - before),
        Effect(OTHERS, None, others_now - others_before),
    ]


def _largest(metric: str, difference: Value, rows: Sequence[Row], by: str) -> Largest | None:
    """Who made most of the change of a sum, if there are others, and if it is worth to be named."""
    if metric not in FACTORS:
        return None
    sign = 1 if difference > 0 else -1
    moved = [
        (sign * (row[metric] - row[f"{metric}_before"]), row)
        for row in rows
        if row[metric] is not None and row[f"{metric}_before"] is not None
    ]
    moved = [(size, row) for size, row in moved if size != 0]
    named = [(size, row) for size, row in moved if row[by] is not None and row[f"{by}_name"]]
    if len(moved) < 2 or not named:
        return None
    size, row = min(named, key=lambda each: (-each[0], each[1][by]))
    share = quotient(size, sign * difference)
    if share < LEAST_SHARE:
        return None
    return Largest(by, row[by], row[f"{by}_name"], sign * size, share)


def quotient(above: Value, below: Value) -> Decimal:
    """As figures divide: to six decimals, halves away from zero."""
    with localcontext(prec=DIGITS):
        over, under = (int(Decimal(each).scaleb(9)) for each in (above, below))
        rounded = (2_000_000 * abs(over) // abs(under) + 1) // 2
        return Decimal(rounded if (over < 0) == (under < 0) else -rounded).scaleb(-6)
