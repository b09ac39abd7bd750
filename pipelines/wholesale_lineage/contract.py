"""Contract: a data contract for each schema of a version, by the Open Data Contract Standard.

That is version 3.1 of https://bitol-io.github.io/open-data-contract-standard. Its documents are
YAML, of which JSON is a subset. What it promises is what the YAML of the models declares.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet as parquet

from wholesale.api import PERSONAL_FIELDS
from wholesale_elt.models import described, models_in
from wholesale_elt.publish import CONTRACTS, DATABASE, Build

STANDARD = "v3.1.0"
PURPOSE = {
    "bi": "Reports for dashboards and spreadsheets, each of them summed up already.",
    "marts": "Facts and dimensions for questions that no report answers.",
}
USAGE = (
    "Tables are replaced as a whole: a version never changes, and current.json names the one in"
    " force. Amounts are decimals in the one currency of the account, times are in UTC."
)
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
REFERENCE = re.compile(r"ref\('(\w+)'\)")


def write_contracts(folder: Path, build: Build, software: str) -> None:
    """A contract for each schema, for the tables whose Parquet files are in `folder`.

    It states what the models declare, without columns that were left out.
    """
    promised = promised_tables()
    (folder / CONTRACTS).mkdir()
    for schema in sorted((folder / "parquet").iterdir()):
        tables = [
            _table(promised.get(path.stem, {}), path) for path in sorted(schema.glob("*.parquet"))
        ]
        contract = _contract(schema.name, build, software) | {"schema": tables}
        text = msgspec.json.format(msgspec.json.encode(contract), indent=1) + b"\n"
        (folder / CONTRACTS / f"{schema.name}.odcs.json").write_bytes(text)


def _contract(schema: str, build: Build, software: str) -> dict[str, Any]:
    name, _, version = software.partition(" ")
    about = {
        "runId": build.run_id,
        "asOf": build.as_of,
        "builtAt": build.built_at,
        "verdict": build.verdict,
        "reasons": build.reasons,
        "currency": build.currency,
        "timeZone": build.time_zone,
        "source": build.source,
    }
    return {
        "apiVersion": STANDARD,
        "kind": "DataContract",
        "id": f"{name}:{schema}",
        "name": f"{name} {schema}",
        "version": version,
        "status": "active",
        "description": {"purpose": PURPOSE.get(schema, ""), "usage": USAGE},
        "servers": [
            {"server": "published", "type": "duckdb", "database": DATABASE, "schema": schema}
        ],
        "customProperties": [{"property": key, "value": value} for key, value in about.items()],
    }


def _table(promised: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """The contract of this table and of its published columns."""
    known = {entry["name"]: entry for entry in promised.get("properties", ())}
    columns = parquet.read_schema(path).names
    properties = [known.get(name, {"name": name}) for name in columns]
    return {"name": path.stem, "physicalType": "table", **promised, "properties": properties}


def promised_tables() -> Mapping[str, Any]:
    """Each table that is published, as an object of the standard's `schema`, by its name."""
    return {
        model["name"]: _promise(model) for folder in ("marts", "bi") for model in models_in(folder)
    }


def _promise(model: Mapping[str, Any]) -> dict[str, Any]:
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
        "properties": [_property(column, key) for column in model["columns"]],
        "quality": quality,
    }


def _property(column: Mapping[str, Any], key: list[str]) -> dict[str, Any]:
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
    if unit := _unit_of(name, data_type):
        found["customProperties"] = [{"property": "unit", "value": unit}]
    return found


def _unit_of(name: str, data_type: str) -> str | None:
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
