"""A bench for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.warehouses.bench import ORDERS, Bench, keep_few_items
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    keep_few_items(monkeypatch)
    with Sandbox(SandboxSettings(orders=ORDERS)) as sandbox:
        yield Bench(sandbox, Warehouse(tmp_path / "test.duckdb"), monkeypatch)
