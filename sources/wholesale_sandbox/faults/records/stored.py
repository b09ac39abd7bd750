"""Faults of stored records: ids, amounts, times and fields as no description has them."""

from collections.abc import Callable, Iterable

import msgspec
from msgspec import Raw

from wholesale_sandbox.business import Record
from wholesale_sandbox.faults.fault import Case, RecordFault

AMOUNTS = ("total", "unit_price", "minimum_order_value", "msrp", "amount")
MOMENTS = ("created_at",)
TEXTS = ("po_number", "description", "shipping_name", "address1", "full_name", "title", "name")

MEGABYTE = 1 << 20
KEYS = 400
DEPTH = 60

# Amounts of an order and of its lines (§2.4): half of them are shown as numbers, half as text.
ORDER_AMOUNTS = (
    "sub_total",
    "total",
    "transaction_fee",
    "vendor_minimum_order_value",
    "order_line_items_discount_amount",
)
LINE_AMOUNTS = ("unit_price", "total_price", "discount_amount")

Change = Callable[[Record, Case], Record]


class NoSuchField(Exception):
    """The record has none of the fields that the fault changes."""


def _put(names: Iterable[str], literal: str) -> Change:
    """The first of these fields that the record has becomes that JSON literal."""

    def change(record: Record, case: Case) -> Record:
        for name in names:
            if name in record:
                return {**record, name: Raw(literal.encode())}
        raise NoSuchField(f"it has none of the fields {', '.join(names)}")

    return change


def _add(**literals: str) -> Change:
    added = {name: Raw(literal.encode()) for name, literal in literals.items()}
    return lambda record, case: {**record, **added}


def _id_number(record: Record, case: Case) -> Record:
    return {**record, "id": Raw(b"%d" % case.chance.getrandbits(40))}


def _id_text(record: Record, case: Case) -> Record:
    return {**record, "id": Raw(b'"NO-%d"' % case.chance.getrandbits(40))}


def _without_id(record: Record, case: Case) -> Record:
    return {name: value for name, value in record.items() if name != "id"}


def _swap_amounts(record: Record, case: Case) -> Record:
    if "order_line_items" not in record:
        raise NoSuchField("it has no lines")
    lines = msgspec.json.decode(record["order_line_items"], type=list[Record])
    swapped = [_swapped(line, LINE_AMOUNTS) for line in lines]
    return {
        **_swapped(record, ORDER_AMOUNTS),
        "order_line_items": Raw(msgspec.json.encode(swapped)),
    }


def _swapped(record: Record, names: Iterable[str]) -> Record:
    """Numbers as texts and texts as numbers, in the same digits; null stays."""
    return record | {name: _other_kind(record[name]) for name in names if name in record}


def _other_kind(literal: Raw) -> Raw:
    digits = bytes(literal)
    if digits == b"null":
        return literal
    return Raw(digits[1:-1] if digits.startswith(b'"') else b'"%b"' % digits)


def _amount(name: str, literal: str, what: str) -> RecordFault:
    return RecordFault(name, f"an amount {what}: `{literal}`", _put(AMOUNTS, literal))


def _moment(name: str, literal: str, what: str) -> RecordFault:
    return RecordFault(name, f"a time {what}: `{literal}`", _put(MOMENTS, literal))


def _long(characters: int) -> str:
    return f'"{"long " * (characters // 5)}"'


_KEYS = ",".join(f'"key {number}":{number}' for number in range(KEYS))

RECORD_FAULTS: tuple[RecordFault, ...] = (
    RecordFault("id-null", "the id is null", _put(["id"], "null")),
    RecordFault("id-missing", "there is no id", _without_id),
    RecordFault("id-number", "the id is a number", _id_number),
    RecordFault("id-text", "the id is no guid", _id_text),
    _amount("amount-comma", '"12,50"', "with a comma"),
    _amount("amount-fine", "12.3456789012", "with ten decimals"),
    _amount("amount-exponent", "1.25e3", "with an exponent"),
    _amount("amount-currency", '"$ 12.50"', "with its currency"),
    _amount("amount-long", "9" * 50, "with 50 digits"),
    _amount("amount-empty", '""', "that is an empty text"),
    RecordFault(
        "amounts-swapped",
        "the amounts of an order the other way: text for number, number for text",
        _swap_amounts,
    ),
    _moment("time-word", '"yesterday"', "in words"),
    _moment("time-day", '"2026-02-03"', "without its time of day"),
    _moment("time-offset", '"2026-02-03T04:05:06.789+05:30"', "in another zone"),
    _moment("time-number", "1767225600", "as seconds since 1970"),
    _moment("time-never", '"0000-00-00T00:00:00Z"', "that never was"),
    RecordFault("new-field", "a field that §2 does not know", _add(loyalty_tier='"gold"')),
    RecordFault(
        "new-object",
        "an object that §2 does not know",
        _add(carrier='{"name":"Nord","legs":[{"by":"sea","days":12.50}]}'),
    ),
    RecordFault("type-changed", "a text is an object", _put(TEXTS, '{"de":"Kiste","en":"box"}')),
    RecordFault(
        "names-collide",
        "fields whose names differ in case and blanks only",
        _add(**{"loyalty tier": "1", "Loyalty_Tier": "2", "loyalty-tier": "3"}),
    ),
    RecordFault("deep", f"arrays {DEPTH} deep", _add(deep="[" * DEPTH + "]" * DEPTH)),
    RecordFault("many-keys", f"an object with {KEYS} keys", _add(many=f"{{{_KEYS}}}")),
    RecordFault("text-50kb", "a text of 50 kB", _put(TEXTS, _long(50_000))),
    RecordFault("text-200kb", "a text of 200 kB", _put(TEXTS, _long(200_000))),
    RecordFault("megabyte", "a text of 1 MB", _put(TEXTS, _long(MEGABYTE))),
    RecordFault("nul", "a NUL character in a text", _put(TEXTS, '"before\\u0000after"')),
    RecordFault("lone-surrogate", "half a character in a text", _put(TEXTS, '"half \\ud83d"')),
)
