"""Lake tables: the raw dataset in an Iceberg catalogue, copied to and from a DuckDB file."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from pathlib import Path

import duckdb
import pyarrow as pa
from pyiceberg.catalog import Catalog
from pyiceberg.catalog.sql import SqlCatalog

from wholesale_elt.process import AlreadyRunning, Lease, budget, replace
from wholesale_elt.warehouse import RAW_DATASET, create
from wholesale_lake.built_tables import BuiltTables
from wholesale_lake.iceberg import (
    COLUMNS,
    PART,
    VERSION,
    CatalogHint,
    CatalogNote,
    Row,
    Versions,
    kept_for,
    open_catalog,
    stage,
    translated_errors,
    version_after,
)
from wholesale_lake.lake_snapshots import (
    Pinned,
    WorkingCopyDiffers,
    copy_snapshot,
    pin_snapshot,
    raw_name,
)
from wholesale_lake.months import (
    Cut,
    cuts_of,
    digests_of,
    part_of,
    table_of,
)

VERSIONS = pa.schema(
    {
        "version": COLUMNS["version"],
        "put_in_force_at": pa.timestamp("us", "UTC"),
        "engine": pa.string(),
        "snapshots": COLUMNS["snapshots"],
        "digests": pa.map_(pa.string(), pa.string()),
    }
)
"""A row for each version: the snapshot of each table, and a digest of the rows by table and month,
which depends on `engine`."""


REMEDY = "set DESTINATION__LAKE__CATALOG to CATALOGUE/PREFIX"


@dataclass(frozen=True, slots=True)
class RawState:
    """The raw tables of one version, and a digest of each, which is of those of its parts."""

    tables: Mapping[str, Pinned]
    digests: Mapping[str, str]


class LakeTables:
    """The tables of a lake, in the catalogue of that name or in the folder's own."""

    def __init__(self, folder: Path, catalogue: str | None, prefix: str | None, name: str) -> None:
        self._folder = folder
        self._catalogue = catalogue
        self._prefix = prefix
        self._namespace = f"{prefix}_{RAW_DATASET}" if prefix else RAW_DATASET
        self._versions_name = f"{self._namespace}.versions"
        self._name = name

    def version(self) -> str | None:
        """The version in force, with the id of its lake; None if there is none. Looking creates
        nothing."""
        with self._asked() as catalog:
            if not catalog.table_exists(self._versions_name):
                return None
        with self._versions() as versions:
            return _name_of_last(versions, versions.rows())

    def pinned(self) -> "RawState":
        """The tables of the version in force, except dlt's own.

        Raises: WorkingCopyDiffers.
        """
        with self._versions() as versions:
            row = versions.rows()[-1]
            tables = {
                raw_name(name): pin_snapshot(versions.load(name), snapshot)
                for name, snapshot in row["snapshots"].items()
                if not raw_name(name).startswith("_")
            }
        parts: dict[str, list[str]] = {}
        for key, digest in sorted(row["digests"].items()):
            parts.setdefault(table_of(key), []).append(f"{key} {digest}")
        return RawState(
            tables,
            {table: sha256("\n".join(parts[table]).encode()).hexdigest() for table in tables},
        )

    def copy(self, connection: duckdb.DuckDBPyConnection, tables: Collection[str]) -> None:
        """Copy these tables of the version in force into database `warehouse`."""
        with self._versions() as versions:
            connection.execute(f"create schema warehouse.{RAW_DATASET}")
            for name, snapshot in versions.in_force().items():
                if raw_name(name) in tables:
                    target = f'warehouse.{RAW_DATASET}."{raw_name(name)}"'
                    copy_snapshot(connection, versions.load(name), snapshot, target)

    @property
    def built(self) -> BuiltTables:
        """The tables that an engine made of these."""
        return BuiltTables(self._asked, self._prefix, CatalogHint(self._name, REMEDY))

    def pull(self, copy: Path) -> str | None:
        """Put a copy of the version in force at that path, and return the version.

        Raises: WorkingCopyDiffers.
        """
        with self._versions() as versions:
            rows = versions.rows()
            replace(copy, partial(self._pull, versions, rows[-1] if rows else None))
            return _name_of_last(versions, rows)

    def push(self, copy: Path, base: str | None, folder: Path) -> str | None:
        """Put the tables of the copy, which was made of version `base`, in force, and return the
        new version. Unchanged tables and months stay as they are.

        Raises: AlreadyRunning if another version is in force by now.
        """
        with (
            self._versions() as versions,
            budget.open_within(copy, spill=folder) as connection,
        ):
            connection.execute("set timezone = 'UTC'")
            # For each month and thread, rows are held in memory up to this number.
            connection.execute("set threads = 1; set partitioned_write_flush_threshold = 16384")
            rows = versions.rows()
            if _name_of_last(versions, rows) != base:
                raise AlreadyRunning(self._overtaken)
            before = rows[-1] if rows else None
            cuts = cuts_of(connection)
            digests = digests_of(connection, cuts)
            if before and _is_same(before, digests, cuts):
                return base
            row = self._put(versions, before, connection, cuts, digests, folder)
            return _name_of_last(versions, [row])

    def prune(self, age: timedelta) -> Sequence[str]:
        """Remove the versions before the one that was in force so long ago, with the files that
        only they need, and return their names."""
        with self._versions() as versions:
            return versions.prune(kept_for(age, "put_in_force_at"))

    @contextmanager
    def held(self) -> Iterator[Lease]:
        """Lock out every other run, on any machine, until the block ends.

        Raises: AlreadyRunning naming the holder.
        """
        with (
            self._versions() as versions,
            Lease(CatalogNote(versions.table), self._name).held() as lease,
        ):
            yield lease

    @property
    def _overtaken(self) -> str:
        return (
            f"another run has written to {self._name} meanwhile, and this one ends; what is there"
            " is whole: run again"
        )

    @contextmanager
    def _versions(self) -> Iterator[Versions]:
        with self._asked() as catalog:
            place = CatalogHint(self._name, REMEDY)
            yield Versions(catalog, place, [self._namespace], self._versions_name, VERSIONS)

    @contextmanager
    def _asked(self) -> Iterator[Catalog]:
        with (
            translated_errors(self._name, self._overtaken),
            closing(self._open_catalog()) as catalog,
        ):
            yield catalog

    def _open_catalog(self) -> Catalog:
        if self._catalogue:
            return open_catalog(self._catalogue, "setting destination.lake.catalog")
        self._folder.mkdir(parents=True, exist_ok=True)
        return SqlCatalog(
            "lake",
            uri=f"sqlite:///{self._folder.absolute()}/catalog.db",
            warehouse=str(self._folder.absolute()),  # pyiceberg does not decode a URI
        )

    def _put(
        self,
        versions: Versions,
        before: Row | None,
        connection: duckdb.DuckDBPyConnection,
        cuts: Mapping[str, Cut],
        digests: Mapping[str, str],
        folder: Path,
    ) -> Row:
        versions.point()  # the last run may have been killed before it did
        had = before["digests"] if before else {}
        differing = {key for key in {*had, *digests} if had.get(key) != digests.get(key)}
        version = version_after(before["version"] if before else None)
        snapshots, summary = {}, {VERSION: version}
        with versions.claimed(version, {part_of(key) for key in differing}):
            for table, cut in cuts.items():
                name = f"{self._namespace}.{table}"
                parts = {part_of(key) for key in differing if table_of(key) == table}
                kept = before["snapshots"].get(name) if before else None
                if kept and not parts:
                    snapshots[name] = kept
                    continue
                snapshots[name] = stage(
                    versions.open(name, cut.columns, cut.month_of),
                    connection.sql(f"select *, {cut.part} as {PART} from ({cut.rows})"),
                    cut.columns,
                    folder,
                    summary,
                    parts,
                )
        row = {
            "version": version,
            "put_in_force_at": datetime.now(UTC),
            "engine": duckdb.__version__,
            "snapshots": snapshots,
            "digests": digests,
        }
        versions.append(row, summary)
        versions.point()
        return row

    def _pull(self, versions: Versions, row: Row | None, copy: Path) -> None:
        create(copy)
        if row is None:
            return
        with budget.connect(str(copy), config={"memory_limit": budget.limit()}) as connection:
            connection.execute("set timezone = 'UTC'")
            # Of two threads one would poll for work while the other inserts.
            connection.execute("set threads = 1; set preserve_insertion_order = false")
            connection.begin()
            connection.execute(f"create schema {RAW_DATASET}")
            for name, snapshot in row["snapshots"].items():
                table = versions.load(name)
                copy_snapshot(connection, table, snapshot, f'{RAW_DATASET}."{raw_name(name)}"')
            connection.commit()
            if row["engine"] == duckdb.__version__:
                found = digests_of(connection, cuts_of(connection))
                if found != dict(row["digests"]):
                    differing = {
                        table_of(key)
                        for key in {*found, *row["digests"]}
                        if found.get(key) != row["digests"].get(key)
                    }
                    raise WorkingCopyDiffers(
                        f"{', '.join(sorted(differing))} of {self._name} is not what was written"
                        " there: somebody wrote to its files"
                    )


def _is_same(before: Row, digests: Mapping[str, str], cuts: Collection[str]) -> bool:
    tables = {raw_name(name) for name in before["snapshots"]}
    return dict(before["digests"]) == digests and tables == set(cuts)


def _name_of_last(versions: Versions, rows: Sequence[Row]) -> str | None:
    return f"{versions.table.metadata.table_uuid} {rows[-1]['version']}" if rows else None
