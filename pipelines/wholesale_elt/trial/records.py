"""Records: the orders of an export, with buyers, vendors and items, as a folder for the sandbox."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import msgspec

from wholesale.errors import ConfigurationError
from wholesale_elt.trial.columns import (
    AMOUNTS,
    CREATED_AT,
    CURRENCY,
    LINE_FIELDS,
    NUMBER,
    ORDER_FIELDS,
    QUANTITY,
    SUB_TOTAL,
    TOTAL,
    TOTAL_PRICE,
    UNIT_PRICE,
    Matched,
)
from wholesale_elt.trial.sheets import Row, Sheet
from wholesale_elt.trial.values import AMOUNT, DayOrder, Point, Written, written

IS_LINE = ("sku", "title", "variant", QUANTITY, UNIT_PRICE)
"""Fields of which one tells that a row is a line, and not an order."""
Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Told:
    """What the records are made of. `without_number` are rows that name no order, by their number
    in the file; `several` counts orders in which an order's field has several values, of which the
    first counts; `unread` values that are neither amount nor day, and stay as they are.
    """

    orders: int
    lines: int
    matched: Matched
    written: Written
    currency: str | None
    without_number: Sequence[int] = ()
    several: Mapping[str, int] = field(default_factory=dict)
    unread: Mapping[str, int] = field(default_factory=dict)


def write_records(
    sheet: Sheet,
    matched: Matched,
    folder: Path,
    vendor: str,
    point: Point | None = None,
    days: DayOrder | None = None,
) -> Told:
    """Write the records of a sheet into a folder; `vendor` has what names none.

    Raises: ConfigurationError if no row names an order, and where nothing tells how amounts or days
    are written.
    """
    orders: dict[str, list[Row]] = {}
    without_number = []
    place = matched.fields[NUMBER]
    for number, row in enumerate(sheet.rows, 2):
        if row[place]:
            orders.setdefault(row[place], []).append(row)
        else:
            without_number.append(number)
    if not orders:
        raise ConfigurationError(f"no row has a value in the column {sheet.names[place]!r}")
    matched = _settled(matched, orders.values())
    export = _Export(matched, _written(sheet, matched, point, days), vendor)
    records = [export.order(number, rows) for number, rows in orders.items()]
    folder.mkdir(parents=True, exist_ok=True)
    for name, found in (
        ("orders", records),
        *((name, list(kept.values())) for name, kept in export.kept.items()),
    ):
        lines = b"".join(msgspec.json.encode(record) + b"\n" for record in found)
        (folder / f"{name}.jsonl").write_bytes(lines)
    currencies = {currency for currency in export.currencies if currency}
    return Told(
        orders=len(records),
        lines=sum(len(record["order_line_items"]) for record in records),
        matched=matched,
        written=export.written,
        currency=currencies.pop() if len(currencies) == 1 else None,
        without_number=without_number,
        several=export.several,
        unread=export.unread,
    )


def _settled(matched: Matched, orders: Iterable[Sequence[Row]]) -> Matched:
    """A total that differs between the lines of an order is that of a line; the amount of a row is
    that of the order where rows are no lines."""
    fields = dict(matched.fields)
    has_lines = not fields.keys().isdisjoint(IS_LINE)
    if not has_lines and TOTAL_PRICE in fields and TOTAL not in fields:
        fields[TOTAL] = fields.pop(TOTAL_PRICE)
    elif has_lines and TOTAL in fields and TOTAL_PRICE not in fields:
        place = fields[TOTAL]
        if any(len({row[place] for row in rows if row[place]}) > 1 for rows in orders):
            fields[TOTAL_PRICE] = fields.pop(TOTAL)
    return replace(matched, fields=fields)


def _written(sheet: Sheet, matched: Matched, point: Point | None, days: DayOrder | None) -> Written:
    places = [matched.fields[name] for name in AMOUNTS if name in matched.fields]
    amounts = (row[place] for row in sheet.rows for place in places if row[place])
    moments = (row[matched.fields[CREATED_AT]] for row in sheet.rows)
    return written(amounts, moments, point, days)


@dataclass(slots=True)
class _Export:
    """The records of an export, as its orders are read; `kept` are those beside orders, by id."""

    matched: Matched
    written: Written
    vendor: str
    kept: dict[str, dict[str, Record]] = field(
        default_factory=lambda: {"vendors": {}, "buyers": {}, "items": {}}
    )
    currencies: set[str] = field(default_factory=set)
    several: Counter[str] = field(default_factory=Counter)
    unread: Counter[str] = field(default_factory=Counter)

    def order(self, number: str, rows: Sequence[Row]) -> Record:
        """One order (§2.4)."""
        fields = self.matched.fields
        of_order = {name: self._first(rows, name) for name in ORDER_FIELDS if name in fields}
        self.currencies.add(of_order.get(CURRENCY, "").upper())
        at = self._day(of_order.pop(CREATED_AT))
        name = self._first(rows, "vendor_name") if "vendor_name" in fields else ""
        vendor = self._vendor(name or self.vendor, at)
        buyer = of_order.pop("buyer_company_name", "")
        lines = [self._line(row, at) for row in rows if self._is_line(row)]
        of_lines = [line[TOTAL_PRICE] for line in lines]
        is_known = bool(lines) and all(AMOUNT.fullmatch(amount or "") for amount in of_lines)
        summed = f"{sum(map(Decimal, of_lines)):f}" if is_known else None
        total = self._amount(of_order.pop(TOTAL, "")) or None
        sub_total = self._amount(of_order.pop(SUB_TOTAL, "")) or summed or total
        extra = self._extra(rows)
        for line, row in zip(lines, filter(self._is_line, rows), strict=True):
            line |= {
                name: row[place]
                for name, place in self.matched.extra.items()
                if name not in extra and row[place]
            }
        return {
            "id": _guid("order", number),
            **{name: value or None for name, value in of_order.items()},
            NUMBER: number,
            "status": of_order.get("status") or None,
            SUB_TOTAL: sub_total,
            TOTAL: total or sub_total,
            "order_line_items": lines,
            "order_comments": [],
            "vendor_id": vendor["id"],
            "vendor_name": vendor["name"],
            "buyer_id": self._buyer(buyer, at)["id"] if buyer else None,
            "buyer_company_name": buyer or None,
            "created_at": at,
            "updated_at": at,
            **extra,
        }

    def _is_line(self, row: Row) -> bool:
        fields = self.matched.fields
        has_lines = not fields.keys().isdisjoint(IS_LINE)
        return has_lines and any(row[fields[name]] for name in LINE_FIELDS if name in fields)

    def _line(self, row: Row, at: str) -> Record:
        line = {
            name: row[self.matched.fields[name]] if name in self.matched.fields else ""
            for name in LINE_FIELDS
        }
        for name in AMOUNTS & line.keys():
            line[name] = self._amount(line[name])
        quantity = self._quantity(line[QUANTITY])
        is_priced = isinstance(quantity, int) and AMOUNT.fullmatch(line[UNIT_PRICE] or "")
        if not line[TOTAL_PRICE] and is_priced:
            discount = line["discount_amount"] or "0"
            less = Decimal(discount) if AMOUNT.fullmatch(discount) else Decimal()
            line[TOTAL_PRICE] = f"{Decimal(str(quantity)) * Decimal(line[UNIT_PRICE]) - less:f}"
        item = self._item(line, at)
        found: Record = {name: value or None for name, value in line.items()}
        vendor = line["vendor_name"] or self.vendor
        return {"item_id": item, **found, QUANTITY: quantity, "vendor_name": vendor}

    def _extra(self, rows: Sequence[Row]) -> Record:
        """The fields of no name here that have one value in the whole order; others stand with its
        lines, or, where it has none, with the first value."""
        found: Record = {}
        has_lines = any(map(self._is_line, rows))
        for name, place in self.matched.extra.items():
            values = {row[place] for row in rows if row[place]}
            if len(values) == 1:
                found[name] = values.pop()
            elif values and not has_lines:
                found[name] = next(row[place] for row in rows if row[place])
                self.several[name] += 1
        return found

    def _first(self, rows: Sequence[Row], name: str) -> str:
        place = self.matched.fields[name]
        values = dict.fromkeys(row[place] for row in rows if row[place])
        if len(values) > 1 and name in ORDER_FIELDS:
            self.several[name] += 1
        return next(iter(values), "")

    def _amount(self, text: str) -> str:
        value = self.written.amount(text) if text else ""
        self.unread["amounts"] += bool(value) and not AMOUNT.fullmatch(value)
        return value

    def _day(self, text: str) -> str:
        value = self.written.day(text)
        self.unread["days"] += not value.endswith("Z")
        return value

    def _quantity(self, text: str) -> int | str | None:
        value = self.written.amount(text) if text else ""
        if AMOUNT.fullmatch(value) and Decimal(value) == int(Decimal(value)):
            return int(Decimal(value))
        self.unread["quantities"] += bool(text)
        return text or None

    def _vendor(self, name: str, at: str) -> Record:
        return self._keep("vendors", name, {"name": name}, at)

    def _buyer(self, name: str, at: str) -> Record:
        return self._keep("buyers", name, {"company_name": name}, at)

    def _item(self, line: Mapping[str, Any], at: str) -> str | None:
        code = line["sku"] or line["title"]
        if not code:
            return None
        vendor = self._vendor(line["vendor_name"] or self.vendor, at)
        found = {
            "title": line["title"] or code,
            "product_code": code,
            "sku": line["sku"] or None,
            "unit_price": line[UNIT_PRICE] or None,
            "options": [],
            "variants_count": 0,
            "vendor_id": vendor["id"],
            "vendor_name": vendor["name"],
        }
        of_vendor = f"{vendor['name']}/{code}"  # others may have a product of this code
        return str(self._keep("items", of_vendor, found)["id"])

    def _keep(self, kind: str, key: str, values: Record, at: str = "") -> Record:
        """The record of that key, which is made when it is first named."""
        moments = {"created_at": at, "updated_at": at} if at else {}
        record = {"id": _guid(kind, key), **values, **moments}
        return self.kept[kind].setdefault(key, record)


def _guid(*names: str) -> str:
    """The same for the same names, so that a file of later is one of the same orders."""
    return str(uuid5(NAMESPACE_URL, "/".join(names)))


def first_value(sheet: Sheet, place: int) -> str:
    """The first value of a column."""
    return next((row[place] for row in sheet.rows if row[place]), "")
