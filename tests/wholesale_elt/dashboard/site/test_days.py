"""Periods of the page are those that `wholesale figures` knows, to the day."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as some

from support.warehouses.javascript import Scripts
from wholesale.errors import Unanswerable
from wholesale_elt.figures.periods import compared, period_of

DAYS = some.dates(date(2020, 1, 1), date(2030, 12, 31))
NAMES = some.one_of(
    some.sampled_from(
        [
            *("all_time", "last_day", "last_7_days", "last_28_days", "last_90_days"),
            *("last_12_months", "this_month", "this_quarter", "this_year", "2025", "2024-02"),
            *("last_week", "last_month", "last_quarter", "last_year", "today", "yesterday"),
            *("2025-Q1", "2025-Q5", "2025-13", "", "2025-02-30", ".."),
        ]
    ),
    DAYS.map(str),
    some.tuples(DAYS, DAYS).map(lambda days: f"{days[0]}..{days[1]}"),
)


def shown(scripts: Scripts, name: str, up_to: date, compare: str) -> object:
    return scripts.evaluate(
        "(({period, compared, text}) => {"
        f" const span = period({name!r}, '{up_to}'); if (!span) return null;"
        f" const before = compared(span, '{compare}');"
        " return [span.first, span.last, before?.first, before?.last]"
        ".map((day) => day === undefined ? null : text(day)); })(wholesale.days)"
    )


def told(name: str, up_to: date, compare: str) -> list[str | None] | None:
    try:
        period = period_of(name, up_to)
    except Unanswerable:
        return None
    if period.span is None:
        return [None] * 4
    before = compared(period, compare)
    days = (period.span.first, period.span.last)
    others = (before.first, before.last) if before else (None, None)
    return [day.isoformat() if day else None for day in (*days, *others)]


@given(NAMES, DAYS, some.sampled_from(["none", "period", "year"]))
def test_a_name_means_the_same_days_on_the_page(
    scripts: Scripts, name: str, up_to: date, compare: str
) -> None:
    assert shown(scripts, name, up_to, compare) == told(name, up_to, compare)


@given(DAYS, some.sampled_from(["day", "week", "month", "quarter", "year"]))
def test_a_day_belongs_to_the_part_that_begins_before_it(
    scripts: Scripts, day: date, grain: str
) -> None:
    first = {
        "day": day,
        "week": day - timedelta(day.weekday()),
        "month": day.replace(day=1),
        "quarter": day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1),
        "year": day.replace(month=1, day=1),
    }[grain]
    assert scripts.evaluate(
        "(({truncated, following, number, text}) => {"
        f" const first = truncated(number('{day}'), '{grain}');"
        f" const day = number('{day}');"
        f" return [text(first), first <= day && day < following(first, '{grain}')]; }})"
        "(wholesale.days)"
    ) == [first.isoformat(), True]


@pytest.mark.parametrize(
    ("days", "grain"), [(1, "day"), (31, "day"), (32, "week"), (182, "week"), (183, "month")]
)
def test_a_chart_is_cut_into_few_parts(scripts: Scripts, days: int, grain: str) -> None:
    assert scripts.call("days.grainOf", 20_000, 20_000 + days - 1) == grain
