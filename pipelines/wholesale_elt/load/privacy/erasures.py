"""Erasures: the cells of raw tables with data of those who were erased, in the SQL of all
destinations.

Ids, contacts and names are recognised as a sync recognises them (`wholesale.privacy.Erased`), so
that whatever is erased is kept out, and whatever is kept out is found.
"""

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from wholesale.api import RESOURCE, PersonalClass, Resource
from wholesale.errors import counted
from wholesale.privacy import (
    OF_A_BUYER,
    OF_A_PERSON_ALONE,
    SEPARATOR,
    Erased,
    ErasedKind,
    class_in,
)
from wholesale.tables import TableShape, shape_of
from wholesale_elt.past import is_past, past_of
from wholesale_elt.runs import forget_digests
from wholesale_elt.warehouse import Raw, RawReader, quoted

log = logging.getLogger("wholesale.privacy")

BUYER: Mapping[str, str] = {"buyers": "id", "buyer_users": "buyer_id", "orders": "buyer_id"}
"""The column with the id of the buyer, by resource."""
PERSON: Mapping[str, str] = {"buyer_users": "id", "orders": "buyer_user_id"}
"""The column with the id of the person."""
CLASSES_OF: Mapping[ErasedKind, Collection[str]] = {
    "buyer": OF_A_BUYER,
    "person": OF_A_PERSON_ALONE,
}
"""The classes of fields that tell of each in its own rows."""
TEXTS = pa.schema([pa.field("text", pa.string())])
NAMES = pa.schema([pa.field("buyer", pa.string()), pa.field("name", pa.string())])


@dataclass(frozen=True, slots=True)
class ErasableCells:
    """The cells of one table to erase: by column, the condition of their rows in SQL."""

    table: str
    conditions: Mapping[str, str]


def cells_of(
    raw: RawReader, erased: Erased, resources: Collection[Resource] = tuple(RESOURCE.values())
) -> Sequence[ErasableCells]:
    """The cells to erase, by table, without tables and columns that cannot have any; what was in a
    table before is erased as what is."""
    columns, ids = raw.columns(), _Ids(raw, erased)
    return [
        cells
        for resource in resources
        for shape in (shape_of(resource, columns),)
        for table in shape.tables
        for place in (table.table, past_of(table.table))
        if place in columns and (cells := _Table(raw, ids, shape, table, place).cells(columns))
    ]


def count(raw: RawReader, cells: ErasableCells) -> tuple[int, int]:
    """How many rows and cells of the table hold a value to erase."""
    erasable = [_is_erasable(raw, name, condition) for name, condition in cells.conditions.items()]
    sums = " + ".join(f"case when {condition} then 1 else 0 end" for condition in erasable)
    rows = raw.rows(
        f"select count(*), coalesce(sum({sums}), 0) from {raw.name(cells.table)}"
        f" where {' or '.join(erasable)}"
    )
    return (int(rows[0][0]), int(rows[0][1])) if rows else (0, 0)


def emptying(raw: Raw, cells: ErasableCells) -> str:
    """The statement that sets these cells to null."""
    erasable = [_is_erasable(raw, name, condition) for name, condition in cells.conditions.items()]
    emptied = ", ".join(
        f"{raw.quoted(name)} = {remaining(raw, cells, name)}" for name in cells.conditions
    )
    return f"update {raw.name(cells.table)} set {emptied} where {' or '.join(erasable)}"


def remaining(raw: Raw, cells: ErasableCells, name: str) -> str:
    """What a column has once its cells are erased."""
    return f"case when {cells.conditions[name]} then null else {raw.quoted(name)} end"


def _is_erasable(raw: RawReader, name: str, condition: str) -> str:
    """The condition for rows in which the column has a value to erase."""
    return f"({raw.quoted(name)} is not null and ({condition}))"


def empty_erased(raw: Raw, shape: TableShape, erased: Erased) -> None:
    """Empty what something other than a sync has brought back of those who were erased, before a
    sync would replace it, and keep it as what was before."""
    if not erased:
        return
    found = [
        (cells, rows)
        for cells in cells_of(raw, erased, (RESOURCE[shape.table],))
        if (rows := count(raw, cells)[0])
    ]
    if not found:
        return
    with raw.transaction():
        forget_digests(raw, shape.table)
        for cells, rows in found:
            raw.execute(emptying(raw, cells))
            log.warning(
                "%s: %s held data of somebody who was erased, which no sync has brought: erased"
                " again",
                cells.table,
                counted(rows, "row"),
            )


class _Ids:
    """The ids of the erased in tables of records, which their entries ask for again."""

    def __init__(self, raw: RawReader, erased: Erased) -> None:
        self.erased = erased
        self._raw = raw
        self._found: dict[tuple[ErasedKind, str], Sequence[str]] = {}

    def of(self, kind: ErasedKind, table: str, column: str) -> Sequence[str]:
        key = kind, table
        if key not in self._found:
            query = f"select distinct {column} as text from {self._raw.name(table)}"
            is_any = bool(self.erased.hashes.get(kind))
            texts = _texts(self._raw, query) if is_any else ()
            self._found[key] = self.erased.among(kind, texts)
        return self._found[key]


@dataclass
class _Table:
    """One table of a resource, as it is or as it was, and how those who were erased stand in it."""

    raw: RawReader
    ids: _Ids
    root: TableShape
    table: TableShape
    place: str
    of_records: Sequence[str] = ()
    """The tables that have the records of these rows."""

    def cells(self, columns: Mapping[str, Collection[str]]) -> ErasableCells | None:
        of_records = [self.root.table, past_of(self.root.table)]
        if self.table.is_root:
            of_records = [self.place]
        elif not is_past(self.place):
            of_records = [self.root.table]
        self.of_records = [name for name in of_records if name in columns]
        self._own: Mapping[ErasedKind, str | None] = {
            "buyer": self._rows_of("buyer", BUYER),
            "person": self._rows_of("person", PERSON),
        }
        conditions = {
            name: condition
            for name in self.table.schema.names
            if name in columns[self.place] and (condition := self._condition(name))
        }
        return ErasableCells(self.place, conditions) if conditions else None

    def _condition(self, name: str) -> str | None:
        """The condition under which a column has data of the erased; None if it never has."""
        class_ = class_in(self.table, name)
        if not class_:
            return None
        conditions = [
            rows
            for kind, classes in CLASSES_OF.items()
            if class_ in classes and (rows := self._own[kind])
        ]
        conditions += self._where_it_is(name, self._contacts(name, class_))
        if class_ == "name":
            conditions += self._names(name)
        return " or ".join(f"({condition})" for condition in conditions) or None

    def _rows_of(self, kind: ErasedKind, columns: Mapping[str, str]) -> str | None:
        """The condition for rows of the records of the erased, and of their entries; an entry of
        the past is theirs if its record is, or ever was."""
        column = columns.get(self.root.table)
        if column is None:
            return None
        ids = {key for name in self.of_records for key in self.ids.of(kind, name, column)}
        if not ids:
            return None
        is_theirs = f"{column} in ({_listed(ids)})"
        if self.table.is_root:
            return is_theirs
        of_record = (
            f"{self.table.parent_key} in (select id from {self.raw.name(place)} where {is_theirs})"
            for place in self.of_records
        )
        return f"({' or '.join(of_record)})"

    def _contacts(self, name: str, class_: PersonalClass) -> Sequence[str]:
        """The texts with an erased contact: all of a field for contacts, or anywhere in another."""
        if not self.ids.erased.hashes.get("contact"):
            return ()
        query = f"select distinct {self._text(name)} as text from {self.raw.name(self.place)}"
        if class_ == "contact":
            return self.ids.erased.among("contact", _texts(self.raw, query))
        if not pa.types.is_string(self.table.schema.field(name).type):
            return ()
        batches = self.raw.batches(query, TEXTS)
        return [text for batch in batches for text in self.ids.erased.naming(batch["text"])]

    def _names(self, name: str) -> Iterator[str]:
        """The conditions for the erased names of each buyer in rows of that buyer."""
        column = BUYER.get(self.root.table)
        if column is None or not self.ids.erased.hashes.get("name"):
            return
        for place in self.of_records:
            owners = self.raw.name(place)
            entries, own = f"{owners} as record", "record"
            if not self.table.is_root:
                joined = f"join {self.raw.name(self.place)} as entry"
                entries = f"{entries} {joined} on entry.{self.table.parent_key} = record.id"
                own = "entry"
            text = f"cast({own}.{self.raw.quoted(name)} as varchar)"
            query = f"select distinct record.{column} as buyer, {text} as name from {entries}"
            found: dict[str, list[str]] = {}
            for batch in self.raw.batches(query, NAMES):
                pairs = zip(batch["buyer"].to_pylist(), batch["name"].to_pylist(), strict=True)
                keyed = (f"{buyer}{SEPARATOR}{name}" for buyer, name in pairs if buyer and name)
                for pair in self.ids.erased.among("name", keyed):
                    buyer, _, said = pair.partition(SEPARATOR)
                    found.setdefault(buyer, []).append(said)
            for buyer, texts in found.items():
                is_theirs = f"{column} = {quoted(buyer)}"
                if not self.table.is_root:
                    ids = f"select id from {owners} where {is_theirs}"
                    is_theirs = f"{self.table.parent_key} in ({ids})"
                yield from (
                    f"{is_theirs} and {condition}" for condition in self._where_it_is(name, texts)
                )

    def _where_it_is(self, name: str, texts: Collection[str]) -> Sequence[str]:
        return (f"{self._text(name)} in ({_listed(texts)})",) if texts else ()

    def _text(self, name: str) -> str:
        return f"cast({self.raw.quoted(name)} as varchar)"


def _texts(raw: RawReader, query: str) -> Iterator[str | None]:
    """The texts that a query finds, under that name."""
    for batch in raw.batches(query, TEXTS):
        yield from batch["text"].to_pylist()


def _listed(values: Collection[str]) -> str:
    return ", ".join(quoted(value) for value in sorted(values))
