"""Findings: the rows that a test found, some of them in words, all of them by a query in a file."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dlt.destinations.exceptions import DatabaseException

from wholesale.api import PERSONAL_FIELDS
from wholesale.errors import WholesaleError
from wholesale_elt.process import replace
from wholesale_elt.warehouse import Warehouse

log = logging.getLogger("wholesale.models")

SHOWN_ROWS = 3
SHOWN_COLUMNS = 6
LONGEST_VALUE = 40
NEXT = "__next"
"""What the schemas are called by until they are put in force."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a test found: how many rows, the first of them, and the file with the query for all.

    `shown` has a text a row, `column=value` for its first columns, without what can identify a
    person; none where the rows could not be read.
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
    """What the compiled query of a test found, the query kept beside dbt's own files.

    `is_in_force`: what was built has taken the place of what was there before.
    """
    sql = sql.replace(f'{NEXT}"', '"') if is_in_force else sql
    query = warehouse.state_folder / "dbt" / "findings" / f"{test}.sql"
    query.parent.mkdir(parents=True, exist_ok=True)
    replace(query, lambda path: path.write_text(f"{sql}\n", "utf-8"))
    return Finding(test, rows, _first_rows(warehouse, sql), query)


def _first_rows(warehouse: Warehouse, sql: str) -> Sequence[str]:
    try:
        with warehouse.open(is_read_only=True) as raw:
            columns, rows = raw.first_rows(f"select * from (\n{sql}\n) as found", SHOWN_ROWS)
    except (DatabaseException, WholesaleError) as error:
        log.info("the rows that a test found cannot be shown: %s", error)
        return ()
    return [_in_words(dict(zip(columns, row, strict=True))) for row in rows]


def _in_words(row: dict[str, Any]) -> str:
    said = [name for name in row if name not in PERSONAL_FIELDS][:SHOWN_COLUMNS]
    return ", ".join(f"{name}={_shortened(row[name])}" for name in said)


def _shortened(value: Any) -> str:
    text = "null" if value is None else " ".join(str(value).split())
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"
