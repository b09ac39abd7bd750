"""Difference: asks two versions for a metric, and for what made it another one."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, localcontext
from typing import Any

import duckdb

from wholesale_elt.causes.effects import SIDES, effects_of
from wholesale_elt.causes.sides import Both, Row, SettingChange, rows_of, sides_of
from wholesale_elt.figures import (
    Dimension,
    Figures,
    Metric,
    Question,
    ask,
    plan,
    quotient,
    read_metrics,
)

Amount = Decimal | int | None
ALWAYS = ("fct_orders", "dim_settings", "dim_as_of", "rpt_freshness")
"""What is read of each version, whatever is asked."""
DIGITS = 76
"""Of sums of decimals with 38 digits each; Python's usual context would round to 28."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """One cause, and what it gives to the difference; the amounts of all causes add up to it.

    `fields` tell which fields or settings. Of a ratio, `part` is the metric whose amount,
    `part_amount`, this cause moved, and the ratio became `now` of `was` by it. `amount` is None
    where a ratio is one on one side only.
    `orders` are those behind it, each with its amount if it has one of its own.
    """

    cause: str
    fields: Sequence[str]
    amount: Amount
    order_count: int
    orders: Sequence[Row]
    part: str
    part_amount: Amount
    was: Amount = None
    now: Amount = None

    @property
    def order_ids(self) -> Sequence[str]:
        return [order["order_id"] for order in self.orders]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The metric of a member of the dimensions, or of all, in both versions: the values, what they
    differ by, and why. `residue` is what no cause explains: 0, or there is a fault in this tool."""

    members: Row
    before: Amount
    after: Amount
    difference: Amount
    causes: Sequence[Cause]
    residue: Amount


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Why a metric is another one: in all, and for each member of the dimensions."""

    metric: Metric
    total: Part
    rows: Sequence[Part]
    settings: Sequence[SettingChange]
    statements: Sequence[str] = field(default_factory=tuple)


def difference(
    connection: duckdb.DuckDBPyConnection,
    question: Question,
    both: Both | None = None,
    *,
    with_orders: bool = True,
) -> Difference:
    """Why the metric of a question is another one in the attached database AFTER than in BEFORE;
    who asks for many knows `both` before.

    Each version is asked for the days that its own last day makes of the period.
    Raises: Unanswerable for more than one metric, and as `ask` does.
    """
    sides = sides_of(connection, question, both)
    planned, asked = sides.asked.plan, sides.asked
    metric = planned.metrics[0]
    counted = [metric] if not metric.parts else [read_metrics()[name] for name in metric.parts]
    wide = replace(question, metrics=[metric.name, *(each.name for each in counted)])
    found = {
        side: ask(each, wide, asked.keys, sides.both.known_from)
        for side, each in sides.both.connections.items()
    }
    splits = [
        (each, by, effects_of(each, asked, by, told=with_orders))
        for by in ([(), planned.dimensions] if planned.dimensions else [()])
        for each in counted
    ]
    causes = {
        (each.name, bool(by)): rows_of(connection, statement) for each, by, statement in splits
    }
    return Difference(
        metric=metric,
        total=_part(metric, counted, {}, _totals(found), causes, is_total=True),
        rows=[
            _part(metric, counted, members, values, causes, is_total=False)
            for members, values in _by_member(found, planned.dimensions)
        ],
        settings=sides.both.settings,
        statements=[statement for *_, statement in splits],
    )


def tables_read(question: Question) -> Collection[str]:
    """The tables of a version that `difference` reads for this question.

    Raises: Unanswerable for an unknown name.
    """
    planned = plan(question)
    joined = [name for each in (*planned.dimensions, *planned.filters) for name in each.joins]
    return {*ALWAYS, planned.table, *(planned.fact.joins[name].table for name in joined)}


Values = Mapping[str, Row]
"""The figures of each side, by the metric."""


def _totals(found: Mapping[str, Figures]) -> Values:
    return {side: answer.total for side, answer in found.items()}


def _by_member(
    found: Mapping[str, Figures], dimensions: Sequence[Dimension]
) -> list[tuple[Row, Values]]:
    """The figures of both sides by member; a title is the later one."""
    if not dimensions:
        return []
    keys = [each.name for each in dimensions]
    names = [
        name for d in dimensions for name in (d.name, *([f"{d.name}_name"] if d.title else []))
    ]
    members: dict[tuple[Any, ...], Row] = {}
    values: dict[tuple[Any, ...], dict[str, Row]] = {}
    for side, answer in found.items():
        for row in answer.rows:
            key = tuple(row[name] for name in keys)
            members[key] = {name: row[name] for name in names}
            values.setdefault(key, {})[side] = row
    return [(members[key], values[key]) for key in members]


def _part(
    metric: Metric,
    counted: Sequence[Metric],
    members: Row,
    values: Values,
    causes: Mapping[tuple[str, bool], Sequence[Row]],
    *,
    is_total: bool,
) -> Part:
    told = {
        each.name: [
            row
            for row in causes[each.name, not is_total]
            if all(row[name] == members[name] for name in members if not name.endswith("_name"))
        ]
        for each in counted
    }
    before, after = (values.get(side, {}).get(metric.name) for side in SIDES)
    with localcontext(prec=DIGITS):
        if metric.parts:
            found = _of_ratio(metric, values, told)
            moved = None if before is None or after is None else after - before
        else:
            found = [_cause(metric.name, row, row["amount"]) for row in told[metric.name]]
            is_known = before is not None or after is not None
            moved = (after or 0) - (before or 0) if is_known else None
        amounts = [each.amount for each in found if each.amount is not None]
        residue = None if moved is None else moved - sum(amounts)
    return Part(
        members=members,
        before=before,
        after=after,
        difference=moved,
        causes=found,
        residue=residue,
    )


def _cause(part: str, row: Row, amount: Amount) -> Cause:
    return Cause(
        cause=row["cause"],
        fields=row["fields"].split(", ") if row["fields"] else [],
        amount=amount,
        order_count=row["order_count"],
        orders=row.get("orders", ()),
        part=part,
        part_amount=row["amount"],
    )


def _of_ratio(metric: Metric, values: Values, told: Mapping[str, Sequence[Row]]) -> list[Cause]:
    """What each cause does to the ratio, one after the other: those of the numerator, over the
    earlier denominator, then those of the denominator, what makes it larger first, so that it
    passes no zero. Each is the difference of two ratios as figures round them: they add up exactly.
    """
    above, below = metric.parts or ("", "")
    before, after = (values.get(side, {}) for side in SIDES)
    now = {name: before.get(name) or 0 for name in (above, below)}
    ratio = before.get(metric.name)
    is_known = ratio is not None and after.get(metric.name) is not None
    denominator = sorted(told[below], key=lambda row: row["amount"] < 0)
    found = []
    for name, row in [(above, row) for row in told[above]] + [(below, row) for row in denominator]:
        now[name] += row["amount"]
        cause = _cause(name, row, None)
        if ratio is not None and is_known:
            # Of a denominator that is nothing on the way, the next cause tells all.
            following = quotient(now[above], now[below]) if now[below] else ratio
            cause = replace(cause, amount=following - ratio, was=ratio, now=following)
            ratio = following
        found.append(cause)
    return sorted(found, key=lambda each: -abs(Decimal(each.amount or 0)))
