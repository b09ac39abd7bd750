"""Tests of one model are one statement, and each of them tells what it found itself."""

from dataclasses import replace

import duckdb

from wholesale_elt.models.project import Check, Found
from wholesale_elt.models.rendering import read_project
from wholesale_elt.warehouse import Dialect

NONE = Check("none", "fct_orders", True, "select 1 as id where false", False)
TWO = replace(NONE, name="two's", sql="select 1 as id union all select null")
TOLD = replace(
    NONE,
    name="told",
    sql="with rows as (select 3 as row_count, 1.50 as amount union all select 11, 98) from rows",
)
UNTOLD = replace(NONE, name="untold", sql="select 4 as row_count, null as amount")
OTHER = replace(NONE, name="other", model="fct_order_lines")
ADDED = replace(NONE, name="added", file="./added.yml", line=2)


def test_all_tests_are_run_once_and_those_of_a_model_together() -> None:
    project = read_project(Dialect("duckdb", '"'))

    run = [check for tests in project.tests for check in tests.checks]

    assert sorted(check.name for check in run) == sorted(check.name for check in project.checks)
    assert len(project.tests) == len({check.model for check in project.checks})
    assert {check.model for check in run} <= {model.name for model in project.models}


def test_one_that_a_user_added_is_run_alone() -> None:
    project = replace(read_project(Dialect("duckdb", '"')), checks=[NONE, ADDED, OTHER, TWO])

    names = [[check.name for check in tests.checks] for tests in project.tests]

    assert names == [["none", "two's"], ["added"], ["other"]]


def test_each_finds_its_own() -> None:
    project = replace(
        read_project(Dialect("duckdb", '"')), checks=[TWO, TOLD, replace(TOLD, name="again"), NONE]
    )
    (tests,) = project.tests

    found = tests.found(duckdb.execute(tests.counting).fetchall())

    assert found == {
        "two's": Found(2),
        "told": Found(2, 14, "99.5"),
        "again": Found(2, 14, "99.5"),
        "none": Found(0),
    }
    (alone,) = replace(project, checks=[UNTOLD]).tests
    assert alone.found(duckdb.execute(alone.counting).fetchall()) == {"untold": Found(1, 4)}
