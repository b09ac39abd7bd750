"""Wording: figures and explained changes in a sentence, as the pages write it in English."""

from collections.abc import Callable, Mapping
from decimal import ROUND_HALF_UP, Decimal, localcontext
from typing import Any

from wholesale_elt.figures.explained import (
    CAME,
    DIGITS,
    FACTORS,
    OF_BUYERS,
    OTHERS,
    STAYED_AWAY,
    Effect,
    Explained,
)
from wholesale_elt.figures.metrics import read_metrics

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
"""What ISO 4217 says where there is none: the setting is not made."""


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


def line_of(explained: Explained, write: Writer = compact) -> str:
    """The parts in one line: `163 more orders +152 k, order size +3.1 k; Blue Door is 15%`.

    `write` writes an amount that is not below zero; by default it stands without a currency.
    """
    if read_metrics()[explained.metric].unit != "amount":
        write = count_text
    parts = [
        _part(explained.metric, each, write, is_first=not place)
        for place, each in enumerate(explained.effects)
    ]
    told = f"{', '.join(parts)}"
    largest = explained.largest
    if largest is None:
        return told
    if largest.share > 1:
        return f"{told}; {largest.name} alone {signed(largest.amount, write)}"
    return f"{told}; {largest.name} is {percent_text(largest.share)}"


def _part(metric: str, effect: Effect, write: Writer, *, is_first: bool) -> str:
    amount = signed(effect.amount, write)
    if effect.effect == OTHERS:
        return f"the others {amount}"
    if effect.count is None:
        return f"{effect.effect} {amount}"
    size = abs(Decimal(effect.count))
    if effect.effect in (CAME, STAYED_AWAY):
        noun = "" if not is_first else " buyer" if size == 1 else " buyers"
        told = f"{count_text(size)}{noun} {effect.effect}"
        return told if metric in OF_BUYERS else f"{told} {amount}"
    kind = "more" if effect.count > 0 else "fewer"
    noun = effect.effect
    if size == 1:
        noun = effect.effect.replace(FACTORS[metric].many, FACTORS[metric].one, 1)
    return f"{count_text(size)} {kind} {noun} {amount}"


def document_of(explained: Explained, write: Writer = compact) -> Mapping[str, Any]:
    """A change as an object, with its line and what no part explains: nothing."""
    largest = explained.largest
    with localcontext(prec=DIGITS):
        residue = explained.difference - sum(each.amount for each in explained.effects)
    return {
        "metric": explained.metric,
        "difference": explained.difference,
        "effects": [
            {"effect": each.effect, "count": each.count, "amount": each.amount}
            for each in explained.effects
        ],
        "largest": largest
        and {
            largest.by: largest.key,
            f"{largest.by}_name": largest.name,
            "amount": largest.amount,
            "share": largest.share,
        },
        "residue": residue,
        "line": line_of(explained, write),
    }
