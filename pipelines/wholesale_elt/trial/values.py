"""Values: amounts and days of an export, as the API writes them; what is neither stays as it is.

How a file writes them is found in all of its values together, or asked for.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Literal

from wholesale.errors import ConfigurationError

Point = Literal[".", ","]
DayOrder = Literal["dmy", "mdy", "ymd"]
MINUS = "\u2212"
BLANKS = " \u00a0\u202f'\u2019"
"""What stands between thousands besides the sign that is not before decimals."""
SHOWN = re.compile(
    rf"""
    (?P<before> [\s(+\-{MINUS}]* (?: [^\W\d_]{{1,3}} \.? )? [^\w\s.,%<>~\u2248]? [\s(+\-{MINUS}]* )
    (?P<number> [.,]? \d (?: [\d.,] | [{BLANKS}](?=\d) )* )
    (?: (?<=[.,])[-\u2013\u2014] )?      # 100,- has no decimals
    (?P<after> \s* (?: (?!(?i:cr|dr)\b)[^\W\d_]{{2,}} \.? | [^\w\s.,%]? ) [\s)\-{MINUS}]* )
    """,
    re.VERBOSE,
)
"""An amount as a file may show it: with a sign of currency, or the name of a currency or unit."""
WHOLE = re.compile(r"\d*|\d{1,3}(?:_\d{3})+|\d{1,2}(?:_\d{2})*_\d{3}")
"""Digits before decimals, in groups of three or, as in India, of two; `_` for what divides them."""
AMOUNT = re.compile(r"-?\d+(\.\d+)?")
SCIENTIFIC = re.compile(r"-?\d+(\.\d+)?[eE][+-]?\d+")
DAY = re.compile(r"(\d{1,4})[./\-](\d{1,2})[./\-](\d{2,4})(?:[ T,]+(.*))?")
CLOCKS = ("%H:%M", "%H:%M:%S", "%I:%M %p", "%I:%M:%S %p", "%H:%M:%S.%f")
PIVOT = 70
"""A year of two digits is of this century below."""


@dataclass(frozen=True, slots=True)
class Written:
    """How a file writes amounts and days."""

    point: Point = "."
    days: DayOrder = "ymd"

    def amount(self, text: str) -> str:
        """An exact decimal, or the text if it is none."""
        if SCIENTIFIC.fullmatch(text):
            return f"{Decimal(text):f}"
        found = SHOWN.fullmatch(text)
        if not found:
            return text
        whole, sign, decimals = found["number"].partition(self.point)
        divided = re.sub(f"[{BLANKS}.,]", "_", whole)
        is_right = WHOLE.fullmatch(divided) and (not decimals or decimals.isdecimal())
        if not is_right or (sign and not whole + decimals):
            return text
        before, after = found["before"], found["after"].rstrip()
        is_negative = {"-", MINUS} & {*before, after[-1:]} or ("(" in before and ")" in after)
        plain = divided.replace("_", "") or "0"
        return f"{'-' if is_negative else ''}{plain}{f'.{decimals}' if decimals else ''}"

    def day(self, text: str) -> str:
        """A moment in UTC as ISO 8601, or the text if it is none."""
        try:
            at = datetime.fromisoformat(text)
        except ValueError:
            found = self._numbers(text)
            if found is None:
                return text
            at = found
        at = at if at.tzinfo else at.replace(tzinfo=UTC)
        return at.astimezone(UTC).isoformat().replace("+00:00", "Z")

    def _numbers(self, text: str) -> datetime | None:
        shopify = re.fullmatch(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) ([+-]\d{4})", text)
        if shopify:
            return datetime.strptime(text, "%Y-%m-%d %H:%M:%S %z")
        found = DAY.fullmatch(text)
        if not found:
            return None
        parts = [int(part) for part in found.groups()[:3]]
        year, month, day = (
            parts
            if len(found[1]) == 4
            else (parts[2], parts[1], parts[0])
            if self.days == "dmy"
            else (parts[2], parts[0], parts[1])
        )
        year += 0 if year > 99 else 2000 if year < PIVOT else 1900
        clock = None
        if found[4]:
            clock = next(filter(None, (_clock(found[4], form) for form in CLOCKS)), None)
            if clock is None:
                return None
        try:
            at = datetime(year, month, day)
        except ValueError:
            return None
        return (
            at
            if clock is None
            else at.replace(hour=clock.hour, minute=clock.minute, second=clock.second)
        )


def _clock(text: str, form: str) -> datetime | None:
    try:
        return datetime.strptime(text.strip().upper(), form)
    except ValueError:
        return None


def written(
    amounts: Iterable[str], days: Iterable[str], point: Point | None, order: DayOrder | None
) -> Written:
    """How these are written, by those that can be read in one way alone.

    Raises: ConfigurationError if nothing tells, or values tell different things.
    """
    return Written(point or _point(amounts), order or _days(days))


def _point(amounts: Iterable[str]) -> Point:
    found: set[Point] = set()
    doubtful = ""
    for text in amounts:
        shown = SHOWN.fullmatch(text)
        plain = re.sub(f"[{BLANKS}]", "", shown["number"]) if shown else ""
        last = max(plain.rfind("."), plain.rfind(","))
        if last < 0:
            continue
        sign: Point = "." if plain[last] == "." else ","
        other: Point = "," if sign == "." else "."
        decimals = len(plain) - last - 1
        if plain.count(sign) > 1:
            found.add(other)  # 1,234,567
        elif other in plain or decimals != 3 or plain[:last] in ("", "0"):
            found.add(sign)
        else:
            doubtful = doubtful or text
    if len(found) > 1:
        raise ConfigurationError(
            "amounts have both . and , before their decimals: say which by --decimal"
        )
    if not found and doubtful:
        raise ConfigurationError(
            f"whether {doubtful} is in thousands or has decimals nothing tells: say by --decimal"
            " which sign stands before decimals"
        )
    return found.pop() if found else "."


def _days(days: Iterable[str]) -> DayOrder:
    found: set[DayOrder] = set()
    doubtful = ""
    for text in days:
        parts = DAY.fullmatch(text)
        if not parts or len(parts[1]) > 2:
            continue
        if int(parts[1]) > 12:
            found.add("dmy")
        elif int(parts[2]) > 12:
            found.add("mdy")
        elif "." in text[:6]:
            found.add("dmy")  # no country writes the month first with points
        elif parts[1] != parts[2]:
            doubtful = doubtful or text
    if len(found) > 1:
        raise ConfigurationError(
            "some days have the day first and some the month: say which by --days dmy or mdy"
        )
    if not found and doubtful:
        raise ConfigurationError(
            f"whether {doubtful} has the day first or the month nothing tells: say by --days dmy or"
            " mdy"
        )
    return found.pop() if found else "ymd"
