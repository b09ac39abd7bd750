"""Destinations: an empty place in each that is tested, what it holds, and what is built there."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import duckdb
import pytest
from pyiceberg import catalog as pyiceberg_catalog
from pyiceberg.utils.config import Config

from support.services.postgres import connect
from support.services.s3 import make_bucket, serving_s3
from support.warehouses.edits import without_pages
from support.warehouses.marts import OF_THE_MOMENT, Marts
from wholesale.settings import ApiSettings
from wholesale_elt.load.copies.copying import copy_warehouse
from wholesale_elt.load.sync import Outcome, sync_resources
from wholesale_elt.models.build import build_models
from wholesale_elt.past import WATCHED, log_of
from wholesale_elt.publish import Facts
from wholesale_elt.publish.publisher import publish_marts
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_elt.warehouse.raw_reader import RawReader

Tables = Mapping[str, list[dict[str, Any]]]

DESTINATIONS = (
    "postgres",
    "lake",  # where it lies does not matter, as its models are built in its copy
    "ducklake",
    "ducklake in postgres and s3",
)
"""Beside DuckDB itself, by which they are judged."""
NOWHERE = ApiSettings.of(base_url="http://127.0.0.1:9/api/external/v1", api_key="none")
OF_ONE_RUN = {
    "sync_runs": ("run_id", "destination", "started_at", "ended_at", "complete_as_of", "digest"),
    "sync_suspects": ("run_id",),
    "sync_service": ("run_id",),
    "sync_changes": ("run_id",),
    "sync_versions": ("first_wrote_at",),
    "quarantine": ("run_id", "found_at"),
    **{log_of(name): ("observed_at",) for name in WATCHED},
}
"""Columns that differ from run to run, or name the place."""
OF_THE_PLACE = {"destination"}
"""Columns of marts; a hash is that of the engine, and compared within one place only."""


@dataclass
class Place:
    """A warehouse in one destination, the settings that lead there, and a service to load from."""

    warehouse: Warehouse
    environment: Mapping[str, str]
    settings: ApiSettings

    @property
    def address(self) -> list[str]:
        """Options of a command that lead there, beside the environment."""
        at = ["--destination", self.warehouse.destination]
        is_file = self.warehouse.destination != "postgres"
        return [*at, "--database", str(self.warehouse.database)] if is_file else at

    def load(self, *resources: str, is_full: bool = False) -> Outcome:
        return sync_resources(self.settings, self.warehouse, resources, is_full=is_full)

    def execute(self, *statements: str) -> None:
        """Change it by hand, in schema `wholesale_raw`."""
        with self.warehouse.open() as raw:
            for statement in statements:
                raw.execute(statement)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with self.warehouse.open() as raw:
            return raw.rows(sql)

    def contents(self) -> Tables:
        """Every row of every table of ours, all columns, in a fixed order; of a time that is of
        one run, whether there is one."""
        with self.warehouse.open() as raw:
            return {
                table: sorted((_of_any_run(table, row) for row in _rows(raw, table)), key=repr)
                for table in sorted(raw.tables())
                if not table.startswith("_")
            }


def _rows(raw: RawReader, table: str) -> Iterator[dict[str, Any]]:
    schema = raw.schema_of(table)
    columns = ", ".join(raw.column_as(field.name, field.type) for field in schema)
    for batch in raw.batches(f"select {columns} from {raw.name(table)}", schema):
        yield from batch.to_pylist()


def _of_any_run(table: str, row: dict[str, Any]) -> dict[str, Any]:
    own = (*OF_ONE_RUN.get(table, ()), "_deleted_at", "valid_from", "valid_to")
    return {
        name: value is not None
        if name in own and (value is None or isinstance(value, str | datetime))
        else value
        for name, value in row.items()
    }


@contextmanager
def empty_place(
    destination: str,
    folder: Path,
    socket: str,
    settings: ApiSettings,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Place]:
    """A place of its own, made now and gone when the block ends.

    A lake whose catalogue is a file has its files in a folder, another in a bucket.
    """
    if destination.startswith("ducklake"):
        pytest.importorskip("duckdb_extension_ducklake", reason="its extra is not installed")
    name, _, elsewhere = destination.partition(" in ")
    unique = f"{name}-{uuid4().hex[:8]}"
    folder = folder / unique
    folder.mkdir()
    with ExitStack() as services:
        url = services.enter_context(_database(socket))
        environment = {}
        if name == "postgres":
            environment["DESTINATION__POSTGRES__CREDENTIALS"] = url
        if name == "lake" and elsewhere:
            services.enter_context(serving_s3(monkeypatch))
            make_bucket(unique)
            environment["DESTINATION__LAKE__CATALOG"] = "ours/of_us"
            environment["PYICEBERG_CATALOG__OURS__URI"] = f"sqlite:///{folder}/catalog.db"
            environment["PYICEBERG_CATALOG__OURS__WAREHOUSE"] = f"s3://{unique}/lake"
            environment["PYICEBERG_CATALOG__OURS__S3__REGION"] = os.environ["AWS_DEFAULT_REGION"]
        elif elsewhere:
            services.enter_context(serving_s3(monkeypatch))
            make_bucket(unique)
            environment["DESTINATION__DUCKLAKE__CATALOG"] = url
            environment["DESTINATION__DUCKLAKE__STORAGE"] = f"s3://{unique}/of/us"
        for setting, value in environment.items():
            monkeypatch.setenv(setting, value)
        if name == "lake":
            monkeypatch.setattr(pyiceberg_catalog, "_ENV_CONFIG", Config())
        database = Path() if name == "postgres" else folder / f"warehouse.{name}"
        yield Place(Warehouse(database, name), environment, settings)


@contextmanager
def _database(socket: str) -> Iterator[str]:
    name = f"of_{uuid4().hex[:12]}"
    server = connect(socket)
    with server.cursor() as cursor:
        cursor.execute(f"create database {name}")
        try:
            yield f"postgresql://postgres@/{name}?host={quote(socket, safe='')}"
        finally:
            cursor.execute(f"drop database if exists {name} with (force)")
            server.close()


def differences_in(
    marts: Marts, destination: str, folder: Path, socket: str, monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """The published tables that differ when the same raw data are built in that destination."""
    with empty_place(destination, folder, socket, NOWHERE, monkeypatch) as place:
        copy_warehouse(marts.warehouse, place.warehouse)
        build_models(place.warehouse)
        return differences_of(marts, place.warehouse, folder)


def differences_of(
    marts: Marts, warehouse: Warehouse, folder: Path, facts: Facts | None = None
) -> list[str]:
    """The published tables that differ in the two, where both are built of the same data."""
    expected = marts.database.parent / "published"  # once: of the same build there is one version
    with without_pages():
        publish_marts(marts.warehouse, str(expected), is_even_if_incomplete=True)
        publish_marts(warehouse, str(folder / "found"), is_even_if_incomplete=True, facts=facts)
    with duckdb.connect() as connection:
        connection.execute("set timezone = 'UTC'")
        for name, publication in (("expected", expected), ("found", folder / "found")):
            file = publication / "wholesale.duckdb"
            connection.execute(f"attach '{file}' as {name} (read_only)")
        return _differing(connection)


def _differing(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Tables that do not have the same columns, types and rows in `expected` and in `found`."""
    expected, found = (_columns(connection, name) for name in ("expected", "found"))
    assert expected
    return [
        table
        for table in expected | found
        if expected.get(table) != found.get(table) or _rows_differ(connection, table, found[table])
    ]


def _columns(connection: duckdb.DuckDBPyConnection, database: str) -> dict[str, list[Any]]:
    """The columns of each table with their types, in their order."""
    rows = connection.execute(
        "select schema_name || '.' || table_name,"
        " list([column_name, data_type] order by column_index) from duckdb_columns()"
        f" where database_name = '{database}' and schema_name in ('wholesale_bi',"
        " 'wholesale_marts') group by 1"
    ).fetchall()
    return dict(sorted(rows))


def _rows_differ(
    connection: duckdb.DuckDBPyConnection, table: str, columns: Sequence[tuple[str, str]]
) -> bool:
    chosen = ", ".join(name for name, _ in columns if name not in OF_THE_MOMENT | OF_THE_PLACE)
    one, other = (f"(select {chosen} from {name}.{table})" for name in ("expected", "found"))
    (row,) = connection.execute(
        f"select count(*) from ({one} except all {other} union all ({other} except all {one}))"
    ).fetchall()
    return row != (0,)
