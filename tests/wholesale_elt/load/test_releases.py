"""Releases: what a newer one wrote is left alone, and a copy goes back to where it was."""

import json
from hashlib import sha256
from pathlib import Path

import pytest
from packaging.version import Version

from conftest import Loader
from support.records.samples import order
from wholesale.errors import ConfigurationError
from wholesale_elt.load.copies.copying import copy_warehouse
from wholesale_elt.models.build import build_models
from wholesale_elt.models.project import EXTRA
from wholesale_elt.models.rendering import read_project
from wholesale_elt.publish.publisher import publish_marts
from wholesale_elt.runs.releases import LAYOUT, this_release
from wholesale_elt.warehouse import DuckDBRaw, Warehouse
from wholesale_sandbox.server import Sandbox

NOW = this_release()


def written_by(loader: Loader) -> list[tuple[str]]:
    return loader.rows("select version from sync_versions order by first_wrote_at")


@pytest.fixture
def loaded(sandbox: Sandbox, loader: Loader) -> Loader:
    sandbox.put("orders", order("A"))
    loader.load("orders")
    return loader


def test_a_version_is_noted_once_however_often_it_writes(loaded: Loader) -> None:
    loaded.load("orders")

    assert written_by(loaded) == [(NOW,)]


def test_a_change_of_what_is_stored_raises_the_number_of_its_layout() -> None:
    """Whoever changes a raw table raises `LAYOUT`, and writes it here with the new digest."""
    stored = {
        table: {name: column.type for name, column in columns.items()}
        for table, columns in read_project(DuckDBRaw.dialect).raw.items()
        if table != EXTRA  # which a build makes of the columns that it finds
    }
    digest = sha256(json.dumps(stored, sort_keys=True).encode()).hexdigest()[:12]

    assert (LAYOUT, digest) == (2, "008c4c87cdbe")


@pytest.mark.parametrize("older", ["0.1.0", "0.0.9+7", "0.1.0+0"])
def test_a_layout_is_newer_than_those_before_it_in_the_same_version(older: str) -> None:
    assert Version(f"0.1.0+{LAYOUT}") > Version(older)


def test_no_command_that_writes_touches_what_a_newer_version_wrote(
    loaded: Loader, tmp_path: Path
) -> None:
    loaded.execute("insert into sync_versions values ('99.10', '2020-01-01')")
    loaded.execute("insert into sync_versions values ('99.9', '2021-01-01')")
    before = loaded.contents()
    warehouse, copied = loaded.warehouse, Warehouse(tmp_path / "copy.duckdb")

    for write in (
        lambda: loaded.load("orders"),
        lambda: build_models(warehouse),
        lambda: publish_marts(warehouse, str(tmp_path / "published")),
        lambda: copy_warehouse(warehouse, copied),
    ):
        with pytest.raises(ConfigurationError) as caught:
            write()
        assert str(caught.value) == (
            f"{warehouse.name} was written by wholesale-elt 99.10, and this is {NOW}: install 99.10"
            " or newer, or name another file with --database"
        )
    assert loaded.contents() == before
    assert not copied.database.exists()


@pytest.mark.parametrize("release", ["", "next", "0.1.0/7"])
def test_a_release_that_cannot_be_read_is_taken_for_a_newer_one(
    loaded: Loader, release: str
) -> None:
    loaded.execute(f"update sync_versions set version = '{release}'")
    before = loaded.contents()

    with pytest.raises(ConfigurationError):
        loaded.load("orders")
    assert loaded.contents() == before


@pytest.mark.parametrize(
    ("destination", "remedy"),
    [
        ("duckdb", "name another file with --database"),
        ("postgres", "name another database with --database"),
        ("ducklake", "name another catalogue with --database"),
        ("lake", "name another folder with --database"),
    ],
)
def test_the_wrong_warehouse_is_told_how_another_one_is_named(
    destination: str, remedy: str
) -> None:
    assert Warehouse(Path("other"), destination).remedy == remedy


@pytest.mark.parametrize(
    ("destination", "setting", "remedy"),
    [
        ("ducklake", "CATALOG", "name another catalogue in setting destination.ducklake.catalog"),
        ("lake", "CATALOG", "name another catalogue or prefix in setting destination.lake.catalog"),
    ],
)
def test_where_a_setting_names_the_warehouse_the_remedy_names_the_setting(
    monkeypatch: pytest.MonkeyPatch, destination: str, setting: str, remedy: str
) -> None:
    monkeypatch.setenv(f"DESTINATION__{destination.upper()}__{setting}", "ours")
    assert Warehouse(Path("other"), destination).remedy == remedy


@pytest.mark.slow
def test_a_backup_is_restored_by_a_copy_and_a_sync_goes_on_from_it(
    sandbox: Sandbox, loaded: Loader, tmp_path: Path
) -> None:
    backup = Warehouse(tmp_path / "backup.duckdb")
    copy_warehouse(loaded.warehouse, backup)
    before = loaded.contents()
    loaded.warehouse.database.unlink()

    copy_warehouse(backup, loaded.warehouse)

    assert (loaded.contents(), written_by(loaded)) == (before, [(NOW,)])
    sandbox.put("orders", order("B"))
    (orders,) = loaded.load("orders").certificates
    assert (orders.verdict, orders.new, orders.changed) == ("complete", 1, 0)
