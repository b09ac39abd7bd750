"""Trading parties: vendors, buyers and the people who order for a buyer."""

import unicodedata
from dataclasses import dataclass
from random import Random
from typing import Any

import msgspec

from wholesale_sandbox.contract import SHIPPING_TYPES, VENDOR_STATUSES
from wholesale_sandbox.values import DAY, between, chance, guid, iso, literal
from wholesale_sandbox.world.calendar import Calendar
from wholesale_sandbox.world.vocabulary import (
    CANADIAN_PLACES,
    FIRST_NAMES,
    PLACES,
    SHOP_NAMES,
    SHOP_TRADES,
    STREETS,
    SURNAMES,
    VENDORS,
)

Values = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Vendor:
    """`minimum` is the minimum order value as a JSON number, or null.

    `trade` is the top category of most of its items.
    """

    id: str
    name: str
    trade: str
    minimum: str
    record: Values


@dataclass(frozen=True, slots=True)
class BuyerUser:
    id: str
    full_name: str
    email: str
    is_active: bool
    record: Values


@dataclass(frozen=True, slots=True)
class Buyer:
    """`joined_at` in microseconds since the epoch; `price_list` by its number, if it has one."""

    id: str
    company_name: str
    joined_at: int
    price_list: int | None
    users: tuple[BuyerUser, ...]
    record: Values


def make_vendors(seed: int, count: int, calendar: Calendar) -> list[Vendor]:
    """At most as many as there are names for: 60."""
    rng = chance(seed, "vendors")
    trades = [(name, trade) for trade, names in VENDORS.items() for name in names]
    return [
        _vendor(seed, number, name, trade, calendar, rng)
        for number, (name, trade) in enumerate(rng.sample(trades, count))
    ]


def make_buyers(
    seed: int, count: int, calendar: Calendar, price_list_ids: list[str]
) -> list[Buyer]:
    """From the oldest to the newest; two of five are there before the first order."""
    rng = chance(seed, "buyers")
    before = max(1, count * 2 // 5)
    joined = [between(calendar.start - 900 * DAY, calendar.start, rng) for _ in range(before)]
    joined += [between(calendar.start, calendar.end - 5 * DAY, rng) for _ in range(count - before)]
    return [
        _buyer(seed, number, joined_at, calendar.end, price_list_ids)
        for number, joined_at in enumerate(sorted(joined))
    ]


def _vendor(
    seed: int, number: int, name: str, trade: str, calendar: Calendar, rng: Random
) -> Vendor:
    place = rng.choice(PLACES)
    created_at = between(calendar.start - 1500 * DAY, calendar.start, rng)
    site = f"{slug(name)}.example"
    minimum = rng.choice((None, 100_000, 150_000, 200_000, 250_000, 300_000, 112_500))
    threshold = rng.choice((300, 500, 750))
    active, inactive = VENDOR_STATUSES.value
    record: Values = {
        "id": guid(seed, "vendor", number),
        "name": name,
        "minimum_order_value": None if minimum is None else msgspec.Raw(literal(minimum).encode()),
        "minimum_order_quantity": rng.choice((None, None, 6, 12, 24)),
        "address1": f"{rng.randrange(1, 2400)} {rng.choice(STREETS)}",
        "address2": rng.choice((None, None, f"Unit {rng.randrange(1, 40)}")),
        "city": place.city,
        "state": place.state,
        "country": "US",
        "zip": int(f"{place.zip3}{rng.randrange(1, 99):02d}"),  # a leading zero is lost, §2.7
        "website": f"https://www.{site}",
        "email": f"wholesale@{site}",
        "phone": _phone(place.area, rng),
        "ein": _ein(rng),
        "order_contact_name": _full_name(rng),
        "order_contact_phone": _phone(place.area, rng),
        "payment_contact_name": rng.choice((None, _full_name(rng))),
        "payment_contact_phone": rng.choice((None, _phone(place.area, rng))),
        "shipping_type": rng.choice(SHIPPING_TYPES.value),
        "shipping_scheme": rng.choice(
            (
                {"free_over": threshold, "otherwise": "12.50"},
                {f"0-{threshold}": 14.95, f"{threshold}+": 0, "zones": {"AK": 30, "HI": 35.5}},
                {"percent": 6.5, "minimum": "9.00", "carriers": ["UPS", "FedEx"]},
                {},
            )
        ),
        "status": inactive if rng.randrange(25) == 0 else active,
        "order_processing_time": rng.choice(("1-2 days", "3-5 days", "1 week", "2 weeks", None)),
        "order_processing_on": rng.choice(("business_days", "calendar_days")),
        "order_shipping_days": rng.choice(
            (
                ["monday", "wednesday", "friday"],
                ["tuesday", "thursday"],
                ["monday", "tuesday", "wednesday", "thursday", "friday"],
                [],
            )
        ),
        "order_processing_cut_off_time": rng.choice(("12:00", "14:30", "17:00", None)),
        "order_terms": rng.choice(("Net 30", "Prepaid", "50 % deposit", None)),
        "description": f"{name} of {place.city}, {place.state}: made in small batches.",
        "logo": rng.choice((None, f"https://cdn.{site}/logo.png")),
        "created_at": iso(created_at),
        "updated_at": iso(between(created_at, calendar.end, rng)),
    }
    return Vendor(
        id=record["id"],
        name=name,
        trade=trade,
        minimum="null" if minimum is None else literal(minimum),
        record=record,
    )


def _buyer(seed: int, number: int, joined_at: int, end: int, price_list_ids: list[str]) -> Buyer:
    rng = chance(seed, "buyer", number)
    company_name = _company_name(rng)
    site = f"{slug(company_name)}{number}.example"
    price_list = rng.choice((None, *range(len(price_list_ids)), 0, 0))
    record = {
        "id": guid(seed, "buyer", number),
        "company_name": company_name,
        "company_ein": rng.choice((_ein(rng), None)),
        "email": f"orders@{site}",
        **_address(rng),
        "website": rng.choice((None, f"https://{site}")),
        "price_list_id": None if price_list is None else price_list_ids[price_list],
        "account_manager_id": rng.choice((None, guid(seed, "account manager", rng.randrange(8)))),
        "created_at": iso(joined_at),
        "updated_at": iso(between(joined_at, end, rng)),
    }
    users = tuple(
        _buyer_user(seed, f"{number}/{place}", place == 0, site, joined_at, end)
        for place in range(rng.choice((1, 1, 1, 2, 2, 3)))
    )
    return Buyer(record["id"], company_name, joined_at, price_list, users, record)


def _buyer_user(
    seed: int, number: str, is_owner: bool, site: str, joined_at: int, end: int
) -> BuyerUser:
    rng = chance(seed, "buyer user", number)
    first_name, surname = rng.choice(FIRST_NAMES), rng.choice(SURNAMES)
    record = {
        "id": guid(seed, "buyer user", number),
        "full_name": f"{first_name} {surname}",
        "email": f"{slug(first_name)}.{slug(surname)}@{site}",
        "role": "owner" if is_owner else "user",
        "status": "active" if is_owner else rng.choice(("active", "active", "invited", "inactive")),
        "created_at": iso(joined_at),
        "updated_at": iso(between(joined_at, end, rng)),
    }
    return BuyerUser(
        id=record["id"],
        full_name=record["full_name"],
        email=record["email"],
        is_active=record["status"] == "active",
        record=record,
    )


def _company_name(rng: Random) -> str:
    surname, shop = rng.choice(SURNAMES), rng.choice(SHOP_NAMES)
    trade, place = rng.choice(SHOP_TRADES), rng.choice(PLACES)
    return rng.choice(
        (
            f"{surname} {trade}",
            f"{surname}'s {trade}",
            f"The {shop}",
            f"{shop} {trade}",
            f"{shop} of {place.city}",
            f"{place.city} {trade}",
            f"{surname} & {rng.choice(SURNAMES)}",
            f"{surname} & Sons {trade}, Inc.",
        )
    )


def _address(rng: Random) -> Values:
    """A buyer's phone and address; the postcode is text and keeps its leading zero."""
    if rng.randrange(25) == 0:
        city, state, zip, area = rng.choice(CANADIAN_PLACES)
        country = "CA"
    else:
        city, state, zip3, area = rng.choice(PLACES)
        zip = f"{zip3}{rng.randrange(1, 99):02d}"
        zip += rng.choice(("", "", "", f"-{rng.randrange(10000):04d}"))
        country = "US"
    return {
        "phone": rng.choice((_phone(area, rng), _phone(area, rng), None)),
        "address1": f"{rng.randrange(1, 9900)} {rng.choice(STREETS)}",
        "address2": rng.choice((None, None, None, "", f"Suite {rng.randrange(100, 900)}")),
        "city": city,
        "state": state,
        "zip": zip,
        "country": country,
    }


def _full_name(rng: Random) -> str:
    return f"{rng.choice(FIRST_NAMES)} {rng.choice(SURNAMES)}"


def _phone(area: str, rng: Random) -> str:
    line = f"{rng.randrange(100, 200):04d}"
    return rng.choice((f"({area}) 555-{line}", f"{area}-555-{line}", f"+1 {area} 555 {line}"))


def _ein(rng: Random) -> str:
    return f"{rng.randrange(1, 99):02d}-{rng.randrange(10_000_000):07d}"


def slug(name: str) -> str:
    """The name in the letters and digits of ASCII."""
    decomposed = unicodedata.normalize("NFKD", name.lower().replace("ø", "o"))
    return "".join(letter for letter in decomposed if letter.isascii() and letter.isalnum())
