"""Kept: what runs over a service in memory leave behind, from one run to the next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa

from support.records.lists import Lists, Record, named_settings
from wholesale.api.profile import ServiceFacts, ServiceProfile
from wholesale.api.records import ColumnType
from wholesale.api.resources import RESOURCE, Resource
from wholesale.compare.past import Past
from wholesale.compare.stored import IS_DELETED, NOTHING, Stored
from wholesale.compare.summaries import found_columns
from wholesale.sync.changes import Batch
from wholesale.sync.reader import Reader
from wholesale.sync.run import Run
from wholesale.tables.ids import in_order
from wholesale.tables.shapes import TableShape, shape_of


@dataclass
class Kept:
    """A destination in memory: rows by table and key, entries of a record under the record's key.

    `known` is what runs found out about the service. A run brings one resource after the other.
    """

    service: Lists
    page_size: int = 10
    rows: dict[str, dict[str, Record]] = field(default_factory=dict)
    entries: dict[str, dict[str, list[Record]]] = field(default_factory=dict)
    deleted: dict[str, set[str]] = field(default_factory=dict)
    known: ServiceProfile | None = None
    found: dict[str, dict[str, ColumnType]] = field(default_factory=dict)
    suspects: dict[str, Sequence[str]] = field(default_factory=dict)
    refused: dict[str, Sequence[str]] = field(default_factory=dict)
    scanned_at: datetime | None = None

    def sync(self, *resources: str, is_full: bool = False, **facts: Any) -> dict[str, Reader]:
        """The readers of one run, in which the user has set these facts."""
        pins = ServiceFacts(**facts)
        service = self.service.service(page_size=self.page_size, concurrency=1, service=pins)
        settings = service.client.settings
        run = Run(settings, self.stored, self.known, is_full=is_full, goes_on=True)
        run.service = service
        for name in resources:
            self._sync(run, name)
        self.known = run.profile
        return run.readers

    def _sync(self, run: Run, name: str) -> None:
        began_at = datetime.now(UTC)
        batches: list[Batch] = []
        reader = run.begin(RESOURCE[name], shape_of(RESOURCE[name], self.found))
        run.read(reader, batches.append)
        for batch in [*batches, *reader.late]:
            self._merge(name, batch)
        self.deleted.setdefault(name, set()).update(reader.gone)
        self.suspects[name], self.refused[name] = (
            reader.doubts.suspects,
            reader.doubts.refused,
        )
        if name == "orders" and not reader.doubts.sentences() and reader.tally.full_scans:
            is_scan = reader.doubts.proof is not None and reader.doubts.proof.kind != "head"
            self.scanned_at = began_at if is_scan else self.scanned_at
        for table in reader.shape.tables:
            found = {m.column: m.type for m in table.mappings if m.section is None}
            self.found[table.table] = found

    def stored(self, resource: Resource, shape: TableShape) -> Stored:
        if not self.rows.get(resource.name):
            return NOTHING
        version, parent = resource.version.value, resource.parent
        columns = [*resource.summary, version, parent.column if parent else None]
        is_whole = not resource.summary
        stored = Stored.of(
            [self._table(resource.name, shape)],
            columns=[name for name in dict.fromkeys(columns) if name and name != "id"],
            is_whole=is_whole,
            found=found_columns(shape) if resource.summary else (),
            version=version,
            parent=parent.column if parent else None,
        )
        for child in shape.children if is_whole else ():
            entries = [row for rows in self.entries[child.table].values() for row in rows]
            stored = stored.with_entries(child, [pa.Table.from_pylist(entries, child.schema)])
        past = Past(absent=in_order(self.suspects[resource.name]), scanned_at=self.scanned_at)
        past = past if resource.summary else replace(past, scanned_at=None)
        return stored.after(past).doubting(self.refused[resource.name])

    def _table(self, name: str, shape: TableShape) -> pa.Table:
        deleted = self.deleted[name]
        rows = [row | {IS_DELETED: key in deleted} for key, row in self.rows[name].items()]
        fields = [column for column in shape.schema if column.name != "_deleted_at"]
        schema = pa.schema([*fields, pa.field(IS_DELETED, pa.bool_())])
        return pa.Table.from_pylist(rows, schema)

    def _merge(self, name: str, batch: Batch) -> None:
        rows = self.rows.setdefault(name, {})
        for row in batch.decoded.root.to_pylist():
            rows[row["id"]] = row
            self.deleted.setdefault(name, set()).discard(row["id"])
        for child in batch.decoded.shape.children:
            kept = self.entries.setdefault(child.table, {})
            kept |= {key: [] for key in batch.decoded.root["id"].to_pylist()}
            for row in batch.decoded.tables[child.table].to_pylist():
                kept[row[child.parent_key]].append(row)

    def values(self, name: str, column: str) -> Mapping[str, Any]:
        """The values of a column that have one, by id."""
        rows = self.rows[name].items()
        return {key: row[column] for key, row in rows if row.get(column) is not None}

    def counts(self, table: str) -> dict[str, int]:
        """How many entries each record has."""
        return {key: len(entries) for key, entries in self.entries[table].items()}


def doubted(reader: Reader) -> list[str]:
    """The facts whose settings a reading names, or else its doubts; empty if it is complete."""
    return sorted(named_settings(reader)) or reader.doubts.sentences()
