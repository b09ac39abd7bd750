"""Contract: a data contract for each schema of a version, by the Open Data Contract Standard.

That is version 3.2 of https://bitol-io.github.io/open-data-contract-standard. Its documents are
YAML, of which JSON is a subset. What it promises is what the YAML of the models declares.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import pyarrow as pa
import pyarrow.parquet as parquet

from wholesale.api import PERSONAL_FIELDS
from wholesale_elt.models import PUBLIC, DeclaredColumn, DeclaredTable, read_contract
from wholesale_elt.publish import CONTRACTS, DATABASE, Addition, Build
from wholesale_elt.warehouse import OF_FILES, open_file

STANDARD = "v3.2.0"
PURPOSE = {
    "wholesale_bi": "Reports for dashboards and spreadsheets, each of them summed up already.",
    "wholesale_marts": "Facts and dimensions for questions that no report answers.",
    "wholesale_own": "Tables that whoever publishes this has added.",
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


def wanted() -> Mapping[str, Addition]:
    """Each version has contracts."""
    return {CONTRACTS: _write_contracts}


def _write_contracts(folder: Path, build: Build, software: str) -> Sequence[Path]:
    """A contract for each schema, for the tables whose Parquet files are in `folder` or stay in a
    lake; none has a fixed name.

    It states what the models declare, without columns that were left out.
    """
    promised = promised_tables()
    (folder / CONTRACTS).mkdir()
    written = {
        (path.parent.name, path.stem): parquet.read_schema(path)
        for path in (folder / "parquet").glob("*/*.parquet")
    }
    tables = sorted({**written, **_in_lake(folder / DATABASE)}.items())
    for schema, found in groupby(tables, key=lambda table: table[0][0]):
        told = [_table(name, promised.get(name, {}), columns) for (_, name), columns in found]
        contract = _contract(schema, build, software) | {"schema": told}
        text = msgspec.json.format(msgspec.json.encode(contract), indent=1) + b"\n"
        (folder / CONTRACTS / f"{schema}.odcs.json").write_bytes(text)
    return ()


def _in_lake(database: Path) -> Mapping[tuple[str, str], pa.Schema]:
    """The columns of tables that have no file of their own, by schema and name."""
    with open_file(database) as connection:
        try:
            found = connection.execute(
                f"select distinct schema_name, table_name from {OF_FILES}"
            ).fetchall()
        except duckdb.CatalogException:  # all have
            return {}
        return {
            (schema, table): connection.sql(f'from {schema}."{table}" limit 0')
            .to_arrow_table()
            .schema
            for schema, table in found
        }


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


def _table(name: str, promised: Mapping[str, Any], columns: pa.Schema) -> dict[str, Any]:
    """The contract of this table and of its published columns."""
    known = {entry["name"]: entry for entry in promised.get("properties", ())}
    properties = [
        known.get(field.name, {"name": field.name}) | _as_written(field.type) for field in columns
    ]
    return {"name": name, "physicalType": "table", **promised, "properties": properties}


def _as_written(type_: pa.DataType) -> dict[str, str]:
    """The type of a decimal, which is published in as few digits as lose nothing."""
    if not pa.types.is_decimal(type_):
        return {}
    return {"physicalType": f"DECIMAL({type_.precision},{type_.scale})"}


def promised_tables() -> Mapping[str, Any]:
    """Each table that is published, as an object of the standard's `schema`, by its name."""
    return {name: _promise(table) for name, table in read_contract(*PUBLIC).items()}


def _promise(table: DeclaredTable) -> dict[str, Any]:
    quality = []
    if table.has_one_row:
        quality.append({"type": "library", "metric": "rowCount", "mustBe": 1})
    if len(table.key) > 1:  # the standard's tools look after a key of one column
        arguments = {"properties": list(table.key)}
        quality.append(
            {"type": "library", "metric": "duplicateValues", "mustBe": 0, "arguments": arguments}
        )
    return {
        "name": table.name,
        "physicalType": "table",
        "description": table.description,
        "properties": [_property(column, table.key) for column in table.columns.values()],
        "quality": quality,
    }


def _property(column: DeclaredColumn, key: Sequence[str]) -> dict[str, Any]:
    name = column.name
    found: dict[str, Any] = {"name": name, "description": column.description}
    if column.type:  # users need not declare it
        found |= {
            "logicalType": LOGICAL[column.type.partition("(")[0]],
            "physicalType": PHYSICAL.get(column.type, column.type.upper().replace(" ", "")),
        }
    if name in key:
        found |= {"primaryKey": True, "primaryKeyPosition": key.index(name) + 1, "required": True}
    if name in PERSONAL_FIELDS:
        found["classification"] = "personal"
    if column.parent:
        found["relationships"] = [{"type": "foreignKey", "to": ".".join(column.parent)}]
    if column.unit:
        found["customProperties"] = [{"property": "unit", "value": column.unit}]
    return found
