"""Arithmetic: exact quotients, days and months, and keys, as the definitions of the reports say."""

from calendar import monthrange
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from hashlib import md5
from math import ceil, floor
from typing import Any, TypeVar

T = TypeVar("T")
Ordered = TypeVar("Ordered", date, datetime, str)
Number = Decimal | int
Row = dict[str, Any]
"""A row of a report by the names of its columns."""


def rounded(value: Fraction, places: int) -> Decimal:
    """Half away from zero."""
    units = floor(abs(value) * 10**places + Fraction(1, 2))
    return Decimal(units if value >= 0 else -units).scaleb(-places)


def ratio(numerator: Number | None, denominator: Number | None) -> Decimal | None:
    """To six decimals; None over nothing and over zero."""
    if numerator is None or not denominator:
        return None
    return rounded(Fraction(numerator) / Fraction(denominator), 6)


def growth(now: Number | None, before: Number | None) -> Decimal | None:
    """None from nothing and from below zero, where its sign would say the opposite."""
    return None if now is None or before is None or before <= 0 else ratio(now - before, before)


def total(amounts: Iterable[Number | None]) -> Decimal | None:
    """The sum of what is known: 0 of nothing, and None where none of several is known."""
    told = list(amounts)
    return None if told and not any(each is not None for each in told) else known_total(told)


def known_total(amounts: Iterable[Number | None]) -> Decimal:
    """The sum of what is known, 0 where nothing is."""
    return sum((Decimal(amount) for amount in amounts if amount is not None), Decimal())


def total_or_none(amounts: Iterable[Number | None]) -> Decimal | None:
    """The sum of what is known; None where nothing is."""
    known = [amount for amount in amounts if amount is not None]
    return known_total(known) if known else None


def percentile(values: Iterable[int], share: Fraction) -> int | None:
    """The smallest value that so great a share of the values does not exceed."""
    ordered = sorted(values)
    return ordered[max(ceil(share * len(ordered)), 1) - 1] if ordered else None


def least(values: Iterable[Ordered | None]) -> Ordered | None:
    return min((value for value in values if value is not None), default=None)


def greatest(values: Iterable[Ordered | None]) -> Ordered | None:
    return max((value for value in values if value is not None), default=None)


def commonest(told: Iterable[tuple[str | None, datetime | None]]) -> str | None:
    """The name that is told most often; of equals the one told last, then the first in the
    alphabet. One that is empty counts only where there is no other."""
    names = grouped(told, lambda each: each[0])

    def place(name: str | None) -> tuple[Any, ...]:
        latest = greatest(at for _, at in names[name])
        moment = -latest.timestamp() if latest else 0
        return not name, -len(names[name]), latest is None, moment, name is None, name or ""

    found: str | None = min(names, key=place)
    return found


def distinct(values: Iterable[Any]) -> int:
    """How many different values there are; what is not told is none."""
    return len({value for value in values if value is not None})


def grouped(rows: Iterable[T], key: Callable[[T], Any]) -> dict[Any, list[T]]:
    groups: dict[Any, list[T]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return groups


def summed_up(rows: Iterable[T], key: Callable[[T], Sequence[str]]) -> dict[Any, list[T]]:
    """Groups by key, and by each key with `all` in the place of some of its parts, or of all."""
    groups: dict[Any, list[T]] = defaultdict(list)
    for row in rows:
        keys: list[tuple[str, ...]] = [()]
        for part in key(row):
            keys = [(*begun, word) for begun in keys for word in (part, "all")]
        for each in keys:
            groups[each].append(row)
    return groups


def next_month(month: date) -> date:
    return (month + timedelta(days=31)).replace(day=1)


def last_day_of_month(day: date) -> date:
    return day.replace(day=monthrange(day.year, day.month)[1])


def months_between(earlier: date, later: date) -> int:
    return 12 * (later.year - earlier.year) + later.month - earlier.month


def months_from(first: date, last: date) -> Iterable[date]:
    """Every month from that of one day to that of another."""
    month = first.replace(day=1)
    while month <= last:
        yield month
        month = next_month(month)


def days_from(first: date, last: date) -> Iterable[date]:
    return (first + timedelta(days=n) for n in range((last - first).days + 1))


def year_before(day: date) -> date:
    """The same day a year earlier; of the last day of a month the last one of that month."""
    month = day.replace(year=day.year - 1, day=1)
    if day == last_day_of_month(day):
        return last_day_of_month(month)
    return month.replace(day=min(day.day, last_day_of_month(month).day))


def hashed(*values: str | None) -> str:
    """The MD5 of values, each with its length before it."""
    text = ",".join("null" if value is None else f"{len(value)}:{value}" for value in values)
    return md5(text.encode(), usedforsecurity=False).hexdigest()


def month_key(month: date | None) -> str:
    return month.isoformat() if month else "none"


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def told(text: str | None, otherwise: str = "unknown") -> str:
    """A text as reports tell it, in quotation marks where it is one of their own words."""
    if text is None:
        return otherwise
    return quoted(text) if text in ("all", "unknown", "none") or text.startswith('"') else text
