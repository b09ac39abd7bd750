"""Statement: one plain SQL statement for a question. Pure: it asks no database."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from wholesale_elt.figures.asking import Question, Unanswerable, unknown
from wholesale_elt.figures.dimensions import FACTS, Dimension, Fact
from wholesale_elt.figures.metrics import Metric, read_metrics
from wholesale_elt.figures.periods import COMPARISONS, GRAINS, Span


@dataclass(frozen=True, slots=True)
class Plan:
    """A question whose names are looked up: every metric counts the rows of one fact."""

    table: str
    fact: Fact
    metrics: Sequence[Metric]
    dimensions: Sequence[Dimension]
    filters: Sequence[Dimension]
    grain: str | None
    compare: str

    @property
    def counted(self) -> Sequence[Metric]:
        """What is counted: the metrics that are no ratios, and the parts of those that are."""
        known = read_metrics()
        names = {name: None for metric in self.metrics for name in metric.parts or (metric.name,)}
        return [known[name] for name in names]

    def without_grain(self) -> "Plan":
        return replace(self, grain=None)


def plan(question: Question) -> Plan:
    """Raises: Unanswerable for an unknown name, and for metrics and dimensions that do not go
    together."""
    known = read_metrics()
    if not question.metrics:
        raise Unanswerable(f"name a metric: there are {', '.join(known)}")
    metrics = [_named(known, name, "metric") for name in dict.fromkeys(question.metrics)]
    tables = {metric.model for metric in metrics}
    if len(tables) > 1:
        raise Unanswerable(
            "ask apart for what is counted by "
            + " and by ".join(sorted(FACTS[table].alias for table in tables))
        )
    [table] = tables
    fact = FACTS[table]
    grain, compare = question.grain, question.compare
    _require(grain, GRAINS, "grain")
    _require(compare, COMPARISONS, "comparison")
    if (grain or question.period != "all_time" or compare != "none") and fact.day is None:
        raise Unanswerable(f"{metrics[0].name} is as of now: it has no period, grain or comparison")
    return Plan(
        table=table,
        fact=fact,
        metrics=metrics,
        dimensions=[_dimension(fact, metrics[0], name) for name in dict.fromkeys(question.by)],
        filters=[_dimension(fact, metrics[0], name) for name in question.where],
        grain=grain,
        compare=compare,
    )


def _named(known: Mapping[str, Metric], name: str, what: str) -> Metric:
    if name not in known:
        raise unknown(name, known, what)
    return known[name]


def _require(name: str | None, names: Collection[str], what: str) -> None:
    if name is not None and name not in names:
        raise unknown(name, names, what)


def _dimension(fact: Fact, metric: Metric, name: str) -> Dimension:
    if name in fact.dimensions:
        return fact.dimensions[name]
    if name in GRAINS:
        raise Unanswerable(f"{name} is no dimension but a grain: ask for grain {name}")
    elsewhere = [other for other in FACTS.values() if name in other.dimensions]
    if not elsewhere:
        raise unknown(name, fact.dimensions, "dimension")
    others = [other.name for other in read_metrics().values() if FACTS[other.model] in elsewhere]
    raise Unanswerable(f"{metric.name} has no {name}: these have one: {', '.join(others)}")


def members_of(plan: Plan, dimension: Dimension) -> str:
    """The members of a dimension in the fact: their keys as text, and their titles."""
    title = dimension.title or dimension.key
    return (
        f"select distinct cast({dimension.key} as varchar), cast({title} as varchar)\n"
        + tables_of(plan, [dimension])
    )


def rows_of(
    plan: Plan,
    dimensions: Sequence[Dimension],
    keys: Mapping[str, Collection[str | None]],
    span: Span | None,
    before: Span | None,
) -> str:
    """The statement for these dimensions; with none, and without a grain, for the total.

    `keys` are those that count of each filter. The largest come first; days, months and the like
    in their order.
    """
    parts = [("counted", _counted(plan, dimensions, keys, span))]
    if before is not None:
        parts.append(("counted_before", _counted(plan, dimensions, keys, before)))
    parts.append(("side_by_side", _side_by_side(plan, dimensions, before is not None)))
    endings = ("", "_before") if before is not None else ("",)
    columns = _keys(plan, dimensions, with_titles=True)
    values = [_value(metric, ending) for metric in plan.metrics for ending in endings]
    parts.append(("figures", _select([*columns, *values], "from side_by_side")))
    shown = [*columns]
    for metric in plan.metrics:
        shown.append(metric.name)
        if before is not None:
            shown += _change(metric.name)
    order = [plan.grain] if plan.grain else []
    order += [f"{plan.metrics[0].name} desc nulls last", *(each.name for each in dimensions)]
    ordered = f"\norder by {', '.join(order)}" if columns else ""
    ctes = ",\n\n".join(f"{name} as (\n{indented(sql)}\n)" for name, sql in parts)
    return f"with\n\n{ctes}\n\n{_select(shown, 'from figures')}{ordered}"


def _keys(plan: Plan, dimensions: Sequence[Dimension], *, with_titles: bool) -> list[str]:
    """The columns that tell rows apart, with what people call them or not."""
    names = [plan.grain] if plan.grain else []
    for dimension in dimensions:
        names.append(dimension.name)
        if with_titles and dimension.title:
            names.append(f"{dimension.name}_name")
    return names


def _side_by_side(plan: Plan, dimensions: Sequence[Dimension], is_compared: bool) -> str:
    """What is counted now and before; of what is only in one of them, the other is nothing."""
    names = _keys(plan, dimensions, with_titles=True)
    if not is_compared:
        zeros = [_or_none(metric, "counted", "") for metric in plan.counted]
        return _select([*names, *zeros], "from counted")
    told = [f"coalesce(counted.{name}, counted_before.{name}) as {name}" for name in names]
    for metric in plan.counted:
        told.append(_or_none(metric, "counted", ""))
        told.append(_or_none(metric, "counted_before", "_before"))
    on = " and ".join(
        f"counted.{name} is not distinct from counted_before.{name}"
        for name in _keys(plan, dimensions, with_titles=False)
    )
    return _select(told, f"from counted\nfull join counted_before on {on or 'true'}")


def _or_none(metric: Metric, source: str, ending: str) -> str:
    column = f"{source}.{metric.name}"
    value = f"coalesce({column}, 0)" if metric.is_zero_of_none else column
    return f"{value} as {metric.name}{ending}"


def _change(name: str) -> list[str]:
    """The value before, the difference, and the growth; from nothing or less there is none."""
    before = f"{name}_before"
    base = f"case when {before} > 0 then {before} end"
    return [
        before,
        f"{name} - {before} as {name}_difference",
        f"{exact_quotient(f'{name} - {before}', base)} as {name}_growth",
    ]


def _counted(
    plan: Plan,
    dimensions: Sequence[Dimension],
    keys: Mapping[str, Collection[str | None]],
    span: Span | None,
) -> str:
    """What is counted of the days of a span, a row for each member of the dimensions."""
    fact = plan.fact
    day = f"{fact.alias}.{fact.day}"
    inner = [f"{fact.alias}.*"]
    outer = []
    if plan.grain:
        inner.append(f"{day}{f' + {span.shift}' if span and span.shift else ''} as counted_day")
        outer.append(f"cast(date_trunc('{plan.grain}', counted_day) as date) as {plan.grain}")
    for dimension in dimensions:
        inner.append(f"{dimension.key} as {dimension.name}__key")
        outer.append(f"{dimension.name}__key as {dimension.name}")
        if dimension.title:
            inner.append(f"{dimension.title} as {dimension.name}__title")
            outer.append(f"max({dimension.name}__title) as {dimension.name}_name")
    conditions = (
        [] if span is None else [f"{day} between date '{span.first}' and date '{span.last}'"]
    )
    conditions += [is_one_of(fact.dimensions[name].key, keys[name]) for name in keys]
    where = "".join(
        f"\n{'and' if number else 'where'} {condition}"
        for number, condition in enumerate(conditions)
    )
    used = [*dimensions, *(fact.dimensions[name] for name in keys)]
    rows = indented(_select(inner, tables_of(plan, used) + where))
    outer += [f"{metric.expression} as {metric.name}" for metric in plan.counted]
    grouped = "\ngroup by all" if plan.grain or dimensions else ""
    return _select(outer, f"from (\n{rows}\n) as counted_rows{grouped}")


def _select(columns: Sequence[str], source: str) -> str:
    listed = ",\n    ".join(columns)
    return f"select\n    {listed}\n{source}"


def tables_of(plan: Plan, dimensions: Sequence[Dimension]) -> str:
    """The fact, and the tables that these dimensions need besides."""
    wanted = {name for dimension in dimensions for name in dimension.joins}
    wanted |= {"orders"} & plan.fact.joins.keys() if wanted & {"vendors", "buyers"} else set()
    lines = [f"from {plan.fact.schema}.{plan.table} as {plan.fact.alias}"]
    for alias, join in plan.fact.joins.items():
        if alias in wanted:
            lines.append(f"left join {plan.fact.schema}.{join.table} as {alias} on {join.on}")
    return "\n".join(lines)


def is_one_of(key: str, members: Collection[str | None]) -> str:
    """The condition that a key is one of these members."""
    texts = ", ".join(literal(member) for member in members if member is not None)
    parts = [f"cast({key} as varchar) in ({texts})"] if texts else []
    parts += [f"{key} is null"] if None in members else []
    return parts[0] if len(parts) == 1 else f"({' or '.join(parts)})"


def _value(metric: Metric, ending: str) -> str:
    name = f"{metric.name}{ending}"
    if metric.parts:
        numerator, denominator = metric.parts
        return f"{exact_quotient(f'{numerator}{ending}', f'{denominator}{ending}')} as {name}"
    return name


def exact_quotient(numerator: str, denominator: str) -> str:
    """An exact quotient, rounded to six decimals, halves away from zero; NULL where there is none.

    DuckDB divides decimals as floats. So integers are divided: both sides in billionths, to half
    millionths, of which an odd one is rounded away from zero.
    """
    above, below = (
        f"cast(cast({side} as decimal(38, 9)) * 1000000000 as hugeint)"
        for side in (numerator, denominator)
    )
    return (
        f"cast((2000000 * {above} // nullif({below}, 0)"
        f" + sign({numerator}) * sign({denominator})) // 2 as decimal(38, 0)) * 0.000001"
    )


def literal(value: str) -> str:
    """A text in SQL."""
    return "'" + value.replace("'", "''") + "'"


def indented(sql: str) -> str:
    return "\n".join(f"    {line}" for line in sql.splitlines())
