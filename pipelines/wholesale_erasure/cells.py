"""Cells: finds the cells of raw tables with a subject's data, in the SQL of all destinations."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from wholesale.api import RESOURCE, class_of
from wholesale.compare import hash_all, hash_rows
from wholesale.privacy import OF_A_BUYER, OF_A_PERSON_ALONE, WITH_BUYERS, is_maskable
from wholesale.tables import EXTRA, TableShape, shape_of
from wholesale_elt.past import is_past, past_of
from wholesale_elt.warehouse import Raw, quoted, same_id
from wholesale_erasure.subject import Subject, SubjectKind

KEYS: Mapping[tuple[SubjectKind, str], str] = {
    ("buyer", "buyers"): "id",
    ("buyer", "buyer_users"): "buyer_id",
    ("buyer", "orders"): "buyer_id",
    ("person", "buyer_users"): "id",
    ("person", "orders"): "buyer_user_id",
}
"""The column that has the id of the subject, by kind of subject and resource."""
IS_BODY = f"resource in ({', '.join(map(quoted, sorted(WITH_BUYERS)))}) and body is not null"
"""The quarantined bodies to erase: all that may be the subject's, as none has a usable id."""


@dataclass(frozen=True, slots=True)
class ErasableCells:
    """The cells of one table to erase: by column, the condition of their rows in SQL."""

    table: str
    conditions: Mapping[str, str]


def cells_of(raw: Raw, subject: Subject) -> Sequence[ErasableCells]:
    """The cells to erase, by table, without tables and columns that cannot have any; what was in a
    table before is erased as what is."""
    columns = raw.columns()
    found = []
    for resource in RESOURCE.values():
        shape = shape_of(resource, columns)
        for table in shape.tables:
            for place in (table.table, past_of(table.table)):
                there = columns.get(place, {})
                conditions = {
                    name: condition
                    for name in table.schema.names
                    if name in there
                    and (condition := _condition(raw, shape, table, name, subject, place))
                }
                if conditions:
                    found.append(ErasableCells(place, conditions))
    return found


def count(raw: Raw, cells: ErasableCells) -> tuple[int, int]:
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
        f"{raw.quoted(name)} = {_remaining(raw, cells, name)}" for name in cells.conditions
    )
    return f"update {raw.name(cells.table)} set {emptied} where {' or '.join(erasable)}"


def digest(raw: Raw, table: str, without: ErasableCells | None = None) -> str:
    """A hash of all rows of a table, in any order, as if the cells `without` were null."""
    schema = raw.schema_of(table)
    columns = [_column(raw, field, without) for field in schema]
    sql = f"select {', '.join(columns)} from {raw.name(table)}"
    return hash_all(
        [hash_rows(batch, schema.names, is_exact=True) for batch in raw.batches(sql, schema)]
    )


def _column(raw: Raw, field: pa.Field, without: ErasableCells | None) -> str:
    if not without or field.name not in without.conditions:
        return raw.column_as(field.name, field.type)
    remaining, name = _remaining(raw, without, field.name), raw.quoted(field.name)
    return (
        f"cast({remaining} as varchar) as {name}"
        if pa.types.is_string(field.type)
        else f"{remaining} as {name}"
    )


def _remaining(raw: Raw, cells: ErasableCells, name: str) -> str:
    """What a column has once its cells are erased."""
    return f"case when {cells.conditions[name]} then null else {raw.quoted(name)} end"


def _is_erasable(raw: Raw, name: str, condition: str) -> str:
    """The condition for rows in which the column has a value to erase."""
    return f"({raw.quoted(name)} is not null and ({condition}))"


def _condition(
    raw: Raw, root: TableShape, table: TableShape, name: str, subject: Subject, place: str
) -> str | None:
    """The condition under which a column of the table, or of its past, has data of the subject;
    None if it never has."""
    if name != EXTRA and not is_maskable(table, name):
        return None
    class_, column = class_of(table.table, name), raw.quoted(name)
    if name == EXTRA:
        class_ = "undocumented"
    conditions = []
    classes = OF_A_BUYER if subject.kind == "buyer" else OF_A_PERSON_ALONE
    own = _rows_of(raw, root, table, subject.kind, subject.id, place)
    if own and class_ in classes:
        conditions.append(own)
    if class_ == "contact" and subject.contacts:
        conditions.append(f"{column} in ({_listed(subject.contacts)})")
    if class_ == "name" and subject.names and subject.buyer:
        of_buyer = _rows_of(raw, root, table, "buyer", subject.buyer, place)
        if of_buyer:
            conditions.append(f"{of_buyer} and {column} in ({_listed(subject.names)})")
    return " or ".join(f"({condition})" for condition in conditions) or None


def _rows_of(
    raw: Raw, root: TableShape, table: TableShape, kind: SubjectKind, key: str, place: str
) -> str | None:
    """The condition for rows of the records of a buyer or person, and of their entries; an entry of
    the past is theirs if its record is, or ever was."""
    column = KEYS.get((kind, root.table))
    if not column:
        return None
    is_theirs = same_id(column, key)
    if table.is_root:
        return is_theirs
    of_record = (
        f"{table.parent_key} in (select id from {raw.name(name)} where {is_theirs})"
        for name in ((root.table, past_of(root.table)) if is_past(place) else (root.table,))
    )
    return f"({' or '.join(of_record)})"


def _listed(values: Collection[str]) -> str:
    return ", ".join(quoted(value) for value in sorted(values))
