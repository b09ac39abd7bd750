"""Values: one parsed JSON value in, one typed value out, exactly or not at all (§2, conventions).

The careful decoder reads by these functions; whatever the fast decoder reads, it must read alike.
"""

import re
from calendar import isleap
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta, tzinfo
from decimal import Context, Decimal
from types import MappingProxyType

from wholesale.api import ColumnType
from wholesale.json import Json, NumberText, encodable, write

LONGEST_ID = 1_000
"""Characters, of which each may take twelve in an address."""
DECIMAL_SCALE = 9
DECIMAL_LIMIT = Decimal(10) ** (38 - DECIMAL_SCALE)
INTEGER_RANGE = range(-(2**63), 2**63)
INTEGER_DIGITS = 20
"""As many characters as the longest integer has, with its sign."""

_EXACT = Context(prec=80, Emax=999_999, Emin=-999_999)
_DECIMAL = re.compile(
    r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?0*([0-9]+))?", re.ASCII
)  # the digits, and those of the exponent
EXPONENT_DIGITS = 6
_INTEGER = re.compile(r"-?[0-9]+", re.ASCII)
_TIMESTAMP = re.compile(
    r"([0-9]{4}(?:-?[0-9]{3}|-?[0-9]{2}-?[0-9]{2}|-?W[0-9]{2}(?:-?[0-9])?))"
    r"(?:[Tt ]([0-9]{2}(?::?[0-9]{2}(?::?[0-9]{2})?)?)(?:[.,]([0-9]{1,30}))?"
    r"([Zz]|[+-][0-9]{2}(?::?[0-9]{2})?)?)?",
    re.ASCII,
)
MICROSECOND_DIGITS = 6
ORDINAL_DIGITS = 7
LEAP = timedelta(seconds=1)


class Unreadable(ValueError):
    """The value does not fit its column; it is kept as text beside the row."""


class Rounded(Unreadable):
    """The column takes the rounded `value`; what was sent is kept as text beside the row."""

    def __init__(self, value: object) -> None:
        super().__init__()
        self.value = value


def read_key(value: Json) -> str:
    """An id: printable text, or a number in its literal."""
    if isinstance(value, str) and value.strip() and value.isprintable():
        return str(value)
    raise Unreadable


def read_id(value: Json) -> str:
    """The id of a record, which is no longer than the address of a request may have it."""
    if len(key := read_key(value)) > LONGEST_ID:
        raise Unreadable
    return key


def read_text(value: Json) -> str:
    """Text as sent; a number becomes the characters of its literal (§2.7 shows a zip like that).

    Raises: Unreadable for a text with NUL: PostgreSQL cannot hold it, and all destinations are to
    hold the same; or with lone surrogates, which are no UTF-8.
    """
    if isinstance(value, str) and "\0" not in value and encodable(value) == value:
        return str(value)
    raise Unreadable


def read_decimal(value: Json) -> Decimal:
    """A number or its text, exactly, in at most 29 digits before and 9 after the point; white space
    before and behind a text, of any kind that Unicode knows, does not count.

    Raises: Rounded, half to even, where there are more digits after the point.
    """
    match = _DECIMAL.fullmatch(value.strip()) if isinstance(value, str) else None
    if not match:
        raise Unreadable
    digits, exponent = match.groups()
    if not digits.strip("0."):
        return Decimal(0)
    if exponent and len(exponent) > EXPONENT_DIGITS:
        raise Unreadable
    number = Decimal(match.group())
    if not (-DECIMAL_SCALE - match.end() <= number.adjusted() < 38 - DECIMAL_SCALE):
        raise Unreadable
    exact = number.quantize(Decimal(1).scaleb(-DECIMAL_SCALE), context=_EXACT)
    if exact.copy_abs() >= DECIMAL_LIMIT:
        raise Unreadable
    if exact != number:
        raise Rounded(exact)
    return exact


def read_integer(value: Json) -> int:
    """A whole number or its text, as of a decimal; `3.0` and `"3.000"` are the whole number 3."""
    text = value.strip() if isinstance(value, str) else ""
    if _INTEGER.fullmatch(text) and len(text) <= INTEGER_DIGITS:
        number = int(text)
    else:
        try:
            exact = read_decimal(value)
        except Rounded:
            raise Unreadable from None
        if exact != exact.to_integral_value():
            raise Unreadable
        number = int(exact)
    if number not in INTEGER_RANGE:
        raise Unreadable
    return number


def read_boolean(value: Json) -> bool:
    if isinstance(value, bool):
        return value
    raise Unreadable


def read_timestamp(value: Json, zone: tzinfo = UTC) -> datetime:
    """A time in any form of ISO 8601 as UTC: extended or basic, by date, week or day of the year.

    One without an offset is in this zone, at the first of two moments that it may mean; a date is
    midnight there. `24:00` is midnight at the end of that day.

    Raises: Rounded, cut to the microsecond, where it has more digits, and to the next second for a
    leap second (`23:59:60`), which no destination can hold.
    """
    if not isinstance(value, str) or isinstance(value, NumberText):
        raise Unreadable
    match = _TIMESTAMP.fullmatch(value)
    if not match:
        raise Unreadable
    day, time, fraction, offset = match.groups()
    fraction = (fraction or "").rstrip("0")
    time, later = _within_a_day(time or "00", fraction)
    try:
        at = later + datetime.fromisoformat(
            f"{_calendar_date(day)}T{time}{_microseconds(time, fraction)}{(offset or '').upper()}"
        )
        if at.tzinfo is None:
            at = at.replace(tzinfo=zone)
        at = at.astimezone(UTC)
    except (ValueError, OverflowError):
        raise Unreadable from None
    if len(fraction) > MICROSECOND_DIGITS or later == LEAP:
        raise Rounded(at)
    return at


def is_local(value: Json) -> bool:
    """Whether it is a time that does not say how far it is from UTC."""
    match = _TIMESTAMP.fullmatch(value) if isinstance(value, str) else None
    return match is not None and match.group(4) is None


def _within_a_day(time: str, fraction: str) -> tuple[str, timedelta]:
    """The time as `datetime` takes it, and how much later it is meant."""
    digits = time.replace(":", "")
    if digits in ("24", "2400", "240000") and not fraction:
        return "00", timedelta(days=1)
    if digits.endswith("5960") and len(digits) == len("hhmmss"):
        return time[:-2] + "59", LEAP
    return time, timedelta()


def _calendar_date(day: str) -> str:
    """The date; an ordinal one (`2024-366`) is converted: the standard library reads none."""
    year, _, rest = day.partition("-")
    ordinal = day[4:] if not rest and len(day) == ORDINAL_DIGITS else rest
    if len(ordinal) != ORDINAL_DIGITS - 4 or not ordinal.isdigit():
        return day
    number = int(ordinal)
    if not 1 <= number <= (366 if isleap(int(year[:4])) else 365):
        raise ValueError
    return (date(int(year[:4]), 1, 1) + timedelta(days=number - 1)).isoformat()


def _microseconds(time: str, fraction: str) -> str:
    """A fraction of a second. Raises: ValueError for one of a minute or an hour."""
    if not fraction:
        return ""
    if len(time.replace(":", "")) != len("hhmmss"):
        raise ValueError
    return f".{fraction[:MICROSECOND_DIGITS].ljust(MICROSECOND_DIGITS, '0')}"


def read_json(value: Json) -> str:
    return write(value)


def read_texts(value: Json) -> str:
    """An array as JSON text; the description shows arrays of strings."""
    if isinstance(value, list):
        return write(value)
    raise Unreadable


Readers = Mapping[ColumnType, Callable[[Json], object]]
READERS: Readers = MappingProxyType(
    {
        "key": read_key,
        "text": read_text,
        "decimal": read_decimal,
        "integer": read_integer,
        "boolean": read_boolean,
        "timestamp": read_timestamp,
        "json": read_json,
        "texts": read_texts,
    }
)


def fits(type_: ColumnType, value: Json) -> bool:
    """Whether the value can be read as that type."""
    try:
        READERS[type_](value)
    except Rounded:
        return True
    except Unreadable:
        return False
    return True


def as_sent(value: Json) -> str:
    """The text that `_extra` keeps of a value: a string's characters, a literal, or JSON."""
    return encodable(value) if isinstance(value, str) else write(value)
