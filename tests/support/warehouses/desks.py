"""Desks: a warehouse made by hand, and where it is published: a folder, or a catalogue."""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from pyiceberg import catalog as pyiceberg_catalog
from pyiceberg.catalog import Catalog, load_catalog
from pyiceberg.table import Table
from pyiceberg.utils.config import Config

from support.warehouses import handmade
from wholesale_elt.publish.publisher import Published, publish_marts
from wholesale_elt.warehouse.destination import Warehouse

Row = Mapping[str, Any]


class Desk:
    """A warehouse made by hand, and the folder that it is published into."""

    def __init__(self, folder: Path) -> None:
        self.warehouse = Warehouse(folder / "wholesale.duckdb")
        self.folder = folder / "published"

    def build(self, number: int, *, reason: str | None = None) -> None:
        handmade.build(self.warehouse.database, number, reason=reason)

    def publish(self, **options: Any) -> Published:
        return publish_marts(self.warehouse, str(self.folder), **options)

    def current(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.folder / "current.json").read_text("utf-8"))
        return found

    def versions(self) -> list[str]:
        return sorted(path.name for path in (self.folder / "versions").iterdir())

    def files(self) -> dict[str, tuple[str, int]]:
        """Hash and time of change of every file but the lock's."""
        return {
            str(path.relative_to(self.folder)): (
                sha256(path.read_bytes()).hexdigest(),
                path.stat().st_mtime_ns,
            )
            for path in self.folder.rglob("*")
            if path.is_file() and path.name != ".lock"
        }

    def numbers(self, path: str = "wholesale.duckdb") -> set[int]:
        """Those that the tables of a published DuckDB file carry."""
        with duckdb.connect(str(self.folder / path), read_only=True) as connection:
            return {
                number
                for table in handmade.TABLES
                for (number,) in connection.execute(f"select number from {table}").fetchall()
            }


class Lake:
    """A warehouse made by hand, and the catalogue that it is published into."""

    def __init__(self, folder: Path, place: str = "iceberg:lake") -> None:
        folder.mkdir(exist_ok=True)
        self.warehouse = Warehouse(folder / "wholesale.duckdb")
        self.place = place

    def build(self, number: int, **options: Any) -> None:
        handmade.build(self.warehouse.database, number, **options)

    def change(self, statement: str) -> None:
        """In what is built, which is thereby another build."""
        with duckdb.connect(str(self.warehouse.database)) as connection:
            connection.execute(statement)
            connection.execute(
                "update wholesale_bi.rpt_freshness set built_at = built_at + interval 1 second"
            )

    def publish(self, **options: Any) -> Published:
        return publish_marts(self.warehouse, self.place, **{"keep": 2} | options)

    @property
    def catalog(self) -> Catalog:
        return load_catalog("lake")

    def table(self, name: str) -> Table:
        with self.catalog as catalog:
            return catalog.load_table(name)

    def versions(self) -> list[Row]:
        rows = (
            self.table("wholesale_bi.versions")
            .scan()
            .to_arrow()
            .to_pylist(maps_as_pydicts="strict")
        )
        return sorted(rows, key=lambda row: str(row["version"]))

    def read(self, name: str, version: int | None = -1) -> pa.Table:
        """As that version's row of `versions` names it, or as the table itself is."""
        table = self.table(name)
        if version is None:
            return table.scan().to_arrow()
        return table.scan(snapshot_id=self.versions()[version]["snapshots"][name]).to_arrow()

    def numbers(self, version: int | None = -1, names: Sequence[str] = handmade.TABLES) -> set[int]:
        """Those that these tables of a version carry."""
        return {
            number for name in names for number in self.read(name, version)["number"].to_pylist()
        }


def configure(monkeypatch: pytest.MonkeyPatch, **settings: str) -> None:
    """Tell pyiceberg, which reads its configuration once, of the catalogue `lake`."""
    for name, value in settings.items():
        monkeypatch.setenv(f"PYICEBERG_CATALOG__LAKE__{name.upper()}", value)
    monkeypatch.setattr(pyiceberg_catalog, "_ENV_CONFIG", Config())


def files_of(lake: Lake, folder: Path) -> tuple[set[Path], set[Path]]:
    """The files of rows that are there, and those that snapshots of the tables name."""
    with lake.catalog as catalog:
        named = {
            Path(entry.data_file.file_path.removeprefix("file://"))
            for namespace in ("wholesale_bi", "wholesale_marts")
            for name in catalog.list_tables(namespace)
            if name != ("wholesale_bi", "versions")
            for table in [catalog.load_table(name)]
            for snapshot in table.snapshots()
            for manifest in snapshot.manifests(table.io)
            for entry in manifest.fetch_manifest_entry(table.io)
        }
    return {path for path in folder.rglob("*.parquet") if "versions" not in path.parts}, named
