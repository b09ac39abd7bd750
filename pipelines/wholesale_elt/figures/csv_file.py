"""CSV file: rows as a file that people open in a spreadsheet, exact, with headings.

As RFC 4180 has it, with the mark by which spreadsheets know UTF-8. Text that they would take for a
formula, with full-width signs too (OWASP, CSV injection), is marked as text.
"""

import csv
import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from wholesale_elt.figures.metrics import read_metrics

FORMULA = re.compile("[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
MOST_DECIMALS, USUAL_DECIMALS = 4, 2
COMPARED = ("_before", "_difference", "_growth")
"""How columns end that compare a metric with other days."""


def write_csv(path: Path, headings: Iterable[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write the rows below their headings."""
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(headings)
        writer.writerows(map(_cell, row) for row in rows)


def heading_of(name: str) -> str:
    """What people call a metric, or its comparison; other names of columns in words."""
    metrics = read_metrics()
    for end in ("", *COMPARED):
        if name.endswith(end) and (metric := metrics.get(name.removesuffix(end))):
            return f"{metric.label}{end.replace('_', ' ')}"
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]


def decimal_text(value: Decimal) -> str:
    """All its digits; of a value with many decimals without the zeros after the usual ones."""
    text = f"{value:f}"
    whole, _, decimals = text.partition(".")
    if len(decimals) <= MOST_DECIMALS:
        return text
    return f"{whole}.{decimals[:USUAL_DECIMALS]}{decimals[USUAL_DECIMALS:].rstrip('0')}"


def _cell(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return str(value).upper()
        case Decimal():
            return decimal_text(value)
        case datetime():
            return value.isoformat(" ", "seconds")
        case str() if FORMULA.match(value):
            return f"'{value}"
    return str(value)
