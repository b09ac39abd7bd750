"""The conventions of the SQL: each is a question to the project's manifest that finds nothing."""

import re
from pathlib import PurePath
from typing import Any

import pytest

from sql.recomputation import REPORTS
from support.documents.dbt_files import FILES
from support.warehouses.manifest import checks_of, layer
from support.warehouses.marts import Marts
from wholesale_elt.dashboard.pages import PAGES
from wholesale_elt.models.project import project_folder

pytestmark = pytest.mark.slow

PREFIXES = {
    "bi/intermediate": ("int_",),
    "marts/intermediate": ("int_",),
    "staging": ("stg_wholesale__",),
    "intermediate": ("int_",),
    "history": ("obs_",),
    "marts": ("dim_", "fct_"),
    "bi": ("rpt_",),
}
MOST_LINES = 140
ONE_ROW = {
    *("dim_settings", "dim_as_of", "int_as_of", "int_confirmations"),
    *("rpt_headlines", "rpt_buyer_headlines", "rpt_health_headlines"),
}


def test_no_model_is_long(models: list[Any]) -> None:
    assert [node.name for node in models if len(node.raw_code.splitlines()) > MOST_LINES] == []


def test_every_model_is_named_by_its_folder(models: list[Any]) -> None:
    for node in models:
        assert node.name.startswith(PREFIXES[str(PurePath(node.path).parent)]), node.name


def test_what_is_said_and_tested_of_a_model_stands_in_the_yaml_beside_it(
    manifest: Any, models: list[Any]
) -> None:
    for node in models:
        place = node.original_file_path.removesuffix(".sql")
        assert node.patch_path == f"wholesale://{place}.yml"
        for test in manifest.unit_tests.values():
            if test.model == node.name:
                assert test.original_file_path in (f"{place}.yml", f"{place}.unit.yml"), test.name


def test_every_model_has_a_tested_key(manifest: Any, models: list[Any]) -> None:
    for node in models:
        kinds = {test.test_metadata.name for test in checks_of(manifest, node)}
        assert ("one_row" if node.name in ONE_ROW else "primary_key") in kinds, node.name


def test_every_model_says_its_grain(models: list[Any]) -> None:
    for node in models:
        assert layer(node) == "staging" or "ne row" in node.description, node.name


def test_every_column_is_described_and_every_description_is_of_one(
    built: Marts, models: list[Any]
) -> None:
    stored: dict[str, list[str]] = {}
    for table, column in built.rows(
        "select table_name, column_name from duckdb_columns()"
        " where schema_name in ('wholesale_staging', 'wholesale_marts', 'wholesale_bi')"
        " order by column_index"
    ):
        stored.setdefault(table, []).append(column)
    described = {
        node.name: [name for name, column in node.columns.items() if column.description]
        for node in models
        if node.name in stored
    }
    assert described == stored


def test_what_people_build_upon_keeps_a_contract_of_every_columns_type(models: list[Any]) -> None:
    public = {node.name for node in models if node.access == "public"}
    assert {node.name for node in models if node.contract.enforced} == public
    assert [
        (node.name, column.name)
        for node in models
        if node.name in public
        for column in node.columns.values()
        if not column.data_type
    ] == []


def test_a_report_names_the_question_it_answers(models: list[Any]) -> None:
    silent = {node.name for node in models if layer(node) == "bi" and "?" not in node.description}
    assert silent == set()


def test_every_report_is_computed_a_second_time() -> None:
    reports = {model.stem for model in (project_folder() / "models/bi").glob("rpt_*.sql")}
    assert REPORTS.keys() == reports, "tests/sql/recomputation lists other reports than there are"


def test_no_star_reaches_a_mart(models: list[Any]) -> None:
    """A star is for the CTEs that import a parent and for the last line, which name no columns."""
    for node in models:
        if layer(node) in ("marts", "bi") and "final as" in node.raw_code:
            final = node.raw_code.partition("final as")[2]
            assert final.rstrip().endswith("select * from final"), node.name
            assert "*" not in re.sub(r"count\(\*\)| \* ", "", final.partition(")\n\nselect")[0])


def test_columns_are_named_by_what_they_hold(built: Marts) -> None:
    named = {"is": "BOOLEAN", "has": "BOOLEAN"}
    ended = {
        "_at": "TIMESTAMP WITH TIME ZONE",
        "_date": "DATE",
        "_count": "BIGINT",
        "_amount": "DECIMAL(38,9)",
        "_rate": "DECIMAL(38,6)",
        "_id": "VARCHAR",
    }
    columns = built.rows(
        "select table_name, column_name, data_type from duckdb_columns()"
        " where schema_name in ('wholesale_marts', 'wholesale_bi')"
    )
    wrong = [
        row
        for row in columns
        for mark, type_ in (*named.items(), *ended.items())
        if (row[1].startswith(f"{mark}_") if mark in named else row[1].endswith(mark))
        and row[2] != type_
    ]
    assert len(columns) > 300
    assert wrong == []


def test_a_calculation_is_joined_by_name(models: list[Any]) -> None:
    """Explicit kinds of join, no initials as aliases, lower case. SQLFluff asks for a word with
    each right join."""
    for node in models:
        code = re.sub(r"\{#.*?#\}|\{\{.*?\}\}|\{%.*?%\}|'[^']*'", "", node.raw_code, flags=re.S)
        joins = re.findall(r"(\w+)\s+join\b", code)
        assert set(joins) <= {"left", "right", "inner", "cross", "full"}, node.name
        assert not re.search(r"\b(?:from|join)\s+\w+\s+as\s+[a-z]{1,2}\b", code)
        assert code == code.lower(), node.name


def test_made_files_are_as_they_are_made() -> None:
    for name, make in FILES.items():
        text = (project_folder() / name).read_text("utf-8")
        assert text == make(), "run: poe generate"


def test_every_page_of_the_dashboard_depends_on_models_that_are_there(manifest: Any) -> None:
    exposures = {exposure.name: exposure for exposure in manifest.exposures.values()}
    assert {name: set(exposure.depends_on.nodes) for name, exposure in exposures.items()} == {
        f"dashboard_{page.name}": {f"model.wholesale.{model}" for model in page.models}
        for page in PAGES
        if page.models
    }
