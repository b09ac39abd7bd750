"""The conventions of the SQL: each is a question to the project's manifest that finds nothing."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import Any

import pytest

from support.dbt_files import FILES
from support.marts import Marts
from wholesale.api.resources import RESOURCE
from wholesale_elt.dashboard.pages import PAGES
from wholesale_elt.models.project import project_folder, run_dbt

LAYERS = ("staging", "intermediate", "history", "marts", "bi")
"""The folders of the models, each of which may look at itself and at those before it."""
PREFIXES = {
    "bi/intermediate": ("int_",),
    "staging": ("stg_wholesale__",),
    "intermediate": ("int_",),
    "history": ("obs_",),
    "marts": ("dim_", "fct_"),
    "bi": ("rpt_",),
}
TELL_OF_SYNCS = {"rpt_freshness", "rpt_sync_runs", "rpt_quarantine"}
CHECK_RAW_TABLES = {"int_raw_checks", "int_service_checks"}
MOST_LINES = 140
MOST_PARENTS = 6
ONE_ROW = {
    *("dim_settings", "dim_as_of"),
    *("rpt_headlines", "rpt_buyer_headlines", "rpt_health_headlines"),
}


@pytest.fixture(scope="module")
def manifest(built: Marts, workbench: Path) -> Any:
    """The project as dbt parsed it for the build, so that it need not parse it again."""
    warehouse = built.copy(workbench).warehouse
    parsed = warehouse.state_folder / "dbt"
    shutil.copytree(parsed / "build", parsed / "parse")
    return run_dbt(warehouse, "parse").result


@pytest.fixture(scope="module")
def models(manifest: Any) -> list[Any]:
    return [node for node in manifest.nodes.values() if node.resource_type == "model"]


def layer(node: Any) -> str:
    return str(node.path).partition("/")[0]


def parents(manifest: Any, node: Any) -> Iterator[Any]:
    for name in node.depends_on.nodes:
        if name.startswith("model."):
            yield manifest.nodes[name]


def checks_of(manifest: Any, node: Any) -> list[Any]:
    return [
        test
        for test in manifest.nodes.values()
        if getattr(test, "attached_node", None) == node.unique_id
    ]


def test_layers_look_down_only(manifest: Any, models: list[Any]) -> None:
    upward = [
        (node.name, parent.name)
        for node in models
        for parent in parents(manifest, node)
        if LAYERS.index(layer(parent)) > LAYERS.index(layer(node))
    ]
    assert upward == []


def test_staging_reads_one_source_and_nothing_else_reads_any(models: list[Any]) -> None:
    sources = {
        node.name: [name for name in node.depends_on.nodes if name.startswith("source.")]
        for node in models
    }
    assert all(len(sources[node.name]) == (layer(node) == "staging") for node in models)
    read = [source for found in sources.values() for source in found]
    assert len(read) == len(set(read)) == 18


def test_staging_never_reads_staging_and_reports_never_do(manifest: Any, models: list[Any]) -> None:
    readers = {
        node.name
        for node in models
        for parent in parents(manifest, node)
        if layer(node) in ("staging", "bi") and layer(parent) == "staging"
    }
    assert readers == TELL_OF_SYNCS | CHECK_RAW_TABLES


def test_no_model_has_many_parents(manifest: Any, models: list[Any]) -> None:
    many = {node.name for node in models if len(list(parents(manifest, node))) > MOST_PARENTS}
    assert many == {"int_service_checks"}


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


def test_a_report_names_the_question_it_answers(models: list[Any]) -> None:
    silent = {node.name for node in models if layer(node) == "bi" and "?" not in node.description}
    assert silent == {"rpt_headlines"}


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
    """Explicit kinds of join, no initials as aliases, lower case."""
    for node in models:
        code = re.sub(r"\{#.*?#\}|\{\{.*?\}\}|\{%.*?%\}|'[^']*'", "", node.raw_code, flags=re.S)
        joins = re.findall(r"(\w+)\s+join\b", code)
        assert set(joins) <= {"left", "inner", "cross", "full"}, node.name
        assert not re.search(r"\b(?:from|join)\s+\w+\s+as\s+[a-z]{1,2}\b", code)
        assert code == code.lower(), node.name


def test_made_files_are_as_they_are_made() -> None:
    for name, make in FILES.items():
        text = (project_folder() / name).read_text("utf-8")
        assert text == make(), "run: poe generate"


def test_every_metric_is_told_in_a_report(manifest: Any, models: list[Any]) -> None:
    code = "\n".join(node.raw_code for node in models)
    metrics = {metric.name for metric in manifest.metrics.values()}
    used = set(re.findall(r"metric\('(\w+)'\)", code))
    assert used == metrics


def test_every_tile_of_the_dashboard_shows_columns_that_are_built(
    built: Marts, manifest: Any
) -> None:
    stored: dict[str, set[str]] = {}
    for table, column in built.rows(
        "select table_name, column_name from duckdb_columns() where schema_name = 'wholesale_bi'"
    ):
        stored.setdefault(table, set()).add(column)
    exposures = {exposure.name: exposure for exposure in manifest.exposures.values()}
    assert list(exposures) == [f"dashboard_{page.name}" for page in PAGES if page.models]
    for exposure in exposures.values():
        tiles = exposure.config.meta["tiles"]
        assert {f"model.wholesale.{tile['model']}" for tile in tiles} <= set(
            exposure.depends_on.nodes
        )
        assert [
            (tile["name"], column)
            for tile in tiles
            for column in tile["columns"]
            if column not in stored[tile["model"]]
        ] == []


def test_lineage_runs_from_the_fields_of_the_service_to_every_page(manifest: Any) -> None:
    behind = {
        exposure.name: {
            manifest.sources[source].name for source in sources_behind(manifest, exposure)
        }
        for exposure in manifest.exposures.values()
    }
    orders = {"orders", "orders__order_line_items", "orders__order_comments"}
    assert behind["dashboard_overview"] >= orders | {"vendors"}
    assert behind["dashboard_vendors"] == behind["dashboard_overview"]
    assert behind["dashboard_buyers"] >= orders | {"buyers"}
    assert behind["dashboard_catalogue"] >= orders | {"items", "variants", "prices"}
    assert behind["dashboard_chase"] >= orders | {"vendors"}
    assert behind["dashboard_health"] >= set(RESOURCE) | {"sync_runs", "quarantine"}
    (sub_total,) = (
        source.columns["sub_total"]
        for source in manifest.sources.values()
        if source.name == "orders"
    )
    assert sub_total.description.endswith("(§2.4)")


def sources_behind(manifest: Any, node: Any) -> set[str]:
    """The ids of all raw tables that something in the end depends on."""
    found: set[str] = set()
    ahead = set(node.depends_on.nodes)
    while ahead:
        name = ahead.pop()
        if name.startswith("source."):
            found.add(name)
        elif name.startswith("model."):
            ahead |= set(manifest.nodes[name].depends_on.nodes)
    return found
