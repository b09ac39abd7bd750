"""Versions: consistent states of several tables; each version is a row that names their snapshots.

A catalogue commits one table at a time. So the snapshots of a version are staged first, where no
reader sees them. One row in the table `versions`, which names them, puts the version in force; then
each table is pointed to its snapshot. A commit to `versions` is accepted only on top of the
snapshot that its run knows (optimistic concurrency). A run begins with such a commit, its claim: of
two runs at once the one that claimed last goes on, and the row of the other is refused.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from operator import attrgetter, itemgetter
from typing import Any

import pyarrow as pa
from pyiceberg.catalog import Catalog
from pyiceberg.exceptions import CommitFailedException, NoSuchTableError
from pyiceberg.partitioning import PartitionSpec
from pyiceberg.table import Table
from pyiceberg.table.snapshots import Snapshot
from pyiceberg.transforms import MonthTransform

from wholesale.errors import ConfigurationError
from wholesale_lake.iceberg import staging
from wholesale_lake.iceberg.files import Part, left_by
from wholesale_lake.iceberg.staging import MARK, PROPERTIES, VERSION
from wholesale_lake.iceberg.tags import retag, tags_of

NAME = "%Y%m%dT%H%M%S%fZ"
"""How a version is named by the moment of its making."""
Row = Mapping[str, Any]
COLUMNS: Mapping[str, pa.DataType] = {
    "version": pa.string(),
    "snapshots": pa.map_(pa.string(), pa.int64()),
}
"""Columns that every row has; versions sort in the order in which they were made."""
CLAIM = "wholesale.claim"
"""Key in the summary of a snapshot of `versions`: the version that its run is going to add."""
PARTS = "wholesale.parts"
"""Key beside it: the parts of tables that the run may write."""


@dataclass(frozen=True)
class CatalogHint:
    """For messages: the name of the catalogue, and what to do if it holds tables of others."""

    name: str
    remedy: str


class Versions:
    """The tables of these namespaces of a catalogue, and the table of their versions.

    Raises: ConfigurationError where others have tables there.
    """

    def __init__(
        self,
        catalog: Catalog,
        place: CatalogHint,
        namespaces: Sequence[str],
        name: str,
        columns: pa.Schema,
    ) -> None:
        self._catalog = catalog
        self._place = place
        self._namespaces = namespaces
        self._name = name
        self._columns = columns
        self.table = self._open_versions()

    def rows(self) -> Sequence[Row]:
        """All versions; the last one is in force."""
        rows = self.table.scan().to_arrow().to_pylist(maps_as_pydicts="strict")
        return sorted(rows, key=itemgetter("version"))

    def in_force(self) -> Mapping[str, int]:
        """The snapshot of each table in the version in force."""
        rows = self.rows()
        return rows[-1]["snapshots"] if rows else {}

    def load(self, name: str) -> Table:
        return self._catalog.load_table(name)

    def open(self, name: str, columns: pa.Schema, month_of: str | None = None) -> Table:
        """The table of that name; if there is none it is created with these columns, partitioned by
        the month of `month_of`."""
        try:
            return self._ours(self._catalog.load_table(name))
        except NoSuchTableError:
            pass
        table = self._catalog.create_table(name, columns, properties=PROPERTIES)
        if month_of and table.spec() == PartitionSpec():
            with table.update_spec() as spec:
                spec.add_field(month_of, MonthTransform(), "month")
        return table

    @contextmanager
    def claimed(self, version: str, parts: Collection[Part] = ()) -> Iterator[None]:
        """Commit a claim for this version, so that the row of any earlier claim is refused."""
        months = ",".join(str(part) for part in parts if part is not None)
        with self.table.transaction() as change:
            change.update_snapshot({CLAIM: version, PARTS: months}).fast_append().commit()
        claim = self.table.current_snapshot()
        try:
            yield
        except Exception as error:
            if self.table.refresh().current_snapshot() != claim:
                raise CommitFailedException("overtaken") from error
            raise

    def append(self, row: Row, summary: Mapping[str, str]) -> None:
        """Put a version in force."""
        rows = pa.Table.from_pylist([row], self._columns)
        self.table.append(rows, snapshot_properties=dict(summary))

    def point(self) -> None:
        """Point each table to its snapshot in force."""
        for name, snapshot in self.in_force().items():
            staging.point(self.load(name), snapshot)

    def tag(
        self, holder: str, snapshots: Mapping[str, Collection[int]], *, is_all: bool = False
    ) -> None:
        """Keep these snapshots of tables for somebody, by tags that begin with that word; with
        `is_all` no others any more. Those that are gone already are left out."""
        for name in self._names() if is_all else snapshots:
            table = self.load(name)
            wanted = {each for each in snapshots.get(name, ()) if table.snapshot_by_id(each)}
            tags = {tag: of for tag, of in tags_of(table).items() if tag.startswith(f"{holder}-")}
            added = {f"{holder}-{each}": each for each in wanted - {*tags.values()}}
            retag(table, added, [tag for tag, of in tags.items() if is_all and of not in wanted])

    def has_tags(self) -> bool:
        """Whether anybody keeps a snapshot."""
        return any(tags_of(self.load(name)) for name in self._names())

    def prune(
        self, kept_of: Callable[[Sequence[Row]], int], *, is_of_tagged: bool = False
    ) -> Sequence[str]:
        """Remove old versions and their files, and return their names; `kept_of` says how many of
        the last versions stay. Tagged snapshots stay too, unless that is `is_of_tagged`.

        Nothing is done while another run is at work.
        """
        try:
            return self._prune(kept_of, is_of_tagged=is_of_tagged)
        except CommitFailedException:  # another run puts a version in force, and will prune
            return ()

    def purge(self) -> None:
        """Remove all tables, and `versions` last, so that a purge that was killed can go on."""
        for name in (*self._names(), self._name):
            if MARK in self.load(name).properties:
                self._catalog.purge_table(name)

    def _prune(
        self, kept_of: Callable[[Sequence[Row]], int], *, is_of_tagged: bool
    ) -> Sequence[str]:
        # In this order, so that snapshots staged by a run that claims later are not seen.
        tables = {name: self.load(name) for name in self._names()}
        self.table.refresh()
        rows, head = self.rows(), self.table.current_snapshot()
        if not rows or head is None or summary_value(head, CLAIM):  # a run is to add a row, or died
            return ()
        keep = kept_of(rows)
        removed = [row["version"] for row in rows[:-keep]]
        if removed:
            self.table.delete(f"version <= '{removed[-1]}'")
        claims, written = self._claims(), self._written()
        for name, table in tables.items():
            kept = {row["snapshots"].get(name) for row in rows[-keep:]} - {None}
            if MARK not in table.properties:
                continue
            if is_of_tagged:
                retag(table, {}, [tag for tag, of in tags_of(table).items() if of not in kept])
            kept |= {*tags_of(table).values()}
            if not kept:
                self._catalog.purge_table(name)
                continue
            if table.metadata.current_snapshot_id not in kept:  # tagged ones alone
                kept.add(table.metadata.current_snapshot_id)
            gone = [
                snapshot
                for snapshot in table.snapshots()
                if summary_value(snapshot, VERSION) and snapshot.snapshot_id not in kept
            ]
            unnamed = [
                path
                for version, parts in claims.items()
                if version not in written
                for path in left_by(table, version, parts)
            ]
            staging.expire(table, gone, unnamed)
        self._expire_versions(rows[-keep:][0]["version"])
        return removed

    def _expire_versions(self, oldest: str) -> None:
        """Expire snapshots of `versions` older than the oldest kept version; readers may still use
        the others."""
        snapshots = sorted(self.table.snapshots(), key=attrgetter("sequence_number"))
        older = takewhile(lambda snapshot: summary_value(snapshot, VERSION) != oldest, snapshots)
        staging.expire(self.table, list(older))

    def _claims(self) -> Mapping[str, Sequence[Part]]:
        """The parts that each claimed version may have written, including runs that died."""
        found: dict[str, Sequence[Part]] = {}
        for snapshot in self.table.snapshots():
            if version := summary_value(snapshot, CLAIM):
                months = (summary_value(snapshot, PARTS) or "").split(",")
                found[version] = (None, *(int(month) for month in months if month))
        return found

    def _written(self) -> set[str]:
        versions = (summary_value(snapshot, VERSION) for snapshot in self.table.snapshots())
        return {version for version in versions if version}

    def _open_versions(self) -> Table:
        """Raises: ConfigurationError where others have tables of these names."""
        try:
            return self._ours(self._catalog.load_table(self._name))
        except NoSuchTableError:
            pass
        for namespace in self._namespaces:
            self._catalog.create_namespace_if_not_exists(namespace)
        if names := list(self._names()):
            raise ConfigurationError(
                f"{self._place.name} holds other tables than ours, {names[0]} among them:"
                f" {self._place.remedy}"
            )
        return self._catalog.create_table(self._name, self._columns, properties=PROPERTIES)

    def _ours(self, table: Table) -> Table:
        if MARK in table.properties:
            return table
        raise ConfigurationError(
            f"{'.'.join(table.name())} of {self._place.name} was made by another program, and would"
            f" be overwritten: {self._place.remedy}"
        )

    def _names(self) -> Iterator[str]:
        """The names of all tables in the namespaces, except `versions`."""
        for namespace in self._namespaces:
            names = (".".join(found) for found in self._catalog.list_tables(namespace))
            yield from (name for name in names if name != self._name)


def kept_for(age: timedelta, column: str) -> Callable[[Sequence[Row]], int]:
    """For `prune`: the versions since the one that was in force so long ago; the column says since
    when each was."""
    before = datetime.now(UTC) - age

    def kept(rows: Sequence[Row]) -> int:
        older = [row for row in rows if row[column] <= before]
        return len(rows) - max(len(older) - 1, 0)

    return kept


def version_after(last: str | None) -> str:
    """A name that sorts after that of the version before, even if the clock went back."""
    now = f"{datetime.now(UTC):{NAME}}"
    if last is None or now > last:
        return now
    return f"{datetime.strptime(last, NAME) + timedelta(microseconds=1):{NAME}}"


def summary_value(snapshot: Snapshot, key: str) -> str | None:
    """The value of a key in the summary of a snapshot; None if it has none."""
    return snapshot.summary.get(key) if snapshot.summary else None
