"""Tests of the SQL models: where dbt is not installed, there is nothing to test."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import duckdb
import pytest

from support.few import by_hand
from support.services.postgres import serving
from support.services.spark import serving_spark
from wholesale_elt.models import compilation
from wholesale_elt.models.project import DbtRun, compile_project, run_dbt
from wholesale_elt.warehouse import Warehouse

pytest.importorskip("dbt", reason="dbt is not installed for this Python")

IN_PLACE = {"audit_suffix": ""}
"""Tables stay where they are built, for the unit tests to see their types."""


@pytest.fixture(scope="module")
def socket() -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch, serving(patch) as at:
        yield at


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving_spark(tmp_path_factory.mktemp("spark")) as address:
        yield address


@pytest.fixture(params=["sail", by_hand("spark")])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The models are made by another engine than DuckDB."""
    monkeypatch.setenv("BUILD__ENGINE", request.param)
    if request.param == "spark":
        monkeypatch.setenv("BUILD__REMOTE", request.getfixturevalue("spark"))


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """A warehouse into which nothing was ever loaded."""
    path = tmp_path_factory.mktemp("empty") / "empty.duckdb"
    duckdb.connect(str(path)).close()
    return Warehouse(path)


@pytest.fixture(scope="session")
def manifest(empty: Warehouse) -> Any:
    """The project as dbt parses it."""
    return run_dbt(empty, "parse", variables=IN_PLACE).result


@pytest.fixture(scope="session")
def run_parsed(empty: Warehouse, manifest: Any) -> Callable[..., DbtRun]:
    """Runs a command of dbt on the empty warehouse; the project, which takes seconds to parse, is
    parsed already."""
    from dbt.cli import main as dbt

    def run(command: str, *options: str) -> DbtRun:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(dbt, "dbtRunner", partial(dbt.dbtRunner, manifest))
            return run_dbt(empty, command, *options, variables=IN_PLACE)

    return run


@pytest.fixture(scope="session")
def models(manifest: Any) -> list[Any]:
    return [node for node in manifest.nodes.values() if node.resource_type == "model"]


@pytest.fixture(autouse=True)
def _compiled_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """dbt compiles in this process, where it is imported but once; in one of its own, as it does
    for users, where its runs are counted (`dbt_runs`)."""

    def compiled(warehouse: Warehouse) -> bytes:
        return (run_dbt(warehouse, "compile").target / "manifest.json").read_bytes()

    monkeypatch.setattr(compilation, "compile_project", compiled)


@pytest.fixture
def dbt_runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The commands of dbt that builds have run."""
    runs: list[str] = []

    def compiled(warehouse: Warehouse) -> bytes:
        runs.append("compile")
        return compile_project(warehouse)

    def noted(*arguments: Any, **options: Any) -> DbtRun:
        runs.append(arguments[1])
        return run_dbt(*arguments, **options)

    monkeypatch.setattr("wholesale_elt.models.build.run_dbt", noted)
    monkeypatch.setattr(compilation, "compile_project", compiled)
    monkeypatch.setattr(compilation, "_kept", {})
    return runs
