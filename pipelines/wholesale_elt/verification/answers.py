"""Answers: whether the statement of an answer gives its rows in the version that it names."""

from collections import Counter
from collections.abc import Collection, Mapping
from contextlib import suppress
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import duckdb
import msgspec

from wholesale.errors import WholesaleError, one_line
from wholesale_elt.verification.findings import MOST_ROWS, Finding
from wholesale_elt.warehouse import one_select, open_file

Told = dict[str, str | None]


class Answer(msgspec.Struct):
    """An answer of `figures --json`, or of MCP, which may have shown only some of its rows."""

    version: str
    statement: str
    rows: list[dict[str, Any]]
    rows_not_shown: int = 0


def read_answer(held: Path) -> Answer:
    """Raises: WholesaleError if the file has none."""
    try:
        return msgspec.json.decode(held.read_bytes(), type=Answer)
    except OSError as error:
        raise WholesaleError(
            f"{held} cannot be read ({error.strerror}): name what `figures --json` printed, or a"
            " copy of a version's DuckDB file"
        ) from None
    except ValueError as error:
        raise WholesaleError(f"{held} is no answer of `figures --json`: {error}") from None


def compare_answer(answer: Answer, database: Path, name: str) -> Finding | None:
    """What differs between its rows and those that its statement gives in this file.

    Raises: WholesaleError if that cannot be run.
    """
    with open_file(database) as connection:
        try:
            statement, _ = one_select(connection, answer.statement)
            found = connection.execute(statement)
            columns = [column[0] for column in found.description or ()]
            rows = [dict(zip(columns, row, strict=True)) for row in found.fetchall()]
        except duckdb.Error as error:
            raise WholesaleError(f"its statement cannot be run: {one_line(error)}") from None
    numbers = {key for row in rows for key, value in row.items() if isinstance(value, Decimal)}
    expected, given = (
        Counter(tuple(_told(row, numbers).items()) for row in each) for each in (rows, answer.rows)
    )
    added, missing = given - expected, expected - given
    if not added and missing.total() == answer.rows_not_shown:
        return None
    told = [{"side": "added", **dict(row)} for row in added.elements()]
    told += [{"side": "missing", **dict(row)} for row in missing.elements()]
    return Finding(name, "rows differ", len(told), told[:MOST_ROWS])


def _told(row: Mapping[str, Any], numbers: Collection[str]) -> Told:
    """As JSON has it: numbers, days in ISO 8601; a decimal has no zeros at its end."""
    return {name: _text(value, name in numbers) for name, value in sorted(row.items())}


def _text(value: object, is_number: bool) -> str | None:
    if value is None:
        return None
    if is_number:
        with suppress(InvalidOperation):
            whole, _, decimals = f"{Decimal(str(value)):f}".partition(".")
            return f"{whole}.{decimals.rstrip('0')}"
    return value.isoformat() if isinstance(value, date) else str(value)
