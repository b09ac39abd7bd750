"""A real order history month by month, as a service would have shown it: credit notes as edits.

The file has an invoice once, and what was credited later as an invoice of its own. A service shows
the order as it is by then: with less of the line, without it, or cancelled if nothing is left.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from itertools import groupby
from pathlib import Path

from support.records.online_retail import (
    Line,
    Product,
    Record,
    buyer,
    category,
    guid,
    item,
    order,
    price,
    price_list,
    read_lines,
    timestamp,
    variant,
    vendor,
)

RECEIVED, CANCELLED = "received", "cancelled"


@dataclass(frozen=True, slots=True)
class Month:
    """The records that are new or other ones at its end, by their resource."""

    first_day: date
    last_day: date
    records: dict[str, list[Record]]
    gives: dict[str, Decimal]
    """What each order gives to the sales at its end, by the order's id; none if cancelled."""


@dataclass(slots=True)
class _Order:
    """An order; `lines` are None where all of it was credited."""

    placed: list[Line]
    lines: list[Line | None] = field(default_factory=list)
    changed: Line | None = None
    """The last line of a credit note that changed it."""

    @property
    def left(self) -> list[Line]:
        return [line for line in self.lines if line is not None]

    def record(self) -> Record:
        """With all that was ordered if it was cancelled, else with what is left."""
        lines = self.left or self.placed
        status = RECEIVED if self.left else CANCELLED
        at = (self.changed or self.placed[0]).invoice_date
        dated = {"created_at": timestamp(self.placed[0].invoice_date), "updated_at": timestamp(at)}
        return {**order(lines), "status": status, **dated}


class Replay:
    """Tells the months of a file one after the other.

    A line of a credit note takes from the latest line of the same customer, stock code and price
    with as much left. What takes from none, such as a discount on all, is an order of its own with
    amounts below zero.
    """

    def __init__(self) -> None:
        self._orders: dict[str, _Order] = {}
        self._places: dict[object, list[tuple[str, int]]] = defaultdict(list)
        self._products: dict[str, Product] = {}
        self._customers: set[int] = set()

    def months(self, source: Path) -> Iterator[Month]:
        by_month = groupby(read_lines(source), lambda line: f"{line.invoice_date:%Y-%m}")
        for is_first, (_, lines) in zip(_first(), by_month, strict=False):
            yield self._month(list(lines), is_first=is_first)

    def _month(self, lines: list[Line], *, is_first: bool) -> Month:
        start = timestamp(lines[0].invoice_date)
        records: dict[str, list[Record]] = defaultdict(list)
        if is_first:
            records["vendors"] = [vendor(start)]
            records["categories"] = [category(start)]
            records["price_lists"] = [price_list(start)]
        touched: dict[str, None] = {}
        for line in lines:
            self._introduce(line, records)
            touched[self._credit(line) or self._place(line)] = None
        records["orders"] = [self._orders[number].record() for number in touched]
        gives = {
            guid("invoice", number): sum((line.total_price for line in found.left), Decimal())
            for number, found in self._orders.items()
            if found.left
        }
        return Month(lines[0].invoice_date.date(), lines[-1].invoice_date.date(), records, gives)

    def _introduce(self, line: Line, records: dict[str, list[Record]]) -> None:
        """The buyer and the product, if they are seen for the first time."""
        if line.customer_id is not None and line.customer_id not in self._customers:
            self._customers.add(line.customer_id)
            records["buyers"].append(buyer(line))
        if line.stock_code not in self._products:
            product = self._products[line.stock_code] = Product(line, line)
            for resource, of in (("items", item), ("variants", variant), ("prices", price)):
                records[resource].append(of(product))

    def _place(self, line: Line) -> str:
        found = self._orders.setdefault(line.invoice_no, _Order([]))
        if line.customer_id is not None and line.quantity > 0:
            self._places[_key(line)].append((line.invoice_no, len(found.lines)))
        found.placed.append(line)
        found.lines.append(line)
        return line.invoice_no

    def _credit(self, credit: Line) -> str | None:
        """The number of the order that it takes from, if there is one."""
        if not credit.invoice_no.startswith("C"):
            return None
        for number, place in reversed(self._places.get(_key(credit), [])):
            found = self._orders[number]
            line = found.lines[place]
            if line is not None and line.quantity + credit.quantity >= 0:
                left = line.quantity + credit.quantity
                found.lines[place] = line._replace(quantity=left) if left else None
                found.changed = credit
                return number
        return None


def _first() -> Iterator[bool]:
    yield True
    while True:
        yield False


def _key(line: Line) -> object:
    return line.customer_id, line.stock_code, line.unit_price
