"""What is published into a catalogue of Iceberg is read by others, row by row as in the files."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest
from pyiceberg import catalog as pyiceberg_catalog
from pyiceberg.catalog import load_catalog
from pyiceberg.table import Table
from pyiceberg.utils.config import Config

from support.warehouses.iceberg import load_extensions, read_by_sail
from support.warehouses.marts import Marts, Row
from wholesale_elt.publish.manifest import Manifest
from wholesale_elt.publish.publisher import publish_marts


@dataclass(frozen=True)
class Publication:
    """A built business, published into a folder and into a catalogue."""

    folder: Path
    manifest: Manifest
    tables: dict[str, Table]
    snapshots: dict[str, int]

    def files(self) -> Iterator[tuple[str, Path]]:
        """Each table by its name in the catalogue, and its Parquet file in the folder."""
        for table in self.manifest.tables:
            yield f"{table.schema}.{table.table}", self.folder / table.path


@pytest.fixture(scope="module")
def published(built: Marts, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Publication]:
    folder = tmp_path_factory.mktemp("iceberg")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYICEBERG_CATALOG__LAKE__URI", f"sqlite:///{folder}/catalog.db")
        patch.setenv("PYICEBERG_CATALOG__LAKE__WAREHOUSE", (folder / "lake").as_uri())
        patch.setattr(pyiceberg_catalog, "_ENV_CONFIG", Config())
        publish_marts(built.warehouse, "iceberg:lake")
        in_folder = publish_marts(built.warehouse, str(folder / "published")).in_force
        with load_catalog("lake") as catalog:
            [row] = catalog.load_table("wholesale_bi.versions").scan().to_arrow().to_pylist()
            tables = {name: catalog.load_table(name) for name, _ in row["snapshots"]}
        assert in_folder
        yield Publication(folder / "published", in_folder, tables, dict(row["snapshots"]))


def differences(connection: duckdb.DuckDBPyConnection, left: str, right: str) -> list[Row]:
    return connection.sql(
        f"(from {left} except all from {right}) union all (from {right} except all from {left})"
    ).fetchall()


def types(connection: duckdb.DuckDBPyConnection, table: str) -> list[tuple[str, str]]:
    return connection.sql(
        f"select column_name, column_type from (describe from {table})"
    ).fetchall()


def as_kept(columns: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Columns with their types; a column of Iceberg keeps its digits, whatever a version needs."""
    return [(name, "DECIMAL" if kind.startswith("DECIMAL") else kind) for name, kind in columns]


@pytest.mark.slow
def test_pyiceberg_reads_every_row_and_type_as_published(published: Publication) -> None:
    assert len(published.tables) == len(published.manifest.tables) > 40
    with duckdb.connect() as connection:
        for name, file in published.files():
            table = published.tables[name]
            rows = table.scan(snapshot_id=published.snapshots[name]).to_arrow()
            connection.register("read", rows)
            assert (name, differences(connection, "read", f"'{file}'")) == (name, [])
            read, as_published = types(connection, "read"), types(connection, f"'{file}'")
            assert (name, as_kept(read)) == (name, as_kept(as_published))


@pytest.mark.slow
def test_duckdb_reads_every_row_as_published(published: Publication) -> None:
    with duckdb.connect() as connection:
        load_extensions(connection)
        for name, file in published.files():
            place = published.tables[name].metadata_location
            snapshot = published.snapshots[name]
            read = f"iceberg_scan('{place}', snapshot_from_id => {snapshot}::ubigint)"
            assert (name, differences(connection, read, f"'{file}'")) == (name, [])


@pytest.mark.slow
def test_sail_reads_every_row_as_published(published: Publication, tmp_path: Path) -> None:
    pytest.importorskip("pysail")
    places = {
        name: (published.tables[name].location(), snapshot)
        for name, snapshot in published.snapshots.items()
    }
    found = read_by_sail(places, tmp_path)
    with duckdb.connect() as connection:
        for name, file in published.files():
            connection.register("read", found[name])
            assert (name, differences(connection, "read", f"'{file}'")) == (name, [])
