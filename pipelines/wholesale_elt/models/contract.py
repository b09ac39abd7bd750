"""Contract: what the YAML of the models declares of tables and columns: meanings, units, keys."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from wholesale_elt.models.descriptions import added_in, described, models_in
from wholesale_elt.models.project import OWN

PUBLIC = ("marts", "bi", OWN)
"""The layers whose tables are published."""
UNITS: Mapping[str, str] = {
    "_(rate|share)$": "share: 1 is all of it",
    "_share_sum$": "buyers, by their shares",
    "_percent$": "percent",
    "_growth$": "share: 1 is twice as much as before",
    "_index$": "index from 0 to 1",
    "_per_order$": "per order",
    "^lift$": "times as many as by chance",
    "^expected_orders$": "orders",
    "_day_count$": "days",
    "(^|_)count(_|$)": "count",
    "^(low|high)_[0-9]+$|amount|price|value|total|_fee$|_gap$|^msrp$": "currency of the account",
    "quantity": "units",
    "seconds": "seconds",
    "days": "days",
    "^(target|so_far)$": "as the metric counts",
    "^(expected|found|difference)$": "as the check counts: records, or currency of the account",
}
"""By the first of these patterns that the name of a column of numbers has."""
BUSINESS = "business"
REFERENCE = re.compile(r"ref\('(\w+)'\)")


@dataclass(frozen=True, slots=True)
class DeclaredColumn:
    """A column: `type` is that of the warehouse, empty where a view takes that of its source.

    `unit` is None unless it is a figure; `parent` is the table and column that it refers to.
    """

    name: str
    type: str
    description: str
    unit: str | None
    parent: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class DeclaredTable:
    """A table: its `key` is the columns of which no two rows have the same values.

    It is `about` the business, or the health of what is loaded and built.
    """

    name: str
    layer: str
    description: str
    columns: Mapping[str, DeclaredColumn]
    key: Sequence[str]
    has_one_row: bool
    about: str

    @property
    def schema(self) -> str:
        return f"wholesale_{self.layer}"


def read_contract(*layers: str) -> Mapping[str, DeclaredTable]:
    """The tables of these layers by name, as the models declare them."""
    added = [_table(layer, model) for layer in layers for model in added_in(layer)]
    ours = _read_contract(*(layer for layer in layers if layer != OWN))
    return {**ours, **{table.name: table for table in added}}


@cache
def _read_contract(*layers: str) -> Mapping[str, DeclaredTable]:
    tables = (_table(layer, model) for layer in layers for model in models_in(layer))
    return {table.name: table for table in tables}


def _table(layer: str, model: Mapping[str, Any]) -> DeclaredTable:
    tests = dict(_tests(model))
    key: Sequence[str] = tests.get("primary_key", {}).get("columns", ())
    entries = {entry["name"]: entry for entry in model["columns"]}
    for name in key:  # which users need not describe
        entries.setdefault(name, {"name": name})
    columns = [_column(entry) for entry in entries.values()]
    return DeclaredTable(
        name=model["name"],
        layer=layer,
        description=described(model),
        columns={column.name: column for column in columns},
        key=key,
        has_one_row="one_row" in tests,
        about=model.get("config", {}).get("meta", {}).get("about", BUSINESS),
    )


def _column(entry: Mapping[str, Any]) -> DeclaredColumn:
    name, type_ = entry["name"], entry.get("data_type") or ""
    parent = dict(_tests(entry)).get("belongs_to")
    return DeclaredColumn(
        name=name,
        type=type_,
        description=described(entry),
        unit=_unit_of(name, type_),
        parent=(REFERENCE.findall(parent["to"])[0], parent["field"]) if parent else None,
    )


def _unit_of(name: str, type_: str) -> str | None:
    """What a figure is counted in; None where a column is no figure."""
    if not type_.startswith(("bigint", "decimal")):
        return None
    return next((unit for pattern, unit in UNITS.items() if re.search(pattern, name)), None)


def _tests(entry: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The arguments of each test, by its name."""
    for test in entry.get("data_tests", ()):
        if isinstance(test, str):
            yield test, {}
        else:
            [(name, about)] = test.items()
            yield name, about.get("arguments", {})
