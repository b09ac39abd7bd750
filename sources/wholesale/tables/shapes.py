"""The shape of a table family: which field of a record goes to which column of which table."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

import pyarrow as pa

from wholesale.api import (
    FIELD_NAMES_MEAN_THE_SAME,
    FIELD_TYPES,
    RECORDS,
    Child,
    Column,
    ColumnType,
    Record,
    Resource,
    meanings,
)
from wholesale.pages import Json, Literal, encodable
from wholesale.tables.values import DECIMAL_SCALE, fits

EXTRA = "_extra"
DELETED_AT = "_deleted_at"
REMOVED = "_removed"
"""A column that only dlt's own merge needs: see `hints`."""
RESERVED = frozenset({EXTRA, DELETED_AT, REMOVED})
RESERVED_PREFIX = "_dlt_"
MAX_COLUMN_NAME = 60  # PostgreSQL, the tightest destination, takes 63 bytes
MAX_FOUND_COLUMNS = 200
"""Fields beyond this many unknown ones stay in `_extra`, so that a map cannot explode a table."""

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
    {**STORED, "json": pa.null(), "texts": pa.list_(pa.string())}
)
"""What the fast decoder can take: no value at all for a JSON column, as it keeps no raw text."""


@dataclass(frozen=True, slots=True)
class Place:
    """One column of a table: the field it comes from, its type, and its § (None: found in data)."""

    field: str
    column: str
    type: ColumnType
    section: str | None
    description: str = ""
    is_inherited: bool = False
    """Found by an earlier run, of which only the column's name is left, not the field's."""


@dataclass(frozen=True)
class Shape:
    """One table of a family: a root (a record a row) or a child (an entry of a field a row).

    `parent_column` of a root holds the id in whose list a record was found.
    `silent` are unknown fields that never held a value yet, so that their type is not known.
    """

    table: str
    places: tuple[Place, ...]
    field: str = ""
    parent_key: str = ""
    number: str = ""
    children: tuple["Shape", ...] = ()
    silent: frozenset[str] = frozenset()
    parent_column: str = ""

    @property
    def is_root(self) -> bool:
        return not self.parent_key

    @property
    def family(self) -> tuple["Shape", ...]:
        return (self, *self.children)

    @cached_property
    def place_of(self) -> Mapping[str, Place]:
        """The place of each field that has one."""
        return {place.field: place for place in self.places}

    @cached_property
    def child_of(self) -> Mapping[str, "Shape"]:
        """The child table of each field whose entries are rows."""
        return {child.field: child for child in self.children}

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
            pa.field(place.column, STORED[place.type], nullable=place.type != "key")
            for place in self.places
        ]
        mark = [pa.field(DELETED_AT, INSTANT)] if self.is_root else []
        return pa.schema([*keys, *payload, pa.field(EXTRA, pa.string()), *mark])

    @cached_property
    def sent_type(self) -> pa.DataType:
        """The type of one record, or entry, as the fast decoder reads it."""
        fields = [pa.field(place.field, SENT[place.type]) for place in self.places]
        fields += [pa.field(name, pa.null()) for name in sorted(self.silent)]
        fields += [pa.field(child.field, pa.list_(child.sent_type)) for child in self.children]
        return pa.struct(fields)

    def grown(
        self, unknown: Mapping[str, Sequence[Json]], children: tuple["Shape", ...]
    ) -> "Shape":
        """This shape with grown children and a place for every unknown field that shows a type.

        `unknown` maps field to its values, in the order seen. A field without a free column
        name gets no place: its values stay in `_extra`.
        """
        places = list(self.places)
        silent = set(self.silent)
        for name, values in unknown.items():
            column = column_name(name)
            known = [value for value in values if value is not None]
            if encodable(name) != name:
                continue  # Arrow cannot hold the name
            if not known:
                silent.add(name)
            elif (index := _inherited(column, places)) is not None:
                places[index] = replace(places[index], field=name, is_inherited=False)
                silent.discard(name)
            elif self._is_free(column, places):
                places.append(Place(name, column, type_of(name, known), section=None))
                silent.discard(name)
        return replace(self, places=tuple(places), children=children, silent=frozenset(silent))

    def _is_free(self, column: str, places: Iterable[Place]) -> bool:
        taken = {place.column for place in places}
        taken |= (
            RESERVED | {self.parent_key, self.number} | {child.field for child in self.children}
        )
        found = sum(place.section is None for place in places)
        return (
            bool(column)
            and column not in taken
            and not column.startswith(RESERVED_PREFIX)
            and found < MAX_FOUND_COLUMNS
        )


def _inherited(column: str, places: Sequence[Place]) -> int | None:
    """Where the place stands that an earlier run gave to a field of this column name."""
    matches = (i for i, place in enumerate(places) if place.is_inherited)
    return next((i for i in matches if places[i].column == column), None)


def shape_of(
    resource: Resource, found: Mapping[str, Mapping[str, ColumnType]] | None = None
) -> Shape:
    """The shape of a resource's tables: what its record declares and what was found before.

    `found` maps table to the columns, with their types, that earlier runs added.
    """
    shape = _shape(RECORDS[resource.record], resource.name, found or {})
    return replace(shape, parent_column=resource.parent.column if resource.parent else "")


def _shape(
    record: type[Record],
    table: str,
    found: Mapping[str, Mapping[str, ColumnType]],
    within: str = "",
    child: Child | None = None,
) -> Shape:
    places: list[Place] = []
    children: list[Shape] = []
    for name, info in record.model_fields.items():
        for mark in info.metadata:
            if isinstance(mark, Column):
                section = mark.section or record.section
                meaning = meanings().get((record.__name__, name), "")
                places.append(Place(name, name, mark.type, section, meaning))
            elif isinstance(mark, Child):
                entry = info.annotation.__args__[0]  # type: ignore[union-attr]
                children.append(_shape(entry, f"{table}__{name}", found, name, mark))
    declared = {place.column for place in places}
    keys = (child.parent_key, child.number) if child else ("", "")
    for column, type_ in found.get(table, {}).items():
        is_ours = column.startswith(RESERVED_PREFIX) or column in RESERVED | set(keys)
        if column not in declared and not is_ours:
            places.append(Place(column, column, type_, section=None, is_inherited=True))
    return Shape(table, tuple(places), within, *keys, children=tuple(children))


def column_name(name: str) -> str:
    """The column for a field: snake case, which the API's own names are already."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    snake = re.sub(r"[^a-z0-9]+", "_", words.lower())
    return re.sub(r"^(?=[0-9])", "_", snake)[:MAX_COLUMN_NAME].rstrip("_")


def type_of(name: str, values: Sequence[Json]) -> ColumnType:
    """The type of a field that the description does not show, by its name or its values.

    A name that the description uses elsewhere means the same here, if all values fit.
    """
    by_name = TYPES_BY_NAME.get(name) if FIELD_NAMES_MEAN_THE_SAME.value else None
    if by_name and all(fits(by_name, value) for value in values):
        return by_name
    if all(isinstance(value, bool) for value in values):
        return "boolean"
    if any(isinstance(value, dict | list | bool) for value in values):
        return "json"
    has_number = any(isinstance(value, Literal) for value in values)
    if has_number and all(fits("decimal", value) for value in values):
        return "decimal"
    if name.endswith("_at") and all(fits("timestamp", value) for value in values):
        return "timestamp"
    return "text"


def _types_by_name() -> Mapping[str, ColumnType]:
    types: dict[str, ColumnType] = dict(FIELD_TYPES.value)
    for record in RECORDS.values():
        for place in (p for shape in _shape(record, "", {}).family for p in shape.places):
            types[place.field] = "text" if place.type == "key" else place.type
    return MappingProxyType(types)


TYPES_BY_NAME = _types_by_name()
