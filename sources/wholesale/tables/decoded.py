"""Decoded: the Arrow tables of a resource, and the records and values that do not fit them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from wholesale.names import DELETED_AT
from wholesale.tables.ids import Ids, pack
from wholesale.tables.shapes import TableShape


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A record without a usable id: its page, its index there from 0, why, and its JSON text,
    None where it may not be stored."""

    page: int
    index: int
    reason: str
    body: str | None


class Misfit(NamedTuple):
    """A value that did not fit its column and stands as text in the row's `_extra`."""

    table: str
    field: str


@dataclass(frozen=True)
class Decoded:
    """Tables by name, in the columns of `shape`; every record is a row or in quarantine.

    `owners` holds, by child table, the row of the root (from 0) to which each child row belongs;
    `carried` whether each record of the root came with that list at all, even an empty one, and
    with nothing but objects in it.
    `records` counts the entries of the pages, those in quarantine included. `local_times` are the
    columns (`orders.created_at`) of which a time came without an offset. `unread` counts by
    documented column the values, but for empty text, that it could not hold at all. `written` has
    the records' GUIDs that are not sent in small letters with dashes, by how they are stored.
    """

    tables: dict[str, pa.Table]
    owners: dict[str, pa.Array]
    carried: dict[str, pa.Array]
    shape: TableShape
    records: int
    quarantined: tuple[Quarantined, ...] = ()
    misfits: tuple[Misfit, ...] = ()
    careful_pages: int = 0
    local_times: frozenset[str] = frozenset()
    unread: Mapping[str, int] = field(default_factory=dict)
    written: Mapping[str, str] = field(default_factory=dict)

    @property
    def root(self) -> pa.Table:
        return self.tables[self.shape.table]

    @cached_property
    def ids(self) -> Ids:
        """The packed ids of the records; cached, as many steps look them up."""
        return pack(self.root["id"])

    @property
    def has_plain_guids(self) -> bool:
        """Whether GUIDs are sent in small letters with dashes."""
        rows = len(np.unique(self.ids.keys)) if self.written else len(self.root)
        return rows - len(self.ids.others) > len(self.written)

    def marked(self, mask: pa.Array, at: datetime) -> "Decoded":
        """The same records, those for which `mask` is true marked as deleted at that time."""
        place = self.root.schema.get_field_index(DELETED_AT)
        column = self.root.schema.field(place)
        mark = pc.if_else(mask, pa.scalar(at, column.type), pa.scalar(None, column.type))
        root = self.root.set_column(place, column, pa.chunked_array([mark]))
        return replace(self, tables={**self.tables, self.shape.table: root})

    def keep(self, mask: pa.Array) -> "Decoded":
        """Only the records for which `mask` is true, with their children."""
        if pc.all(mask, min_count=0).as_py():
            return self
        position = pc.subtract(pc.cumulative_sum(mask.cast(pa.int64())), 1)
        tables = {self.shape.table: self.root.filter(mask)}
        owners = {}
        for name, owner in self.owners.items():
            stays = pc.take(mask, owner)
            tables[name] = self.tables[name].filter(stays)
            owners[name] = pc.take(position, owner.filter(stays))
        return replace(
            self,
            tables=tables,
            owners=owners,
            carried={name: carried.filter(mask) for name, carried in self.carried.items()},
            records=len(tables[self.shape.table]),
        )


def join(parts: Sequence[Decoded], shape: TableShape) -> Decoded:
    """All parts as one, in the columns of `shape`, which must include those of every part."""
    starts = [0, *accumulate(len(part.root) for part in parts)]
    return Decoded(
        tables={
            table.table: pa.concat_tables(
                [_in_columns(part.tables[table.table], table.schema) for part in parts]
                or [table.schema.empty_table()]
            )
            for table in shape.tables
        },
        owners={
            child.table: pa.concat_arrays(
                [
                    pc.add(part.owners[child.table], start)
                    for part, start in zip(parts, starts, strict=False)
                ]
                or [pa.array([], pa.int64())]
            )
            for child in shape.children
        },
        carried={
            child.table: pa.concat_arrays(
                [part.carried[child.table] for part in parts] or [pa.array([], pa.bool_())]
            )
            for child in shape.children
        },
        shape=shape,
        records=sum(part.records for part in parts),
        quarantined=tuple(record for part in parts for record in part.quarantined),
        misfits=tuple(misfit for part in parts for misfit in part.misfits),
        careful_pages=sum(part.careful_pages for part in parts),
        local_times=frozenset[str]().union(*(part.local_times for part in parts)),
        unread=sum((Counter(part.unread) for part in parts), Counter[str]()),
        written={plain: sent for part in parts for plain, sent in part.written.items()},
    )


def empty(shape: TableShape) -> Decoded:
    """No record, in the tables of the shape."""
    return join([], shape)


def _in_columns(table: pa.Table, schema: pa.Schema) -> pa.Table:
    if table.schema.equals(schema):
        return table
    have = set(table.column_names)
    columns = [
        table[field.name] if field.name in have else pa.nulls(len(table), field.type)
        for field in schema
    ]
    return pa.table(columns, schema=schema)


def one_chunk(column: pa.ChunkedArray | pa.Array) -> pa.Array:
    """A column as one array."""
    if isinstance(column, pa.Array):
        return column
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
