"""Contract: a data contract for each schema of a version, by the Open Data Contract Standard.

That is version 3.1 of https://bitol-io.github.io/open-data-contract-standard. Its documents are
YAML, of which JSON is a subset.
"""

from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet as parquet

from wholesale_elt.publish import CONTRACTS, DATABASE, Build

FILE = Path(__file__).with_suffix(".json")
"""The tables by name. Made by `poe generate`: edit the models' YAML in sql/, not this file."""
STANDARD = "v3.1.0"
PURPOSE = {
    "bi": "Reports for dashboards and spreadsheets, each of them summed up already.",
    "marts": "Facts and dimensions for questions that no report answers.",
}
USAGE = (
    "Tables are replaced as a whole: a version never changes, and current.json names the one in"
    " force. Amounts are decimals in the one currency of the account, times are in UTC."
)


def write_contracts(folder: Path, build: Build, software: str) -> None:
    """A contract for each schema, for the tables whose Parquet files are in `folder`.

    It states what the models declare, without columns that were left out.
    """
    promised = msgspec.json.decode(FILE.read_bytes())
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


def _table(promised: dict[str, Any], path: Path) -> dict[str, Any]:
    """The contract of this table and of its published columns."""
    known = {entry["name"]: entry for entry in promised.get("properties", ())}
    columns = parquet.read_schema(path).names
    properties = [known.get(name, {"name": name}) for name in columns]
    return {"name": path.stem, "physicalType": "table"} | promised | {"properties": properties}
