"""Sheets: the cells of a file of CSV, or of the first sheet of a workbook, as text."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from wholesale.errors import ConfigurationError, one_line
from wholesale_elt.trial.workbook import NotAWorkbook, read_workbook

DELIMITERS = (",", ";", "\t", "|")
MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
"""The first bytes of a text that tell its encoding."""
MOST_CHARACTERS = 2**24
"""Of a cell; csv has a smaller limit of its own."""

Row = Sequence[str]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A name for each column, no two alike, and as many cells a row; an empty one is ''."""

    names: Sequence[str]
    rows: Sequence[Row]


def read_sheet(file: Path) -> Sheet:
    """Raises: ConfigurationError for what is no such file, or has no rows."""
    try:
        content = file.read_bytes()
        is_workbook = content.startswith(b"PK")
        found = read_workbook(content) if is_workbook else _read_text(content)
        rows = [row for row in found if any(row)]
    except (OSError, ValueError, csv.Error, NotAWorkbook) as error:
        reason = getattr(error, "strerror", None) or one_line(error)
        raise ConfigurationError(f"{file} cannot be read as CSV or XLSX: {reason}") from None
    if len(rows) < 2:
        raise ConfigurationError(
            f"{file} has no orders: its first row has to name the columns, and others to follow"
        )
    width = max(map(len, rows))
    names = _names(rows[0], width)
    return Sheet(names, [(*row, *[""] * (width - len(row))) for row in rows[1:]])


def _read_text(content: bytes) -> Iterator[Row]:
    encoding = next((name for mark, name in MARKS if content.startswith(mark)), "utf-8")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        text = content.decode("cp1252")  # what Excel writes where it does not write UTF-8
    if "\0" in text:
        raise ValueError("it is no text")
    first = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = max(DELIMITERS, key=lambda each: len(next(csv.reader([first], delimiter=each), ())))
    csv.field_size_limit(MOST_CHARACTERS)
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
    return ([cell.strip() for cell in row] for row in reader)


def _names(row: Row, width: int) -> Sequence[str]:
    names: list[str] = []
    for number, name in enumerate((*row, *[""] * (width - len(row))), 1):
        name = " ".join(name.split()) or f"column {number}"
        names.append(name if not _is_there(name, names) else f"{name} {number}")
    return names


def _is_there(name: str, names: Iterable[str]) -> bool:
    return name.casefold() in map(str.casefold, names)
