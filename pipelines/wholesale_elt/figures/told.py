"""Told: metrics, dimensions and tables as plain data, for who makes statements, or explains them,
elsewhere than in Python."""

from collections.abc import Sequence
from typing import Any

from wholesale_elt.figures.added import read_facts
from wholesale_elt.figures.metrics import read_metrics


def told_parts(tables: Sequence[str]) -> dict[str, Any]:
    """What statements about these tables are made of: `facts` by table, `metrics` by name."""
    known = read_facts()
    return {
        "facts": {
            table: {
                "schema": fact.schema,
                "alias": fact.alias,
                "day": fact.day,
                "joins": {
                    alias: {"table": f"{join.schema}.{join.table}", "on": join.on}
                    for alias, join in fact.joins.items()
                },
                "dimensions": {
                    name: {"key": each.key, "title": each.title, "joins": each.joins}
                    for name, each in fact.dimensions.items()
                },
            }
            for table, fact in known.items()
            if table in tables
        },
        "metrics": {
            metric.name: {
                "table": metric.model,
                "expression": metric.expression,
                "type": metric.type,
                "parts": metric.parts,
            }
            for metric in read_metrics().values()
            if metric.model in tables
        },
    }


def told_meanings() -> dict[str, Any]:
    """What each metric is called and means, in the words of somebody who sells, by its name, and
    what else people call it."""
    return {
        name: {
            "label": metric.label,
            "text": metric.plain,
            "synonyms": metric.words,
        }
        for name, metric in read_metrics().items()
    }
