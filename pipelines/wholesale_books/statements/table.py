"""Table: a statement as rows of a file, CSV or Excel, each of which tells of what it is."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from wholesale_books.statements.statement import SECTIONS, Statement, Total, total_of
from wholesale_elt.figures import write_csv
from wholesale_elt.paper import MOST_TEXT, write_cell

HEADINGS: Mapping[str, str] = {
    "order_number": "Order",
    "po_number": "PO number",
    "ordered_date": "Ordered",
    "sent_date": "Sent (seen)",
    "due_date": "Due",
    "due_from": "Due from",
    "days_overdue": "Days overdue",
    "due_bucket": "Days past due",
    "age_bucket": "Days since order",
    "amount": "Amount",
    "order_status": "State",
    "payment_status": "Payment",
    "seen_date": "Seen on",
    "order_id": "Order ID",
}
"""The columns of an order, and what a workbook calls them."""
OF_EACH = (
    "proof",
    "of",
    "id",
    "name",
    "company",
    "currency",
    "time_zone",
    "from",
    "as_of",
    "read_at",
)
NAMES = (*OF_EACH, "row", "section", "orders", *HEADINGS, "note")
DAY, AMOUNT = "yyyy-mm-dd", "#,##0.00#######"
HEADING = {"bold": True, "bottom": 1, "text_wrap": True, "valign": "top", "bg_color": "#F2F2F2"}
WIDTHS = (16, 18, 11, 11, 11, 10, 10, 10, 10, 15, 13, 13, 11, 38)


def write_rows(path: Path, statement: Statement, company: str) -> None:
    """CSV: a row an order, then a row for each sum; all of them name the statement."""
    head = [*_head(statement, company).values()]

    def rows() -> Iterator[Sequence[Any]]:
        for name, orders in statement.sections.items():
            for order in orders:
                yield *head, "order", name, None, *(getattr(order, each) for each in HEADINGS), None
        for name, total in _totals(statement):
            cells: dict[str, Any] = dict.fromkeys(HEADINGS)
            cells["amount"] = _amount(total)
            yield *head, "total", name, total.count, *cells.values(), None
        for text in statement.notes:
            yield *head, "note", None, None, *([None] * len(HEADINGS)), text

    write_csv(path, NAMES, rows())


def write_workbook(path: Path, statement: Statement, company: str) -> None:
    """A sheet, the same bytes for the same statement."""
    from xlsxwriter import Workbook

    created = statement.reading.moment.replace(tzinfo=None, microsecond=0)
    with Workbook(str(path)) as workbook:
        workbook.set_properties({"title": "Statement", "created": created})
        page = workbook.add_worksheet("Statement")
        page.set_landscape()
        page.set_paper(9)  # A4
        page.fit_to_pages(1, 0)
        page.set_footer("&LStatement " + statement.proof + "&RPage &P of &N")
        for place, width in enumerate(WIDTHS):
            page.set_column(place, place, width)
        formats = {name: workbook.add_format({"num_format": name}) for name in (DAY, AMOUNT)}
        bold = workbook.add_format({"bold": True})
        heading = workbook.add_format(HEADING)
        row = _write_head(page, statement, company, formats, bold)
        row = _write_sums(page, row + 1, statement, formats, heading)
        for name, orders in statement.sections.items():
            title, about = statement.words(name)
            page.write_string(row + 1, 0, title, bold)
            page.write_string(row + 1, 1, about)
            for place, text in enumerate(HEADINGS.values()):
                page.write_string(row + 2, place, text, heading)
            row += 3
            for order in orders:
                for place, column in enumerate(HEADINGS):
                    _write(page, row, place, getattr(order, column), formats)
                row += 1
            _write(page, row, 0, "Sum", formats)
            _write(page, row, [*HEADINGS].index("amount"), _amount(total_of(orders)), formats)
            row += 1


def _write_head(page: Any, statement: Statement, company: str, formats: Any, bold: Any) -> int:
    """What it is, a line each; returned is the row below."""
    row = 0
    for name, value in _head(statement, company).items():
        page.write_string(row, 0, name.replace("_", " ").capitalize(), bold)
        _write(page, row, 1, value, formats)
        row += 1
    for text in statement.notes:
        page.write_string(row, 0, "Note", bold)
        page.write_string(row, 1, text)
        row += 1
    return row


def _write_sums(page: Any, row: int, statement: Statement, formats: Any, heading: Any) -> int:
    for place, text in enumerate(("Section", "Orders", "Amount", "Without amount")):
        page.write_string(row, place, text, heading)
    for name, total in _totals(statement):
        row += 1
        title = statement.words(name)[0] if name in SECTIONS else "Of it overdue"
        for place, value in enumerate((title, total.count, _amount(total), total.without_amount)):
            _write(page, row, place, value, formats)
    return row + 1


def _write(page: Any, row: int, place: int, value: Any, formats: Mapping[str, Any]) -> None:
    if isinstance(value, str):
        page.write_string(row, place, value[:MOST_TEXT])
    elif value is not None:
        kind = AMOUNT if isinstance(value, Decimal) else DAY if hasattr(value, "year") else None
        write_cell(page, row, place, value, formats[kind] if kind else None)


def _head(statement: Statement, company: str) -> Mapping[str, Any]:
    reading = statement.reading
    values = (
        *(statement.proof, statement.of, statement.party, statement.name, company),
        *(statement.currency, reading.zone, reading.period.first, reading.period.day),
        reading.complete_as_of.isoformat(timespec="seconds"),
    )
    return dict(zip(OF_EACH, values, strict=True))


def _totals(statement: Statement) -> Iterator[tuple[str, Total]]:
    for name, total in statement.totals.items():
        yield name, total
        if name == "owed":
            yield "overdue", statement.overdue


def _amount(total: Total) -> Decimal | None:
    """The sum; None if no order of some has an amount."""
    return None if total.count and total.count == total.without_amount else total.amount
