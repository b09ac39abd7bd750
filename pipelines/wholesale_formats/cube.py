"""Cube: a data model with a cube for each star."""

from collections.abc import Collection, Iterator
from typing import Any

from wholesale_elt.figures import Metric, read_metrics
from wholesale_formats.stars import Field, Published, Star
from wholesale_formats.writing import Files, as_yaml, attached, label_of

TYPES = {"additive": "sum", "distinct": "count_distinct", "ratio": "number"}
OF_DIMENSIONS = {"BIGINT": "number", "DECIMAL": "number", "BOOLEAN": "boolean", "DATE": "time"}
FORMATS = {"amount": "number", "count": "number", "number": "number", "share": "percent"}


def files(published: Published) -> Files:
    # The driver opens files to write, and keeps other readers out: so it attaches this one.
    environment = (
        "CUBEJS_DB_TYPE=duckdb\n"
        f'CUBEJS_DB_DUCKDB_INIT_SQL="{attached(published)}"\n'
        "CUBEJS_DEV_MODE=true\n"
    )
    names = [star.name for star in published.stars]
    return {".env": environment} | {
        f"model/cubes/{star.name}.yml": as_yaml({"cubes": [_cube(star, names, published.currency)]})
        for star in published.stars
    }


def _cube(star: Star, names: Collection[str], currency: str) -> dict[str, Any]:
    return {
        "name": star.name,
        "title": star.label,
        "description": star.description,
        "sql": star.sql(),
        "dimensions": list(_dimensions(star)),
        "measures": [_measure(metric, names, currency) for metric in star.metrics],
    }


def _dimensions(star: Star) -> Iterator[dict[str, Any]]:
    for field in star.fields:
        if field.is_dimension or field.name in (star.key, star.day):
            is_key = {"primary_key": True, "public": True} if field.name == star.key else {}
            yield {
                "name": field.name,
                "title": field.label,
                "description": field.meaning,
                "sql": field.name,
                "type": _type(field, star),
                **is_key,
            }


def _type(field: Field, star: Star) -> str:
    if field.name == star.day:
        return "time"
    return OF_DIMENSIONS.get(field.type.partition("(")[0], "string")


def _measure(metric: Metric, cubes: Collection[str], currency: str) -> dict[str, Any]:
    return {
        "name": _name(metric, cubes),
        "title": label_of(metric, currency),
        "description": metric.meaning,
        "type": "number" if metric.counts else TYPES[metric.kind],
        "sql": _sql(metric, cubes),
        "format": FORMATS[metric.unit],
    }


def _sql(metric: Metric, cubes: Collection[str]) -> str:
    if not metric.parts:
        return metric.expression if metric.counts else metric.value
    known = read_metrics()
    numerator, denominator = (f"{{{_name(known[name], cubes)}}}" for name in metric.parts)
    return f"{numerator} / nullif({denominator}, 0)"


def _name(metric: Metric, cubes: Collection[str]) -> str:
    """Cube takes a measure of a cube's name for the cube."""
    return f"{metric.name}_{metric.unit}" if metric.name in cubes else metric.name
