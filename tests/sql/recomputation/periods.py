"""Periods: the spans of days that sales are summed up over, and those they are compared with."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from .arithmetic import Row, last_day_of_month, months_from, year_before
from .books import Books

Span = tuple[date, date]
A_YEAR_OF_WEEKS = timedelta(days=364)
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


@dataclass(frozen=True)
class Period:
    """Of all time `span` is None: it holds orders without a date too."""

    key: str
    label: str
    kind: str
    span: Span | None
    year_before: Span | None
    end: date | None = None
    """The last day of the whole period, over or not."""

    @property
    def is_finished(self) -> bool:
        return bool(self.span and self.span[1] == self.end)

    def reaches(self, day: date | None) -> bool:
        """Whether the year before begins no earlier than the day."""
        return bool(self.year_before and day and self.year_before[0] >= day)


def eleven_months_before(day: date) -> date:
    """The first day of that month."""
    months = day.year * 12 + day.month - 12
    return date(months // 12, months % 12 + 1, 1)


def periods(books: Books) -> Iterator[Period]:
    """In the order of their position."""
    first, last, as_of = books.first_day, books.last_day, books.figures_up_to

    if as_of:
        for days in (28, 90):
            begin = as_of - timedelta(days=days - 1)
            before = (begin - A_YEAR_OF_WEEKS, as_of - A_YEAR_OF_WEEKS)
            key = f"last_{days}_days"
            yield Period(key, f"Last {days} days", "rolling", (begin, as_of), before, as_of)
        for key, label, begin, end in (
            ("last_12_months", "Last 12 months", eleven_months_before(as_of), as_of),
            ("this_year", "This year", as_of.replace(month=1, day=1), date(as_of.year, 12, 31)),
        ):
            before = (year_before(begin), year_before(as_of))
            yield Period(key, label, "rolling", (begin, as_of), before, end)
    yield Period("all_time", "All time", "all", None, None)
    if first and last and as_of:
        for year in range(min(last, as_of).year, first.year - 1, -1):
            span = (date(year, 1, 1), min(date(year, 12, 31), as_of))
            before = (date(year - 1, 1, 1), year_before(span[1]))
            yield Period(str(year), str(year), "year", span, before, date(year, 12, 31))
        for month in sorted(months_from(first, min(last, as_of)), reverse=True):
            span = (month, min(last_day_of_month(month), as_of))
            before = (year_before(month), year_before(span[1]))
            label = f"{MONTHS[month.month - 1]} {month.year}"
            end = last_day_of_month(month)
            yield Period(f"{month:%Y-%m}", label, "month", span, before, end)


def told(books: Books) -> Iterator[Row]:
    for position, period in enumerate(periods(books), 1):
        first_day, last_day = period.span or (books.first_day, books.last_day)
        before = period.year_before or (None, None)
        yield {
            "period_key": period.key,
            "period_label": period.label,
            "period_kind": period.kind,
            "position": position,
            "first_day": first_day,
            "last_day": last_day,
            "is_finished": period.is_finished,
            "day_count": _days(first_day, period.end),
            "seen_day_count": _days(first_day, last_day),
            "year_before_first_day": before[0],
            "year_before_last_day": before[1],
            "is_year_before_covered": period.reaches(books.first_day),
        }


def _days(first: date | None, last: date | None) -> int | None:
    return (last - first).days + 1 if first and last else None
