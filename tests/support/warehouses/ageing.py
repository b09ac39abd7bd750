"""Ageing: what a warehouse has noted of its syncs is moved back, as if they had been days ago."""

from pathlib import Path

import duckdb

RUN_ID = "%Y%m%dT%H%M%S.%fZ"
NOTED = (
    *("valid_from", "valid_to", "observed_at", "started_at", "ended_at", "complete_as_of"),
    "_deleted_at",
)
"""Columns in which syncs write moments of theirs; those of the service stay."""


def move_back(database: Path, days: int) -> None:
    """As if all syncs so far had been so many days earlier."""
    with duckdb.connect(str(database)) as connection:
        connection.execute("set timezone = 'UTC'")
        columns = connection.execute(
            "select table_name, column_name from duckdb_columns()"
            " where schema_name = 'wholesale_raw' and table_name not like '\\_dlt%' escape '\\'"
        ).fetchall()
        for table in {table for table, _ in columns}:
            there = {column for of, column in columns if of == table}
            moved = [f"{name} = {name} - interval {days} day" for name in NOTED if name in there]
            if "run_id" in there:
                then = f"strptime(run_id, '{RUN_ID}') - interval {days} day"
                moved.append(f"run_id = strftime({then}, '{RUN_ID}')")
            if moved:
                connection.execute(f'update wholesale_raw."{table}" set {", ".join(moved)}')
