"""Models are rendered as dbt renders them, and a mistake in one is one line."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlglot
from sqlglot import exp

from support.few import by_hand
from support.warehouses.dbt import Dbt
from support.warehouses.rendered import DIALECTS, DUCKDB, POSTGRES
from wholesale_elt.models.project import TESTS, Project
from wholesale_elt.models.rendering import read_project, reading
from wholesale_elt.models.rendering.failures import NotRendered
from wholesale_elt.models.rendering.nodes import Renderer, tidy
from wholesale_elt.models.rendering.order import in_order
from wholesale_elt.models.rendering.sources import Sources, read_sources
from wholesale_elt.warehouse import Dialect, Warehouse

Rendered = tuple[str, str, Mapping[str, str], str]
"""Layer, how it is made, declared columns, SQL."""


def by_dbt(node: Any) -> Rendered:
    config, is_test = node.config, node.resource_type == "test"
    kind = str(config.severity.lower() if is_test else config.materialized)
    is_declared = kind == "append" or (not is_test and node.contract.enforced)
    columns = {name: each.data_type for name, each in node.columns.items()} if is_declared else {}
    return TESTS if is_test else config.schema, kind, columns, tidy(node.compiled_code)


def by_us(dialect: Dialect) -> Mapping[str, Rendered]:
    project = read_project(dialect)
    models = {each.name: (each.layer, each.kind, each.columns, each.sql) for each in project.models}
    checks: Mapping[str, Rendered] = {
        each.name: (TESTS, "error" if each.is_error else "warn", {}, each.sql)
        for each in project.checks
    }
    return {**models, **checks}


@pytest.mark.slow
@pytest.mark.parametrize("dialect", [DUCKDB, by_hand(POSTGRES)], ids=["duckdb", "postgres"])
def test_dbt_renders_the_same(dialect: Dialect, empty: Warehouse, dbt: Dbt) -> None:
    """To the byte, each model and test, of all kinds."""
    done = dbt.run(
        empty.database,
        *("compile", "--no-introspect", "--no-populate-cache", "--no-partial-parse"),
        *("--vars", json.dumps({"is_packaged": True})),
        environment={"WHOLESALE_TARGET": dialect.name, "WHOLESALE_DATABASE": ":memory:"},
    )

    nodes = [result.node for result in done.result.results]
    expected = {
        node.name: by_dbt(node) for node in nodes if node.resource_type in ("model", "test")
    }
    found = by_us(dialect)
    assert len(found) > 200
    assert found == expected


def test_what_was_rendered_is_read_again_until_a_file_changes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def read_by_another_process() -> tuple[Project, bool]:
        """What is read, and whether it was rendered for that."""
        asked: list[Sources] = []
        render = reading._render

        def noted(sources: Sources, dialect: Dialect) -> Project:
            asked.append(sources)
            return render(sources, dialect)

        with monkeypatch.context() as patch:
            patch.setattr(reading, "_rendered", {})
            patch.setattr(reading, "_render", noted)
            return read_project(DUCKDB, tmp_path / "rendered"), bool(asked)

    first, was_rendered = read_by_another_process()
    assert was_rendered
    assert read_by_another_process() == (first, False)

    [kept] = (tmp_path / "rendered").iterdir()
    kept.write_bytes(kept.read_bytes()[:-9])
    assert read_by_another_process() == (first, True)
    assert read_by_another_process() == (first, False)

    changed = with_file(HERE, "select 1 as one")
    monkeypatch.setattr(reading, "read_sources", lambda _dialect, _own: changed)
    found, was_rendered = read_by_another_process()
    assert was_rendered
    assert {model.name for model in found.models} == {
        "rpt_mine",
        *(model.name for model in first.models),
    }
    assert len(list((tmp_path / "rendered").iterdir())) == 1


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


def with_file(path: str, text: str) -> Sources:
    sources = read_sources(DUCKDB)
    return replace(sources, files={**sources.files, path: text})


HERE = "models/bi/rpt_mine.sql"
YAML = "models/bi/rpt_mine.yml"


@pytest.mark.parametrize(
    ("path", "text", "line", "named"),
    [
        (HERE, "select 1\nfrom {{ ref('fct_order') }}", 2, "fct_orders"),
        (HERE, "{{ source('wholesale_raw', 'order') }}", 1, "orders"),
        (HERE, "select\n\n{{ moth_of('day') }}", 3, "moth_of"),
        (HERE, "select {{ month_of() }}", 1, "date"),
        (HERE, "select {{ var('time_zon') }}", 1, "time_zone"),
        (HERE, "select\n{{ setting('x' }}", 2, ""),
        (HERE, "select\n{% if true %}\n1", 2, "endif"),
        (HERE, "select {{ 1 / 0 }}", 1, "zero"),
        (HERE, "select {{ metric('salez') }}", 1, "salez"),
        (HERE, "select {{ ratio('a') }}", 1, "denominator"),
        ("macros/mine.sql", "{% macro mine() %}\n{% endmacr %}", 2, "endmacr"),
        ("models/marts/rpt_orders.sql", "select 1", None, "rpt_orders"),
        (HERE, "select * from {{ ref('rpt_mine') }}", None, "rpt_mine"),
        (YAML, "models:\n  - name: rpt_orders\n   columns: []", 3, ""),
        (
            YAML,
            "models:\n  - name: rpt_mine\n    columns:\n"
            "      - {name: a, data_tests: [primary_ky]}",
            4,
            "primary_key",
        ),
        (YAML, "models: [{name: rpt_mine, data_tests: [{at_least: {arguments: {}}}]}]", 1, ""),
    ],
)
def test_a_mistake_is_said_in_one_line_with_its_file_and_line(
    path: str, text: str, line: int | None, named: str
) -> None:
    with pytest.raises(NotRendered) as failure:
        in_order(Renderer(with_file(path, text), DUCKDB).nodes())

    said = str(failure.value)
    assert said.startswith(f"{path}:{line}: " if line else f"{path}: ")
    assert named in said
    assert "\n" not in said
    assert "dbt_" not in said
