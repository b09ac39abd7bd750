"""Sums: what a lake of several accounts holds, added up by each program that reads Iceberg."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from shutil import rmtree
from typing import Any

import duckdb
import pyarrow.compute as pc
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.table import Table
from pyspark.sql import SparkSession

from support.warehouses.iceberg import load_extensions
from wholesale_elt.process import environment, import_extra

CATALOGUE = "growth"
EXTRA = "engine"
ORDERS, LINES, COMMENTS = "orders", "orders__order_line_items", "orders__order_comments"
QUERY = f"""
select
    (select count(*) from {ORDERS}), (select sum(total) from {ORDERS}),
    (select count(*) from {LINES}), (select sum(quantity) from {LINES}),
    (select count(*) from {COMMENTS})
"""


@dataclass(frozen=True, slots=True)
class Sums:
    """Of all accounts; `total` in hundredths."""

    orders: int
    total: int
    lines: int
    quantity: int
    comments: int


class Lake:
    """A catalogue of SQLite with files in a folder; each account has a namespace of its own."""

    def __init__(self, home: Path) -> None:
        self._files = home / "files"
        self._catalog = SqlCatalog(
            CATALOGUE, uri=f"sqlite:///{home}/catalog.db", warehouse=str(self._files)
        )

    def close(self) -> None:
        self._catalog.close()

    def forget(self, account: str) -> None:
        """Remove what a benchmark that was stopped has left of an account."""
        namespace = _namespace(account)
        if self._catalog.namespace_exists(namespace):
            for table in self._catalog.list_tables(namespace):
                self._catalog.drop_table(table)
            self._catalog.drop_namespace(namespace)
        for folder in self._files.glob(f"{namespace}*"):
            rmtree(folder)

    def sums(self, accounts: Sequence[str]) -> Mapping[str, Sums]:
        """By reader, each of the snapshots that are in force."""
        pinned: dict[str, list[tuple[Table, int]]] = {
            name: [] for name in (ORDERS, LINES, COMMENTS)
        }
        for account in accounts:
            namespace = _namespace(account)
            rows = self._catalog.load_table(f"{namespace}.versions").scan().to_arrow()
            snapshots = dict(rows.sort_by("version").to_pylist()[-1]["snapshots"])
            for table, found in pinned.items():
                name = f"{namespace}.{table}"
                found.append((self._catalog.load_table(name), snapshots[name]))
        readers = {"DuckDB": by_duckdb, "pyiceberg": by_pyiceberg, "Sail": by_sail}
        return {reader: read(pinned) for reader, read in readers.items()}


Pinned = Mapping[str, Sequence[tuple[Table, int]]]


def by_duckdb(pinned: Pinned) -> Sums:
    with duckdb.connect() as connection:
        load_extensions(connection)
        for name, places in pinned.items():
            scans = " union all ".join(
                f"from iceberg_scan('{table.metadata_location}',"
                f" snapshot_from_id => {id_}::ubigint)"
                for table, id_ in places
            )
            connection.execute(f"create view {name} as {scans}")
        (found,) = connection.execute(QUERY).fetchall()
    return _sums(*found)


def by_pyiceberg(pinned: Pinned) -> Sums:
    return _sums(
        _counted(pinned[ORDERS]),
        _summed(pinned[ORDERS], "total"),
        _counted(pinned[LINES]),
        _summed(pinned[LINES], "quantity"),
        _counted(pinned[COMMENTS]),
    )


def by_sail(pinned: Pinned) -> Sums:
    with _sail() as session:
        for name, places in pinned.items():
            first, *others = [
                session.read.format("iceberg").option("snapshotId", id_).load(table.location())
                for table, id_ in places
            ]
            for other in others:
                first = first.unionByName(other)
            first.createOrReplaceTempView(name)
        (found,) = session.sql(QUERY).collect()
    return _sums(*found)


@contextmanager
def _sail() -> Iterator[SparkSession]:
    server = import_extra("pysail.spark", EXTRA).SparkConnectServer("127.0.0.1", 0)
    server.start(background=True)
    host, port = server.listening_address
    with environment({"SPARK_HOME": "."}):  # there is no Spark, and none is looked for
        session = SparkSession.builder.remote(f"sc://{host}:{port}").getOrCreate()
    try:
        yield session
    finally:
        session.stop()
        server.stop()


def _counted(places: Sequence[tuple[Table, int]]) -> int:
    return sum(table.scan(snapshot_id=id_).count() for table, id_ in places)


def _summed(places: Sequence[tuple[Table, int]], column: str) -> Any:
    scans = (table.scan(snapshot_id=id_, selected_fields=(column,)) for table, id_ in places)
    return sum(
        (pc.sum(batch.column(column)).as_py() or 0)
        for scan in scans
        for batch in scan.to_arrow_batch_reader()
    )


def _sums(orders: int, total: Decimal, lines: int, quantity: Any, comments: int) -> Sums:
    return Sums(orders, int(total * 100), lines, int(quantity), comments)


def _namespace(account: str) -> str:
    return f"{account}_wholesale_raw"
