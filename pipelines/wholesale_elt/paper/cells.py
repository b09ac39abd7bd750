"""Cells: values in a workbook of Excel, each so that it is shown as it is.

Excel computes with binary floats, which hold any decimal of up to 15 significant digits so that it
is shown as it is. A longer one is written as text: exact, and in no sum.
"""

from datetime import date, datetime
from decimal import Context, Decimal
from math import isfinite
from typing import Any

from wholesale.errors import decimal_text

DIGITS = 15
ALL_DIGITS = Context(prec=40)
MOST_TEXT = 32_767
"""Characters of a cell."""
DAY, MOMENT = "2026-11-28", "2026-11-28 08:00"
"""Of what length days and moments are shown."""


def write_cell(page: Any, row: int, place: int, value: Any, format: Any = None) -> int:
    """Write a value; returned is about how many characters it is shown with."""
    match value:
        case bool():
            page.write_boolean(row, place, value)
            return len("FALSE")
        case int() | Decimal() if _is_exact(value):
            page.write_number(row, place, value, format)
            return len(f"{value:,.2f}")
        case float() if isfinite(value):
            page.write_number(row, place, value, format)
            return len(f"{value:,.2f}")
        case datetime():
            page.write_datetime(row, place, value, format)
            return len(MOMENT)
        case date():
            page.write_datetime(row, place, value, format)
            return len(DAY)
    text = decimal_text(value) if isinstance(value, Decimal) else str(value)
    page.write_string(row, place, text[:MOST_TEXT])
    return len(text)


def _is_exact(value: int | Decimal) -> bool:
    """Whether a float shows it as it is."""
    return len(Decimal(value).normalize(ALL_DIGITS).as_tuple().digits) <= DIGITS
