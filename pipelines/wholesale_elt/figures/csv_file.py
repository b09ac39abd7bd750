"""CSV: rows as a spreadsheet and a program read them, exact; every CSV of ours is written here.

As RFC 4180 has it. NULL is nothing between two commas, and an empty text is `""`. Numbers have all
their digits, and no exponent. Texts come from strangers (OWASP, CSV injection):

- A control character is escaped, as Python and JavaScript write it (`\\n`, `\\x1b`): a row is a
  line, and no terminal obeys. A backslash that could be read as the beginning of an escape is
  doubled.
- An apostrophe stands in front of what would be a formula, whatever separates cells for the program
  that opens the file: at the beginning of a text, and behind each separator within it.

What was sent can be had back: drop one apostrophe in each such place, then read the escapes. The
dashboard's `csv.js` writes the same.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from itertools import chain
from pathlib import Path
from typing import Any

from wholesale.errors import decimal_text
from wholesale_elt.figures.metrics import read_metrics

CONTROL = "\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069"
"""What moves the cursor, ends a line, or turns the direction of a text."""
ESCAPED = re.compile(rf"[{CONTROL}]|\\(?=[\\nrtux{CONTROL}])")
SIGNS = "=+\\-@\uff1d\uff0b\uff0d\uff20"
BLANKS = " \u00a0\u2000-\u200b\u202f\u3000\ufeff"
FORMULA = re.compile(f"(^|[,;|])(?=[\"'{BLANKS}]*[{SIGNS}])")
"""The beginning of a cell that a spreadsheet runs, with full-width signs too; one that has an
apostrophe already gets another, so that the first can be told from it."""
SPECIAL = re.compile(f"[\\\\\",;|{CONTROL}]|^['{BLANKS}]*[{SIGNS}]")
"""What a text has that is not written as it is."""
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
IN_QUOTES = re.compile('[",;|]')
COMPARED = ("_before", "_difference", "_growth")
"""How columns end that compare a metric with other days."""


def csv_lines(names: Iterable[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """A line of names, then a line a row, without the ends of lines; rows are taken one by one."""
    for row in chain([list(names)], rows):
        # A reader takes an empty line for no row.
        yield ",".join(map(_cell, row)) or '""'


def write_csv(path: Path, headings: Iterable[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write the rows below their headings, with the mark by which spreadsheets know UTF-8."""
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        file.writelines(f"{line}\r\n" for line in csv_lines(headings, rows))


def heading_of(name: str) -> str:
    """What people call a metric, or its comparison; other names of columns in words."""
    metrics = read_metrics()
    for end in ("", *COMPARED):
        if name.endswith(end) and (metric := metrics.get(name.removesuffix(end))):
            return f"{metric.label}{end.replace('_', ' ')}"
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]


def _text(value: str) -> str:
    if (value and not SPECIAL.search(value)) or NUMBER.fullmatch(value):
        return value
    safe = FORMULA.sub(r"\1'", ESCAPED.sub(_escaped, value))
    quoted = safe.replace('"', '""')
    return f'"{quoted}"' if not safe or IN_QUOTES.search(safe) else safe


def _escaped(character: re.Match[str]) -> str:
    return ascii(character[0])[1:-1]


def _decimal(value: Decimal) -> str:
    return decimal_text(value) if value.is_finite() else _text(str(value))


def _cell(value: Any) -> str:
    write = WRITERS.get(type(value))
    return write(value) if write else _text(str(value))


WRITERS: Mapping[type, Callable[[Any], str]] = {
    type(None): lambda _: "",
    bool: lambda value: str(value).upper(),
    int: str,
    str: _text,
    Decimal: _decimal,
    float: lambda value: _decimal(Decimal(repr(value))),
    datetime: lambda value: value.isoformat(" "),
}
"""By type, as there are many cells; all else is written as Python shows it."""
