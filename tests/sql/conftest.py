"""Tests of the SQL models."""

from collections.abc import Callable, Iterator
from typing import Any

import duckdb
import pytest

from support.few import by_hand
from support.services.postgres import serving
from support.services.spark import serving_spark
from support.warehouses.dbt import Dbt
from wholesale_elt.warehouse import Warehouse


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
def dbt(tmp_path_factory: pytest.TempPathFactory) -> Dbt:
    """dbt on the project; where it is not installed, there is nothing to test."""
    pytest.importorskip("dbt", reason="dbt is not installed for this Python")
    return Dbt(tmp_path_factory.mktemp("dbt"))


@pytest.fixture(scope="session")
def manifest(empty: Warehouse, dbt: Dbt) -> Any:
    """The project as dbt parses it."""
    return dbt.run(empty.database, "parse").result


@pytest.fixture(scope="session")
def run_parsed(empty: Warehouse, dbt: Dbt) -> Callable[..., Any]:
    """Runs a command of dbt on the empty warehouse; the project, which takes seconds to parse, is
    parsed already."""
    return lambda command, *options: dbt.run(empty.database, command, *options).result


@pytest.fixture(scope="session")
def models(manifest: Any) -> list[Any]:
    return [node for node in manifest.nodes.values() if node.resource_type == "model"]
