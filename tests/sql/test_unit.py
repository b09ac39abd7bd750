"""The unit tests of the models, and all models where nothing was ever loaded."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import duckdb
import psycopg2
import pytest

from support.warehouses.dbt import Dbt
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


def test_all_unit_tests_pass_in_postgresql_as_in_duckdb(
    empty: Warehouse, dbt: Dbt, socket: str
) -> None:
    """dbt compares texts, so numbers are read without the zeros at their ends."""
    extensions = psycopg2.extensions
    plain = extensions.new_type(
        extensions.DECIMAL.values,
        "PLAIN",
        lambda text, _: None if text is None else Decimal(text).normalize(),
    )
    extensions.register_type(plain)
    try:
        done = dbt.run(
            empty.database,
            *("build", "--exclude-resource-type", "exposure"),
            environment={"WHOLESALE_TARGET": "postgres", "WHOLESALE_PG_HOST": socket},
        )
    finally:
        extensions.register_type(extensions.DECIMAL)
    assert [
        (result.node.name, result.message)
        for result in done.result.results
        if result.status not in ("success", "pass")
    ] == []


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
        "dim_custom_fields",  # likewise
        "dim_extra_fields",  # likewise
        "dim_variant_options",  # likewise
        "dim_item_options",  # likewise
        "dim_item_images",  # likewise
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
