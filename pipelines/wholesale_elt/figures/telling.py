"""Telling: an explained change in one line, and as an object."""

from collections.abc import Mapping
from decimal import Decimal, localcontext
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
from wholesale_elt.figures.wording import Writer, compact, count_text, percent_text, signed


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
