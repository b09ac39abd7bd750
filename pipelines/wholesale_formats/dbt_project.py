"""dbt: a project whose models are the stars, with metrics in the specification of dbt 1.12 on.

Metrics are told of the model that they count, without measures (docs.getdbt.com, latest spec).
dbt 1.11 reads such a project, and passes over its metrics.
"""

from collections.abc import Iterator
from typing import Any

from wholesale_elt.figures import Metric
from wholesale_formats.stars import AS_OF, Published, Star
from wholesale_formats.writing import Files, as_yaml

AGGREGATIONS = {"additive": "sum", "distinct": "count_distinct"}
SPINE = "_days"
"""No table of users has such a name."""


def files(published: Published) -> Files:
    stars = [star for star in published.stars if _day_of(star)]
    found = {
        "dbt_project.yml": as_yaml(
            {
                "name": "wholesale_metrics",
                "version": "1.0",
                "config-version": 2,
                "require-dbt-version": ">=1.11.0",
                "profile": "wholesale_metrics",
                "model-paths": ["models"],
            }
        ),
        "profiles.yml": as_yaml(
            {"wholesale_metrics": {"target": "local", "outputs": {"local": _target(published)}}}
        ),
        f"models/{SPINE}.sql": (
            "select cast(range as date) as date_day\n"
            "from range(date '2000-01-01', date '2100-01-01', interval 1 day)\n"
        ),
        "models/metrics.yml": as_yaml({"models": [_spine(), *map(_model, stars)]}),
    }
    return found | {f"models/{star.name}.sql": f"{star.sql()}\n" for star in stars}


def _day_of(star: Star) -> str | None:
    """The day by which metrics are told apart; without one dbt has no metric."""
    return star.day or next((field.name for field in star.fields if field.name == AS_OF), None)


def _target(published: Published) -> dict[str, Any]:
    """A database of its own, to which the published one is attached."""
    return {
        "type": "duckdb",
        "path": "metrics.duckdb",
        "attach": [{"path": str(published.database), "alias": "wholesale", "read_only": True}],
    }


def _spine() -> dict[str, Any]:
    return {
        "name": SPINE,
        "description": "Every day, so that days without orders are shown.",
        "time_spine": {"standard_granularity_column": "date_day"},
        "columns": [{"name": "date_day", "granularity": "day"}],
    }


def _model(star: Star) -> dict[str, Any]:
    key = {} if star.key else {"primary_entity": f"{star.name}_key"}
    return {
        "name": star.name,
        "description": star.description,
        "semantic_model": {"enabled": True},
        "agg_time_dimension": _day_of(star),
        **key,
        "columns": list(_columns(star)),
        "metrics": [_metric(metric) for metric in star.metrics],
    }


def _columns(star: Star) -> Iterator[dict[str, Any]]:
    for field in star.fields:
        column: dict[str, Any] = {"name": field.name, "description": field.meaning}
        if field.name == star.key:
            # Not as any dimension is called, in whatever model.
            column["entity"] = {"type": "primary", "name": f"{star.name}_key"}
        elif field.name == _day_of(star):
            column |= {"granularity": "day", "dimension": {"type": "time"}}
        elif field.is_dimension:
            column["dimension"] = {"type": "categorical", "label": field.label}
        yield column


def _metric(metric: Metric) -> dict[str, Any]:
    about = {"name": metric.name, "label": metric.label, "description": metric.meaning}
    if metric.parts:
        numerator, denominator = metric.parts
        return about | {"type": "ratio", "numerator": numerator, "denominator": denominator}
    # Where some may not tell it, a sum of nothing and one that nobody tells are both NULL there.
    zero = {} if metric.counts else {"fill_nulls_with": 0}
    return about | {
        "type": "simple",
        "agg": AGGREGATIONS[metric.kind],
        "expr": metric.value,
        **zero,
    }
