"""Iceberg as its readers have it: pyiceberg, DuckDB by its extension, Sail by Spark's protocol."""

import os
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

import duckdb
import pyarrow as pa
from pyarrow import parquet
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.table import Table

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


class Reader:
    """The catalogue that a lake has in its folder, as anybody opens it who knows the folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def table(self, name: str, namespace: str = "wholesale_raw") -> Table:
        with self._open() as catalog:
            return catalog.load_table(f"{namespace}.{name}")

    def tables(self) -> list[str]:
        with self._open() as catalog:
            return [name for _, name in catalog.list_tables("wholesale_raw")]

    def _open(self) -> SqlCatalog:
        uri = f"sqlite:///{self._folder}/catalog.db"
        return SqlCatalog("lake", uri=uri, warehouse=str(self._folder))


def load_extensions(connection: duckdb.DuckDBPyConnection) -> None:
    """Let DuckDB read Iceberg, by what is installed of it."""
    for extension in ("avro", "iceberg"):
        spec = find_spec(f"duckdb_extension_{extension}")
        assert spec
        assert spec.origin
        [wheel] = Path(spec.origin).parent.rglob(f"{extension}.duckdb_extension")
        connection.execute(f"load '{wheel}'")


def read_by_sail(places: Mapping[str, tuple[str, int]], folder: Path) -> Mapping[str, pa.Table]:
    """Each table by its name, from its location and snapshot."""
    folder.mkdir(exist_ok=True)
    asked = "".join(f"{name} {place} {snapshot}\n" for name, (place, snapshot) in places.items())
    subprocess.run(
        [sys.executable, "-c", BY_SAIL, folder],
        input=asked,
        text=True,
        check=True,
        env=os.environ | {"SPARK_HOME": str(folder)},  # there is no Spark, and none is looked for
    )
    return {name: parquet.read_table(folder / f"{name}.parquet") for name in places}
