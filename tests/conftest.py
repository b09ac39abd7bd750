"""A running sandbox, empty unless a test fills it, and a warehouse of its own for each test."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest

from wholesale.resources import RESOURCE
from wholesale.settings import ApiSettings
from wholesale_elt.load import Outcome, sync
from wholesale_elt.warehouse import Warehouse
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(SandboxSettings(empty=True)) as running:
        yield running


@dataclass
class Loader:
    """Loads from one service into one DuckDB file, and answers SQL on it."""

    settings: ApiSettings
    warehouse: Warehouse

    def load(self, *resources: str) -> Outcome:
        return sync(self.settings, self.warehouse, resources or tuple(RESOURCE))

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with duckdb.connect(str(self.warehouse.database), read_only=True) as connection:
            connection.execute("set timezone = 'UTC'; set schema = 'wholesale_raw'")
            return connection.execute(sql).fetchall()

    def contents(self) -> dict[str, list[tuple[Any, ...]]]:
        """Every row of every table of ours but `sync_runs`, in a fixed order."""
        tables = self.rows(
            "select table_name from duckdb_tables() where schema_name = 'wholesale_raw'"
            " and table_name not like '\\_%' escape '\\' and table_name <> 'sync_runs'"
        )
        return {table: self.rows(f"select * from {table} order by all") for (table,) in tables}


@pytest.fixture
def loader(sandbox: Sandbox, tmp_path: Path) -> Loader:
    settings = ApiSettings.of(base_url=sandbox.base_url, api_key="sandbox", page_size=3, attempts=2)
    return Loader(settings, Warehouse(tmp_path / "test.duckdb"))
