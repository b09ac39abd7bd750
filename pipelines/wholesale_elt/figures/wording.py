"""Wording: how a figure stands in a sentence, as the pages write it in English."""

from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal, localcontext

Writer = Callable[[Decimal], str]
"""Writes an amount that is not below zero."""
UNITS = (
    (Decimal(10) ** 12, "T"),
    (Decimal(10) ** 9, "B"),
    (Decimal(10) ** 6, "M"),
    (Decimal(10) ** 3, "k"),
)
NEARLY = Decimal("0.9995")
"""From this part of a unit on it rounds to one."""
SMALL = 100
"""Amounts below it are written with two decimals."""
SIGNS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹", "CAD": "$", "AUD": "$"}
NO_CURRENCY = "XXX"


def compact(amount: Decimal) -> str:
    """Where room is dear: `12.4 k`."""
    if amount < SMALL:
        return _rounded(amount, 2)
    if amount < NEARLY * 1_000:
        return _rounded(amount, 0)
    size, unit = next((size, unit) for size, unit in UNITS if amount >= NEARLY * size)
    digits = 0 if amount / size >= SMALL else 1 if amount / size >= 10 or unit == "k" else 2
    text = _rounded(amount / size, digits)
    return f"{text.rstrip('0').rstrip('.') if digits else text} {unit}"


def compact_in(currency: str) -> Writer:
    """The same with the sign of a currency, by ISO 4217, or with its letters."""
    if currency == NO_CURRENCY:
        return compact
    sign = SIGNS.get(currency, f"{currency} ")
    return lambda amount: f"{sign}{compact(amount)}"


def count_text(count: Decimal) -> str:
    return _rounded(Decimal(count), 0)


def percent_text(share: Decimal) -> str:
    return f"{_rounded(share * 100, 0)}%"


def signed(amount: Decimal | int, write: Writer) -> str:
    """`+12.4 k`, `-12.4 k`."""
    return f"{'-' if amount < 0 else '+'}{write(abs(Decimal(amount)))}"


def _rounded(value: Decimal, digits: int) -> str:
    """Halves away from zero."""
    with localcontext(prec=60):
        return f"{value.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP):,}"
