"""Added: what users count: their metrics, and the tables of theirs that these are of."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wholesale_elt.figures.dimensions import FACTS, Dimension, Fact
from wholesale_elt.models import OWN_SCHEMA, NotRendered, OwnMetrics, read_own_metrics

NONE = OwnMetrics()


def added_metrics() -> tuple[OwnMetrics, str]:
    """What users count, and what is wrong with it: then nothing."""
    try:
        return read_own_metrics(), ""
    except NotRendered as error:
        return NONE, str(error)


def read_facts() -> Mapping[str, Fact]:
    """The tables that metrics count, by name: ours, and those that users added."""
    counted, _ = added_metrics()
    own = {table: _fact(table, model) for table, model in counted.tables if table not in FACTS}
    return {**FACTS, **own}


def _fact(table: str, model: Mapping[str, Any]) -> Fact:
    dimensions: Sequence[Mapping[str, Any]] = model.get("dimensions") or ()
    columns = {each["name"]: each.get("expr") or each["name"] for each in dimensions}
    day = (model.get("defaults") or {}).get("agg_time_dimension")
    own = {each.name: each for each in _dimensions(table, dimensions)}
    return Fact(OWN_SCHEMA, table, columns.get(day), {}, own)


def _dimensions(table: str, told: Sequence[Mapping[str, Any]]) -> Iterator[Dimension]:
    for each in told:
        if each["type"] == "categorical":
            meaning = " ".join((each.get("description") or each["name"]).split())
            yield Dimension(each["name"], meaning, f"{table}.{each.get('expr') or each['name']}")
