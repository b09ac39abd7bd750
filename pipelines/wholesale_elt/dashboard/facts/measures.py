"""Measures: the column that a fact has of each metric, and what a row adds to it."""

import re
from collections.abc import Mapping, Sequence

import duckdb
from msgspec import Struct, structs

from wholesale.errors import WholesaleError
from wholesale_elt.figures import Metric, read_metrics

MOST_EXACT = 2**53
"""Sums of integers below are exact in JavaScript's numbers; larger ones are written as texts."""
ALIKE: Mapping[str, str] = {
    **dict.fromkeys(("sales_before_discounts", "net_sales", "billed"), "sales"),
    **dict.fromkeys(
        ("product_sales_at_list_prices", "product_sales_with_a_list_price"), "product_sales"
    ),
}
"""Metrics that have the value of another one in most rows: only the difference is written."""
ONE_OF = re.compile(r"case when (?P<condition>.+) then (?P<column>\w+) end")
UNTOLD = "_unknown"
"""How the column is called that tells where a metric has no value of what counts."""
MEMBERS_OF = {
    "order_id": "order_id",
    "product_id": "product_id",
    "buyer_id": "buyer",
    "buyer_user_id": "buyer_user",
}
"""The dimension whose members are counted by a column."""


class Measure(Struct, frozen=True, omit_defaults=True):
    """The column of a metric.

    A sum: integers, each of `scale` decimals, written as texts if they are large; null adds
    nothing. With `has_unknown` a further column, `<metric>_unknown`, has 1 where a row counts that
    does not tell its value. With `differs_from` it has what a value is more than that of another
    metric in its row, which is 0 if it is null. A number of different members: 1 where the member
    of the dimension `counts` counts.
    """

    scale: int = 0
    is_large: bool = False
    has_unknown: bool = False
    differs_from: str = ""
    counts: str = ""


def measures_of(connection: duckdb.DuckDBPyConnection, name: str) -> Mapping[str, Measure]:
    """The measure of each metric of a fact that is no ratio."""
    found = {
        metric.name: _measure(connection, name, metric)
        for metric in read_metrics().values()
        if metric.model == name and not metric.parts and is_counted(metric)
    }
    return {name: _beside(measure, ALIKE.get(name, ""), found) for name, measure in found.items()}


def _beside(measure: Measure, other: str, measures: Mapping[str, Measure]) -> Measure:
    """A measure as the difference from another one, if both are numbers of as many decimals."""
    base = measures.get(other)
    if base is None or base.scale != measure.scale or base.is_large or measure.is_large:
        return measure
    return structs.replace(measure, differs_from=other)


def is_counted(metric: Metric) -> bool:
    """Whether the page can count it: of what users added it knows no other members, and no rows
    but those of orders and lines."""
    if metric.parts:
        known = read_metrics()
        return all(is_counted(known[name]) for name in metric.parts)
    if metric.kind != "distinct":
        return True
    found = ONE_OF.fullmatch(metric.value)
    return found is not None and found["column"] in MEMBERS_OF


def _measure(connection: duckdb.DuckDBPyConnection, name: str, metric: Metric) -> Measure:
    if metric.kind == "distinct":
        return Measure(counts=MEMBERS_OF[_one_of(metric)["column"]])
    rows = connection.sql(f"select {metric.value} as value from wholesale_marts.{name}")
    untold = connection.sql(
        f"select 1 from wholesale_marts.{name} where {_is_unknown(metric)} limit 1"
    )
    [type_] = map(str, rows.types)
    scale = int(type_.removesuffix(")").rpartition(",")[2]) if type_.startswith("DECIMAL") else 0
    size = rows.aggregate("coalesce(sum(abs(cast(value as double))), 0)").fetchall()[0][0]
    return Measure(
        scale, is_large=size * 10**scale > MOST_EXACT / 2, has_unknown=bool(untold.fetchall())
    )


def _is_unknown(metric: Metric) -> str:
    """Whether a row counts that does not tell its value."""
    return f"{metric.counts} and ({metric.value}) is null" if metric.counts else "false"


def _one_of(metric: Metric) -> re.Match[str]:
    found = ONE_OF.fullmatch(metric.value)
    if not found:
        raise WholesaleError(f"metric {metric.name} counts no members that the dashboard knows")
    return found


def _value(metric: Metric, measure: Measure) -> str:
    """What a row adds to a metric, as `Measure` says."""
    if measure.counts:
        found = _one_of(metric)
        return (
            f"cast(({found['condition']}) and {found['column']} is not null as integer)"
            f" as {metric.name}"
        )
    type_ = "varchar" if measure.is_large else "bigint"
    units = _units(metric)
    if measure.differs_from:
        units = f"{units} - coalesce({_units(read_metrics()[measure.differs_from])}, 0)"
    value = f"cast({units} as {type_}) as {metric.name}"
    if not measure.has_unknown:
        return value
    return f"{value}, cast({_is_unknown(metric)} as integer) as {metric.name}{UNTOLD}"


def _units(metric: Metric) -> str:
    """The value of a row as a whole number of the smallest unit."""
    return f"cast(replace(cast({metric.value} as varchar), '.', '') as hugeint)"


def columns_of(measures: Mapping[str, Measure]) -> Sequence[str]:
    """What `values_of` makes."""
    return [
        column
        for name, measure in measures.items()
        for column in (name, *([f"{name}{UNTOLD}"] if measure.has_unknown else []))
    ]


def values_of(measures: Mapping[str, Measure]) -> Sequence[str]:
    known = read_metrics()
    return [_value(known[name], measure) for name, measure in measures.items()]
