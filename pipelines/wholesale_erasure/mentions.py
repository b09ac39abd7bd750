"""Mentions: other records that name the subject, or a namesake; they are counted, and kept."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wholesale.api import RESOURCE, class_of
from wholesale.privacy import is_maskable
from wholesale.tables import EXTRA, QUARANTINE, shape_of
from wholesale_elt.past import past_of
from wholesale_elt.warehouse import Raw, quoted
from wholesale_erasure.cells import IS_BODY, cells_of
from wholesale_erasure.subject import Subject

SAME_NAME = "a person of another buyer has the same name"
WRITTEN = "written by others"


@dataclass(frozen=True, slots=True)
class Mention:
    """How many rows of a column contain a name, address or number of the subject and stay as they
    are, and why."""

    table: str
    column: str
    rows: int
    why: str


def mentions_of(raw: Raw, subject: Subject) -> Sequence[Mention]:
    """The mentions that an erasure leaves, in upper or lower case, also within longer texts."""
    if not subject.texts:
        return []
    erasable = {cells.table: cells.conditions for cells in cells_of(raw, subject)}
    erasable[QUARANTINE] = {"body": IS_BODY}
    found = []
    for table, columns in _tables(raw):
        conditions = erasable.get(table, {})
        stays = [
            f"{_holds(raw, name, subject)} and ({conditions.get(name, 'false')}) is not true"
            for name in columns
        ]
        counts = ", ".join(f"count(case when {condition} then 1 end)" for condition in stays)
        for row in raw.rows(f"select {counts} from {raw.name(table)}"):
            found += [
                Mention(table, name, int(rows), _why(table, name))
                for name, rows in zip(columns, row, strict=True)
                if rows
            ]
    return found


def _tables(raw: Raw) -> Iterator[tuple[str, Sequence[str]]]:
    """Tables, with their columns that may have personal data."""
    there = raw.columns()
    for resource in RESOURCE.values():
        for shape in shape_of(resource, there).tables:
            columns = [
                name
                for name in shape.schema.names
                if name == EXTRA or (is_maskable(shape, name) and class_of(shape.table, name))
            ]
            for table in (shape.table, past_of(shape.table)):
                if known := [name for name in columns if name in there.get(table, {})]:
                    yield table, known
    yield QUARANTINE, ["body"]


def _holds(raw: Raw, name: str, subject: Subject) -> str:
    text = f"lower(cast({raw.quoted(name)} as varchar))"
    holds = [f"strpos({text}, {quoted(value.lower())}) > 0" for value in sorted(subject.texts)]
    return f"({' or '.join(holds)})"


def _why(table: str, name: str) -> str:
    return SAME_NAME if class_of(table, name) == "name" else WRITTEN
