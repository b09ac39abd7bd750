"""Iceberg: versions as snapshots of the tables of a catalogue, named by the rows of one more table.

A catalogue commits one table at a time. So the snapshots of a version are staged first, where no
reader looks; one row of `versions`, which names them, puts it in force; then each table is pointed
to its own. A commit to `versions` is accepted only on top of the one that its run knows (optimistic
concurrency), and a run begins with such a commit, its claim: of two runs at once the one that
claimed last goes on, and the row of the other is refused.
"""

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from itertools import takewhile
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyiceberg.catalog import Catalog as TableCatalog
from pyiceberg.catalog import list_catalogs, load_catalog
from pyiceberg.exceptions import (
    CommitFailedException,
    NoSuchTableError,
    NotInstalledError,
    RESTError,
    TableAlreadyExistsError,
    ValidationException,
)
from pyiceberg.table import Table
from pyiceberg.table.snapshots import Snapshot
from sqlalchemy.exc import SQLAlchemyError

from wholesale.errors import ConfigurationError, WholesaleError, one_line
from wholesale_elt.process import AlreadyRunning, budget
from wholesale_elt.publish import iceberg_table
from wholesale_elt.publish.iceberg_table import MARK, PROPERTIES, VERSION
from wholesale_elt.publish.manifest import File, Manifest, Pruned, source_of
from wholesale_elt.publish.manifest import Table as PublishedTable
from wholesale_elt.publish.version import BI_AND_MARTS

PLACE = re.compile(r"(?i:iceberg):([\w-]+)(?:/(\w+))?")
"""A catalogue, and what stands before the names of the namespaces."""
VERSIONS = pa.schema(
    {
        "version": pa.string(),
        "run_id": pa.string(),
        "verdict": pa.string(),
        "as_of": pa.timestamp("us", "UTC"),
        "published_at": pa.timestamp("us", "UTC"),
        "manifest": pa.string(),
        "snapshots": pa.map_(pa.string(), pa.int64()),
    }
)
"""A row a version: some of its manifest, all of it as JSON, and the snapshot of each table."""
CLAIM = "wholesale.claim"
"""In the summary of a snapshot of `versions`: the version that is to come on top of it."""


class Unreached(WholesaleError):
    """The catalogue does not do what it is asked."""


class Catalog:
    """Two namespaces of a catalogue that pyiceberg finds in its own configuration.

    Raises: ConfigurationError for one that it does not find there, or cannot use; Unreached.
    """

    has_dashboard = False

    def __init__(self, place: str) -> None:
        found = PLACE.fullmatch(place)
        if not found:
            raise ConfigurationError(
                f"--to {place} lacks the name of a catalogue, or has more than that: write"
                " iceberg:CATALOGUE or iceberg:CATALOGUE/PREFIX"
            )
        name, prefix = found.groups()
        self._place = place
        self._namespaces = {
            schema: f"{prefix}_{schema}" if prefix else schema for schema in BI_AND_MARTS.values()
        }
        self._versions_name = f"{self._namespaces['bi']}.versions"
        with _asked(place):
            self._catalog = _load(name, place)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Nothing is locked: a run that another one overtakes learns it when it commits.

        Raises: AlreadyRunning then.
        """
        with _asked(self._place), closing(self._catalog):
            self._versions = self._open_versions()
            yield

    def current(self) -> Manifest | None:
        try:
            return Manifest.of(self._rows()[-1]["manifest"])
        except (IndexError, ValueError):
            return None

    def source(self) -> str | None:
        return source_of(row["manifest"].encode() for row in reversed(self._rows()))

    def is_whole(self, manifest: Manifest) -> bool:
        """By the sizes of its files: to hash them, they would have to be fetched."""
        try:
            return all(
                iceberg_table.is_whole(self._catalog.load_table(name), snapshot)
                for name, snapshot in self._in_force().items()
            )
        except NoSuchTableError:
            return False

    @contextmanager
    def draft(self) -> Iterator[Path]:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)

    def take_over(self, file: File, path: Path, *, is_to_change: bool) -> bool:
        """Never: there are no files, and a table that did not change keeps its snapshot."""
        return False

    def activate(self, draft: Path, manifest: Manifest) -> None:
        if any(row["version"] >= manifest.version for row in self._rows()):
            raise WholesaleError(
                f"{self._place} has a version that is later than now: set this machine's clock, or"
                " that of the machine which published it, and run again"
            )
        with self._claimed(manifest.version):
            snapshots = self._stage(draft, manifest)
        self._versions.append(_row(manifest, snapshots), snapshot_properties=_summary(manifest))
        self.repair(manifest)

    def repair(self, manifest: Manifest) -> None:
        for name, snapshot in self._in_force().items():
            iceberg_table.point(self._catalog.load_table(name), snapshot)

    def prune(self, keep: int) -> Pruned:
        """A reader of a catalogue cannot be seen; it has as long as the versions that are kept."""
        try:
            return self._prune(keep)
        except CommitFailedException:  # another run publishes: it prunes
            return Pruned((), ())

    @contextmanager
    def _claimed(self, version: str) -> Iterator[None]:
        """Commit that this version is to come: the row of any other that was to is refused now."""
        with self._versions.transaction() as change:
            change.update_snapshot({CLAIM: version}).fast_append().commit()
        claim = self._versions.current_snapshot()
        try:
            yield
        except Exception as error:
            if self._versions.refresh().current_snapshot() != claim:
                raise CommitFailedException("overtaken") from error
            raise

    def _stage(self, draft: Path, manifest: Manifest) -> Mapping[str, int]:
        """The snapshot of each table; what is the same as in the version in force keeps its own."""
        before, in_force = self.current(), self._in_force()
        digests = {self._name(table): table.digest for table in before.tables} if before else {}
        snapshots = {}
        with budget.open_within(budget.COPYING, spill=draft) as connection:
            connection.execute("set timezone = 'UTC'")
            for published in manifest.tables:
                name = self._name(published)
                parquet = draft / "parquet" / published.schema / f"{published.table}.parquet"
                rows, columns = iceberg_table.read_rows(connection, parquet)
                table = self._open(name, columns)
                is_same = digests.get(name) == published.digest
                if is_same and iceberg_table.is_whole(table, in_force[name]):
                    snapshots[name] = in_force[name]
                else:
                    snapshots[name] = iceberg_table.stage(
                        table, rows, columns, draft, _summary(manifest)
                    )
        return snapshots

    def _prune(self, keep: int) -> Pruned:
        # In this order: what is staged by a run that claims its row later is not among them.
        tables = {name: self._catalog.load_table(name) for name in self._names()}
        self._versions.refresh()
        rows, head = self._rows(), self._versions.current_snapshot()
        if not rows or head is None or _says(head, CLAIM):  # a run is to add a row, or died
            return Pruned((), ())
        removed = [row["version"] for row in rows[:-keep]]
        if removed:
            self._versions.delete(f"version <= '{removed[-1]}'")
        begun, written = (self._of_versions(key) for key in (CLAIM, VERSION))
        for name, table in tables.items():
            kept = {row["snapshots"].get(name) for row in rows[-keep:]}
            if MARK not in table.properties:
                continue
            if kept == {None}:
                self._catalog.purge_table(name)
                continue
            gone = [
                snapshot
                for snapshot in table.snapshots()
                if _says(snapshot, VERSION) and snapshot.snapshot_id not in kept
            ]
            unnamed = [iceberg_table.data_path(table, version) for version in begun - written]
            iceberg_table.expire(table, gone, unnamed)
        self._expire_versions(rows[-keep:][0]["version"])
        return Pruned(removed, [])

    def _expire_versions(self, oldest: str) -> None:
        """Whoever reads `versions` may still be at a row that was the last one then."""
        snapshots = sorted(self._versions.snapshots(), key=attrgetter("sequence_number"))
        older = takewhile(lambda snapshot: _says(snapshot, VERSION) != oldest, snapshots)
        iceberg_table.expire(self._versions, list(older))

    def _of_versions(self, key: str) -> set[str]:
        said = (_says(snapshot, key) for snapshot in self._versions.snapshots())
        return {version for version in said if version}

    def _open_versions(self) -> Table:
        """Raises: ConfigurationError where others have tables of these names."""
        try:
            return self._ours(self._catalog.load_table(self._versions_name))
        except NoSuchTableError:
            pass
        for namespace in self._namespaces.values():
            self._catalog.create_namespace_if_not_exists(namespace)
        if names := list(self._names()):
            raise ConfigurationError(
                f"{self._place} holds other tables than what was published, {names[0]} among them:"
                " name a prefix for the namespaces with --to iceberg:CATALOGUE/PREFIX"
            )
        return self._catalog.create_table(self._versions_name, VERSIONS, properties=PROPERTIES)

    def _open(self, name: str, columns: pa.Schema) -> Table:
        try:
            return self._ours(self._catalog.load_table(name))
        except NoSuchTableError:
            return self._catalog.create_table(name, columns, properties=PROPERTIES)

    def _ours(self, table: Table) -> Table:
        if MARK in table.properties:
            return table
        raise ConfigurationError(
            f"{'.'.join(table.name())} of {self._place} was made by another program, and would be"
            " overwritten: name a prefix for the namespaces with --to iceberg:CATALOGUE/PREFIX"
        )

    def _names(self) -> Iterator[str]:
        """All tables there but `versions`."""
        for namespace in self._namespaces.values():
            names = (".".join(found) for found in self._catalog.list_tables(namespace))
            yield from (name for name in names if name != self._versions_name)

    def _name(self, table: PublishedTable) -> str:
        return f"{self._namespaces[table.schema]}.{table.table}"

    def _rows(self) -> Sequence[Mapping[str, Any]]:
        """Those of `versions`, the one in force last."""
        rows = self._versions.scan().to_arrow().to_pylist(maps_as_pydicts="strict")
        return sorted(rows, key=itemgetter("version"))

    def _in_force(self) -> Mapping[str, int]:
        """The snapshot of each table in the version in force."""
        rows = self._rows()
        return rows[-1]["snapshots"] if rows else {}


def _summary(manifest: Manifest) -> dict[str, str]:
    said = {
        VERSION: manifest.version,
        "wholesale.run-id": manifest.run_id,
        "wholesale.verdict": manifest.verdict,
        "wholesale.as-of": manifest.as_of,
    }
    return {key: value for key, value in said.items() if value is not None}


def _row(manifest: Manifest, snapshots: Mapping[str, int]) -> pa.Table:
    row = {
        "version": manifest.version,
        "run_id": manifest.run_id,
        "verdict": manifest.verdict,
        "as_of": manifest.as_of and datetime.fromisoformat(manifest.as_of),
        "published_at": datetime.fromisoformat(manifest.published_at),
        "manifest": manifest.as_json(),
        "snapshots": snapshots,
    }
    return pa.Table.from_pylist([row], VERSIONS)


def _says(snapshot: Snapshot, key: str) -> str | None:
    return snapshot.summary.get(key) if snapshot.summary else None


def _load(name: str, place: str) -> TableCatalog:
    if name.lower() not in list_catalogs():
        setting = f"PYICEBERG_CATALOG__{name.upper().replace('-', '_')}__URI"
        raise ConfigurationError(
            f"--to {place} names a catalogue that pyiceberg does not know: set {setting} and what"
            f" else it takes, or write catalog.{name}.uri into .pyiceberg.yaml, at home or here"
        )
    try:
        return load_catalog(name)
    except (NotInstalledError, ValueError) as error:
        raise ConfigurationError(f"--to {place} cannot be used: {one_line(error)}") from error


@contextmanager
def _asked(place: str) -> Iterator[None]:
    try:
        yield
    except (CommitFailedException, TableAlreadyExistsError, ValidationException) as error:
        raise AlreadyRunning(
            f"another run publishes into {place} at the same time, and has overtaken this one: run"
            " it again when that one is done"
        ) from error
    except (OSError, RESTError, SQLAlchemyError) as error:
        raise Unreached(
            f"{place} cannot be read or written: {one_line(error)}; check its settings and the"
            " credentials"
        ) from error
