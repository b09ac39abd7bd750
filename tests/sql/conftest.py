"""Tests of the SQL models."""

from collections.abc import Callable, Iterator
from typing import Any

import duckdb
import pytest

from support.few import by_hand
from support.services.postgres import serving
from support.services.spark import serving_spark
from support.warehouses.dbt import Dbt
from support.warehouses.marts import Marts
from wholesale_elt.warehouse import Warehouse

OBSERVED = [
    *("2024-07-01 12:00:00+00", "2024-07-12 12:00:00+00", "2025-02-01 00:30:00+00"),
    *("2025-02-20 23:30:00+00", "2025-06-01 12:00:00+00", "2025-06-01 13:00:00+00"),
    "2026-06-25 12:00:00+00",
]
"""Moments before the last sync at which others saw prices."""


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
def repriced(loaded: Marts, tmp_path_factory: pytest.TempPathFactory) -> Marts:
    """Syncs saw prices at seven moments before the last one, some of whole items, of no known
    product, or in lists that no buyer has; only for tests that change nothing."""
    marts = loaded.copy(tmp_path_factory.mktemp("repriced"))
    marts.change(
        *(
            f"create table main.{table} as select * from wholesale_raw.{table}__observations"
            for table in ("variants", "prices")
        ),
        "update main.prices set variant_id = null where hash(id) % 4 = 0",
        "update main.prices set variant_id = 'none' where hash(id) % 40 = 1",
        "update main.prices set item_id = 'none', variant_id = null where hash(id) % 40 = 2",
        "update main.prices set price_list_id = 'none' where hash(id) % 40 = 3",
        "update main.prices set price_list_id = null where hash(id) % 40 = 5",
        *(
            f"insert into wholesale_raw.{table}__observations by name select * replace"
            f" (unit_price + {number} as unit_price, timestamptz '{moment}' as observed_at)"
            f" from main.{table} where hash(id, {number}) % 2 = 0"
            for table in ("variants", "prices")
            for number, moment in enumerate(OBSERVED, 1)
        ),
    )
    marts.build()
    return marts


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
