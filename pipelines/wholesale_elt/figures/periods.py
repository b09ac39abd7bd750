"""Periods: the days that a text names, and the days they are compared with."""

import re
from calendar import monthrange
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from wholesale.errors import Unanswerable

COMPARISONS = ("none", "period", "year")
"""What a period is compared with: nothing, the days just before it, or those a year before."""
GRAINS = ("day", "week", "month", "quarter", "year")
ALL_TIME = "all_time"
ROLLING: Mapping[str, int] = {
    "yesterday": 1,
    "last_day": 1,
    "last_7_days": 7,
    "last_28_days": 28,
    "last_90_days": 90,
}
TODAY, LAST_WEEK = "today", "last_week"
LAST_12_MONTHS = "last_12_months"
"""The month of the last day that is known, as far as it is over, and the eleven before it."""
MONTHS: Mapping[str, int] = {"month": 1, "quarter": 3, "year": 12}
TO_DATE = "_to_date"
PERIODS = (
    "all_time, yesterday, last_7_days, last_28_days, last_90_days, last_12_months, last_week,"
    " last_month, this_month, month_to_date (a quarter or year alike), a day 2026-05-31, a month"
    " 2026-05, a quarter 2026-Q2, a year 2026, or days 2026-05-01..2026-05-31"
)
DAY = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True)
class Span:
    """Days from the first to the last, both included; to compare, they are moved by `shift`, SQL
    for an interval that is added to a day of the former span. With `is_known` false not all of
    these days are known, so that sums of them are not either."""

    first: date
    last: date
    shift: str = ""
    is_known: bool = True

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1


@dataclass(frozen=True, slots=True)
class Period:
    """What a text names: all time if `span` is None. `whole` is its last day when it is over.

    `months` is how many it has, 0 if it is counted in days. A year before rolling ones, and weeks,
    is 364 days earlier, so that weekdays match.
    """

    span: Span | None
    whole: date | None = None
    months: int = 0
    is_rolling: bool = False

    @property
    def is_unfinished(self) -> bool:
        return self.span is not None and self.whole is not None and self.span.last < self.whole


def period_of(text: str, up_to: date | None) -> Period:
    """The period of that name; one that is not over ends with `up_to`, the last day that figures
    know of.

    Raises: Unanswerable for a text that names none, and for one that begins after `up_to`.
    """
    if text == ALL_TIME:
        return Period(None)
    if up_to is None:
        raise Unanswerable(f"there is no order yet, so no period but {ALL_TIME}")
    first, last, months = _days_of(text, up_to)
    if first > up_to:
        raise Unanswerable(
            f"{text} begins after the last day that is known, {up_to}: what was ordered since is in"
            f" {ALL_TIME} alone"
        )
    return Period(Span(first, min(last, up_to)), last, months, text in (*ROLLING, LAST_WEEK))


def _days_of(text: str, up_to: date) -> tuple[date, date, int]:
    try:
        if text in ROLLING:
            return up_to - timedelta(ROLLING[text] - 1), up_to, 0
        if text == LAST_12_MONTHS:
            return _months_before(up_to.replace(day=1), 11), up_to, 12
        if text == TODAY:
            return up_to + timedelta(1), up_to + timedelta(1), 0
        if text == LAST_WEEK:
            monday = up_to - timedelta(up_to.weekday() + 7)
            return monday, monday + timedelta(6), 0
        if text.endswith(TO_DATE) and (unit := text.removesuffix(TO_DATE)) in MONTHS:
            first, _, months = _days_of(f"this_{unit}", up_to)
            return first, up_to, months
        which, _, unit = text.partition("_")
        if which in ("this", "last") and unit in MONTHS:
            months = MONTHS[unit]
            first = date(up_to.year, (up_to.month - 1) // months * months + 1, 1)
            return _months(first if which == "this" else _months_before(first, months), months)
        if found := re.fullmatch(r"(\d{4})-Q([1-4])", text):
            return _months(date(int(found[1]), int(found[2]) * 3 - 2, 1), 3)
        if re.fullmatch(r"\d{4}-\d\d", text):
            return _months(date.fromisoformat(f"{text}-01"), 1)
        if re.fullmatch(r"\d{4}", text):
            return _months(date(int(text), 1, 1), 12)
        ends = text.split("..")
        if len(ends) <= 2 and all(map(DAY.fullmatch, ends)):
            first, last = date.fromisoformat(ends[0]), date.fromisoformat(ends[-1])
            if first <= last:
                return first, last, 0
    except ValueError:
        pass
    raise Unanswerable(f"{text[:80]!r} names no period: use {PERIODS}")


def _months(first: date, months: int) -> tuple[date, date, int]:
    return first, _months_before(first, -months) - timedelta(1), months


def compared(period: Period, compare: str) -> Span | None:
    """The days that a period is compared with: those before it, or those a year before.

    As many days as are over: a whole February is compared with a whole one.
    Raises: Unanswerable for all time, which has nothing before it.
    """
    if compare == "none":
        return None
    span = period.span
    if span is None:
        raise Unanswerable(f"nothing comes before {ALL_TIME}: name another period to compare")
    months = period.months if compare == "period" else 0 if period.is_rolling else 12
    if months:
        first, last = _months_before(span.first, months), _last_before(span.last, months)
        return Span(first, last, f"interval {months} month")
    days = span.days if compare == "period" else 364
    gap = timedelta(days)
    return Span(span.first - gap, span.last - gap, f"interval {days} day")


def _last_before(day: date, months: int) -> date:
    """The same of a last day: that of a month becomes the last one of another month."""
    following = _months_before(day + timedelta(1), months)
    return max(_months_before(day, months), following - timedelta(1))


def _months_before(day: date, months: int) -> date:
    """The same day so many months earlier, or the last of that month if it is shorter."""
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))
