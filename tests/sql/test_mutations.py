"""The unit tests hold every metric: each of these plausible mistakes makes one of them fail."""

import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from operator import itemgetter
from pathlib import Path
from typing import Any

import duckdb
import pytest

from support.paths import ROOT
from wholesale_elt.models.project import run_dbt
from wholesale_elt.warehouse.destination import Warehouse

IN_PLACE = {"audit_suffix": ""}

Mistake = Mapping[str, str]
Outcomes = Mapping[str, set[str]]
"""Of the unit tests of each model."""

TABLE = Path(__file__).parent / "mistakes.toml"
MISTAKES: list[Mistake] = tomllib.loads(TABLE.read_text("utf-8"))["mistake"]


def rounds_of(mistakes: Iterable[Mistake]) -> list[list[Mistake]]:
    """Mistakes that are made at once, because none shows in the unit tests of another's model.

    Rows stand in for whatever a model selects from, so only its own file counts, and macros: a
    mistake in a macro is made alone.
    """
    alone: list[list[Mistake]] = []
    of_models: defaultdict[int, list[Mistake]] = defaultdict(list)
    before: defaultdict[str, int] = defaultdict(int)
    for mistake in mistakes:
        if Path(mistake["file"]).stem == mistake["model"]:
            of_models[before[mistake["model"]]].append(mistake)
            before[mistake["model"]] += 1
        else:
            alone.append([mistake])
    return [*of_models.values(), *alone]


ROUNDS = rounds_of(MISTAKES)


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int | None], Outcomes]:
    """The outcomes of the unit tests with the mistakes of a round in the project; None: without.

    The project is parsed once, and mistaken in memory: to parse it takes longer than most rounds.
    """
    from dbt.cli import main as dbt  # it takes seconds to import

    warehouse = Warehouse(tmp_path_factory.mktemp("mutations") / "empty.duckdb")
    duckdb.connect(str(warehouse.database)).close()
    options = ("--exclude-resource-type", "unit_test", "--exclude-resource-type", "test")
    run_dbt(warehouse, "build", *options, variables=IN_PLACE)  # an empty table for each model
    project = run_dbt(warehouse, "parse", variables=IN_PLACE).result

    def test(models: set[str]) -> Outcomes:
        select = " ".join(f"{model},test_type:unit" for model in sorted(models))
        options = ("--no-write-json", "--select", select)
        outcomes: defaultdict[str, set[str]] = defaultdict(set)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(dbt, "dbtRunner", partial(dbt.dbtRunner, project))
            results = run_dbt(warehouse, "test", *options, variables=IN_PLACE).results
        for result in results:
            if result.node.resource_type == "unit_test":
                model = result.node.tested_node_unique_id.rpartition(".")[2]
                outcomes[model].add(str(result.status))
        return outcomes

    @cache
    def judged(number: int | None) -> Outcomes:
        if number is None:
            return test({mistake["model"] for mistake in MISTAKES})
        with pytest.MonkeyPatch.context() as patch:
            for mistake in ROUNDS[number]:
                make(mistake, project, patch)
            return test({mistake["model"] for mistake in ROUNDS[number]})

    return judged


def make(mistake: Mistake, project: Any, patch: pytest.MonkeyPatch) -> None:
    """Write what is wrong in the place of what is right, wherever it stands in the file."""
    parts = [
        (part, text)
        for parsed, text in ((project.nodes, "raw_code"), (project.macros, "macro_sql"))
        for part in parsed.values()
        if part.package_name == "wholesale" and part.original_file_path == mistake["file"]
        if mistake["right"] in getattr(part, text)
    ]
    assert parts, mistake
    for part, text in parts:
        wrong = getattr(part, text).replace(mistake["right"], mistake["wrong"])
        patch.setattr(part, text, wrong)


@pytest.mark.parametrize("mistake", MISTAKES, ids=itemgetter("name"))
def test_a_mistake_replaces_what_its_file_holds(mistake: Mistake) -> None:
    assert mistake["right"] in (ROOT / "sql" / mistake["file"]).read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "mistake"),
    [
        pytest.param(number, mistake, id=mistake["name"])
        for number, mistakes in enumerate(ROUNDS)
        for mistake in mistakes
    ],
)
def test_a_mistake_makes_a_unit_test_fail(
    judge: Callable[[int | None], Outcomes], number: int, mistake: Mistake
) -> None:
    # An error is no proof: the mistaken SQL must run, and give other rows.
    assert "fail" in judge(number)[mistake["model"]]


@pytest.mark.slow
def test_without_a_mistake_they_pass(judge: Callable[[int | None], Outcomes]) -> None:
    models = {mistake["model"] for mistake in MISTAKES}
    assert judge(None) == {model: {"pass"} for model in models}
