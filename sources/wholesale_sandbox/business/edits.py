"""Edits of records by the live business: pure functions of bodies; other literals stay the same."""

from datetime import UTC, datetime, timedelta
from decimal import Context, Decimal, DecimalException
from typing import TypeVar

import msgspec

from wholesale_sandbox.contract import INVOICE_STATUSES, ORDER_STATUSES, PAYMENT_STATUSES

_RECEIVED, _CONFIRMED, _SHIPPED, _DELIVERED, _CANCELLED = ORDER_STATUSES.value
_UNPAID, _PAID, _, _VOIDED = PAYMENT_STATUSES.value
_NOT_INVOICED, _INVOICED, _INVOICE_PAID = INVOICE_STATUSES.value

_FOLLOWING = {_RECEIVED: _CONFIRMED, _CONFIRMED: _SHIPPED, _SHIPPED: _DELIVERED}

_COMMENTS = (
    "Please add this to the next truck.",
    "Quantity confirmed by phone.",
    "The café's opening has moved by a week.",
    "Two boxes were damaged, credit follows.",
    "Where is the tracking number?",
)

_EXACT = Context(prec=200)
_MOST_DIGITS = 90
"""Products of such amounts are exact."""
_FIRST_HOUR = datetime.min.replace(tzinfo=UTC) + timedelta(hours=1)

Record = dict[str, msgspec.Raw]
T = TypeVar("T")


class NotApplicable(Exception):
    """The record does not allow this edit."""


def read(body: bytes | msgspec.Raw) -> Record:
    """The fields, each with the literal it came with. Raises: NotApplicable."""
    return _decoded(body, Record)


def text(record: Record, name: str) -> str:
    """A field that must be a text. Raises: NotApplicable."""
    return _decoded(record.get(name, b"null"), str)


def move_on(body: bytes, at: datetime) -> bytes:
    """The order in its next status; shipping invoices it, on delivery it is paid."""
    order = read(body)
    following = _FOLLOWING.get(text(order, "status"))
    if following is None:
        raise NotApplicable("no status follows")
    changed: dict[str, object] = {"status": following}
    if following == _SHIPPED and "invoice_number" not in order:
        changed["invoice_status"] = _INVOICED
        changed["invoice_number"] = f"INV-{text(order, 'order_number')}"
        changed["invoice_generated_at"] = iso(at)
    if following == _DELIVERED:
        changed["invoice_status"], changed["payment_status"] = _INVOICE_PAID, _PAID
    return _edited(order, at, changed)


def cancel(body: bytes, at: datetime) -> bytes:
    """The order cancelled, and what is to pay voided, unless it has been shipped."""
    order = read(body)
    if text(order, "status") not in (_RECEIVED, _CONFIRMED):
        raise NotApplicable("it is on its way, or was cancelled before")
    return _edited(order, at, {"status": _CANCELLED, "payment_status": _VOIDED})


def add_comment(body: bytes, at: datetime, detail: int) -> bytes:
    """The order with another comment, by its vendor."""
    order = read(body)
    comments = _decoded(order.get("order_comments", b"null"), list[msgspec.Raw])
    comment = {
        "author": text(order, "vendor_name"),
        "body": _COMMENTS[detail % len(_COMMENTS)],
        "created_at": iso(at),
    }
    return _edited(order, at, {"order_comments": [*comments, comment]})


def change_quantity(body: bytes, at: datetime, detail: int) -> bytes:
    """The order with twice or half the quantity of one line, and the resulting totals."""
    order = read(body)
    if text(order, "status") == _CANCELLED:
        raise NotApplicable("a cancelled order stays as it is")
    lines = _lines(order)
    number = detail % len(lines)
    quantity = _decoded(lines[number].get("quantity", b"null"), int)
    is_doubled = quantity % 2 == 1 or detail >> 16 & 1
    _set_quantity(order, lines, number, quantity * 2 if is_doubled else quantity // 2)
    return _edited(order, at, {"order_line_items": lines})


def order_again(body: bytes, at: datetime, detail: int, **identity: str) -> bytes:
    """A new order of the same buyer with the same lines, some of them doubled."""
    order = read(body)
    lines = _lines(order)
    for number, line in enumerate(lines):
        if detail >> number % 32 & 1:
            quantity = _decoded(line.get("quantity", b"null"), int)
            _set_quantity(order, lines, number, quantity * 2)
    for name in ("invoice_number", "invoice_generated_at"):
        order.pop(name, None)
    placed = {
        **identity,
        "status": _RECEIVED,
        "payment_status": _UNPAID,
        "invoice_status": _NOT_INVOICED,
        "order_line_items": lines,
        "order_comments": [],
        "po_number": None,
        "created_at": iso(at),
    }
    return _encoded({**order, **placed, "updated_at": iso(at)})


def reprice(body: bytes, at: datetime, detail: int) -> bytes:
    """The price or variant with a price up to a tenth higher or lower, to the cent."""
    record = read(body)
    former = _amount(record, "unit_price")
    percentage = 90 + detail % 21
    unit_price = _exact_multiple(former, Decimal(percentage) / 100).quantize(
        Decimal("0.01"), context=_EXACT
    )
    if unit_price == former:
        raise NotApplicable("the price stays the same")
    return _edited(record, at, {"unit_price": _like(record["unit_price"], unit_price)})


def replace(body: bytes, at: datetime, name: str, value: str) -> bytes:
    """The record with another text in a field."""
    record = read(body)
    if text(record, name) == value:
        raise NotApplicable(f"its {name} is {value} already")
    return _edited(record, at, {name: value})


def retouch(body: bytes, at: datetime, detail: int) -> bytes:
    """The record with one of its texts extended, but none that other records copy."""
    record = read(body)
    for name in ("description", "website", "title", "name", "full_name", "url"):
        if bytes(record.get(name, b"")).startswith(b'"'):
            return _edited(record, at, {name: f"{text(record, name)}#{detail:08x}"})
    raise NotApplicable("it has no text to change")


def silently(edited: bytes, before: bytes) -> bytes:
    """The edit with the former `updated_at`."""
    former = read(before)
    if "updated_at" not in former:
        raise NotApplicable("it has no updated_at, so that all its edits are silent")
    return _encoded({**read(edited), "updated_at": former["updated_at"]})


def backward(edited: bytes, before: bytes) -> bytes:
    """The edit with an `updated_at` an hour older than that of the record before it."""
    former = _moment(read(before), "updated_at")
    if former < _FIRST_HOUR:
        raise NotApplicable("no time is an hour older")
    return _encoded({**read(edited), "updated_at": iso(former - timedelta(hours=1))})


def note(body: bytes, name: str, detail: int) -> bytes:
    """The record with another value in an undocumented field, and no other change."""
    return _encoded({**read(body), name: f"note {detail:08x}"})


def touch(body: bytes, at: datetime) -> bytes:
    """The record with a new `updated_at`, and no other change."""
    return _edited(read(body), at, {})


def copy(body: bytes, at: datetime, **replaced: object) -> bytes:
    """A new record like this one; where the resource has times, it is of now."""
    record = read(body)
    times: dict[str, object] = {
        name: iso(at) for name in ("created_at", "updated_at") if name in record
    }
    return _encoded({**record, **replaced, **times})


def iso(at: datetime) -> str:
    return f"{at.astimezone(UTC).replace(tzinfo=None).isoformat()}Z"


def _edited(record: Record, at: datetime, changed: dict[str, object]) -> bytes:
    """`updated_at` never goes back; a record without one gets none."""
    if "updated_at" in record:
        changed["updated_at"] = iso(max(at, _moment(record, "updated_at")))
    return _encoded({**record, **changed})


def _lines(order: Record) -> list[Record]:
    lines = _decoded(order.get("order_line_items", b"null"), list[Record])
    if not lines:
        raise NotApplicable("the order has no lines")
    return lines


def _set_quantity(order: Record, lines: list[Record], number: int, quantity: int) -> None:
    line = lines[number]
    former = _amount(line, "total_price")
    total_price = _exact_multiple(_amount(line, "unit_price"), Decimal(quantity))
    more = _EXACT.subtract(total_price, former)
    line["quantity"] = msgspec.Raw(str(quantity).encode())
    line["total_price"] = _like(line["total_price"], total_price)
    for name in ("sub_total", "total"):
        amount = _EXACT.add(_amount(order, name), more)
        order[name] = _like(order[name], amount)


def _exact_multiple(amount: Decimal, factor: Decimal) -> Decimal:
    return _EXACT.multiply(amount, factor)


def _amount(record: Record, name: str) -> Decimal:
    amount = _decoded(record.get(name, b"null"), Decimal)
    if not amount.is_finite() or abs(amount.adjusted()) > _MOST_DIGITS:
        raise NotApplicable(f"{name} is no amount that business reckons with")
    return amount


def _moment(record: Record, name: str) -> datetime:
    moment = _decoded(record.get(name, b"null"), datetime)
    try:
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except OverflowError:
        raise NotApplicable(f"{name} is no time in UTC") from None


def _like(former: msgspec.Raw, amount: Decimal) -> msgspec.Raw:
    """The amount with the JSON type of the former one."""
    mark = b'"' if bytes(former).startswith(b'"') else b""
    return msgspec.Raw(mark + f"{amount:f}".encode() + mark)


def _decoded(literal: bytes | msgspec.Raw, type: type[T]) -> T:
    try:
        return msgspec.json.decode(literal, type=type)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, DecimalException) as error:
        raise NotApplicable(str(error)) from None


def _encoded(record: dict[str, object]) -> bytes:
    return msgspec.json.encode(record)
