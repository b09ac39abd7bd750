"""Versions: states of several tables at once, each a row that names their snapshots.

A catalogue commits one table at a time. So the snapshots of a version are staged first, where no
reader looks; one row of the table `versions`, which names them, puts it in force; then each table
is pointed to its own. A commit to `versions` is accepted only on top of the one that its run knows
(optimistic concurrency), and a run begins with such a commit, its claim: of two runs at once the
one that claimed last goes on, and the row of the other is refused.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
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
from wholesale_elt.iceberg import staging
from wholesale_elt.iceberg.staging import MARK, PROPERTIES, VERSION, Part

Row = Mapping[str, Any]
COLUMNS: Mapping[str, pa.DataType] = {
    "version": pa.string(),
    "snapshots": pa.map_(pa.string(), pa.int64()),
}
"""What every row has, whatever else; versions sort in the order in which they came."""
CLAIM = "wholesale.claim"
"""In the summary of a snapshot of `versions`: the version that is to come on top of it."""
PARTS = "wholesale.parts"
"""Beside it: the parts of tables that it may write."""


@dataclass(frozen=True)
class Place:
    """What to call the catalogue in front of a person, and what to do where others have tables."""

    name: str
    remedy: str


class Versions:
    """The tables of these namespaces of a catalogue, and the table of their versions.

    Raises: ConfigurationError where others have tables there.
    """

    def __init__(
        self,
        catalog: Catalog,
        place: Place,
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
        """The one in force last."""
        rows = self.table.scan().to_arrow().to_pylist(maps_as_pydicts="strict")
        return sorted(rows, key=itemgetter("version"))

    def in_force(self) -> Mapping[str, int]:
        """The snapshot of each table in the version in force."""
        rows = self.rows()
        return rows[-1]["snapshots"] if rows else {}

    def load(self, name: str) -> Table:
        return self._catalog.load_table(name)

    def open(self, name: str, columns: pa.Schema, month_of: str | None = None) -> Table:
        """The table of that name, made with these columns where there is none; cut by the month of
        one of them."""
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
        """Commit that this version is to come: the row of any other that was to is refused now."""
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
        """Let readers of each table see the snapshot in force."""
        for name, snapshot in self.in_force().items():
            staging.point(self.load(name), snapshot)

    def prune(self, kept_of: Callable[[Sequence[Row]], int]) -> Sequence[str]:
        """Remove all versions but so many of the last, and what only they need: which they were.

        Nothing is done where another run is at work.
        """
        try:
            return self._prune(kept_of)
        except CommitFailedException:  # another run puts a version in force: it prunes
            return ()

    def _prune(self, kept_of: Callable[[Sequence[Row]], int]) -> Sequence[str]:
        # In this order: what is staged by a run that claims its row later is not among them.
        tables = {name: self.load(name) for name in self._names()}
        self.table.refresh()
        rows, head = self.rows(), self.table.current_snapshot()
        if not rows or head is None or said_in(head, CLAIM):  # a run is to add a row, or died
            return ()
        keep = kept_of(rows)
        removed = [row["version"] for row in rows[:-keep]]
        if removed:
            self.table.delete(f"version <= '{removed[-1]}'")
        claims, written = self._claims(), self._written()
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
                if said_in(snapshot, VERSION) and snapshot.snapshot_id not in kept
            ]
            unnamed = [
                staging.data_path(table, version, part)
                for version, parts in claims.items()
                if version not in written
                for part in parts
            ]
            staging.expire(table, gone, unnamed)
        self._expire_versions(rows[-keep:][0]["version"])
        return removed

    def _expire_versions(self, oldest: str) -> None:
        """Whoever reads `versions` may still be at a row that was the last one then."""
        snapshots = sorted(self.table.snapshots(), key=attrgetter("sequence_number"))
        older = takewhile(lambda snapshot: said_in(snapshot, VERSION) != oldest, snapshots)
        staging.expire(self.table, list(older))

    def _claims(self) -> Mapping[str, Sequence[Part]]:
        """The parts that a version may have written, by its name, also where it died."""
        found: dict[str, Sequence[Part]] = {}
        for snapshot in self.table.snapshots():
            if version := said_in(snapshot, CLAIM):
                months = (said_in(snapshot, PARTS) or "").split(",")
                found[version] = (None, *(int(month) for month in months if month))
        return found

    def _written(self) -> set[str]:
        said = (said_in(snapshot, VERSION) for snapshot in self.table.snapshots())
        return {version for version in said if version}

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
        """All tables there but `versions`."""
        for namespace in self._namespaces:
            names = (".".join(found) for found in self._catalog.list_tables(namespace))
            yield from (name for name in names if name != self._name)


def said_in(snapshot: Snapshot, key: str) -> str | None:
    """What the summary of a snapshot says by that key."""
    return snapshot.summary.get(key) if snapshot.summary else None
