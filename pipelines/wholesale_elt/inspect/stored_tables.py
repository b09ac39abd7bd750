"""Stored tables: the tables of a resource with their columns, as a warehouse has them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from wholesale.api import RECORDS, RESOURCE, Child, ColumnType, RawColumn, Record
from wholesale.names import DELETED_AT, EXTRA, RESERVED, RESERVED_PREFIX
from wholesale_elt.warehouse import RawReader

Columns = Mapping[str, ColumnType]


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table of records, or of their entries.

    `keys` are the columns that tell its rows apart. `columns` are all that hold what the service
    sends, in the order of the description, and those of ours that belong to it. `described` are
    those that are known without what was sent.
    """

    table: str
    keys: tuple[str, ...]
    columns: Columns
    described: Collection[str]
    children: tuple["StoredTable", ...] = ()

    @property
    def tables(self) -> tuple["StoredTable", ...]:
        """The root and its children."""
        return (self, *self.children)


def stored_table(
    raw: RawReader, resource: str, columns: Mapping[str, Mapping[str, ColumnType]]
) -> StoredTable:
    """The tables of a resource; `columns` are those of all tables."""
    return _table(raw, resource, RECORDS[RESOURCE[resource].record], columns)


def _table(
    raw: RawReader,
    table: str,
    record: type[Record],
    columns: Mapping[str, Mapping[str, ColumnType]],
    keys: tuple[str, ...] = ("id",),
) -> StoredTable:
    described, children = list(keys), []
    for name, field in record.model_fields.items():
        for mark in field.metadata:
            if isinstance(mark, RawColumn) and name not in keys:
                described.append(name)
            if isinstance(mark, Child):
                entry: Any = get_args(field.annotation)[0]
                numbered = (mark.parent_key, mark.number)
                children.append(_table(raw, f"{table}__{name}", entry, columns, numbered))
    ours = [EXTRA, DELETED_AT] if len(keys) == 1 else [EXTRA]
    known, there = columns.get(table, {}), raw.column_names(table)
    found = [
        name
        for name in known
        if name not in described and name not in RESERVED and not name.startswith(RESERVED_PREFIX)
    ]
    return StoredTable(
        table,
        keys,
        {name: known[name] for name in (*described, *found, *ours) if name in there & known.keys()},
        described={*described, *ours},
        children=tuple(children),
    )
