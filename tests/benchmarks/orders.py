"""Made-up verbose orders (§2.4) of realistic size; order number `index` is always the same one.

46 fields: the 45 that §2.4 names for the verbose form, and one it does not (`invoice_number`, part
of the invoice details it speaks of). Numbers come in the kind that the description shows, and in
`OTHER_KIND_SHARE` of the cases in the other one (§2); entries of comments are not shown, so theirs
are made up.
"""

import random
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

Order = dict[str, Any]

OTHER_KIND_SHARE = 0.15
MOST_CHANGED = 0.1

FIRST_DAY = datetime(2024, 1, 1, tzinfo=UTC)
LAST_DAY = datetime(2026, 7, 1, tzinfo=UTC)
SECONDS = int((LAST_DAY - FIRST_DAY).total_seconds())

# An id ends in the index times an odd number, so that the server finds the order of an id
# without a list of all ids.
ID_SPACE = 1 << 48
ID_FACTOR = 0x5DEECE66D
ID_INVERSE = pow(ID_FACTOR, -1, ID_SPACE)

SUMMARY = (
    *("id", "order_number", "status", "sub_total", "total", "vendor_id", "vendor_name"),
    *("vendor_minimum_order_value", "buyer_id", "buyer_user_id", "buyer_company_name"),
    *("invoice_status", "created_at", "updated_at"),
)
NOT_IN_THE_BASIC_FORM = frozenset(SUMMARY[5:12])

STATUSES = ("received", "processing", "shipped", "delivered", "cancelled")
PEOPLE = (
    *("Zoë Müller", "Søren Ångström", "María José Núñez", "Łukasz Żak", "Renée Çelik"),
    *("James Walker", "Priya Natarajan", "田中 花子", "Anna Schmidt", "Tom O'Brien"),
)
STREETS = ("Hauptstraße", "Rue de l'Église", "Market Street", "Calle Mayor", "Kungsgatan")
CITIES = ("München", "Saint-Étienne", "Portland", "Logroño", "Malmö", "Kraków", "Springfield")
STATES = ("BY", "ARA", "OR", "RI", "M", "MA", "IL", None)
COUNTRIES = ("Germany", "France", "United States", "Spain", "Sweden", "Poland")
WORDS = (
    *("Organic", "Crème", "Brûlée", "Candle", "Linen", "Oak", "Ceramic", "Jalapeño", "Salsa"),
    *("Smoked", "Wool", "Blanket", "Espresso", "Beans", "Glass", "Jar", "Rosé", "Soap", "Tin"),
)
SIZES = ("Small", "Medium", "Large", "12-pack", "1½ kg", None)
CATEGORIES = ("Home & Living", "Café & Tea", "Bath", "Pantry", "Kids", "Garden")
REMARKS = (
    "Please leave the pallet at the loading dock, the gate closes at four.",
    "Ça va être livré lundi, merci de confirmer la quantité.",
    "Customer asked for a second invoice; sent by e-mail “as usual”.",
)


def order_id(index: int) -> str:
    return _guid(index, index * ID_FACTOR)


def index_of(id_: str) -> int:
    """Index of the order that would have this id.

    Raises: ValueError when it is no id of ours.
    """
    index = int(id_[-12:], 16) * ID_INVERSE % ID_SPACE
    if order_id(index) != id_:
        raise ValueError(id_)
    return index


def is_changed(index: int, share: float) -> bool:
    """Is it among this share of the orders? Scattered, as real edits are; a part of any larger."""
    return _scatter(index) % 1000 < share * 1000


def order(index: int) -> Order:
    """The verbose order, with money as the service would send it."""
    dice = random.Random(index)
    lines = [_line(dice) for _ in range(min(12, 1 + int(dice.expovariate(0.195))))]
    sub_total = sum(line.pop("_cents") for line in lines)
    discount = sub_total // 20 if dice.random() < 0.2 else 0
    fee = sub_total * 29 // 1000
    created = FIRST_DAY + timedelta(
        seconds=dice.randrange(SECONDS - 90 * 86_400), microseconds=dice.randrange(1_000_000)
    )
    updated = created + timedelta(seconds=dice.randrange(80 * 86_400), microseconds=index % 997)
    vendor, buyer = dice.randrange(500), dice.randrange(5_000)
    company = f"{PEOPLE[buyer % len(PEOPLE)].split()[-1]} & {WORDS[buyer % len(WORDS)]} Trading"
    is_invoiced = dice.random() < 0.6
    return {
        "id": order_id(index),
        "order_number": f"WS-{100_000 + index}",
        "status": dice.choice(STATUSES),
        "sub_total": _number(dice, sub_total),
        "total": _text(dice, sub_total - discount + fee),
        "vendor_id": _guid(vendor, vendor + 11),
        "vendor_name": f"{WORDS[vendor % len(WORDS)]} {CITIES[vendor % len(CITIES)]} GmbH",
        "vendor_minimum_order_value": _number(dice, 5_000 + vendor * 25),
        "buyer_id": _guid(buyer, buyer + 13),
        "buyer_user_id": _guid(buyer, buyer + 17),
        "buyer_company_name": company,
        "invoice_status": dice.choice(("open", "paid")) if is_invoiced else None,
        "invoice_number": f"INV-{dice.randrange(10**8):08}" if is_invoiced else None,
        **_address(dice, "shipping", company),
        **_address(dice, "billing", company),
        "payment_status": dice.choice(("unpaid", "paid", "refunded")),
        "transaction_fee": _number(dice, fee),
        "billing_payment_method_type": dice.choice(("stripe:card", "manual:wire", "net:30")),
        "billing_payment_method_instruction_pay_to": f"{company} Receivables",
        "billing_payment_method_instruction_send_to_address": dice.choice(STREETS) + " 7",
        "billing_payment_method_instruction_memo": f"Order WS-{100_000 + index}",
        "billing_payment_method_instruction_other": None,
        "order_line_items": lines,
        "po_number": f"PO{dice.randrange(10**7):07}" if dice.random() < 0.5 else None,
        "order_line_items_discount_amount": _text(dice, discount),
        "order_comments": [_comment(dice, created) for _ in range(_comments(dice))],
        "created_at": _timestamp(created),
        "updated_at": _timestamp(updated),
    }


def changed(index: int) -> Order:
    """The order after an edit: a later `updated_at` than any other has, another status, one more
    comment, one more piece of the first line (whose amounts stay, as with an item given free).
    """
    before = order(index)
    dice = random.Random(f"edit {index}")
    edited = LAST_DAY + timedelta(seconds=index, microseconds=dice.randrange(1_000_000))
    first, *others = before["order_line_items"]
    return before | {
        "status": STATUSES[(STATUSES.index(before["status"]) + 1) % len(STATUSES)],
        "order_line_items": [first | {"quantity": first["quantity"] + 1}, *others],
        "order_comments": [*before["order_comments"], _comment(dice, edited)],
        "updated_at": _timestamp(edited),
    }


def summary(verbose: Mapping[str, Any]) -> Order:
    """The entry of the list with verbose=false."""
    return {name: verbose[name] for name in SUMMARY}


def basic(verbose: Mapping[str, Any]) -> Order:
    """The single order with verbose=false."""
    return {name: verbose[name] for name in verbose if name not in NOT_IN_THE_BASIC_FORM}


def _line(dice: random.Random) -> Order:
    item, quantity = dice.randrange(20_000), 1 + int(dice.expovariate(0.15))
    cents = 150 + item * 7 % 9_000
    return {
        "item_id": _guid(item, item + 19),
        "title": f"{WORDS[item % 19]} {WORDS[item // 19 % 19]} {WORDS[item // 361 % 19]}",
        "variant": SIZES[item % len(SIZES)],
        "sku": f"SKU-{item:05}-{item % 7}",
        "quantity": quantity,
        "unit_price": _number(dice, cents),
        "total_price": _number(dice, cents * quantity),
        "discount_amount": _text(dice, cents // 10 if dice.random() < 0.1 else 0),
        "categoy_name": CATEGORIES[item % len(CATEGORIES)],
        "vendor_name": f"{WORDS[item % 17]} {CITIES[item % len(CITIES)]} GmbH",
        "_cents": cents * quantity,
    }


def _comments(dice: random.Random) -> int:
    return dice.choices((0, 1, 2, 3), (60, 22, 12, 6))[0]


def _comment(dice: random.Random, at: datetime) -> Order:
    return {
        "id": _guid(dice.randrange(10**6), dice.randrange(ID_SPACE)),
        "author": dice.choice(PEOPLE),
        "comment": dice.choice(REMARKS),
        "created_at": _timestamp(at),
    }


def _address(dice: random.Random, kind: str, company: str) -> Order:
    name, city = dice.choice(PEOPLE), dice.randrange(len(CITIES))
    number = dice.randrange(1, 400)
    return {
        f"{kind}_name": name,
        f"{kind}_email": f"orders{number}@{WORDS[number % 19].lower()}.example",
        f"{kind}_company": company if number % 4 else None,
        f"{kind}_phone": f"+1 555 {number:03} {dice.randrange(10_000):04}",
        f"{kind}_address1": f"{STREETS[number % len(STREETS)]} {number}",
        f"{kind}_address2": f"Suite {number % 40}" if number % 3 == 0 else None,
        f"{kind}_city": CITIES[city],
        f"{kind}_state": STATES[city],
        f"{kind}_country": COUNTRIES[city % len(COUNTRIES)],
        f"{kind}_zip": f"{dice.randrange(100_000):05}",
    }


def _number(dice: random.Random, cents: int) -> float | str:
    return f"{cents / 100:.2f}" if dice.random() < OTHER_KIND_SHARE else cents / 100


def _text(dice: random.Random, cents: int) -> float | str:
    return cents / 100 if dice.random() < OTHER_KIND_SHARE else f"{cents / 100:.2f}"


def _timestamp(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M:%S.%f}Z"


def _guid(index: int, node: int) -> str:
    head = _scatter(index)
    return f"{head:08x}-{head & 0xFFFF:04x}-4{head >> 20:03x}-a{head >> 8 & 0xFFF:03x}-" + (
        f"{node % ID_SPACE:012x}"
    )


def _scatter(index: int) -> int:
    """A number below 2**32 that looks random."""
    mixed = (index ^ index >> 16) * 0x45D9F3B & 0xFFFFFFFF
    mixed = (mixed ^ mixed >> 16) * 0x45D9F3B & 0xFFFFFFFF
    return mixed ^ mixed >> 16
