"""Effects: one statement that splits the difference of a metric between two attached versions.

Pure: it asks no database. What a version gives to the metric is a set of units, orders, lines or
buyers; the units of both stand side by side, and each whose share differs gets its one cause.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from wholesale_elt.causes.own import ALL, OwnRows, columns_of, rules_of_own
from wholesale_elt.causes.rules import CAUSES, OF_ORDER, Asked, case, rules_for
from wholesale_elt.figures import (
    BUYERS,
    FULFILMENT,
    LINES,
    LOST_BUYERS,
    RECEIVABLES,
    Dimension,
    Keys,
    Metric,
    Plan,
    Span,
    indented,
    is_one_of,
    tables_of,
)

BEFORE, AFTER = "version_before", "version"
"""What the two attached databases are called."""
SIDES = {"before": BEFORE, "after": AFTER}
COMPARED_OF_LINES = (
    "quantity",
    "unit_price",
    "total_price",
    "discount_amount",
    "set_aside",
)
OF_BUYERS_ORDERS = ("is_sale", "is_return", "ordered_date", "buyer_id", "vendor_id")
"""What of orders the reordering of a buyer follows from."""
OF_BUYERS = {BUYERS: "reorders.buyer_id", LOST_BUYERS: "lost_buyers.buyer_id"}
"""The tables that have a row a buyer, and what tells these apart."""
OWN: Mapping[str, Sequence[str]] = {
    **dict.fromkeys(OF_BUYERS, ("is_deleted", "as_of_date")),
    FULFILMENT: ("promised_date",),
    RECEIVABLES: (
        *("order_terms", "terms_days", "due_date", "is_overdue"),
        *("ordered_date", "overdue_days", "as_of_date"),
    ),
}
"""Columns that are compared besides, by the table; bills are judged as of one day all."""
OF_LINE = (
    "concat_ws('/', order_lines.order_id, order_lines.item_id, order_lines.sku, row_number() over"
    " (partition by order_lines.order_id, order_lines.item_id, order_lines.sku"
    " order by order_lines.line_number))"
)
"""A line is the same if its product is: its number changes with the lines before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A question of one metric, with what it is asked of: of each side its days, the members that
    count, the moment as of which the earlier version had all orders, and settings that differ."""

    plan: Plan
    keys: Keys
    spans: Mapping[str, Span | None]
    complete_as_of: str | None
    settings: Sequence[str]
    are_judged_later: bool
    own: OwnRows | None = None

    @property
    def are_of_buyers(self) -> bool:
        """Whether a row is told by all orders of its buyer."""
        return self.own.are_of_buyers if self.own else self.plan.table in OF_BUYERS

    @property
    def has_days(self) -> bool:
        return any(span is not None for span in self.spans.values())

    @property
    def filters(self) -> Sequence[Dimension]:
        return self.plan.filters


def effects_of(metric: Metric, asked: Comparison, by: Sequence[Dimension], *, told: bool) -> str:
    """The statement: a row a cause, its fields and the members of `by`, with what it gives to the
    difference, the largest first; with its orders if they are to be `told`."""
    return (
        f"{stated(effect_parts(metric, asked, by))},\n\n{_by_cause(metric, asked, by, told=told)}"
    )


def effect_parts(
    metric: Metric, asked: Comparison, by: Sequence[Dimension] = ()
) -> list[tuple[str, str]]:
    """The parts of the statement, each by its name: those that are `compared`, each with its cause,
    and the `effects`."""
    parts = compared_parts(metric, asked, by)
    if asked.are_of_buyers:
        parts += _causes_of_buyers(metric, asked, by)
    else:
        parts.append(("caused", _causes_of_orders(metric, asked, by)))
    if metric.kind == "distinct":
        parts += _came_and_went(by)
    else:
        parts.append(("effects", _added(by)))
    return parts


def compared_parts(
    metric: Metric, asked: Comparison, by: Sequence[Dimension] = ()
) -> list[tuple[str, str]]:
    """Those up to the units that differ, `compared`."""
    parts = [(f"units_{side}", _units(metric, asked, by, side)) for side in SIDES]
    return [*parts, ("compared", _compared(metric, asked, by))]


def stated(parts: Sequence[tuple[str, str]]) -> str:
    """The beginning of a statement with these parts."""
    return "with\n\n" + ",\n\n".join(f"{name} as (\n{indented(sql)}\n)" for name, sql in parts)


def _units(metric: Metric, asked: Comparison, by: Sequence[Dimension], side: str) -> str:
    """The units of one version, whether each counts, and what it gives."""
    fact = asked.plan.fact
    database = SIDES[side]
    joins = {
        alias: replace(join, schema=f"{database}.{join.schema}")
        for alias, join in fact.joins.items()
    }
    there = replace(fact, schema=f"{database}.{fact.schema}", joins=joins)
    planned = replace(asked.plan, fact=there)
    units = {LINES: OF_LINE, **OF_BUYERS}
    unit = units.get(asked.plan.table, f"{fact.alias}.order_id")
    span = asked.spans[side]
    in_span = (
        "true"
        if span is None
        else f"coalesce({fact.alias}.{fact.day} between date '{span.first}' and date"
        f" '{span.last}', false)"
    )
    is_member = [
        f"coalesce({is_one_of(fact.dimensions[name].key, asked.keys[name])}, false)"
        for name in asked.keys
    ]
    inner = [f"{fact.alias}.*", f"{unit} as unit", f"{unit} as owner"]
    if asked.own:
        inner = [*columns_of(asked.own, metric, fact.alias)]
        inner += [f"{fact.alias}.{fact.day} as day"] if fact.day else []
    inner.append(f"{in_span} as is_in_span")
    if asked.plan.table == RECEIVABLES:
        inner.append(f"(select as_of_date from {database}.wholesale_marts.dim_as_of) as as_of_date")
    inner.append(f"{' and '.join(['true', *is_member])} as is_member")
    dimensions = {each.name: each for each in (*by, *asked.filters)}
    inner += [f"{each.key} as {name}__key" for name, each in dimensions.items()]
    inner += [f"{each.title} as {each.name}__title" for each in by if each.title]
    rows = _select(inner, tables_of(planned, tuple(dimensions.values())) + _of_days(asked))
    given = "varchar" if metric.kind == "distinct" else "decimal(38, 9)"
    outer = ["unit", "owner", "is_in_span", "is_in_span and is_member as is_counted"]
    of_buyers = asked.plan.table in OF_BUYERS
    outer.append("cast(null as varchar) as order_id" if of_buyers else "order_id")
    outer += [f"{name}__key" for name in dimensions]
    outer += [f"{each.name}__title" for each in by if each.title]
    outer.append("share" if asked.own else f"cast({metric.value} as {given}) as share")
    outer += _besides(metric, asked)
    return _select(outer, f"from (\n{indented(rows)}\n) as counted_rows")


def _of_days(asked: Comparison) -> str:
    """The condition for the orders that have a row of the days that are asked for, in either
    version: of a month in years it leaves few, and no other gives another amount."""
    fact, table = asked.plan.fact, asked.plan.table
    spans = {side: span for side, span in asked.spans.items() if span is not None}
    if asked.own or table in OF_BUYERS or len(spans) < len(SIDES):
        return ""
    orders = " union all ".join(
        f"select order_id from {SIDES[side]}.{fact.schema}.{table}"
        f" where {fact.day} between date '{span.first}' and date '{span.last}'"
        for side, span in spans.items()
    )
    return f"\nwhere {fact.alias}.order_id in ({orders})"


def _compared(metric: Metric, asked: Comparison, by: Sequence[Dimension]) -> str:
    """Units of both sides whose shares differ, or whose members do."""
    nothing = "null" if metric.kind == "distinct" else "0"
    names = ["unit", "is_in_span"]
    names += [f"{each.name}__key" for each in {d.name: d for d in (*by, *asked.filters)}.values()]
    names += [f"{each.name}__title" for each in by if each.title]
    names += _besides(metric, asked)
    told = ["coalesce(units_after.order_id, units_before.order_id) as order_id"]
    told.append("coalesce(units_after.owner, units_before.owner) as owner")
    told += [f"units_{side}.{name} as {name}_{side}" for name in names for side in SIDES]
    told += [
        f"case when units_{side}.is_counted then coalesce(units_{side}.share, {nothing})"
        f" {'' if nothing == 'null' else 'else 0 '}end as share_{side}"
        for side in SIDES
    ]
    joined = "from units_before\nfull join units_after on units_before.unit = units_after.unit"
    keys = [f"{each.name}__key" for each in by]
    other = [f"{key}_before is distinct from {key}_after" for key in keys]
    differ = " or ".join(["share_before is distinct from share_after", *other])
    both = _select(told, joined)
    return f"select *\nfrom (\n{indented(both)}\n) as side_by_side\nwhere {differ}"


def _besides(metric: Metric, asked: Comparison) -> Sequence[str]:
    """What else of a row is compared."""
    if asked.own:
        return ("day",) if asked.plan.fact.day else ()
    return _of_lines(metric) if asked.plan.table == LINES else OWN.get(asked.plan.table, ())


def _of_lines(metric: Metric) -> list[str]:
    """Columns of lines that are compared; what a line has of its order is compared there."""
    used = [name for name in metric.columns if name not in (*OF_ORDER, "is_sale")]
    return list(dict.fromkeys([*COMPARED_OF_LINES, *used]))


def _asked(metric: Metric, asked: Comparison, by: Sequence[Dimension]) -> Asked:
    return Asked(
        used=metric.columns,
        are_lines=asked.plan.table == LINES,
        members=list(dict.fromkeys(each.name for each in (*by, *asked.filters))),
        has_days=asked.has_days,
        settings=asked.settings,
        are_judged_later=asked.are_judged_later,
    )


def _moment(asked: Comparison) -> str:
    if asked.complete_as_of is None:
        return "cast(null as timestamptz)"
    return f"timestamptz '{asked.complete_as_of}'"


def _orders(side: str) -> str:
    return f"{SIDES[side]}.wholesale_marts.fct_orders"


TOLD_OF_ORDERS = ("order_id", "order_number", "buyer_id", "vendor_id")
ORDER = ", ".join(
    f"'{name}': coalesce(order_after.{name}, order_before.{name})" for name in TOLD_OF_ORDERS
)


def _causes_of_orders(metric: Metric, asked: Comparison, by: Sequence[Dimension]) -> str:
    """The cause of each, of the order and of what is asked."""
    told, moment = _asked(metric, asked, by), _moment(asked)
    rules = list(rules_for(told, moment))
    if asked.own:
        rules = list(rules_of_own(told, moment, has_units=True))
    columns = ["compared.*", f"[{{{ORDER}}}] as orders"]
    columns += [f"{case(rules, name)} as {name}" for name in ("cause", "fields", "place")]
    joins = "\n".join(
        f"left join {_orders(side)} as order_{side} on compared.order_id = order_{side}.order_id"
        for side in SIDES
    )
    return _select(columns, f"from compared\n{joins}")


def _causes_of_buyers(
    metric: Metric, asked: Comparison, by: Sequence[Dimension]
) -> list[tuple[str, str]]:
    """The cause of each buyer: its deletion, the first cause among its orders, what it belongs to,
    or the day on which it is judged."""
    used = [*OF_BUYERS_ORDERS, *(["sub_total"] if metric.unit == "amount" else [])]
    of_order = Asked(used=used, settings=asked.settings)
    rules = list(rules_for(of_order, _moment(asked)))
    if asked.own:
        used, rules = [*ALL], list(rules_of_own(of_order, _moment(asked), has_units=False))
    is_another = " or ".join(
        f"order_before.{name} is distinct from order_after.{name}"
        for name in (*used, "order_id", "is_deleted")
    )
    columns = [f"{{{ORDER}}} as told"]
    columns += [f"order_{side}.buyer_id as buyer_{side}" for side in SIDES]
    columns += [f"{case(rules, name)} as {name}" for name in ("cause", "fields", "place")]
    of_orders = _select(
        columns,
        f"from {_orders('before')} as order_before\n"
        f"full join {_orders('after')} as order_after\n"
        "    on order_before.order_id = order_after.order_id\n"
        f"where {is_another}",
    )
    of_buyers = (
        "(select distinct owner from compared) as compared\n"
        "inner join order_causes\n"
        "    on compared.owner in (order_causes.buyer_before, order_causes.buyer_after)"
    )
    by_buyer = _select(
        ["owner", "cause", "fields", "place", "list(told) as orders"],
        f"from (\n{indented(_first_cause(['compared.owner'], of_buyers))}\n) as first_causes\n"
        "where turn = 1\ngroup by owner, cause, fields, place",
    )
    dimensions = {each.name for each in (*by, *asked.filters)}
    moved = " or ".join(
        f"compared.{name}__key_before is distinct from compared.{name}__key_after"
        for name in dimensions
    )
    rest = "setting changed" if asked.settings else "definition changed"
    if asked.are_judged_later and not asked.settings:
        rest = "time passed"
    deleted = [
        ("compared.is_deleted_after and not compared.is_deleted_before", "'deleted'"),
        ("compared.is_deleted_before and not compared.is_deleted_after", "'reappeared'"),
    ]
    # Whatever a buyer's deletion or return explains is told of none of its orders.
    is_of_orders = "compared.is_deleted_after is not distinct from compared.is_deleted_before"
    if asked.own:
        rest, deleted, is_of_orders = "model changed", [], "true"
    causes = [
        *deleted,
        ("by_buyer.owner is not null", "by_buyer.cause"),
        *([(moved, "'moved'")] if moved and not asked.own else []),
    ]
    cases = "\n    ".join(f"when {when} then {cause}" for when, cause in causes)
    settings = f"'{', '.join(asked.settings)}'" if asked.settings else "null"
    caused = _select(
        [
            "compared.*",
            "coalesce(by_buyer.orders, []) as orders",
            f"case\n    {cases}\n    else '{rest}' end as cause",
            "case when by_buyer.owner is not null then by_buyer.fields"
            f" when not ({moved or 'false'}) then {settings} end as fields",
            f"coalesce(by_buyer.place, {len(CAUSES)}) as place",
        ],
        "from compared\nleft join by_buyer\n"
        "    on compared.owner = by_buyer.owner\n"
        f"    and {is_of_orders}",
    )
    return [("order_causes", of_orders), ("by_buyer", by_buyer), ("caused", caused)]


def _first_cause(counted: Sequence[str], source: str) -> str:
    """The rows of a source, of which those have `turn` 1 that have the first cause, and the first
    fields of it, among all rows that are `counted` as one."""
    order = f"partition by {', '.join(counted)} order by place, fields"
    return _select(["*", f"dense_rank() over ({order}) as turn"], f"from {source}")


def _members(by: Sequence[Dimension], side: str) -> list[str]:
    found = []
    for each in by:
        found.append(f"{each.name}__key_{side} as {each.name}")
        if each.title:
            found.append(f"{each.name}__title_{side} as {each.name}_name")
    return found


def _same(by: Sequence[Dimension]) -> str:
    return " and ".join(
        ["true", *(f"{d.name}__key_before is not distinct from {d.name}__key_after" for d in by)]
    )


def _added(by: Sequence[Dimension]) -> str:
    """What each unit adds where it is, and takes away where it was."""
    told = ["cause", "fields", "orders"]
    after = [
        *_members(by, "after"),
        *told,
        f"share_after - case when {_same(by)} then share_before else 0 end as amount",
    ]
    before = [*_members(by, "before"), *told, "-share_before as amount"]
    was = _select(before, f"from caused\nwhere not ({_same(by)})")
    return f"{_select(after, 'from caused')}\nunion all\n{was}"


def _came_and_went(by: Sequence[Dimension]) -> list[tuple[str, str]]:
    """What is counted once on one side alone, with the first cause among its units there."""
    found = []
    effects = []
    for side, other, amount in (("after", "before", 1), ("before", "after", -1)):
        keys = [f"{each.name}__key" for each in by]
        held = [*keys, "share"]
        found.append(
            (
                f"held_{other}",
                f"select distinct {', '.join(held)}\nfrom units_{other}\n"
                "where is_counted and share is not null",
            )
        )
        names = [f"{key}_{side}" for key in keys]
        on = " and ".join(
            f"held_{other}.{name} is not distinct from caused.{name}_{side}" for name in held
        )
        columns = [f"{each.name}__key_{side} as {each.name}" for each in by]
        columns += [
            f"max({each.name}__title_{side}) as {each.name}_name" for each in by if each.title
        ]
        columns += ["cause", "fields", "flatten(list(orders)) as orders", f"{amount} as amount"]
        columns.append(f"share_{side} as member")
        counted = [*names, f"share_{side}"]
        first = _first_cause(
            counted,
            f"caused\nwhere share_{side} is not null\n"
            f"    and not exists (select 1 from held_{other} where {on})",
        )
        effects.append(
            _select(
                columns,
                f"from (\n{indented(first)}\n) as first_causes\nwhere turn = 1\n"
                f"group by {', '.join(counted)}, cause, fields",
            )
        )
    return [*found, ("effects", "\nunion all by name\n".join(effects))]


def _by_cause(metric: Metric, asked: Comparison, by: Sequence[Dimension], *, told: bool) -> str:
    """The sums of causes, and the orders of each. What is counted once may have several orders, so
    there an order has no amount of its own."""
    keys = [*(each.name for each in by), "cause", "fields"]
    titles = [f"max({each.name}_name) as {each.name}_name" for each in by if each.title]
    is_by_order = metric.kind == "additive" and not asked.are_of_buyers
    amount = f"cast({'sum(amount)' if is_by_order else 'null'} as {metric.type}) as amount"
    sums = [*keys, *titles, f"cast(sum(amount) as {metric.type}) as amount"]
    of_orders = [*keys, "told.order_id", "any_value(told.order_number) as order_number", amount]
    of_causes = [*keys, "count(*) as order_count"]
    if told:
        each = "{'order_id': order_id, 'order_number': order_number, 'amount': amount}"
        of_causes.append(f"list({each} order by order_id) as orders")
    grouped = ", ".join(keys)
    on = " and ".join(f"sums.{key} is not distinct from of_causes.{key}" for key in keys)
    shown = [f"sums.{key}" for key in keys[:-2]]
    shown += [f"sums.{each.name}_name" for each in by if each.title]
    shown += ["sums.cause", "sums.fields", "sums.amount"]
    shown.append("coalesce(of_causes.order_count, 0) as order_count")
    if told:
        shown.append("coalesce(of_causes.orders, []) as orders")
    parts = [
        ("sums", f"{_select(sums, 'from effects')}\nwhere amount <> 0\ngroup by {grouped}"),
        (
            "of_orders",
            _select(
                of_orders,
                "from (select *, unnest(orders) as told from effects where amount <> 0)"
                f" as each_order\ngroup by {grouped}, told.order_id",
            ),
        ),
        ("of_causes", f"{_select(of_causes, 'from of_orders')}\ngroup by {grouped}"),
    ]
    ctes = ",\n\n".join(f"{name} as (\n{indented(sql)}\n)" for name, sql in parts)
    order = ", ".join(["abs(sums.amount) desc", *(f"sums.{key}" for key in keys)])
    return f"{ctes}\n\n{_select(shown, 'from sums')}\nleft join of_causes on {on}\norder by {order}"


def _select(columns: Sequence[str], source: str) -> str:
    listed = ",\n".join(columns)
    return f"select\n{indented(listed)}\n{source}"
