"""The contract of a published version: what its tables are, in the words of the models."""

import json
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path
from typing import Any

import duckdb
import jsonschema
import pytest

import wholesale_elt.publish.publisher as publishing
from support.warehouses import handmade
from support.warehouses.marts import Marts
from wholesale_elt.publish.manifest import Manifest
from wholesale_elt.publish.publisher import publish_marts
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_lineage.contract import promised_tables


def contract_in(folder: Path, schema: str) -> Any:
    current = Manifest.of((folder / "current.json").read_bytes())
    [file] = [file for file in current.contracts if Path(file.path).name == f"{schema}.odcs.json"]
    return json.loads((folder / file.path).read_text("utf-8"))


def test_a_table_promises_its_columns_key_and_parents() -> None:
    orders = {entry["name"]: entry for entry in promised_tables()["fct_orders"]["properties"]}

    assert orders["order_id"] == {
        "name": "order_id",
        "logicalType": "string",
        "physicalType": "VARCHAR",
        "description": orders["order_id"]["description"],
        "primaryKey": True,
        "primaryKeyPosition": 1,
        "required": True,
    }
    assert {"property": "unit", "value": "currency of the account"} in orders["sub_total"][
        "customProperties"
    ]
    assert orders["vendor_id"]["relationships"] == [
        {"type": "foreignKey", "to": "dim_vendors.vendor_id"}
    ]
    assert orders["sub_total"]["physicalType"] == "DECIMAL(38,9)"
    [rows] = promised_tables()["rpt_headlines"]["quality"]
    assert rows == {"type": "library", "metric": "rowCount", "mustBe": 1}


def test_a_version_promises_the_columns_that_it_has_and_says_as_of_when(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publishing, "write_dashboard", handmade.write_site)
    warehouse = Warehouse(tmp_path / "wholesale.duckdb")
    handmade.build(warehouse.database, 1)

    publish_marts(warehouse, str(tmp_path / "published"))

    contract = contract_in(tmp_path / "published", "wholesale_bi")
    assert contract["id"] == "wholesale-elt:wholesale_bi"
    standard = files("open_data_contract_standard").joinpath("schema.json").read_text("utf-8")
    whole = contract | {"schema": list(promised_tables().values())}
    jsonschema.Draft201909Validator(json.loads(standard)).validate(whole)
    assert contract["apiVersion"] == "v3.2.0"
    about = {entry["property"]: entry["value"] for entry in contract["customProperties"]}
    assert (about["runId"], about["verdict"], about["asOf"]) == (
        "run 1",
        "complete",
        "2026-01-01T06:00:00.000000Z",
    )
    columns = {
        table["name"]: [entry["name"] for entry in table["properties"]]
        for table in contract["schema"]
    }
    assert columns == {
        "rpt_freshness": [
            *("resource", "is_complete", "reason", "complete_as_of", "built_at", "number")
        ],
        "rpt_headlines": ["currency", "time_zone", "number"],
        "rpt_sync_runs": ["run_id", "is_latest", "number"],
    }


@pytest.mark.slow
def test_the_standards_own_tool_finds_each_promise_kept_and_a_broken_one(
    built: Marts, tmp_path: Path
) -> None:
    publish_marts(built.warehouse, str(tmp_path / "published"), is_even_if_incomplete=True)
    current = Manifest.of((tmp_path / "published/current.json").read_bytes())
    version = Path(
        shutil.copytree(tmp_path / "published/versions" / current.version, tmp_path / "version")
    )

    for schema in ("wholesale_bi", "wholesale_marts"):
        tested = run_tool(version, schema)
        assert tested.returncode == 0, tested.stdout[-2000:]
    (version / "wholesale.duckdb").chmod(0o600)
    with duckdb.connect(str(version / "wholesale.duckdb")) as connection:
        connection.execute("alter table wholesale_bi.rpt_headlines drop column sales_amount")

    assert run_tool(version, "wholesale_bi").returncode != 0


def run_tool(version: Path, schema: str) -> subprocess.CompletedProcess[str]:
    command = ["datacontract", "test", f"contracts/{schema}.odcs.json"]
    return subprocess.run(command, cwd=version, capture_output=True, text=True)
