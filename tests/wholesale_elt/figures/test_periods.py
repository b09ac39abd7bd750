"""A period is the days that its name says; what it is compared with has as many that are over."""

from datetime import date

import pytest

from wholesale.errors import Unanswerable
from wholesale_elt.figures.periods import Span, compared, period_of

UP_TO = date(2026, 11, 25)  # a Wednesday


def days(span: Span | None) -> tuple[str, str] | None:
    return (span.first.isoformat(), span.last.isoformat()) if span else None


@pytest.mark.parametrize(
    ("text", "first", "last", "is_unfinished"),
    [
        ("last_7_days", "2026-11-19", "2026-11-25", False),
        ("last_28_days", "2026-10-29", "2026-11-25", False),
        ("last_12_months", "2025-12-01", "2026-11-25", False),
        ("yesterday", "2026-11-25", "2026-11-25", False),
        ("last_week", "2026-11-16", "2026-11-22", False),
        ("last_month", "2026-10-01", "2026-10-31", False),
        ("last_quarter", "2026-07-01", "2026-09-30", False),
        ("last_year", "2025-01-01", "2025-12-31", False),
        ("this_month", "2026-11-01", "2026-11-25", True),
        ("this_quarter", "2026-10-01", "2026-11-25", True),
        ("this_year", "2026-01-01", "2026-11-25", True),
        ("month_to_date", "2026-11-01", "2026-11-25", False),
        ("quarter_to_date", "2026-10-01", "2026-11-25", False),
        ("year_to_date", "2026-01-01", "2026-11-25", False),
        ("2026-11-25", "2026-11-25", "2026-11-25", False),
        ("2026-10", "2026-10-01", "2026-10-31", False),
        ("2026-11", "2026-11-01", "2026-11-25", True),
        ("2026-Q3", "2026-07-01", "2026-09-30", False),
        ("2025", "2025-01-01", "2025-12-31", False),
        ("2026-11-20..2026-12-05", "2026-11-20", "2026-11-25", True),
    ],
)
def test_a_period_ends_with_the_last_day_that_is_known(
    text: str, first: str, last: str, is_unfinished: bool
) -> None:
    period = period_of(text, UP_TO)

    assert (days(period.span), period.is_unfinished) == ((first, last), is_unfinished)


@pytest.mark.parametrize(
    ("text", "before", "year_before"),
    [
        ("month_to_date", ("2026-10-01", "2026-10-25"), ("2025-11-01", "2025-11-25")),
        ("last_28_days", ("2026-10-01", "2026-10-28"), ("2025-10-30", "2025-11-26")),
        ("last_12_months", ("2024-12-01", "2025-11-25"), ("2024-12-01", "2025-11-25")),
        ("last_week", ("2026-11-09", "2026-11-15"), ("2025-11-17", "2025-11-23")),
        ("last_month", ("2026-09-01", "2026-09-30"), ("2025-10-01", "2025-10-31")),
        ("2026-10", ("2026-09-01", "2026-09-30"), ("2025-10-01", "2025-10-31")),
        ("2026-11", ("2026-10-01", "2026-10-25"), ("2025-11-01", "2025-11-25")),
        ("2024-02", ("2024-01-01", "2024-01-31"), ("2023-02-01", "2023-02-28")),
        ("2025-02", ("2025-01-01", "2025-01-31"), ("2024-02-01", "2024-02-29")),
        ("2026-03-30", ("2026-03-29", "2026-03-29"), ("2025-03-30", "2025-03-30")),
        ("2026-Q3", ("2026-04-01", "2026-06-30"), ("2025-07-01", "2025-09-30")),
        ("2026", ("2025-01-01", "2025-11-25"), ("2025-01-01", "2025-11-25")),
        (
            "2026-05-01..2026-05-10",
            ("2026-04-21", "2026-04-30"),
            ("2025-05-01", "2025-05-10"),
        ),
        ("2024-02-20..2024-02-29", ("2024-02-10", "2024-02-19"), ("2023-02-20", "2023-02-28")),
    ],
)
def test_a_period_is_compared_with_the_days_before_or_those_a_year_before(
    text: str, before: tuple[str, str], year_before: tuple[str, str]
) -> None:
    period = period_of(text, UP_TO)

    assert days(compared(period, "period")) == before
    assert days(compared(period, "year")) == year_before
    assert compared(period, "none") is None


def test_all_time_has_no_days_and_nothing_before_it() -> None:
    period = period_of("all_time", None)

    assert (period.span, period.is_unfinished) == (None, False)
    with pytest.raises(Unanswerable):
        compared(period, "year")


@pytest.mark.parametrize(
    "text",
    [
        *("", "may", "2026-13", "2026-02-30", "2026-Q5", "26", "last_weeks", "today", "0000"),
        *("2026-05-02..2026-05-01", "2026-05-01..", "2026-05-01..2026-05-02..2026-05-03"),
        *("2026-12", "9999"),
    ],
)
def test_what_names_no_period_or_one_that_has_not_begun_is_refused(text: str) -> None:
    with pytest.raises(Unanswerable):
        period_of(text, UP_TO)


def test_without_any_order_there_is_no_period_but_all_time() -> None:
    with pytest.raises(Unanswerable):
        period_of("this_month", None)
