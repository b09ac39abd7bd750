"""The unit tests of the models, and all models where nothing was ever loaded."""

from pathlib import Path

import duckdb

from wholesale_elt.models.project import run_dbt
from wholesale_elt.warehouse.destination import Warehouse


def test_all_unit_tests_pass_and_all_models_build_where_nothing_was_loaded(tmp_path: Path) -> None:
    database = tmp_path / "empty.duckdb"
    duckdb.connect(str(database)).close()

    # Without the suffix tables stay where they are built, for the unit tests to see their types.
    options = ("--exclude-resource-type", "exposure")
    variables = {"audit_suffix": ""}
    results = run_dbt(Warehouse(database), "build", *options, variables=variables).results

    unlike = [
        (one.node.name, one.message) for one in results if one.status not in ("success", "pass")
    ]
    assert unlike == []
    calculated = {
        one.node.name
        for one in results
        if one.node.resource_type == "model" and one.node.config.schema in ("marts", "bi")
    }
    unit_tested = {
        one.node.tested_node_unique_id.split(".")[-1]
        for one in results
        if one.node.resource_type == "unit_test"
    }
    assert calculated - unit_tested == {
        "dim_settings",  # what it holds is given
        "dim_buyer_users",  # takes columns over, computes nothing
        "dim_price_lists",  # likewise
        "rpt_reconciliation",  # sums on both sides: see test_build
    }
