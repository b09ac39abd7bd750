"""The SQL that is run is what the project renders to."""

from collections.abc import Iterator

import pytest
import sqlglot
from sqlglot import exp

from support.documents.compiled import compiled_files
from support.warehouses.rendered import DIALECTS, POSTGRES
from wholesale_elt.models.project import Project, project_folder
from wholesale_elt.models.rendering import read_project
from wholesale_elt.warehouse import Dialect

pytestmark = pytest.mark.slow


def kept() -> dict[str, str]:
    folder = project_folder() / "compiled"
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in folder.rglob("*.*")
    }


def files_of(project: Project) -> Iterator[tuple[str, str]]:
    """A file each model, test and query, as it was kept."""
    for model in project.models:
        columns = "".join(f"--   {name} {type_}\n" for name, type_ in model.columns.items())
        place = f"{model.layer}/{model.name}"
        yield f"{place}.sql", f"-- {place} ({model.kind})\n{columns}{model.sql}\n"
    for check in project.checks:
        kind = "error" if check.is_error else "warn"
        yield f"tests/{check.name}.sql", f"-- tests/{check.name} ({kind})\n{check.sql}\n"
    yield "digests.sql", f"{project.digests}\n"
    yield "inputs.sql", f"{project.inputs}\n"
    tables = (
        "\n".join(
            [f"-- {table}", *(f"{name} | {of.type} | {of.cast}" for name, of in each.items())]
        )
        for table, each in project.raw.items()
    )
    yield "declared.txt", "\n\n".join(tables) + "\n"


def order_of(project: Project) -> Iterator[str]:
    for model in project.models:
        each = " each" if model.is_of_each else ""
        yield f"{model.layer}/{model.name} {model.kind}{each}\n"
    for check in project.checks:
        each = " each" if check.is_of_each else ""
        yield f"tests/{check.name} {'error' if check.is_error else 'warn'}{each}\n"


def test_what_is_rendered_is_what_was_compiled_to_the_byte() -> None:
    projects = {name: read_project(dialect) for name, dialect in DIALECTS.items()}
    found = {name: dict(files_of(project)) for name, project in projects.items()}
    files = {"order.txt": "".join(order_of(projects["duckdb"]))}
    for place in found["duckdb"]:
        texts = {name: each[place] for name, each in found.items()}
        if len(set(texts.values())) == 1:
            files[f"all/{place}"] = texts["duckdb"]
        else:
            files |= {f"{name}/{place}": text for name, text in texts.items()}

    assert len(files) > 400
    assert files == kept()


def test_the_compiled_sql_is_that_of_the_project() -> None:
    pytest.importorskip("dbt", reason="dbt is not installed for this Python")

    assert kept() == compiled_files(), "run `poe generate`"


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)
def test_models_come_after_those_that_they_read(dialect: Dialect) -> None:
    project = read_project(dialect)
    names = [model.name for model in project.models]

    assert len(set(names)) == len(names) > 80
    for number, model in enumerate(project.models):
        later = {name for name in names[number + 1 :] if f" {name}\n" in f"{model.sql}\n"}
        assert later == set(), model.name


def test_postgresql_sorts_no_text_by_the_locale_of_its_database() -> None:
    """DuckDB sorts by code points. Columns are known by the types that models declare for their
    names; a key, name or SKU is a text wherever it comes from."""
    project = read_project(POSTGRES)
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
