"""Iceberg: versions as snapshots of tables in a catalogue; a table `versions` lists them.

Each row of `versions` also has the manifest, so that readers see how far to trust the version.
"""

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import datetime
from pathlib import Path

import pyarrow as pa
from pyiceberg.exceptions import NoSuchTableError

from wholesale.errors import ConfigurationError, WholesaleError
from wholesale_elt.process import budget
from wholesale_elt.publish import (
    PUBLISHED,
    File,
    Manifest,
    Pruned,
    PublishedTable,
    source_of,
)
from wholesale_lake.iceberg import (
    COLUMNS,
    VERSION,
    CatalogHint,
    Row,
    Versions,
    is_whole,
    open_catalog,
    read_rows,
    stage,
    translated_errors,
)

PLACE = re.compile(r"(?i:iceberg):([\w-]+)(?:/(\w+))?")
"""A catalogue, and the prefix of its namespaces."""
REMEDY = "name a prefix for the namespaces, as iceberg:CATALOGUE/PREFIX"
VERSIONS = pa.schema(
    {
        "version": COLUMNS["version"],
        "run_id": pa.string(),
        "verdict": pa.string(),
        "as_of": pa.timestamp("us", "UTC"),
        "published_at": pa.timestamp("us", "UTC"),
        "manifest": pa.string(),
        "snapshots": COLUMNS["snapshots"],
    }
)
"""A row for each version: parts of its manifest, the whole as JSON, and each table's snapshot."""


class Catalog:
    """Two namespaces of a catalogue in pyiceberg's own configuration.

    Raises: ConfigurationError if it is not there, or cannot be used;
    CatalogUnreachable.
    """

    has_files = False

    def __init__(self, place: str) -> None:
        found = PLACE.fullmatch(place)
        if not found:
            raise ConfigurationError(
                f"{place} lacks the name of a catalogue, or has more than that: write"
                " iceberg:CATALOGUE or iceberg:CATALOGUE/PREFIX"
            )
        name, prefix = found.groups()
        self._place = place
        self._namespaces = {
            schema: f"{prefix}_{schema}" if prefix else schema for schema in PUBLISHED
        }
        self._name_of_versions = f"{self._namespaces['wholesale_bi']}.versions"
        with self._asking():
            self._catalog = open_catalog(name, place)

    def has_versions(self) -> bool:
        with self._asking(), closing(self._catalog):
            return self._catalog.table_exists(self._name_of_versions)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Nothing is locked: the commit of a run that was overtaken fails.

        Raises: AlreadyRunning then.
        """
        with self._asking(), closing(self._catalog):
            self._versions = Versions(
                self._catalog,
                CatalogHint(self._place, REMEDY),
                list(self._namespaces.values()),
                self._name_of_versions,
                VERSIONS,
            )
            yield

    def current(self) -> Manifest | None:
        try:
            return Manifest.of(self._versions.rows()[-1]["manifest"])
        except (IndexError, ValueError):
            return None

    def kept(self) -> Sequence[Manifest]:
        """None: nothing is taken over."""
        return ()

    def source(self) -> str | None:
        return source_of(row["manifest"].encode() for row in reversed(self._versions.rows()))

    def is_whole(self, manifest: Manifest) -> bool:
        """Compare the sizes of its files: hashing them would mean to download them."""
        try:
            return all(
                is_whole(self._versions.load(name), snapshot)
                for name, snapshot in self._versions.in_force().items()
            )
        except NoSuchTableError:
            return False

    @contextmanager
    def draft(self) -> Iterator[Path]:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)

    def take_over(self, file: File, path: Path) -> bool:
        """Never: there are no files, and unchanged tables keep their snapshots."""
        return False

    def activate(self, draft: Path, manifest: Manifest) -> None:
        if any(row["version"] >= manifest.version for row in self._versions.rows()):
            raise WholesaleError(
                f"{self._place} has a version that is later than now: set this machine's clock, or"
                " that of the machine which published it, and run again"
            )
        with self._versions.claimed(manifest.version):
            snapshots = self._stage(draft, manifest)
        self._versions.append(_row(manifest, snapshots), _summary(manifest))
        self.repair(manifest)

    def repair(self, manifest: Manifest) -> None:
        self._versions.point()

    def prune(self, keep: int) -> Pruned:
        """Readers of a catalogue cannot be seen; they have as long as versions are kept."""
        return Pruned(self._versions.prune(lambda rows: keep), ())

    def _asking(self) -> AbstractContextManager[None]:
        return translated_errors(
            self._place,
            f"another run publishes into {self._place} at the same time, and has overtaken this"
            " one: run it again when that one is done",
        )

    def _stage(self, draft: Path, manifest: Manifest) -> Mapping[str, int]:
        """The snapshot of each table; unchanged tables keep theirs."""
        before, in_force = self.current(), self._versions.in_force()
        digests = {self._name(table): table.digest for table in before.tables} if before else {}
        snapshots = {}
        with budget.open_within(spill=draft) as connection:
            connection.execute("set timezone = 'UTC'")
            for published in manifest.tables:
                name = self._name(published)
                parquet = draft / "parquet" / published.schema / f"{published.table}.parquet"
                rows, columns = read_rows(connection, parquet)
                table = self._versions.open(name, columns)
                is_same = digests.get(name) == published.digest
                if is_same and is_whole(table, in_force[name]):
                    snapshots[name] = in_force[name]
                else:
                    snapshots[name] = stage(table, rows, columns, draft, _summary(manifest))
        return snapshots

    def _name(self, table: PublishedTable) -> str:
        return f"{self._namespaces[table.schema]}.{table.table}"


def _summary(manifest: Manifest) -> dict[str, str]:
    summary = {
        VERSION: manifest.version,
        "wholesale.run-id": manifest.run_id,
        "wholesale.verdict": manifest.verdict,
        "wholesale.as-of": manifest.as_of,
    }
    return {key: value for key, value in summary.items() if value is not None}


def _row(manifest: Manifest, snapshots: Mapping[str, int]) -> Row:
    return {
        "version": manifest.version,
        "run_id": manifest.run_id,
        "verdict": manifest.verdict,
        "as_of": manifest.as_of and datetime.fromisoformat(manifest.as_of),
        "published_at": datetime.fromisoformat(manifest.published_at),
        "manifest": manifest.as_json(),
        "snapshots": snapshots,
    }
