"""The SQL that is run is that of the project, as dbt compiles it."""

import pytest
import sqlglot
from sqlglot import exp

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


def test_postgresql_sorts_no_text_by_the_locale_of_its_database() -> None:
    """DuckDB sorts by code points. Columns are known by the types that models declare for their
    names; a key, name or SKU is a text wherever it comes from."""
    project = read_project("postgres")
    types = {name: type_ for model in project.models for name, type_ in model.columns.items()}

    def is_text(column: exp.Column) -> bool:
        return types.get(column.name) == "text" or column.name.endswith(("_id", "_name", "sku"))

    found = {
        (model.name, part.sql("postgres"))
        for model in project.models
        for part in sqlglot.parse_one(model.sql, dialect="postgres").find_all(
            exp.Ordered, exp.Min, exp.Max, exp.Greatest, exp.Least
        )
        if isinstance(part.this, exp.Column) and is_text(part.this)
    }
    assert found == set()
