"""Formats: how amounts, counts, days and changes are written, as the page does in English."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal
from urllib.parse import quote, urlencode
from zoneinfo import ZoneInfo

from wholesale_elt.dashboard.columnar import Json
from wholesale_elt.dashboard.entry import NO_BREAK, NOTHING
from wholesale_elt.figures import NO_CURRENCY

Number = Decimal | int | str
MINUS, THIN, TIMES = "\u2212", "\u202f", "\u00d7"
NOT_KNOWN = "Not known"
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)
UNITS = ((10**12, "T"), (10**9, "B"), (10**6, "M"), (10**3, "k"))
AS_IS = "!'()*-._~"
"""What browsers leave as it is in a part of an address."""
FINE_BELOW = 100_000
"""An amount has two decimals below, and none from here on."""
MOST_GROWTH, MOST_TIMES = Decimal("9.99"), 999
MOST_FALL = Decimal("0.999")
"""As much may have fallen and something be left."""
SYMBOLS: Mapping[str, str] = {
    **dict.fromkeys(("AUD", "CAD", "HKD", "MXN", "NZD", "SGD", "TWD", "USD"), "$"),
    **{"BRL": "R$", "CNY": "\u00a5", "EUR": "\u20ac", "GBP": "\u00a3", "ILS": "\u20aa"},
    **{"INR": "\u20b9", "JPY": "\u00a5", "KRW": "\u20a9", "PHP": "\u20b1", "THB": "\u0e3f"},
    **{"TRY": "\u20ba", "UAH": "\u20b4", "VND": "\u20ab"},
}
"""Signs of currencies, as browsers write them in English; of others the code stands before."""


def address(page: str, key: str = "", **choices: str) -> str:
    """Where something is shown on the page, as its links have it: `#/buyer/ID`."""
    below = f"/{quote(key, safe=AS_IS)}" if key else ""
    return f"#/{page}{below}{'?' if choices else ''}{urlencode(choices)}"


@dataclass(frozen=True, slots=True)
class Formats:
    """How values of a version are written; `meta` is what every page knows of it."""

    meta: Json

    def amount(self, value: Number | None) -> str:
        """Two decimals below a hundred thousand, none above."""
        if value is None:
            return NOTHING
        number = Decimal(value)
        return self._money(number, 2 if abs(number) < FINE_BELOW else 0)

    def exact(self, value: Number | None) -> str:
        """All decimals, two at least."""
        if value is None:
            return NOTHING
        number = Decimal(value)
        fraction = format(number.normalize(), "f").partition(".")[2]
        return self._money(number, max(2, len(fraction)))

    def compact(self, value: Number | None) -> str:
        """Where room is dear: `$12.4 k`."""
        if value is None:
            return NOTHING
        number = Decimal(value)
        size = abs(number)
        if size < 1_000:
            return self._money(number, 0)
        by, unit = next(each for each in UNITS if size >= each[0] * Decimal("0.9995"))
        share = size / by
        digits = 0 if share >= 100 else 1 if share >= 10 or unit == "k" else 2
        text = self._money(number / by, digits, is_trimmed=True)
        return f"{text}{THIN}{unit}"

    def signed(self, text: str, value: Number | None) -> str:
        """What is written of a value, with its sign also if it rises."""
        return f"+{text}" if value is not None and Decimal(value) > 0 else text

    def plain(self, value: Number | None) -> str:
        """An amount without decimals that are none."""
        is_whole = value is not None and abs(Decimal(value)) < FINE_BELOW
        is_whole = is_whole and Decimal(value or 0) == Decimal(value or 0).to_integral_value()
        return self.compact(value) if is_whole else self.amount(value)

    def change(self, now: Number | None, before: Number | None) -> str | None:
        """A change in words: `+4.1%`, `new` from nothing, and how many times as much
        beyond ten; None where it says nothing."""
        if now is None or before is None:
            return None
        value, was = Decimal(now), Decimal(before)
        if was <= 0:
            return "new" if was == 0 and value > 0 else None
        growth = value / was - 1
        if value / was > MOST_TIMES:
            return f"over {TIMES}{MOST_TIMES}"
        if growth > MOST_GROWTH:
            return f"{TIMES}{count(_rounded(value / was, 0))}"
        if growth < -MOST_GROWTH:
            return f"below {MINUS}{MOST_TIMES}%"
        if value > 0 and growth < -MOST_FALL:
            growth = -MOST_FALL
        share = _rounded(growth * 100, 1)
        return self.signed(f"{_grouped(share, 1)}%", share) if share else "0.0%"

    def moment(self, at: str | datetime) -> str:
        """A time of the business, to the minute, with the name of its zone: `Jun 22, 2026, 08:05
        New York time`."""
        found = self.local(at)
        return f"{day_text(found.date(), has_year=True)}, {found:%H:%M} {self.zone}"

    def local(self, at: str | datetime) -> datetime:
        found = datetime.fromisoformat(at) if isinstance(at, str) else at
        return found.astimezone(ZoneInfo(self.meta["time_zone"]))

    @property
    def zone(self) -> str:
        """`New York time`, or `UTC`."""
        name = str(self.meta["time_zone"])
        area, _, place = name.rpartition("/")
        if not area or area == "Etc":
            return place
        return f"{place.replace('_', ' ')} time"

    def name(self, key: str | None, name: str | None) -> str:
        """What people call somebody, given a key and perhaps a name."""
        if not key:
            return NOT_KNOWN
        return (name or "").strip() or str(self.meta["people"].get(key, key))

    def _money(self, number: Decimal, digits: int, *, is_trimmed: bool = False) -> str:
        text = _grouped(abs(number), digits)
        if is_trimmed and "." in text:
            text = text.rstrip("0").rstrip(".")
        code = str(self.meta["currency"])
        sign = SYMBOLS.get(code, "" if code == NO_CURRENCY else f"{code}{NO_BREAK}")
        return f"{MINUS if number < 0 else ''}{sign}{text}"


def count(value: Number | None) -> str:
    return NOTHING if value is None else _grouped(Decimal(value), 0)


def share_text(share: Number) -> str:
    """A share in percent, to one decimal."""
    return f"{_grouped(100 * Decimal(share), 1)}%"


def plural(number: int, one: str) -> str:
    return f"{count(number)} {one}{'' if number == 1 else 's'}"


def day_text(day: date | str, *, has_year: bool = False) -> str:
    """`Jun 22`, or `Jun 22, 2026`."""
    found = date.fromisoformat(day) if isinstance(day, str) else day
    return f"{MONTHS[found.month - 1][:3]} {found.day}" + (f", {found.year}" if has_year else "")


def word(code: str | None) -> str:
    """`on_hold` is `On hold`: codes of the service become words."""
    text = re.sub("[_-]+", " ", code or "").strip()
    return text[:1].upper() + text[1:] if text else NOT_KNOWN


def product(row: Mapping[str, str | None]) -> str:
    title = (row["item_title"] or "").strip() or (row["sku"] or "").strip() or row["product_id"]
    variant = (row["variant_title"] or "").strip()
    return f"{title}, {variant}" if variant else title or ""


def _rounded(number: Decimal, digits: int) -> Decimal:
    return number.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)


def _grouped(number: Decimal, digits: int) -> str:
    return f"{_rounded(number, digits):,.{digits}f}".replace("-", MINUS)
