"""Statement: one plain SQL statement for a question. Pure: it asks no database."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from wholesale.errors import Unanswerable, legible
from wholesale_elt.figures.added import read_facts
from wholesale_elt.figures.asking import Question, name_meant, names_meant, spelled, unknown
from wholesale_elt.figures.dimensions import Dimension, Fact
from wholesale_elt.figures.metrics import Metric, metric_named, read_metrics
from wholesale_elt.figures.periods import COMPARISONS, GRAINS, Span

LONGEST = 68
"""The logarithm of a product that can be taken two million times within 38 digits."""


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


def in_our_words(question: Question) -> tuple[Question, Sequence[str]]:
    """The question by our own names of metrics and dimensions, and a sentence for each word in it
    that people use for one of these.

    Raises: Unanswerable for a metric that is unknown, and for a word that may mean several.
    """
    if not question.metrics:
        return question, ()
    ours = {word: metric_named(word).name for word in question.metrics}
    fact = read_facts()[read_metrics()[ours[question.metrics[0]]].model]
    dimensions = {word: _dimension_meant(fact, word) for word in (*question.by, *question.where)}
    where: dict[str, list[str | None]] = {}
    for word, members in question.where.items():
        where.setdefault(dimensions[word], []).extend(members)
    asked = replace(
        question,
        metrics=list(ours.values()),
        by=[dimensions[word] for word in question.by],
        where=where,
    )
    pairs = (*ours.items(), *dimensions.items())
    told = (each for each in pairs if spelled(each[0]) != spelled(each[1]))
    return asked, [f"{legible(word)} is called {name} here" for word, name in told]


def _dimension_meant(fact: Fact, word: str) -> str:
    """The name of the dimension of the fact that is meant, else of another one; else the word."""
    for each in (fact, *read_facts().values()):
        if names_meant(word, each.words):
            return name_meant(word, each.words, "dimension")
    return word


def plan(question: Question) -> Plan:
    """Raises: Unanswerable for an unknown name, and for metrics and dimensions that do not go
    together."""
    known, facts = read_metrics(), read_facts()
    if not question.metrics:
        raise Unanswerable(f"name a metric: there are {', '.join(known)}")
    metrics = [metric_named(name) for name in dict.fromkeys(question.metrics)]
    tables = {metric.model for metric in metrics}
    if len(tables) > 1:
        raise Unanswerable(
            "ask apart for what is counted by "
            + " and by ".join(sorted(facts[table].alias for table in tables))
        )
    [table] = tables
    fact = facts[table]
    grain, compare = question.grain, question.compare
    _require(grain, GRAINS, "grain")
    _require(compare, COMPARISONS, "comparison")
    if (grain or question.period != "all_time" or compare != "none") and fact.day is None:
        raise Unanswerable(f"{metrics[0].name} is as of now: it has no period, grain or comparison")
    if both := {metric.name for metric in metrics} & {*question.by, grain}:
        raise Unanswerable(
            f"{min(map(str, both))} names a metric and what it is asked by: rename it"
        )
    return Plan(
        table=table,
        fact=fact,
        metrics=metrics,
        dimensions=[_dimension(fact, metrics[0], name) for name in dict.fromkeys(question.by)],
        filters=[_dimension(fact, metrics[0], name) for name in question.where],
        grain=grain,
        compare=compare,
    )


def _require(name: str | None, names: Collection[str], what: str) -> None:
    if name is not None and name not in names:
        raise unknown(name, names, what)


def _dimension(fact: Fact, metric: Metric, name: str) -> Dimension:
    if name in fact.dimensions:
        return fact.dimensions[name]
    if name in GRAINS:
        raise Unanswerable(f"{name} is no dimension but a grain: ask for grain {name}")
    facts = read_facts()
    elsewhere = [other for other in facts.values() if name in other.dimensions]
    if not elsewhere:
        called = {word: own for own, words in fact.words.items() for word in words}
        raise unknown(name, fact.dimensions, "dimension", called)
    others = [other.name for other in read_metrics().values() if facts[other.model] in elsewhere]
    if metric.of_products in others:
        raise Unanswerable(f"{metric.name} has no {name}: ask {metric.of_products}, which has one")
    raise Unanswerable(f"{metric.name} has no {name}: these have one: {', '.join(others)}")


def members_of(plan: Plan, dimension: Dimension) -> str:
    """The members of a dimension in the fact: their keys as text, their titles, and whether any
    metric of the plan counts some of their rows, some of them are sales, and some cancelled."""
    title = dimension.title or dimension.key
    columns = [f"cast({dimension.key} as varchar)", f"cast({title} as varchar)"]
    if dimension.decides:
        rows = plan.fact.alias
        decided = [
            [f"{rows}.{flag}" for name, flag in dimension.decides if name in metric.columns]
            for metric in plan.counted
        ]
        counts = " or ".join(" and ".join(names) or "true" for names in decided)
        is_cancelled = f"not {rows}.is_sale and not {rows}.is_deleted"
        columns += [f"bool_or({each})" for each in (counts, f"{rows}.is_sale", is_cancelled)]
    else:
        columns += ["true", "true", "false"]
    return f"select {', '.join(columns)}\n" + tables_of(plan, [dimension]) + "\ngroup by all"


def rows_of(
    plan: Plan,
    dimensions: Sequence[Dimension],
    keys: Mapping[str, Collection[str | None]],
    span: Span | None,
    before: Span | None,
    up_to: date | None,
) -> str:
    """The statement for these dimensions; with none, and without a grain, for the total.

    `keys` are those that count of each filter. The largest come first; days, months and the like
    in their order, each with whether it reaches beyond `up_to`, and how many days of it are asked
    for and over. What was ordered later is in none of these, as what has no date. Of a span whose
    days are not all known every value is NULL.
    """
    spans = {"": span} if before is None else {"": span, "_before": before}
    parts = [
        (
            f"counted{ending}",
            _counted(plan, dimensions, keys, each, up_to, is_compared=len(spans) > 1),
        )
        for ending, each in spans.items()
    ]
    parts.append(("side_by_side", _side_by_side(plan, dimensions, spans)))
    columns = _keys(plan, dimensions, with_titles=True)
    values = [_value(metric, ending) for metric in plan.metrics for ending in spans]
    source = "side_by_side"
    if before is not None:
        values += [_growth(metric) for metric in plan.metrics]
        if reduced := [each for metric in plan.metrics for each in _reduced(metric)]:
            parts.append(("reduced", _select(["*", *reduced], f"from {source}")))
            source = "reduced"
    parts.append(("figures", _select([*columns, *values], f"from {source}")))
    shown = [*columns]
    if plan.grain:
        shown[1:1] = [_is_unfinished(plan.grain, up_to), _seen_days(plan.grain, span, up_to)]
    for metric in plan.metrics:
        name = metric.name
        shown.append(name)
        if before is not None:
            difference = f"{name} - {name}_before as {name}_difference"
            shown += [f"{name}_before", difference, f"{name}_growth"]
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


def _is_unfinished(grain: str, up_to: date | None) -> str:
    after = f"{grain} + interval 1 {grain} > date '{up_to}' + 1" if up_to else "true"
    return f"coalesce({after}, false) as is_unfinished"


def _seen_days(grain: str, span: Span | None, up_to: date | None) -> str:
    last = span.last if span else up_to
    if last is None:
        return "cast(null as bigint) as seen_day_count"
    first = f"greatest({grain}, date '{span.first}')" if span else grain
    end = f"least(cast({grain} + interval 1 {grain} as date), date '{last}' + 1)"
    return f"case when {grain} is not null then {end} - {first} end as seen_day_count"


def _side_by_side(
    plan: Plan, dimensions: Sequence[Dimension], spans: Mapping[str, Span | None]
) -> str:
    """What is counted now and before; of what is only in one of them, the other is nothing."""
    names = _keys(plan, dimensions, with_titles=True)
    values = [
        _or_none(metric, ending, span, is_compared=len(spans) > 1)
        for metric in plan.counted
        for ending, span in spans.items()
    ]
    if len(spans) == 1:
        return _select([*names, *values], "from counted")
    told = [f"coalesce(counted.{name}, counted_before.{name}) as {name}" for name in names]
    told += values
    on = " and ".join(
        f"counted.{name} is not distinct from counted_before.{name}"
        for name in _keys(plan, dimensions, with_titles=False)
    )
    return _select(told, f"from counted\nfull join counted_before on {on or 'true'}")


def _or_none(metric: Metric, ending: str, span: Span | None, *, is_compared: bool) -> str:
    value = f"counted{ending}.{metric.name}"
    if span is not None and not span.is_known:
        value = f"cast(null as {metric.type})"
    elif is_compared:
        value = f"case when counted{ending}.is_there then {value} else 0 end"
    return f"{value} as {metric.name}{ending}"


def _reduced(metric: Metric) -> list[str]:
    """The parts of a ratio now and before, in billionths, without the factors that both have:
    products of two amounts would have more digits than an integer."""
    found = []
    for name in metric.parts or ():
        now, before = _billionths(name), _billionths(f"{name}_before")
        for side, ending in ((now, ""), (before, "_before")):
            place = f"{metric.name}_{name}{ending}"
            found.append(f"{side} // gcd({now}, {before}) as {place}")
    return found


def _growth(metric: Metric) -> str:
    """What a value is more than before, as a share of that; from nothing or less there is none.

    Of ratios `a / b` and `c / d` it is `(a * d - c * b) / (c * b)`, exactly; of the ratios as they
    are rounded, where the parts are longer than integers can be multiplied.
    """
    name = metric.name
    rounded = exact_quotient(
        f"({name} - {name}_before)", f"case when {name}_before > 0 then {name}_before end"
    )
    if not metric.parts:
        return f"{rounded} as {name}_growth"
    a, b, c, d = (f"{name}_{part}{end}" for end in ("", "_before") for part in metric.parts)
    more, base = f"({a} * {d} - {c} * {b})", f"({c} * {b})"
    exact = _in_millionths(more, base, f"sign({more}) * sign({base})")
    above, below = (f"ln(greatest(abs({x}), abs({y}), 1))" for x, y in ((a, c), (b, d)))
    return (
        f"case when {above} + {below} >= {LONGEST} then {rounded}"
        f" when sign({c}) * sign({d}) > 0 and {b} <> 0 then {exact} end as {name}_growth"
    )


def _counted(
    plan: Plan,
    dimensions: Sequence[Dimension],
    keys: Mapping[str, Collection[str | None]],
    span: Span | None,
    up_to: date | None,
    *,
    is_compared: bool,
) -> str:
    """What is counted of the days of a span, a row for each member of the dimensions."""
    fact = plan.fact
    day = f"{fact.alias}.{fact.day}"
    inner = [f"{fact.alias}.*"]
    outer = []
    if plan.grain:
        if span:
            counted = f"{day} + {span.shift}" if span.shift else day
        else:
            counted = f"case when {day} <= date '{up_to}' then {day} end" if up_to else day
        inner.append(f"{counted} as counted_day")
        outer.append(f"cast(date_trunc('{plan.grain}', counted_day) as date) as {plan.grain}")
    for dimension in dimensions:
        inner.append(f"{dimension.key} as {dimension.name}__key")
        outer.append(f"{dimension.name}__key as {dimension.name}")
        if dimension.title:
            inner.append(f"{dimension.title} as {dimension.name}__title")
            outer.append(f"max({dimension.name}__title) as {dimension.name}_name")
    conditions = []
    if span is not None:
        days = f"{day} between date '{span.first}' and date '{span.last}'"
        conditions.append(days if span.is_known else "false")
    conditions += [is_one_of(fact.dimensions[name].key, keys[name]) for name in keys]
    where = "".join(
        f"\n{'and' if number else 'where'} {condition}"
        for number, condition in enumerate(conditions)
    )
    used = [*dimensions, *(fact.dimensions[name] for name in keys)]
    rows = indented(_select(inner, tables_of(plan, used) + where))
    outer += ["true as is_there"] if is_compared else []
    outer += [f"{metric.expression} as {metric.name}" for metric in plan.counted]
    grouped = "\ngroup by all" if plan.grain or dimensions else ""
    return _select(outer, f"from (\n{rows}\n) as counted_rows{grouped}")


def _select(columns: Sequence[str], source: str) -> str:
    listed = ",\n    ".join(columns)
    return f"select\n    {listed}\n{source}"


def tables_of(plan: Plan, dimensions: Sequence[Dimension]) -> str:
    """The fact, and the tables that these dimensions need besides."""
    wanted = {name for dimension in dimensions for name in dimension.joins}
    lines = [f"from {plan.fact.schema}.{plan.table} as {plan.fact.alias}"]
    for alias, join in plan.fact.joins.items():
        if alias in wanted:
            lines.append(f"left join {join.schema}.{join.table} as {alias} on {join.on}")
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
    signs = f"sign({numerator}) * sign({denominator})"
    return _in_millionths(_billionths(numerator), _billionths(denominator), signs)


def _billionths(side: str) -> str:
    return f"cast(cast({side} as decimal(38, 9)) * 1000000000 as hugeint)"


def _in_millionths(above: str, below: str, signs: str) -> str:
    return (
        f"cast((2000000 * {above} // nullif({below}, 0) + {signs}) // 2 as decimal(38, 0))"
        " * 0.000001"
    )


def literal(value: str) -> str:
    """A text in SQL."""
    return "'" + value.replace("'", "''") + "'"


def indented(sql: str) -> str:
    return "\n".join(f"    {line}" for line in sql.splitlines())
