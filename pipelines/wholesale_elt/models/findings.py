"""Findings: the rows that a test found, and what is wrong with a build that failed."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from wholesale.api import PERSONAL_FIELDS
from wholesale.errors import decimal_text, one_line
from wholesale_elt.models.project import (
    HISTORY,
    INTERMEDIATE,
    Check,
    Found,
    Model,
    Project,
    names_in,
)
from wholesale_elt.process import replace

log = logging.getLogger("wholesale.models")

SHOWN_ROWS = 3
SHOWN_COLUMNS = 6
LONGEST_VALUE = 40
HELD_UP = "waited for a table that another session holds: end that session, and build again"
CUT_OFF = "lost its connection: build again"
ENGINE_GONE = "lost its engine, which ended or cannot be reached: build again"
OUT_OF_MEMORY = "total memory pool"
"""A part of Sail's message when something that cannot spill does not fit."""
SIGNS = {
    "lock timeout": HELD_UP,
    "server closed the connection": CUT_OFF,
    "terminating connection": CUT_OFF,
    "connection already closed": CUT_OFF,
    "SSL connection has been closed": CUT_OFF,
    "StatusCode.UNAVAILABLE": ENGINE_GONE,
}
"""What an error of the database means, by words in its message."""
FirstRows = Callable[[str, int], tuple[Sequence[str], Sequence[Sequence[Any]]]]
"""The column names of a query, and at most so many of its rows."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a test found: how much, the first of its rows, and the file with the query for all.

    `shown` has a text for each row, `column=value` for its first columns, without those that can
    identify a person; it is empty if the rows could not be read.
    """

    test: str
    found: Found
    shown: Sequence[str]
    query: Path

    @property
    def rows(self) -> int:
        return self.found.rows

    def __str__(self) -> str:
        shown = f", such as {'; '.join(self.shown)}" if self.shown else ""
        return f"{self.found}{shown} (query: {self.query})"


@dataclass(frozen=True, slots=True)
class Findings:
    """Writes the queries of tests into `folder`, and shows rows of them."""

    project: Project
    folder: Path
    first_rows: FirstRows
    errors: type[Exception]
    """What `first_rows` raises where a query cannot be run."""
    is_lasting: bool = False
    """Whether tables of the intermediate layer are still there when a build is in force."""

    def of(self, check: Check, found: Found, *, are_in_force: bool) -> Finding:
        """What a test found. `are_in_force`: the tables that it read are."""
        sql = self._by_itself(check, are_in_force=are_in_force)
        query = self.folder / f"{check.name}.sql"
        query.parent.mkdir(parents=True, exist_ok=True)
        replace(query, lambda path: path.write_text(f"{sql}\n", "utf-8"))
        can_read = self.is_lasting or not are_in_force
        return Finding(check.name, found, self._shown(check.sql if can_read else sql), query)

    def _by_itself(self, check: Check, *, are_in_force: bool) -> str:
        """The query for any session: with a definition of each model that it reads."""
        words, parts = names_in(check.sql), list[str]()
        for model in reversed(self.project.models):
            if model.name in words:
                is_there = model.layer != INTERMEDIATE if are_in_force else model.layer == HISTORY
                parts.append(f"{model.name} as (\n{_query(model, is_there=is_there)}\n)")
                words |= set() if is_there else names_in(model.sql)
        return f"with {', '.join(reversed(parts))}\nselect * from (\n{check.sql}\n) as found"

    def _shown(self, sql: str) -> Sequence[str]:
        try:
            columns, rows = self.first_rows(f"select * from (\n{sql}\n) as found", SHOWN_ROWS)
        except self.errors as error:
            log.info("the rows that a test found cannot be shown: %s", error)
            return ()
        return [_in_words(dict(zip(columns, row, strict=True))) for row in rows]


def error_text(message: str) -> str:
    """An error of a database in a line, with what to do where that is known."""
    text = one_line(message)
    if OUT_OF_MEMORY in message:
        return f"needs more memory: set build.engine_memory to more megabytes ({text})"
    for sign, what in SIGNS.items():
        if sign in message:
            line = next(line for line in message.splitlines() if sign in line)
            return f"{what} ({line.strip()})"
    return text


def _query(model: Model, *, is_there: bool) -> str:
    return f"select * from {model.schema}.{model.name}" if is_there else model.sql


def _in_words(row: dict[str, Any]) -> str:
    columns = [name for name in row if name not in PERSONAL_FIELDS][:SHOWN_COLUMNS]
    return ", ".join(f"{name}={_shortened(row[name])}" for name in columns)


def _shortened(value: Any) -> str:
    text = decimal_text(value) if isinstance(value, Decimal) else one_line(value, None)
    text = "null" if value is None else text
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"
