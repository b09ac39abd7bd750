"""The SQL that is run is that of the project, as dbt compiles it."""

import pytest

from support.documents.compiled import compiled_files
from wholesale_elt.models.project import project_folder, read_project

pytestmark = pytest.mark.slow


def test_the_compiled_sql_is_that_of_the_project() -> None:
    pytest.importorskip("dbt", reason="dbt is not installed for this Python")
    folder = project_folder() / "compiled"
    found = {
        path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in folder.rglob("*.*")
    }

    assert found == compiled_files(), "run `poe generate`"


@pytest.mark.parametrize("dialect", ["duckdb", "postgres", "spark"])
def test_models_come_after_those_that_they_read(dialect: str) -> None:
    project = read_project(dialect)
    names = [model.name for model in project.models]

    assert len(set(names)) == len(names) > 80
    for number, model in enumerate(project.models):
        later = {name for name in names[number + 1 :] if f" {name}\n" in f"{model.sql}\n"}
        assert later == set(), model.name
