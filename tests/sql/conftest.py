"""A made-up business, loaded and built once; tests that change it take a copy."""

from pathlib import Path

import pytest

pytest.importorskip("dbt.cli.main", reason="dbt is not installed for this Python")

from sql.marts import Marts
from wholesale.resources import RESOURCE
from wholesale.settings import ApiSettings
from wholesale_elt.load import sync
from wholesale_elt.warehouse import Warehouse
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings


@pytest.fixture(scope="session")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Marts:
    """Raw tables of 400 orders in two years, as a sync left them."""
    database = tmp_path_factory.mktemp("loaded") / "demo.duckdb"
    with Sandbox(SandboxSettings(orders=400)) as running:
        settings = ApiSettings.of(base_url=running.base_url, api_key="sandbox")
        assert sync(settings, Warehouse(database), tuple(RESOURCE)).is_complete
    return Marts(database)


@pytest.fixture(scope="session")
def built(loaded: Marts, tmp_path_factory: pytest.TempPathFactory) -> Marts:
    """The same with all models built."""
    marts = loaded.copy(tmp_path_factory.mktemp("built"))
    assert marts.build().warnings == []
    return marts


@pytest.fixture
def marts(built: Marts, tmp_path: Path) -> Marts:
    """A copy of the built warehouse that the test may change."""
    return built.copy(tmp_path)
