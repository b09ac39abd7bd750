"""Telling: what is said of closed months, and of those that could be, as lines and as JSON."""

from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING

from wholesale.errors import counted, decimal_text, one_line
from wholesale_elt.cli import Output, say

if TYPE_CHECKING:
    from wholesale_books.certifying import Standing
    from wholesale_books.months import ClosedMonth

SHOWN = ("sales", "orders", "billed")
"""The figures that are printed of a month; --json has all."""


def say_closable(output: Output, standing: "Standing", free: list[str]) -> None:
    if standing.reason:
        text = f"no month can be closed now: {one_line(standing.reason)}"
    elif free:
        more = f" and {counted(len(free) - 1, 'month')} before" if len(free) > 1 else ""
        text = f"version {standing.version} can close {free[-1]}{more}: wholesale close {free[-1]}"
    else:
        text = f"version {standing.version} has no other month that is over"
    say(output.console(), text)


def say_closed(output: Output, each: "ClosedMonth") -> None:
    figures = ", ".join(
        f"{name} {'unknown' if value is None else decimal_text(Decimal(value))}"
        for name in SHOWN
        if name in each.figures
        for value in [each.figures[name]]
    )
    note = f": {one_line(each.note)}" if each.note else ""
    say(
        output.console(),
        f"{each.name} closed {each.closed_at:%Y-%m-%d %H:%M} UTC by {one_line(each.by)}{note};"
        f" {each.about.currency}, {figures}; version {each.version}, {each.about.verdict} as of"
        f" {each.as_of}",
    )
    for told in each.about.notes:
        say(output.console(), f"  {told}")


def closed_document(each: "ClosedMonth") -> Mapping[str, object]:
    about = each.about
    return {
        "month": each.name,
        "number": each.number,
        "entry": each.entry.number,
        "digest": each.entry.digest,
        "closed_at": each.closed_at,
        "by": each.by,
        "note": each.note,
        "version": each.version,
        "as_of": each.as_of,
        "figures_up_to": about.figures_up_to,
        "verdict": about.verdict,
        "currency": about.currency,
        "time_zone": about.time_zone,
        "file": each.file,
        "figures": dict(each.figures),
        "notes": list(about.notes),
        "reopened": each.reopened and each.reopened.number,
        "reason": each.reason,
    }
