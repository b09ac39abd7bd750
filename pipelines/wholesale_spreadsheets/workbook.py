"""Workbook: the sheets as one Excel file, with a first sheet that says how far to trust them."""

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from wholesale_elt.paper import DIGITS, MOST_TEXT, write_cell
from wholesale_spreadsheets.as_of import AsOf
from wholesale_spreadsheets.columns import TEXT, WHOLE, Column
from wholesale_spreadsheets.sheets import Sheet

MOST_ROWS = 50_000
"""Rows of a sheet, the first ones in its order: Excel takes twenty times as many, slowly."""
NARROWEST, WIDEST = 8, 48
"""Widths of columns, in characters."""
HEADING = {"bold": True, "bottom": 1, "text_wrap": True, "valign": "top", "bg_color": "#F2F2F2"}
FIRST, LAST = "As of", "Columns"
EXACT = (
    f"Amounts of up to {DIGITS} digits are exact. Longer ones are text, which no sum counts: Excel"
    " computes with floats. Quotients have six decimals, of which two are shown."
)


def write_workbook(path: Path, sheets: Sequence[Sheet], as_of: AsOf) -> None:
    """Write these sheets, the same bytes for the same sheets and build."""
    from xlsxwriter import Workbook

    options = {"constant_memory": True, "tmpdir": str(path.parent)}
    with Workbook(str(path), options) as workbook:
        workbook.set_properties({"title": "Wholesale", "created": as_of.built_at})
        _write_first(workbook, sheets, as_of)
        for sheet in sheets:
            page = _add_page(workbook, sheet.title, as_of)
            _write_table(workbook, page, sheet.columns, islice(sheet.rows(), MOST_ROWS))
        _write_last(workbook, sheets, as_of)


def _add_page(workbook: Any, title: str, as_of: AsOf) -> Any:
    """A sheet that fits the width of a page if it is printed."""
    page = workbook.add_worksheet(title)
    page.set_landscape()
    page.fit_to_pages(1, 0)
    page.set_footer(f"&L{title}&R{as_of.in_short}")
    return page


def _write_first(workbook: Any, sheets: Sequence[Sheet], as_of: AsOf) -> None:
    page = _add_page(workbook, FIRST, as_of)
    page.set_column(0, 0, 20)
    page.set_column(1, 1, 14)
    page.set_column(2, 2, 100)
    heading = workbook.add_format(HEADING)
    bold = workbook.add_format({"bold": True})
    lines = (*as_of.lines, ("Exactness", EXACT))
    for number, (name, text) in enumerate(lines):
        page.write_string(number, 0, name, bold)
        page.write_string(number, 1, text[:MOST_TEXT])
    for place, name in enumerate(("Sheet", "Rows", "What it tells")):
        page.write_string(len(lines) + 1, place, name, heading)
    whole = workbook.add_format({"num_format": WHOLE})
    for number, sheet in enumerate(sheets, len(lines) + 2):
        cut = f" The first {MOST_ROWS:,} rows only." if sheet.count > MOST_ROWS else ""
        page.write_url(number, 0, f"internal:'{sheet.title}'!A1", string=sheet.title)
        page.write_number(number, 1, sheet.count, whole)
        page.write_string(number, 2, f"{sheet.about}{cut}")


def _write_last(workbook: Any, sheets: Sequence[Sheet], as_of: AsOf) -> None:
    columns = [Column(name, name, "", TEXT) for name in ("Sheet", "Column", "Meaning")]
    rows = (
        (sheet.title, column.heading, column.meaning)
        for sheet in sheets
        for column in sheet.columns
    )
    _write_table(workbook, _add_page(workbook, LAST, as_of), columns, rows)


def _write_table(
    workbook: Any,
    page: Any,
    columns: Sequence[Column],
    rows: Iterable[Sequence[Any]],
) -> None:
    """A table with a heading that stays in view, filters, and columns as wide as their values."""
    heading = workbook.add_format(HEADING)
    formats = [workbook.add_format({"num_format": column.format}) for column in columns]
    widths = [max(NARROWEST, min(len(column.heading) + 3, WIDEST // 2)) for column in columns]
    for place, column in enumerate(columns):
        page.write_string(0, place, column.heading, heading)
    number = 0
    for number, row in enumerate(rows, 1):
        for place, value in enumerate(row):
            if value is not None:
                length = write_cell(page, number, place, value, formats[place])
                widths[place] = max(widths[place], min(length + 1, WIDEST))
    for place, width in enumerate(widths):
        page.set_column(place, place, width)
    page.freeze_panes(1, 0)
    page.repeat_rows(0)
    page.autofilter(0, 0, number, len(columns) - 1)
