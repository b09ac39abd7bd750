"""What is published into a catalogue of Iceberg is read by others, row by row as in the files."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import duckdb
import pytest
from pyiceberg import catalog as pyiceberg_catalog
from pyiceberg.catalog import load_catalog
from pyiceberg.table import Table
from pyiceberg.utils.config import Config

from support.warehouses.marts import Marts, Row
from wholesale_elt.publish.manifest import Manifest
from wholesale_elt.publish.publisher import publish_marts

BY_SAIL = """
import sys
from pathlib import Path
from pyarrow import parquet
from pysail.spark import SparkConnectServer
from pyspark.sql import SparkSession

server = SparkConnectServer("127.0.0.1", 0)
server.start(background=True)
session = SparkSession.builder.remote(f"sc://127.0.0.1:{server.listening_address[1]}").getOrCreate()
for line in sys.stdin:
    name, location, snapshot = line.split()
    rows = session.read.format("iceberg").option("snapshotId", snapshot).load(location)
    parquet.write_table(rows.toArrow(), Path(sys.argv[1]) / f"{name}.parquet")
"""


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
            [row] = catalog.load_table("bi.versions").scan().to_arrow().to_pylist()
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


def test_pyiceberg_reads_every_row_and_type_as_published(published: Publication) -> None:
    assert len(published.tables) == len(published.manifest.tables) > 40
    with duckdb.connect() as connection:
        for name, file in published.files():
            table = published.tables[name]
            rows = table.scan(snapshot_id=published.snapshots[name]).to_arrow()
            connection.register("read", rows)
            assert (name, differences(connection, "read", f"'{file}'")) == (name, [])
            as_published = types(connection, f"'{file}'")
            assert (name, types(connection, "read")) == (
                name,
                [(column, "VARCHAR" if kind == "JSON" else kind) for column, kind in as_published],
            )


def test_duckdb_reads_every_row_as_published(published: Publication) -> None:
    with duckdb.connect() as connection:
        for extension in ("avro", "iceberg"):
            spec = find_spec(f"duckdb_extension_{extension}")
            assert spec
            assert spec.origin
            [wheel] = Path(spec.origin).parent.rglob(f"{extension}.duckdb_extension")
            connection.execute(f"load '{wheel}'")
        for name, file in published.files():
            place = published.tables[name].metadata_location
            snapshot = published.snapshots[name]
            read = f"iceberg_scan('{place}', snapshot_from_id => {snapshot}::ubigint)"
            assert (name, differences(connection, read, f"'{file}'")) == (name, [])


@pytest.mark.slow
def test_sail_reads_every_row_as_published(published: Publication, tmp_path: Path) -> None:
    pytest.importorskip("pysail")
    asked = "".join(
        f"{name} {published.tables[name].location()} {snapshot}\n"
        for name, snapshot in published.snapshots.items()
    )
    subprocess.run(
        [sys.executable, "-c", BY_SAIL, tmp_path],
        input=asked,
        text=True,
        check=True,
        env=os.environ | {"SPARK_HOME": str(tmp_path)},  # there is no Spark, and none is looked for
    )
    with duckdb.connect() as connection:
        for name, file in published.files():
            read = f"'{tmp_path / name}.parquet'"
            assert (name, differences(connection, read, f"'{file}'")) == (name, [])
