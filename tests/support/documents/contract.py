"""Contract: what the models promise of each published table, in the terms of ODCS.

`poe generate` writes it anew.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from support.documents.descriptions import described, models_in
from wholesale.api import PERSONAL_FIELDS
from wholesale_elt.models.lineage import is_raw, read_lineage
from wholesale_lineage.contract import FILE

LOGICAL = {
    "text": "string",
    "json": "string",
    "bigint": "integer",
    "boolean": "boolean",
    "date": "date",
    "timestamptz": "timestamp",
    "decimal": "number",
}
PHYSICAL = {"text": "VARCHAR", "timestamptz": "TIMESTAMP WITH TIME ZONE"}
"""What DuckDB calls a type that is also PostgreSQL's, where it is not that name in capitals."""
UNITS: Mapping[str, str] = {
    "_(rate|share)$": "share: 1 is all of it",
    "_growth$": "share: 1 is twice as much as before",
    "_index$": "index from 0 to 1",
    "_per_order$": "per order",
    "_day_count$": "days",
    "_count(_|$)": "count",
    "amount|price|value|total|_fee$|_gap$|^msrp$": "currency of the account",
    "quantity": "units",
    "seconds": "seconds",
    "days": "days",
    "^(expected|found|difference)$": "as the check counts: records, or currency of the account",
}
"""By the first of these patterns that the name of a column of numbers has."""
PLACES = {name.partition(".")[2]: name for name in read_lineage().models}
REFERENCE = re.compile(r"ref\('(\w+)'\)")


def tables() -> Mapping[str, Any]:
    """Each published table as an object of ODCS's `schema`, by its name."""
    return {
        model["name"]: _table(model) for folder in ("marts", "bi") for model in models_in(folder)
    }


def _table(model: Mapping[str, Any]) -> dict[str, Any]:
    tests = dict(_tests(model))
    key = tests.get("primary_key", {}).get("columns", [])
    quality = []
    if "one_row" in tests:
        quality.append({"type": "library", "metric": "rowCount", "mustBe": 1})
    if len(key) > 1:  # the standard's tools look after a key of one column
        arguments = {"properties": key}
        quality.append(
            {"type": "library", "metric": "duplicateValues", "mustBe": 0, "arguments": arguments}
        )
    return {
        "name": model["name"],
        "physicalType": "table",
        "description": described(model),
        "properties": [_property(model["name"], column, key) for column in model["columns"]],
        "quality": quality,
    }


def _property(table: str, column: Mapping[str, Any], key: list[str]) -> dict[str, Any]:
    name, data_type = column["name"], column["data_type"]
    found: dict[str, Any] = {
        "name": name,
        "logicalType": LOGICAL[data_type.partition("(")[0]],
        "physicalType": PHYSICAL.get(data_type, data_type.upper().replace(" ", "")),
        "description": described(column),
    }
    if name in key:
        found |= {"primaryKey": True, "primaryKeyPosition": key.index(name) + 1, "required": True}
    if name in PERSONAL_FIELDS:
        found["classification"] = "personal"
    if parent := dict(_tests(column)).get("belongs_to"):
        [of] = REFERENCE.findall(parent["to"])
        found["relationships"] = [{"type": "foreignKey", "to": f"{of}.{parent['field']}"}]
    more: dict[str, Any] = {"unit": unit} if (unit := unit_of(name, data_type)) else {}
    behind = read_lineage().behind(PLACES[table], name)
    if raw := [name for name in behind if is_raw(name)]:
        found["transformSourceObjects"] = raw
    models = {name.rpartition(".")[0] for name in behind if not is_raw(name)}
    if not behind:  # rows that are counted, or what no table says
        models = {of for of in read_lineage().models[PLACES[table]].inputs if not is_raw(of)}
    if models:
        more["models"] = sorted(models)
    if more:
        found["customProperties"] = [
            {"property": name, "value": value} for name, value in more.items()
        ]
    return found


def unit_of(name: str, data_type: str) -> str | None:
    """What a figure is counted in; None where a column is no figure."""
    if not data_type.startswith(("bigint", "decimal")):
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


def text() -> str:
    return json.dumps(tables(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
