"""Findings: the rows that a test found, and what is wrong with a build that failed."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dlt.destinations.exceptions import DatabaseException

from wholesale.api import PERSONAL_FIELDS
from wholesale.errors import WholesaleError, one_line
from wholesale_elt.models.engine import OUT_OF_MEMORY
from wholesale_elt.process import replace
from wholesale_elt.warehouse import Warehouse

log = logging.getLogger("wholesale.models")

SHOWN_ROWS = 3
SHOWN_COLUMNS = 6
LONGEST_VALUE = 40
OF_DBT = ("Database Error in", "compiled code at")
"""How lines of its messages begin that repeat the name of the model, and its file."""
HELD_UP = "waited for a table that another session holds: end that session, and build again"
CUT_OFF = "lost its connection: build again"
SIGNS = {
    "lock timeout": HELD_UP,
    "server closed the connection": CUT_OFF,
    "terminating connection": CUT_OFF,
    "connection already closed": CUT_OFF,
    "SSL connection has been closed": CUT_OFF,
}
"""What an error of the database means, by words in its message."""
NEXT = "__next"
"""Suffix of the schemas until they are put in force."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a test found: how many rows, the first of them, and the file with the query for all.

    `shown` has a text for each row, `column=value` for its first columns, without those that can
    identify a person; it is empty if the rows could not be read.
    """

    test: str
    rows: int
    shown: Sequence[str]
    query: Path

    def __str__(self) -> str:
        shown = f", such as {'; '.join(self.shown)}" if self.shown else ""
        rows = "1 row" if self.rows == 1 else f"{self.rows:,} rows"
        return f"{rows}{shown} (query: {self.query})"


def finding_of(
    warehouse: Warehouse, test: str, sql: str, rows: int, *, is_in_force: bool
) -> Finding:
    """What the compiled query of a test found; the query is kept beside dbt's files.

    `is_in_force`: the build was put in force.
    """
    sql = sql.replace(f'{NEXT}"', '"') if is_in_force else sql
    query = warehouse.state_folder / "dbt" / "findings" / f"{test}.sql"
    query.parent.mkdir(parents=True, exist_ok=True)
    replace(query, lambda path: path.write_text(f"{sql}\n", "utf-8"))
    return Finding(test, rows, _first_rows(warehouse, sql), query)


def failure_of(warehouse: Warehouse, failed: Sequence[Any]) -> str:
    """What is wrong with the first of these results of dbt, and how many more failed."""
    first = failed[0]
    reason = (
        f"is broken by {_found(warehouse, first)}"
        if str(first.status) == "fail"
        else _error(first.message)
    )
    others = f", and {len(failed) - 1} more failed" if len(failed) > 1 else ""
    return f"{first.node.resource_type} {first.node.name} {reason}{others}"


def _found(warehouse: Warehouse, result: Any) -> Finding:
    sql = str(result.node.compiled_code).strip()
    return finding_of(warehouse, result.node.name, sql, result.failures, is_in_force=False)


def _error(message: str) -> str:
    """dbt's message; of a broken contract only its columns, from the table that ends the text."""
    table = [line.split("|") for line in message.splitlines() if line.lstrip().startswith("|")]
    breaches = [
        f"{column.strip()} is built as {built.strip() or 'nothing'}"
        f" and declared as {declared.strip() or 'nothing'}"
        for _, column, built, declared, *_ in table[2:]
    ]
    if breaches:
        return one_line(f"breaks its contract: {'; '.join(breaches)}")
    lines = [line.strip() for line in message.splitlines()]
    own = [line for line in lines if line and not line.startswith(OF_DBT)] or lines
    if OUT_OF_MEMORY in message:
        return f"{one_line(' '.join(own))}; set build.engine_memory to more megabytes"
    for sign, what in SIGNS.items():
        if sign in message:
            return f"{what} ({next(line for line in own if sign in line)})"
    return one_line(" ".join(own))


def _first_rows(warehouse: Warehouse, sql: str) -> Sequence[str]:
    try:
        with warehouse.open(is_read_only=True) as raw:
            columns, rows = raw.first_rows(f"select * from (\n{sql}\n) as found", SHOWN_ROWS)
    except (DatabaseException, WholesaleError) as error:
        log.info("the rows that a test found cannot be shown: %s", error)
        return ()
    return [_in_words(dict(zip(columns, row, strict=True))) for row in rows]


def _in_words(row: dict[str, Any]) -> str:
    columns = [name for name in row if name not in PERSONAL_FIELDS][:SHOWN_COLUMNS]
    return ", ".join(f"{name}={_shortened(row[name])}" for name in columns)


def _shortened(value: Any) -> str:
    text = "null" if value is None else one_line(value, None)
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"
