"""Rill: a project with a model, a metrics view and a dashboard for each star."""

from typing import Any

from wholesale_elt.figures import Metric
from wholesale_formats.stars import Published, Star
from wholesale_formats.writing import D3, Files, as_yaml, attached, label_of


def files(published: Published) -> Files:
    found = {
        "rill.yaml": as_yaml(
            {"compiler": "rillv1", "display_name": "Wholesale", "olap_connector": "duckdb"}
        ),
        "connectors/duckdb.yaml": as_yaml(
            {
                "type": "connector",
                "driver": "duckdb",
                "managed": True,
                "init_sql": f"{attached(published)};",
            }
        ),
    }
    for star in published.stars:
        found[f"models/{star.name}.yaml"] = as_yaml(
            {"type": "model", "connector": "duckdb", "materialize": True, "sql": star.sql()}
        )
        found[f"metrics/{star.name}_metrics.yaml"] = as_yaml(_view(star, published.currency))
        found[f"dashboards/{star.name}_explore.yaml"] = as_yaml(
            {
                "type": "explore",
                "display_name": star.label,
                "metrics_view": f"{star.name}_metrics",
                "dimensions": "*",
                "measures": "*",
            }
        )
    return found


def _view(star: Star, currency: str) -> dict[str, Any]:
    days = {"timeseries": star.day, "smallest_time_grain": "day"} if star.day else {}
    return {
        "version": 1,
        "type": "metrics_view",
        "display_name": star.label,
        "description": star.description,
        "model": star.name,
        **days,
        "dimensions": [
            {
                "name": field.name,
                "display_name": field.label,
                "description": field.meaning,
                "column": field.name,
            }
            for field in star.dimensions
        ],
        "measures": [_measure(metric, currency) for metric in star.metrics],
    }


def _measure(metric: Metric, currency: str) -> dict[str, Any]:
    return {
        "name": metric.name,
        "display_name": label_of(metric, currency),
        "description": metric.meaning,
        "expression": metric.expression,
        "format_d3": D3[metric.unit],
        "valid_percent_of_total": metric.kind == "additive",
    }
