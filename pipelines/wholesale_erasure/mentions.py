"""Mentions: other cells that name the subject, or a namesake; they are counted, and kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from wholesale.api import CLASS_OF_FIELD, class_of
from wholesale.privacy import WITH_BUYERS
from wholesale.tables import QUARANTINE
from wholesale_elt.load import ErasableCells
from wholesale_elt.models import OWN_SCHEMA
from wholesale_elt.past import record_table_of
from wholesale_elt.warehouse import RAW_DATASET, RawReader, quoted
from wholesale_erasure.subject import Subject

SAME_NAME = "a person of another buyer has the same name"
WRITTEN = "written by others"
FREE = "in a field that is not for people"
MADE = "made of other tables"
FOREIGN = "in a table that no sync writes: empty it there"
MODELS = (
    *("wholesale_staging", "wholesale_history", "wholesale_marts", "wholesale_bi"),
    OWN_SCHEMA,
)
"""The schemas that a build makes."""
IS_BODY = f"resource in ({', '.join(map(quoted, sorted(WITH_BUYERS)))}) and body is not null"
"""The quarantined bodies to erase: all that may be the subject's, as none has a usable id."""
COUNTED = pa.schema([pa.field("text", pa.string()), pa.field("number", pa.int64())])


@dataclass(frozen=True, slots=True)
class Mention:
    """How many rows of a column contain a name, address or number of the subject and stay as they
    are, and why."""

    table: str
    column: str
    rows: int
    why: str


def mentions_of(
    raw: RawReader, subject: Subject, erasable: Sequence[ErasableCells], *, of_models: bool
) -> Sequence[Mention]:
    """The mentions that an erasure leaves, in any spelling, also within longer texts: in all tables
    of the database but those that a build makes anew, or in these alone.

    Every column that can hold text is searched, whatever its name.
    """
    if not subject.forms:
        return []
    conditions = {cells.table: cells.conditions for cells in erasable}
    conditions[QUARANTINE] = {"body": IS_BODY}
    found = []
    for (schema, table), columns in raw.text_columns().items():
        if (schema in MODELS) is not of_models or schema == raw.staging:
            continue
        is_raw = schema == RAW_DATASET
        kept = conditions.get(table, {}) if is_raw else {}
        found += [
            Mention(table if is_raw else f"{schema}.{table}", column, rows, why)
            for column in columns
            if (
                rows := _count(
                    raw, f"{raw.quoted(schema)}.{raw.quoted(table)}", column, kept, subject
                )
            )
            for why in (_why(schema, table, column),)
        ]
    return found


def _count(
    raw: RawReader, table: str, column: str, erasable: Mapping[str, str], subject: Subject
) -> int:
    """In how many rows a column names the subject, and is not erased."""
    stays = f"({erasable[column]}) is not true" if column in erasable else "true"
    text = f"cast({raw.quoted(column)} as varchar)"
    query = f"select {text} as text, count(*) as number from {table} where {stays} group by 1"
    return sum(
        number
        for rows in raw.batches(query, COUNTED)
        for said, number in zip(rows["text"].to_pylist(), rows["number"].to_pylist(), strict=True)
        if said and subject.is_named(said)
    )


def _why(schema: str, table: str, column: str) -> str:
    if schema in MODELS:
        return MADE
    if schema != RAW_DATASET:
        return FOREIGN
    if (record_table := record_table_of(table)) not in CLASS_OF_FIELD:
        return FREE
    class_ = class_of(record_table, column)
    if class_ == "name":
        return SAME_NAME
    return WRITTEN if class_ else FREE
