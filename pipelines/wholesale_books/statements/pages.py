"""Pages: a statement as a PDF of A4, set by Typst from data alone."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from wholesale_books.statements.rows import Order
from wholesale_books.statements.statement import (
    BUCKETS,
    DUE_FROM,
    Statement,
    Total,
    exact,
    total_of,
)
from wholesale_elt.figures import NO_CURRENCY
from wholesale_elt.paper import pdf_of

TEMPLATE = Path(__file__).parent / "statement.typ"
TITLES = {"buyer": "Statement of account", "vendor": "Vendor statement"}
ORDER = ("Order", "PO", "Ordered")
COLUMNS: Mapping[str, Sequence[str]] = {
    "owed": (*ORDER, "Sent", "Due", "From", "Overdue", "State", "Amount"),
    "unknown": (*ORDER, "Sent", "Due", "From", "Payment", "State", "Amount"),
    "unsent": (*ORDER, "Age", "State", "Amount"),
    "settled": (*ORDER, "Seen on", "State", "Amount"),
    "refunded": (*ORDER, "Seen on", "State", "Amount"),
    "cancelled": (*ORDER, "Seen on", "Payment", "State", "Amount"),
}
USUAL = (*ORDER, "Payment", "State", "Amount")
"""The columns of the other sections."""
LONG_WORD = re.compile(r"(\S{10})(?=\S)")
"""Where a word may be broken, which nothing else breaks."""
LONG_AMOUNT = 16
ZERO_WIDTH = "\u200b"


def set_pages(statement: Statement, company: str) -> bytes:
    """Raises: ConfigurationError naming the extra, where Typst is not installed."""
    return pdf_of(TEMPLATE, _told(statement, company))


def _told(statement: Statement, company: str) -> Mapping[str, Any]:
    reading = statement.reading
    read_at = reading.complete_as_of.astimezone(ZoneInfo(reading.zone))
    is_known = statement.currency != NO_CURRENCY
    amounts = f"Amounts are in {statement.currency}." if is_known else "No currency is set."
    return {
        "title": TITLES[statement.of],
        "company": _breakable(company),
        "name": _breakable(statement.name or f"{statement.of.capitalize()} without a name"),
        "key": _breakable(f"{statement.of.capitalize()} {statement.party}"),
        "day": str(reading.period.day),
        "period": f"{reading.period.first} to {reading.period.day}",
        "read": f"All orders were read, complete, as of {read_at:%Y-%m-%d %H:%M} ({reading.zone})."
        f" {amounts}",
        "notes": [*statement.notes],
        "proof": statement.proof,
        "sums": [*_sums(statement)],
        "sections": [
            {
                "title": statement.words(name)[0],
                "about": statement.words(name)[1],
                "columns": COLUMNS.get(name, USUAL),
                "groups": [*_groups(statement, name, orders)],
                "sum": _sum("Sum", total_of(orders)),
            }
            for name, orders in statement.sections.items()
        ],
    }


def _sums(statement: Statement) -> Iterator[Mapping[str, str]]:
    for name, total in statement.totals.items():
        yield _sum(statement.words(name)[0], total)
        if name == "owed":
            yield _sum("of it overdue", statement.overdue)


def _sum(title: str, total: Total) -> Mapping[str, str]:
    orders = f"{total.count:,} order{'' if total.count == 1 else 's'}"
    if total.without_amount:
        orders += f", {total.without_amount:,} without an amount"
    return {"title": title, "orders": orders, "amount": _amount(total.text)}


def _groups(
    statement: Statement, section: str, orders: Sequence[Order]
) -> Iterator[Mapping[str, Any]]:
    """What is owed by how long it is past due; all else as one group without a title."""
    if section != "owed":
        yield {"title": "", "sum": None, "rows": [_cells(each, section) for each in orders]}
        return
    for name, some in statement.buckets:
        title = BUCKETS[name]
        yield {
            "title": f"{title[:1].upper()}{title[1:]}",
            "sum": _sum("", total_of(some)),
            "rows": [_cells(each, section) for each in some],
        }


def _cells(order: Order, section: str) -> Sequence[str]:
    overdue = order.days_overdue
    values = {
        "Order": order.order_number or order.order_id,
        "PO": order.po_number or "",
        "Ordered": _day(order.ordered_date),
        "Sent": _day(order.sent_date),
        "Due": _day(order.due_date),
        "From": DUE_FROM.get(order.due_from or "", order.due_from or ""),
        "Overdue": "" if not overdue else f"{overdue:,} day{'' if overdue == 1 else 's'}",
        "Age": _age(order.age_bucket),
        "Seen on": _day(order.seen_date),
        "Payment": order.payment_status or "",
        "State": order.order_status or "",
    }
    told = {name: _breakable(text) for name, text in values.items()}
    told["Amount"] = _amount(exact(order.amount))
    return [told[name] for name in COLUMNS.get(section, USUAL)]


def _day(day: date | None) -> str:
    return "" if day is None else str(day)


def _age(bucket: str | None) -> str:
    return f"{bucket} days" if bucket and bucket != "undated" else bucket or ""


def _amount(text: str) -> str:
    """One that is too long for its column is broken between its groups of digits."""
    return text.replace(",", f",{ZERO_WIDTH}") if len(text) > LONG_AMOUNT else text


def _breakable(text: str) -> str:
    """A text whose long words can be broken, and which stays in its line."""
    shown = "".join(c if c.isprintable() else " " for c in text)
    return LONG_WORD.sub(rf"\1{ZERO_WIDTH}", shown)
