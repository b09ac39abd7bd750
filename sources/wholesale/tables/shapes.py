"""Table shapes: which field of a record goes to which column of which table."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from types import MappingProxyType

import pyarrow as pa

from wholesale.api import (
    FIELD_NAMES_MEAN_THE_SAME,
    FIELD_TYPES,
    RECORDS,
    Child,
    ColumnType,
    RawColumn,
    Record,
    Resource,
    field_docs,
)
from wholesale.json import Json, NumberText, encodable
from wholesale.names import DELETED_AT, EXTRA, RESERVED, RESERVED_PREFIX
from wholesale.tables.values import DECIMAL_SCALE, fits

MAX_COLUMN_NAME = 60  # PostgreSQL, the tightest destination, takes 63 bytes
HASH_DIGITS = 6
PLAIN_NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
"""A field whose column has its own name."""
MAX_FOUND_COLUMNS = 200
"""Most unknown fields that become columns; further ones stay in `_extra`, so that an object used
as a map cannot add thousands of columns."""
MAX_SPELLINGS = 20
"""Most other spellings of a field that share its column; further ones stay in `_extra`."""

FEW = 10
"""At most one value in so many, of another kind than the rest, decides no type."""

MONEY = pa.decimal128(38, DECIMAL_SCALE)
INSTANT = pa.timestamp("us", "UTC")
STORED: Mapping[ColumnType, pa.DataType] = MappingProxyType(
    {
        "key": pa.string(),
        "text": pa.string(),
        "decimal": MONEY,
        "integer": pa.int64(),
        "boolean": pa.bool_(),
        "timestamp": INSTANT,
        "json": pa.string(),
        "texts": pa.string(),
    }
)
SENT: Mapping[ColumnType, pa.DataType] = MappingProxyType(
    {**STORED, "timestamp": pa.string(), "json": pa.null(), "texts": pa.list_(pa.string())}
)
"""The types the fast decoder reads: only null for a JSON column, as it cannot keep raw text; a time
as text, as Arrow's reader takes one without an offset for UTC."""


def arrow_schema(columns: Mapping[str, ColumnType]) -> pa.Schema:
    """Columns of these types, as they are stored."""
    return pa.schema([(name, STORED[type_]) for name, type_ in columns.items()])


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """One column of a table: the field it comes from, its type, and its §.

    `section` is None for a column that was found in the data.
    """

    field: str
    column: str
    type: ColumnType
    section: str | None
    description: str = ""
    is_inherited: bool = False
    """Found by an earlier run: only the name of the column is known, not that of the field."""
    aliases: tuple[str, ...] = ()
    """Other spellings of the field that were seen (`salesChannel`)."""

    @property
    def fields(self) -> tuple[str, ...]:
        return (self.field, *self.aliases)

    @property
    def is_of_ids(self) -> bool:
        """Whether it holds ids of records, or references to them."""
        return self.type in ("key", "text") and is_id(self.column)


@dataclass(frozen=True)
class TableShape:
    """One table of a resource: the root (a row a record) or a child (a row an entry of a field).

    Of a child, `field` is the field of the record, `parent_key` the column with the record's id and
    `number` the column with the place in the list, from 1. Of a root, `parent_column` is the column
    that gets the id of the parent in whose list the record was found.
    `untyped_fields` are unknown fields that were always null, so that they have no type yet. `zone`
    is that of times that come without an offset.
    """

    table: str
    mappings: tuple[ColumnMapping, ...]
    field: str = ""
    parent_key: str = ""
    number: str = ""
    children: tuple["TableShape", ...] = ()
    untyped_fields: frozenset[str] = frozenset()
    parent_column: str = ""
    zone: str = "UTC"

    @property
    def is_root(self) -> bool:
        return not self.parent_key

    @property
    def tables(self) -> tuple["TableShape", ...]:
        """The root and its children."""
        return (self, *self.children)

    @cached_property
    def mapping_of(self) -> Mapping[str, ColumnMapping]:
        """The mapping of each field that has one."""
        return {name: mapping for mapping in self.mappings for name in mapping.fields}

    @cached_property
    def child_of(self) -> Mapping[str, "TableShape"]:
        """The child table of each field whose entries are rows."""
        return {child.field: child for child in self.children}

    @cached_property
    def json_columns(self) -> frozenset[str]:
        """Columns that hold the text of JSON."""
        kinds = {mapping.column for mapping in self.mappings if mapping.type in ("json", "texts")}
        return frozenset(kinds | {EXTRA})

    @cached_property
    def decimals(self) -> frozenset[str]:
        """Fields of decimals, those of the children too."""
        own = {name for name, mapping in self.mapping_of.items() if mapping.type == "decimal"}
        return frozenset(own).union(*(child.decimals for child in self.children))

    @cached_property
    def schema(self) -> pa.Schema:
        """Columns of the stored table, in order."""
        keys = (
            []
            if self.is_root
            else [
                pa.field(self.parent_key, pa.string(), nullable=False),
                pa.field(self.number, pa.int64(), nullable=False),
            ]
        )
        payload = [
            pa.field(mapping.column, STORED[mapping.type], nullable=mapping.type != "key")
            for mapping in self.mappings
        ]
        mark = [pa.field(DELETED_AT, INSTANT)] if self.is_root else []
        return pa.schema([*keys, *payload, pa.field(EXTRA, pa.string()), *mark])

    @cached_property
    def sent_type(self) -> pa.DataType:
        """The type of one record, or entry, as the fast decoder reads it."""
        fields = [
            pa.field(name, SENT[mapping.type])
            for mapping in self.mappings
            for name in mapping.fields
        ]
        fields += [pa.field(name, pa.null()) for name in sorted(self.untyped_fields)]
        fields += [] if self.is_root else [pa.field(self.parent_key, pa.string())]
        fields += [pa.field(child.field, pa.list_(child.sent_type)) for child in self.children]
        return pa.struct(fields)

    def with_columns(
        self, unknown: Mapping[str, Sequence[Json]], children: tuple["TableShape", ...]
    ) -> "TableShape":
        """This shape with these children, and a mapping for every unknown field that has a value.

        `unknown` maps each field to its values, in the order seen. A field whose column name is
        taken, or has been written in too many other ways, gets no mapping: its values stay in
        `_extra`.
        """
        mappings = list(self.mappings)
        untyped_fields = set(self.untyped_fields)
        place_of = {m.column: index for index, m in enumerate(mappings) if m.type != "key"}
        taken = self._taken
        left = MAX_FOUND_COLUMNS - sum(mapping.section is None for mapping in mappings)
        for name, values in unknown.items():
            column = column_name(name)
            known = [value for value in values if value is not None]
            if encodable(name) != name or name == self.parent_key:
                continue  # Arrow cannot hold the name, or an entry repeats the id of its record
            if not known:
                untyped_fields.add(name)
            elif (index := place_of.get(column)) is not None:
                if len(mappings[index].aliases) < MAX_SPELLINGS:
                    mappings[index] = _also(mappings[index], name)
                    untyped_fields.discard(name)
            elif left > 0 and column not in taken and not column.startswith(RESERVED_PREFIX):
                place_of[column] = len(mappings)
                mappings.append(ColumnMapping(name, column, type_of(name, known), section=None))
                untyped_fields.discard(name)
                left -= 1
        return replace(
            self,
            mappings=tuple(mappings),
            children=children,
            untyped_fields=frozenset(untyped_fields),
        )

    def in_zone(self, zone: str) -> "TableShape":
        """This shape, where times without an offset are in that zone."""
        children = tuple(child.in_zone(zone) for child in self.children)
        return replace(self, children=children, zone=zone)

    @cached_property
    def _taken(self) -> frozenset[str]:
        """Columns that no found field gets: keys, those of ours, and what is a child table."""
        keys = {mapping.column for mapping in self.mappings if mapping.type == "key"}
        lists = {child.field for child in self.children}
        return frozenset(RESERVED | keys | lists | {"", self.parent_key, self.number})


def _also(mapping: ColumnMapping, name: str) -> ColumnMapping:
    """The mapping, taking this field too; one from an earlier run knows no other field."""
    if mapping.is_inherited:
        return replace(mapping, field=name, is_inherited=False)
    return replace(mapping, aliases=(*mapping.aliases, name))


def shape_of(
    resource: Resource, found: Mapping[str, Mapping[str, ColumnType]] | None = None
) -> TableShape:
    """The shape of a resource's tables: the fields of its record, and columns found before.

    `found` maps each table to the columns that earlier runs added, with their types.
    """
    shape = _shape(RECORDS[resource.record], resource.name, found or {})
    return replace(shape, parent_column=resource.parent.column if resource.parent else "")


def _shape(
    record: type[Record],
    table: str,
    found: Mapping[str, Mapping[str, ColumnType]],
    within: str = "",
    child: Child | None = None,
) -> TableShape:
    mappings: list[ColumnMapping] = []
    children: list[TableShape] = []
    for name, info in record.model_fields.items():
        for mark in info.metadata:
            if isinstance(mark, RawColumn):
                section = mark.section or record.section
                meaning = field_docs().get((record.__name__, name), "")
                mappings.append(ColumnMapping(name, name, mark.type, section, meaning))
            else:
                entry = info.annotation.__args__[0]  # type: ignore[union-attr]
                children.append(_shape(entry, f"{table}__{name}", found, name, mark))
    declared = {mapping.column for mapping in mappings}
    keys = (child.parent_key, child.number) if child else ("", "")
    for column, type_ in found.get(table, {}).items():
        is_ours = column.startswith(RESERVED_PREFIX) or column in RESERVED | set(keys)
        if column not in declared and not is_ours:
            mappings.append(ColumnMapping(column, column, type_, section=None, is_inherited=True))
    return TableShape(table, tuple(mappings), within, *keys, children=tuple(children))


def is_id(column: str) -> bool:
    """Whether a column of that name has ids of records: their own, or references to others."""
    return column == "id" or column.endswith("_id")


@lru_cache(2**14)
def column_name(name: str) -> str:
    """The column for a field: snake case, which the API's own names are already.

    Names of ASCII words that differ in letter case, `_`, `-` and blanks alone share a column. Any
    other name loses characters on the way (`discount %`, `discount $`), so digits of its hash keep
    its column its own. A name without an ASCII letter has none: "".
    """
    if PLAIN_NAME.fullmatch(name) and len(name) <= MAX_COLUMN_NAME:
        return name
    column = re.sub(r"^(?=[0-9])", "_", snake_case(name))
    if re.fullmatch(r"[A-Za-z0-9_ -]*", name) and len(column) <= MAX_COLUMN_NAME:
        return column.rstrip("_")
    if not re.search("[a-z]", column):
        return ""  # nothing of the name is left to read
    digits = sha256(encodable(name).encode()).hexdigest()[:HASH_DIGITS]
    return f"{column[: MAX_COLUMN_NAME - HASH_DIGITS - 1].rstrip('_')}_{digits}"


def snake_case(name: str) -> str:
    """The name in snake case: `sales_channel` for `salesChannel` and `Sales-Channel`."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return re.sub(r"[^a-z0-9]+", "_", words.lower())


def type_of(name: str, values: Sequence[Json]) -> ColumnType:
    """The type of a field that the description does not show, by its name or its values.

    A name that the description uses elsewhere means the same here, if most values fit: a few odd
    ones, which stay in `_extra`, decide for no others. What ends in `_id` refers to an id, which is
    text also where it is a number, so that both join.
    """
    name = snake_case(name)
    known_as = "id" if name.endswith("_id") else name
    by_name = TYPES_BY_NAME.get(known_as) if FIELD_NAMES_MEAN_THE_SAME.value else None
    if by_name and sum(fits(by_name, value) for value in values) * 2 > len(values):
        return by_name
    if all(isinstance(value, bool) for value in values):
        return "boolean"
    plain = [value for value in values if not isinstance(value, dict | list | bool)]
    if len(values) - len(plain) > len(values) // FEW:
        return "json"
    values = plain
    has_number = any(isinstance(value, NumberText) for value in values)
    if has_number and all(fits("decimal", value) for value in values):
        return "decimal"
    if name.endswith("_at") and all(fits("timestamp", value) for value in values):
        return "timestamp"
    return "text"


def _types_by_name() -> Mapping[str, ColumnType]:
    types: dict[str, ColumnType] = dict(FIELD_TYPES.value)
    for record in RECORDS.values():
        for mapping in (p for shape in _shape(record, "", {}).tables for p in shape.mappings):
            types[mapping.field] = "text" if mapping.type == "key" else mapping.type
    return MappingProxyType(types)


TYPES_BY_NAME = _types_by_name()
