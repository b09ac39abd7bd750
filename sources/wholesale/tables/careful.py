"""Careful decoder: one page, value by value, for what the fast decoder refuses.

It reads everything: a value that does not fit its column goes to `_extra`, a record without a
usable id, or with a key twice, to quarantine, and a field seen for the first time gets a column.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from zoneinfo import ZoneInfo

import pyarrow as pa

from wholesale.api import plain_id
from wholesale.errors import ContentError
from wholesale.json import Json, RawPage, Refused, parse, parse_each, write
from wholesale.names import EXTRA
from wholesale.tables.decoded import Decoded, Misfit, Quarantined
from wholesale.tables.shapes import ColumnMapping, TableShape
from wholesale.tables.values import (
    READERS,
    Readers,
    Rounded,
    Unreadable,
    as_sent,
    is_local,
    read_id,
    read_timestamp,
)

ENTRY = "entry"
"""The name under which `_extra` of a child row keeps an entry that is no object."""


def decode_carefully(page: RawPage, shape: TableShape, *, takes_all: bool = False) -> Decoded:
    """The tables of one page, and the shape grown by the fields first seen on it.

    With `takes_all` a record that is no strict JSON goes to quarantine.

    Raises: ContentError when the page is no JSON array of values that may be kept.
    """
    entries = parse_each(page.records) if takes_all else parse(page.records)
    if not isinstance(entries, list):
        raise ContentError("the list of records is no array")
    grown = _grow(shape, [entry for entry in entries if isinstance(entry, dict)])
    reading = _Reading(page, _readers(grown.zone))
    for index, entry in enumerate(entries):
        reading.read_record(index, entry, grown)
    return Decoded(
        tables={
            table.table: pa.Table.from_pylist(reading.rows[table.table], schema=table.schema)
            for table in grown.tables
        },
        owners={
            child.table: pa.array(reading.owners[child.table], pa.int64())
            for child in grown.children
        },
        carried={
            child.table: pa.array(reading.carried[child.table], pa.bool_())
            for child in grown.children
        },
        shape=grown,
        records=len(entries),
        quarantined=tuple(reading.quarantined),
        misfits=tuple(reading.misfits),
        careful_pages=1,
        local_times=frozenset(reading.local_times),
        unread=reading.unread,
        written=reading.written,
    )


@dataclass(slots=True)
class _Reading:
    """The rows of one page, as they are collected."""

    page: RawPage
    readers: Readers
    rows: dict[str, list[dict[str, object]]] = field(default_factory=lambda: defaultdict(list))
    owners: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    carried: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))
    quarantined: list[Quarantined] = field(default_factory=list)
    misfits: list[Misfit] = field(default_factory=list)
    local_times: set[str] = field(default_factory=set)
    unread: Counter[str] = field(default_factory=Counter)
    written: dict[str, str] = field(default_factory=dict)

    def read_record(self, index: int, entry: Json, shape: TableShape) -> None:
        if isinstance(entry, Refused):
            self.quarantined.append(Quarantined(self.page.number, index, entry.why, entry.text))
            return
        if not isinstance(entry, dict):
            self._quarantine(index, "is no object", entry)
            return
        try:
            sent = read_id(entry.get("id"))
        except Unreadable:
            reason = "has no id" if entry.get("id") is None else "has an id that cannot be used"
            self._quarantine(index, reason, entry)
            return
        key = plain_id(sent)
        if key != sent:
            self.written[key] = sent
        row = self._read_fields(entry, shape)
        row["id"] = key
        if shape.parent_column and row.get(shape.parent_column) is None:
            row[shape.parent_column] = self.page.parent
        self.rows[shape.table].append(row)
        for child in shape.children:
            self._read_entries(shape, key, entry.get(child.field), child)

    def _read_entries(self, root: TableShape, key: str, entries: Json, shape: TableShape) -> None:
        rows = self.rows[shape.table]
        owner = len(self.rows[root.table]) - 1
        if not isinstance(entries, list):
            self.carried[shape.table].append(False)
            return
        self.carried[shape.table].append(all(isinstance(entry, dict) for entry in entries))
        for number, entry in enumerate(entries, start=1):
            if isinstance(entry, dict):
                row = self._read_fields(entry, shape, key)
            elif entry is None:
                row = {}
            else:
                self.misfits.append(Misfit(shape.table, ENTRY))
                row = {EXTRA: write({ENTRY: as_sent(entry)})}
            rows.append(row | {shape.parent_key: key, shape.number: number})
            self.owners[shape.table].append(owner)

    def _read_fields(
        self, entry: dict[str, Json], shape: TableShape, parent: str = ""
    ) -> dict[str, object]:
        """The row of a record, or of an entry, which may repeat the id of its `parent`."""
        row: dict[str, object] = {}
        extra: dict[str, str] = {}
        for name, value in _by_spelling(entry, shape):
            mapping = shape.mapping_of.get(name)
            if value is None or (name in shape.child_of and isinstance(value, list)):
                continue
            if parent and name == shape.parent_key and _is_id(value, parent):
                continue
            if mapping and mapping.type == "timestamp" and is_local(value):
                self.local_times.add(f"{shape.table}.{mapping.column}")
            if mapping is None or not _put(row, mapping, value, self.readers):
                extra[name] = as_sent(value)
                self.misfits.append(Misfit(shape.table, name))
                if mapping and mapping.section and row[mapping.column] is None and value != "":
                    self.unread[f"{shape.table}.{mapping.column}"] += 1
        if extra:
            row[EXTRA] = write(extra)
        return row

    def _quarantine(self, index: int, reason: str, entry: Json) -> None:
        self.quarantined.append(Quarantined(self.page.number, index, reason, write(entry)))


def _is_id(value: Json, key: str) -> bool:
    return isinstance(value, str) and plain_id(value) == key


def _by_spelling(entry: dict[str, Json], shape: TableShape) -> Iterable[tuple[str, Json]]:
    """The fields, last those that have the name of their column in another style: where one comes
    twice (`sub_total`, `subTotal`), the column's own name is the field's."""

    def is_other(item: tuple[str, Json]) -> bool:
        mapping = shape.mapping_of.get(item[0])
        return mapping is not None and mapping.column != item[0]

    return sorted(entry.items(), key=is_other)


def _readers(zone: str) -> Readers:
    """How values are read where times without an offset are in that zone."""
    return {**READERS, "timestamp": partial(read_timestamp, zone=ZoneInfo(zone))}


def _put(row: dict[str, object], mapping: ColumnMapping, value: Json, readers: Readers) -> bool:
    """Put a value into its column; whether the column holds it exactly as it was sent.

    A column whose own field did not fit takes no value of another.
    """
    try:
        read = readers[mapping.type](value)
        if mapping.is_of_ids:
            read = plain_id(str(read))
    except Rounded as rounded:
        row.setdefault(mapping.column, rounded.value)
        return False
    except Unreadable:
        row.setdefault(mapping.column, None)
        return False
    return row.setdefault(mapping.column, read) == read


def _grow(shape: TableShape, entries: list[dict[str, Json]]) -> TableShape:
    """The shape with a mapping for each field of these objects that it lacks."""
    unknown: dict[str, list[Json]] = defaultdict(list)
    nested: dict[str, list[dict[str, Json]]] = defaultdict(list)
    for entry in entries:
        for name, value in entry.items():
            if name in shape.child_of:
                if isinstance(value, list):
                    nested[name] += [part for part in value if isinstance(part, dict)]
            elif name not in shape.mapping_of and not (
                value is None and name in shape.untyped_fields
            ):
                unknown[name].append(value)
    children = tuple(_grow(child, nested[child.field]) for child in shape.children)
    return shape.with_columns(unknown, children)
