"""Built tables: those that an engine made of a lake, which stay there.

An engine writes their files into the lake, and no row of them passes through this process. Where
no reader looks, the files of each table become a snapshot; then one row of
`wholesale_marts.versions`, which names all snapshots, puts the build in force.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import duckdb
import pyarrow as pa
from pyarrow import parquet
from pyiceberg.catalog import Catalog
from pyiceberg.io.pyarrow import schema_to_pyarrow
from pyiceberg.table import Table

from wholesale_elt.models import Found, Mark
from wholesale_elt.warehouse import StoredTable
from wholesale_lake.iceberg import (
    COLUMNS,
    VERSION,
    CatalogHint,
    Row,
    Versions,
    files_below,
    folder_of,
    kept_for,
    register,
    remove,
    version_after,
)
from wholesale_lake.lake_snapshots import Pinned, pin_snapshot, stored_table
from wholesale_lake.months import JSON

SCHEMAS = ("wholesale_history", "wholesale_marts", "wholesale_bi")
VERSIONS = pa.schema(
    {
        "version": COLUMNS["version"],
        "built_at": pa.timestamp("us", "UTC"),
        "key": pa.string(),
        "inputs": pa.map_(pa.string(), pa.string()),
        "found": pa.map_(pa.string(), pa.string()),
        "snapshots": COLUMNS["snapshots"],
    }
)
"""A row for each build: the snapshot of each table, and the mark of what they were made from."""
ROWS_A_BATCH = 65_536


@dataclass(frozen=True, slots=True)
class BuiltTables:
    """The built tables of a lake in a catalogue, in namespaces with that prefix."""

    opened: Callable[[], AbstractContextManager[Catalog]]
    prefix: str | None
    place: CatalogHint

    def in_force(self) -> Row | None:
        """The row of the build in force; None if there is none. Looking creates nothing."""
        with self._existing() as versions:
            rows = versions.rows() if versions else ()
            return rows[-1] if rows else None

    def pinned(self, row: Row) -> Mapping[str, Pinned]:
        """The tables of a build, for engines."""
        with self._versions() as versions:
            return {
                name.rpartition(".")[2]: pin_snapshot(versions.load(name), snapshot)
                for name, snapshot in row["snapshots"].items()
            }

    @contextmanager
    def building(self) -> Iterator["Build"]:
        """A build, whose files are removed if the block raises."""
        with self._versions() as versions:
            rows = versions.rows()
            version = version_after(rows[-1]["version"] if rows else None)
            with versions.claimed(version):
                build = Build(versions, version, self._namespaces)
                try:
                    yield build
                except BaseException:
                    build.discard()
                    raise

    def copy(
        self, connection: duckdb.DuckDBPyConnection, row: Row, schemas: Collection[str]
    ) -> Mapping[str, StoredTable]:
        """Have the tables of a build in database `warehouse`: as views of their files, which are
        returned by `schema.table`; or as copies where these are elsewhere, made of a batch of rows
        at a time."""
        found = {}
        with self._versions() as versions:
            for name, snapshot in row["snapshots"].items():
                schema, _, table = self._published(name).rpartition(".")
                if schema in schemas:
                    connection.execute(f"create schema if not exists warehouse.{schema}")
                    target = f'warehouse.{schema}."{table}"'
                    loaded = versions.load(name)
                    if stored := stored_table(connection, loaded, snapshot):
                        connection.execute(f"create view {target} as {stored.query}")
                        found[f"{schema}.{table}"] = stored
                    else:
                        _copy(connection, loaded, snapshot, target)
        return found

    def keep(self, holder: str, snapshots: Mapping[str, Collection[int]], *, is_all: bool) -> None:
        """Keep these snapshots of tables, by `schema.table`, for that holder; with `is_all` no
        others any more."""
        own = {self._namespaced(name): ids for name, ids in snapshots.items()}
        with self._existing() as versions:
            if versions:
                versions.tag(holder, own, is_all=is_all)

    def prune(self, age: timedelta, *, is_of_kept: bool = False) -> None:
        """Remove builds before the one that was in force so long ago, with the files that only they
        need; what is kept for a holder stays, unless that is `is_of_kept`."""
        with self._existing() as versions:
            if versions:
                versions.prune(kept_for(age, "built_at"), is_of_tagged=is_of_kept)

    def forget(self, *, is_of_kept: bool = False) -> None:
        """Remove all builds, as models that were built elsewhere are in force, unless some of it is
        kept for a holder."""
        with self._existing() as versions:
            if versions and (is_of_kept or not versions.has_tags()):
                versions.purge()

    def _published(self, name: str) -> str:
        return name.removeprefix(f"{self.prefix}_") if self.prefix else name

    def _namespaced(self, name: str) -> str:
        return f"{self.prefix}_{name}" if self.prefix else name

    @property
    def _namespaces(self) -> Mapping[str, str]:
        return {name: f"{self.prefix}_{name}" if self.prefix else name for name in SCHEMAS}

    @property
    def _versions_name(self) -> str:
        return f"{self._namespaces['wholesale_marts']}.versions"

    @contextmanager
    def _existing(self) -> Iterator[Versions | None]:
        with self.opened() as catalog:
            is_there = catalog.table_exists(self._versions_name)
            yield self._versions_in(catalog) if is_there else None

    @contextmanager
    def _versions(self) -> Iterator[Versions]:
        with self.opened() as catalog:
            yield self._versions_in(catalog)

    def _versions_in(self, catalog: Catalog) -> Versions:
        names = list(self._namespaces.values())
        return Versions(catalog, self.place, names, self._versions_name, VERSIONS)


class Build:
    """The tables of one build, of which no reader sees anything until it is put in force."""

    def __init__(self, versions: Versions, version: str, namespaces: Mapping[str, str]) -> None:
        self._versions = versions
        self._version = version
        self._namespaces = namespaces
        self._tables: dict[str, tuple[Table, pa.Schema]] = {}

    def folder(self, schema: str, name: str, columns: pa.Schema) -> str:
        """The folder into which the engine has to write that table."""
        table = self._versions.open(f"{self._namespaces[schema]}.{name}", columns)
        self._tables[".".join(table.name())] = table, columns
        return folder_of(table, self._version)

    def put_in_force(self, mark: Mark, kept: Mapping[str, int]) -> None:
        """Put these tables in force, and the snapshots of those that were not made anew."""
        self._versions.point()  # the last build may have been killed before it did
        summary = {VERSION: self._version}
        made = {
            name: register(table.refresh(), columns, summary)
            for name, (table, columns) in self._tables.items()
        }
        row = {
            "version": self._version,
            "built_at": datetime.now(UTC),
            "key": mark.key,
            "inputs": dict(mark.inputs),
            "found": {name: found.as_text() for name, found in mark.found.items()},
            "snapshots": dict(kept) | made,
        }
        self._versions.append(row, summary)
        self._versions.point()

    def discard(self) -> None:
        for table, _ in self._tables.values():
            remove(table, files_below(table, folder_of(table, self._version)))


def mark_of(row: Row) -> Mark:
    found = {name: Found.of(text) for name, text in row["found"].items()}
    return Mark(row["key"], row["inputs"], found)


def _copy(connection: duckdb.DuckDBPyConnection, table: Table, snapshot: int, target: str) -> None:
    """Create that table in DuckDB. An engine's files have the columns of their snapshot, and each
    may be larger than the memory, as which pyiceberg would read it."""
    scan = table.scan(snapshot_id=snapshot)
    columns = schema_to_pyarrow(scan.projection(), include_field_ids=False)
    listed = ", ".join(
        f'"{field.name}"::json as "{field.name}"' if field.doc == JSON else f'"{field.name}"'
        for field in scan.projection().fields
    )
    # DuckDB finds `rows` by name. A statement holds all its rows until it ends, so: one a batch.
    rows = columns.empty_table()
    connection.execute(f"create table {target} as select {listed} from rows")
    for task in scan.plan_files():
        with table.io.new_input(task.file.file_path).open() as file:
            for batch in parquet.ParquetFile(file).iter_batches(
                ROWS_A_BATCH, columns=columns.names
            ):
                rows = pa.Table.from_batches([batch]).select(columns.names).cast(columns)  # noqa: F841
                connection.execute(f"insert into {target} select {listed} from rows")
