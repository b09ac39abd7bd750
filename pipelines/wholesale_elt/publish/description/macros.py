"""Macros: each metric as one in `main`, so that whoever has the file need not define it anew.

`select vendor_key, sales(orders), average_order_value(orders) from orders group by all`
"""

import re
from collections.abc import Iterable, Iterator

from wholesale_elt.figures import Metric, exact_quotient, read_metrics
from wholesale_elt.models import PUBLIC, read_contract
from wholesale_elt.publish.description.meta import DescribedTable
from wholesale_elt.warehouse import comments

ROWS = "counted"
"""The parameter of a macro: what the query calls the table or view whose rows count."""


def metric_macros(tables: Iterable[DescribedTable]) -> Iterator[str]:
    """The statements that make them, of the metrics for which these tables have all columns."""
    columns = {table.name: table.columns.keys() for table in tables if not table.query}
    contract = read_contract(*PUBLIC)
    made: set[str] = set()
    for metric in read_metrics().values():
        there = set(columns.get(metric.model, ()))
        of = contract.get(metric.model)
        declared = there | (of.columns.keys() if of else set())
        wanted = {name for name in re.findall(r"\w+", metric.expression) if name in declared}
        if not wanted or not wanted <= there or not made.issuperset(metric.parts or ()):
            continue
        made.add(metric.name)
        yield from _macro(metric, wanted)


def _macro(metric: Metric, columns: Iterable[str]) -> Iterator[str]:
    if metric.parts:
        body = exact_quotient(*(f"main.{name}({ROWS})" for name in metric.parts))
    else:
        of_rows = rf"{ROWS}.\1"
        body = re.sub(rf"\b({'|'.join(columns)})\b", of_rows, metric.expression)
    place = f"main.{metric.name}"
    yield f"create or replace macro {place}({ROWS}) as {body}"
    yield comments("macro", place, f"{metric.label}: {metric.meaning}", {})
