"""What has to run is found from what changed: pure decisions over the mark of a build."""

from dataclasses import replace

import pytest

from wholesale_elt.models.mark import CompiledModel, CompiledTest, Mark
from wholesale_elt.models.selection import (
    checks_due,
    models_due,
    models_to_make,
)

MARK = Mark(
    key="",
    dbt_version="",
    is_by_dbt=False,
    inputs={"orders": "1", "vendors": "1", "sync_runs": "1", "columns": "1", "int_orders": "0"},
    models={
        "stg_wholesale__orders": CompiledModel("", "staging", "view", ["orders"], "", {}),
        "stg_wholesale__vendors": CompiledModel("", "staging", "view", ["vendors"], "", {}),
        "stg_wholesale__sync_runs": CompiledModel("", "staging", "view", ["sync_runs"], "", {}),
        "int_orders": CompiledModel(
            "",
            "intermediate",
            "audited",
            ["stg_wholesale__orders", "stg_wholesale__sync_runs"],
            "",
            {},
        ),
        "int_days": CompiledModel("", "intermediate", "audited", ["fct_orders"], "", {}),
        "fct_orders": CompiledModel("", "marts", "audited", ["int_orders"], "", {}),
        "dim_vendors": CompiledModel(
            "", "marts", "audited", ["stg_wholesale__vendors", "fct_orders"], "", {}
        ),
        "dim_as_of": CompiledModel(
            "", "marts", "audited", ["int_days", "stg_wholesale__sync_runs"], "", {}
        ),
    },
    checks={
        "vendors_of_orders": CompiledTest("", ["dim_vendors", "int_orders"], "", "error", 0),
        "key_of_orders": CompiledTest("", ["fct_orders"], "", "error", 0),
        "one_day": CompiledTest("", ["dim_as_of"], "", "error", 0),
    },
)
OF_THE_CLOCK = {"stg_wholesale__sync_runs", "dim_as_of"}


def test_a_sync_that_brought_nothing_moves_what_tells_of_syncs_alone() -> None:
    assert models_due(MARK, MARK.inputs) == OF_THE_CLOCK
    assert models_due(MARK, {**MARK.inputs, "sync_runs": "2"}) == OF_THE_CLOCK
    assert checks_due(MARK, OF_THE_CLOCK) == {"one_day"}


@pytest.mark.parametrize(
    ("changed", "due"),
    [
        ({"vendors": "2"}, {"stg_wholesale__vendors", "dim_vendors"}),
        ({"int_orders": "1"}, {"int_orders", "int_days", "fct_orders", "dim_vendors"}),
        (
            {"orders": "2", "sync_runs": "2"},
            {"stg_wholesale__orders", "int_orders", "int_days", "fct_orders", "dim_vendors"},
        ),
        ({"sync_runs": None}, set()),
        ({"columns": "2"}, None),
    ],
)
def test_what_changed_is_due_with_all_that_is_made_from_it(
    changed: dict[str, str | None], due: set[str] | None
) -> None:
    expected = None if due is None else due | OF_THE_CLOCK
    assert models_due(MARK, {**MARK.inputs, **changed}) == expected


def test_a_raw_table_that_came_or_went_is_a_change() -> None:
    without = {name: digest for name, digest in MARK.inputs.items() if name != "vendors"}
    due = {"stg_wholesale__vendors", "dim_vendors", *OF_THE_CLOCK}
    assert models_due(MARK, without) == due
    assert models_due(replace(MARK, inputs=without), MARK.inputs) == due


def test_intermediate_models_are_made_for_all_that_read_them_and_for_their_tests() -> None:
    due = {"stg_wholesale__vendors", "dim_vendors", *OF_THE_CLOCK}
    made = models_to_make(MARK, due)
    assert {*made} - due == {"int_days", "int_orders"}
    assert made.index("int_days") < made.index("dim_as_of")
    assert made.index("stg_wholesale__vendors") < made.index("dim_vendors")
