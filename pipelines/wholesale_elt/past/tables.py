"""Tables of the past: beside each table of records one with its rows as they were, and how rows go
there."""

from collections.abc import Sequence
from datetime import datetime

import pyarrow as pa
from dlt.common.schema.typing import TColumnSchema

from wholesale.dlt_hints import columns_of, hints_of
from wholesale.names import VALID_FROM, VALID_TO
from wholesale.tables import TableShape
from wholesale_elt.past.names import literal, past_of
from wholesale_elt.warehouse import Raw

MOMENT = pa.timestamp("us", "UTC")
SINCE = "When the sync began that brought the row as it is (UTC)."
UNTIL = "When the sync began that replaced the row, or took it away (UTC)."


def tables_in_time(table: TableShape) -> dict[str, dict[str, TColumnSchema]]:
    """A table of records and the one of its past, by name, with their columns for dlt."""
    columns = columns_of(table)
    since, until = (
        {name: hints_of(pa.schema([pa.field(name, MOMENT)]))[name] | {"description": meaning}}
        for name, meaning in ((VALID_FROM, SINCE), (VALID_TO, UNTIL))
    )
    return {table.table: columns | since, past_of(table.table): columns | since | until}


def rows_since(rows: pa.Table, moment: datetime) -> pa.Table:
    """The same rows, which are as they are since that moment."""
    return rows.append_column(VALID_FROM, pa.repeat(pa.scalar(moment, MOMENT), len(rows)))


def put_in_past(
    raw: Raw, table: TableShape, held: str, condition: str, moment: datetime, *parameters: str
) -> None:
    """Add to the past of a table what it has, or had, until this moment: rows of `held`, which is
    called so in the `condition`, which may have `parameters`.

    What the same sync brought was in force at no moment, and is not kept.
    """
    columns = ", ".join(f'"{name}"' for name in (*table.schema.names, VALID_FROM))
    raw.execute(
        f"insert into {raw.name(past_of(table.table))} ({columns}, {VALID_TO})"
        f" select {columns}, {literal(moment)} from {held} as held"
        f" where {condition} and {VALID_FROM} is distinct from {literal(moment)}",
        *parameters,
    )


def set_right(raw: Raw, tables: Sequence[TableShape], moment: datetime) -> None:
    """Date to this moment what was written under a clock that was ahead, so that whatever is
    written from now on comes later. Whoever wrote it may have left no other trace."""
    dated = [
        (raw.name(name), column)
        for table in tables
        for name, column in (
            (table.table, VALID_FROM),
            (past_of(table.table), VALID_FROM),
            (past_of(table.table), VALID_TO),
        )
    ]
    later = [(name, column, f"{column} > {literal(moment)}") for name, column in dated]
    found = " union all ".join(f"select 1 from {name} where {ahead}" for name, _, ahead in later)
    if not raw.rows(f"select 1 from ({found}) as found limit 1"):
        return
    with raw.transaction():
        for name, column, ahead in later:
            raw.execute(f"update {name} set {column} = {literal(moment)} where {ahead}")
