"""Added: what users count: their metrics, and the tables of theirs that these are of."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from wholesale_elt.figures.dimensions import FACTS, Dimension, Fact
from wholesale_elt.models import (
    OWN_SCHEMA,
    NotRendered,
    OwnMetrics,
    read_extra_fields,
    read_own_metrics,
)

ALIAS = re.compile(r"\b(\w+)\.")


def added_metrics() -> tuple[OwnMetrics, str]:
    """What users count, and what is wrong with it: then nothing but the fields that are columns of
    ours."""
    try:
        return read_own_metrics(), ""
    except NotRendered as error:
        return OwnMetrics(fields=read_extra_fields()), str(error)


def read_facts() -> Mapping[str, Fact]:
    """The tables that metrics count, by name: ours, with the dimensions that undocumented fields
    are, and those that users added."""
    counted, _ = added_metrics()
    ours = {
        table: replace(fact, dimensions={**fact.dimensions, **_of_fields(table, fact, counted)})
        for table, fact in FACTS.items()
    }
    return {
        **ours,
        **{table: _fact(table, model) for table, model in counted.tables if table not in FACTS},
    }


def _of_fields(table: str, fact: Fact, counted: OwnMetrics) -> Mapping[str, Dimension]:
    """The fields of the rows of a fact, and of the tables that it finds besides."""
    aliases = {join.table: alias for alias, join in fact.joins.items()} | {table: fact.alias}
    return {
        field.column: Dimension(
            field.column,
            field.description,
            f"{aliases[field.mart]}.{field.column}",
            joins=_joined(fact, aliases[field.mart]),
        )
        for field in counted.fields
        if field.mart in aliases
    }


def _joined(fact: Fact, alias: str) -> tuple[str, ...]:
    """A table that a fact finds, after those by which it does."""
    if alias not in fact.joins:
        return ()
    before = ALIAS.findall(fact.joins[alias].on)
    found = [each for name in before if name != alias for each in _joined(fact, name)]
    return (*dict.fromkeys(found), alias)


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
            synonyms = (each.get("config") or {}).get("meta", {}).get("synonyms", ())
            key = f"{table}.{each.get('expr') or each['name']}"
            yield Dimension(each["name"], meaning, key, synonyms=tuple(synonyms))
