"""The unit tests of the models, and all models where nothing was ever loaded."""

from collections.abc import Callable, Sequence
from typing import Any

import duckdb
import pytest

from wholesale_elt.warehouse.destination import Warehouse

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def results(run_parsed: Callable[..., Any]) -> Sequence[Any]:
    done: Sequence[Any] = run_parsed("build", "--exclude-resource-type", "exposure").results
    return done


def test_all_unit_tests_pass_and_all_models_build_where_nothing_was_loaded(
    results: Sequence[Any],
) -> None:
    unlike = [
        (result.node.name, result.message)
        for result in results
        if result.status not in ("success", "pass")
    ]
    assert unlike == []


def test_every_model_that_calculates_has_a_unit_test(results: Sequence[Any]) -> None:
    calculated = {
        result.node.name
        for result in results
        if result.node.resource_type == "model"
        and result.node.config.schema in ("intermediate", "marts", "bi")
    }
    unit_tested = {
        result.node.tested_node_unique_id.split(".")[-1]
        for result in results
        if result.node.resource_type == "unit_test"
    }
    assert calculated - unit_tested == {
        "dim_settings",  # what it holds is given
        "dim_buyer_users",  # takes columns over, computes nothing
        "dim_brands",  # likewise
        "dim_price_lists",  # likewise
        "int_vendors",  # likewise
        "int_raw_checks",  # sums on both sides: see test_build
        "int_arithmetic_checks",  # likewise
    }


def test_every_column_says_what_it_is(empty: Warehouse, results: Sequence[Any]) -> None:
    with duckdb.connect(str(empty.database), read_only=True) as connection:
        stored = connection.execute(
            "select table_name, list(column_name order by column_index) from duckdb_columns()"
            " where schema_name like 'wholesale\\_%' escape '\\'"
            " and schema_name <> 'wholesale_build' group by all"
        ).fetchall()
    described = {
        result.node.name: [
            name for name, column in result.node.columns.items() if column.description.strip()
        ]
        for result in results
        if result.node.resource_type == "model"
    }
    assert described == dict(stored)
