"""Other engines than DuckDB: from a lake they build the same tables, all or none."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.warehouses.destinations import NOWHERE, Place, differences_in, empty_place
from support.warehouses.marts import Marts
from wholesale.errors import ConfigurationError
from wholesale_elt.load.copying import copy_warehouse
from wholesale_elt.models.build import BuildFailed, build_models
from wholesale_elt.warehouse import Warehouse

pytestmark = pytest.mark.slow

TABLES = (
    "select table_schema, table_name from information_schema.tables"
    " where table_schema in ('wholesale_marts', 'wholesale_bi', 'wholesale_history') order by all"
)


@pytest.fixture
def lake(
    socket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, built: Marts
) -> Iterator[Place]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BUILD__ENGINE", "sail")
    with empty_place("lake", tmp_path, socket, NOWHERE, monkeypatch) as place:
        copy_warehouse(built.warehouse, place.warehouse)
        yield place


def contents(place: Place) -> dict[tuple[str, str], list[tuple[object, ...]]]:
    return {
        (schema, table): place.rows(f"select * from {schema}.{table} order by all")
        for schema, table in place.rows(TABLES)
    }


def test_what_sail_builds_from_a_lake_is_what_duckdb_builds(
    built: Marts, socket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BUILD__ENGINE", "sail")

    assert differences_in(built, "lake", tmp_path, socket, monkeypatch) == []


def test_a_build_that_fails_leaves_what_is_in_force_and_no_file(lake: Place) -> None:
    build_models(lake.warehouse)
    before, files = contents(lake), set(lake.warehouse.state_folder.iterdir())
    lake.execute("insert into wholesale_raw.vendors select * from wholesale_raw.vendors limit 1")

    with pytest.raises(BuildFailed, match="vendors"):
        build_models(lake.warehouse)

    assert contents(lake) == before
    assert set(lake.warehouse.state_folder.iterdir()) == files


def test_after_a_build_by_another_engine_duckdb_builds_all(lake: Place) -> None:
    by_sail = build_models(lake.warehouse)
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("BUILD__ENGINE")

        by_duckdb = build_models(lake.warehouse)
        again = build_models(lake.warehouse)

    assert by_sail.models == by_duckdb.models
    assert (by_duckdb.models_standing, again.models_standing > 50) == (0, True)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"BUILD__ENGINE": "sail"}, r"cannot read .*\.duckdb: load into --destination lake"),
        ({"BUILD__ENGINE": "presto"}, r"build\.engine"),
        ({"BUILD__ENGINE": "spark", "BUILD__REMOTE": "http://here"}, r"build\.remote"),
    ],
)
def test_an_engine_that_cannot_build_is_refused_in_a_sentence(
    built: Marts, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], said: str
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(name, value)

    with pytest.raises(ConfigurationError, match=said):
        build_models(Warehouse(built.warehouse.database))


def test_spark_without_an_address_is_refused(lake: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUILD__ENGINE", "spark")

    with pytest.raises(ConfigurationError, match=r"set build\.remote to sc://HOST:PORT, or use"):
        build_models(lake.warehouse)
