"""Metrics say what their rows' shares follow from, and what of a sum is not known."""

import json
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

from wholesale.errors import WholesaleError
from wholesale_elt.figures import GROUPS, LINES, ORDERS, Metric, metrics, read_metrics
from wholesale_elt.models import PUBLIC, OwnMetrics, read_contract, read_yaml

ALL = list(read_metrics().values())
SIMPLE = [metric for metric in read_metrics().values() if not metric.parts]


def columns_in(expression: str) -> set[str]:
    """The columns that DuckDB reads in an expression."""
    [(tree,)] = duckdb.execute("select json_serialize_sql(?)", [f"select {expression}"]).fetchall()
    return set(_columns(json.loads(tree)))


def _columns(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if node.get("class") == "COLUMN_REF":
            yield ".".join(node["column_names"])
        for child in node.values():
            yield from _columns(child)
    elif isinstance(node, list):
        for child in node:
            yield from _columns(child)


@pytest.mark.parametrize("metric", SIMPLE, ids=lambda metric: metric.name)
def test_a_metric_declares_the_columns_that_it_names(metric: Metric) -> None:
    assert set(metric.columns) == columns_in(metric.value)
    model = read_contract(*PUBLIC)[metric.model]
    assert set(metric.columns) <= set(model.columns)


@pytest.mark.parametrize("metric", ALL, ids=lambda metric: metric.name)
def test_a_metric_stands_in_a_group_and_is_told_in_plain_words(metric: Metric) -> None:
    assert metric.group in GROUPS[:-1]
    assert "`" not in metric.plain
    assert metric.plain.endswith(".")
    assert not {*metric.plain.split()} & {"NULL", "SQL", "setting"}


def test_what_tells_products_apart_counts_lines_in_the_same_unit() -> None:
    known = read_metrics()
    pairs = [(metric, known[metric.of_products]) for metric in ALL if metric.of_products]
    assert pairs
    assert all((metric.model, of.model) == (ORDERS, LINES) for metric, of in pairs)
    assert all(metric.unit == of.unit for metric, of in pairs)


def test_a_metric_that_declares_no_columns_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    defined = read_yaml("marts/metrics.yml")
    first = {**defined["metrics"][0], "config": {}}
    monkeypatch.setattr(metrics, "read_yaml", lambda name: {**defined, "metrics": [first]})

    with pytest.raises(WholesaleError, match=f"metric {first['name']} .* columns"):
        metrics._read.__wrapped__(OwnMetrics())


@pytest.mark.parametrize(
    ("expression", "counts"),
    [
        ("case when is_sale then total end", "is_sale"),
        ("case when is_sale and not is_return then total end", "is_sale and not is_return"),
        ("case when is_sale then greatest(sub_total, 0) end", "is_sale"),
        ("case when is_sale then quantity * unit_price end", "is_sale"),
        ("case when is_sale then 1 else 0 end", ""),
        ("case when is_sale then line_count else 0 end", ""),
        ("case when is_sale then case when is_return then 1 end end", ""),
        ("case when is_sale then 1 when is_return then 2 end", ""),
        ("total", ""),
    ],
)
def test_a_sum_of_what_some_rows_do_not_tell_says_which_rows_count(
    monkeypatch: pytest.MonkeyPatch, expression: str, counts: str
) -> None:
    defined = {
        "semantic_models": [
            {
                "model": "ref('fct_orders')",
                "measures": [{"name": "one_amount", "agg": "sum", "expr": expression}],
            }
        ],
        "metrics": [
            read_yaml("marts/metrics.yml")["metrics"][0]
            | {"type_params": {"measure": "one_amount"}}
        ],
    }
    monkeypatch.setattr(metrics, "read_yaml", lambda name: defined)

    [metric] = metrics._read.__wrapped__(OwnMetrics()).values()
    assert metric.counts == counts
