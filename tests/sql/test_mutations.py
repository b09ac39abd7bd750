"""The unit tests hold every metric: each of these plausible mistakes makes one of them fail."""

import shutil
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

import duckdb
import pytest

from wholesale_elt.models import project as dbt_project
from wholesale_elt.models.project import run_dbt
from wholesale_elt.warehouse.destination import Warehouse

pytestmark = pytest.mark.slow

IN_PLACE = {"audit_suffix": ""}

MISTAKES = tomllib.loads((Path(__file__).parent / "mistakes.toml").read_text("utf-8"))["mistake"]

Project = tuple[Path, Warehouse]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A copy of the project, and a warehouse with an empty table for each model."""
    home = tmp_path_factory.mktemp("mutations")
    copy = Path(shutil.copytree(dbt_project.project_folder(), home / "sql"))
    database = home / "empty.duckdb"
    duckdb.connect(str(database)).close()
    options = ("--exclude-resource-type", "unit_test", "--exclude-resource-type", "test")
    run_dbt(Warehouse(database), "build", *options, variables=IN_PLACE)
    return copy, Warehouse(database)


@pytest.fixture
def judge(project: Project, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], set[str]]:
    """The outcomes of the unit tests of one model, as the copy of the project has it."""
    folder, warehouse = project
    monkeypatch.setattr(dbt_project, "project_folder", lambda: folder)
    monkeypatch.setattr(dbt_project, "sql_version", lambda: "any")  # so dbt parses what changed

    def judged(model: str) -> set[str]:
        select = f"{model},test_type:unit"
        results = run_dbt(warehouse, "test", "--select", select, variables=IN_PLACE).results
        return {
            str(result.status) for result in results if result.node.resource_type == "unit_test"
        }

    return judged


@pytest.mark.parametrize(
    "mistake", [pytest.param(mistake, id=mistake["name"]) for mistake in MISTAKES]
)
def test_a_mistake_makes_a_unit_test_fail(
    project: Project, judge: Callable[[str], set[str]], mistake: Mapping[str, str]
) -> None:
    path = project[0] / mistake["file"]
    text = path.read_text("utf-8")
    assert mistake["right"] in text
    path.write_text(text.replace(mistake["right"], mistake["wrong"]), "utf-8")
    try:
        # An error is no proof: the mistaken SQL must run, and give other rows.
        assert "fail" in judge(mistake["model"])
    finally:
        path.write_text(text, "utf-8")


def test_without_a_mistake_they_pass(judge: Callable[[str], set[str]]) -> None:
    for model in sorted({mistake["model"] for mistake in MISTAKES}):
        assert judge(model) == {"pass"}
