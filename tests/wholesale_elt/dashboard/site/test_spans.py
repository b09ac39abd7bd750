"""Spans: chosen days are days, and have the year before that SQL gives to those on offer."""

from datetime import date, timedelta
from typing import Any

import pytest

from sql.recomputation.arithmetic import year_before
from support.warehouses.javascript import Scripts

FEBRUARY = ("2024-02-29", "2025-02-28")


@pytest.mark.parametrize(
    ("period", "days"),
    [
        ("2026-01-05..2026-02-10", {"first": "2026-01-05", "last": "2026-02-10"}),
        ("2024-02-29..2024-02-29", {"first": "2024-02-29", "last": "2024-02-29"}),
        ("2026-02-10..2026-01-05", None),
        ("2026-02-29..2026-03-01", None),
        ("2026-01-05..2026-13-01", None),
        ("2026-01-05..2026-02-10..2026-03-01", None),
        ("2026-01-05", None),
        ("2026-01", None),
        ("last_12_months", None),
        ("", None),
        (None, None),
    ],
)
def test_chosen_days_are_two_days_in_their_order(
    scripts: Scripts, period: str | None, days: dict[str, str] | None
) -> None:
    assert scripts.call("spans.chosen", period) == days


def test_two_days_make_a_period_whichever_is_chosen_first(scripts: Scripts) -> None:
    for days in (("2026-01-05", "2026-02-10"), ("2026-02-10", "2026-01-05")):
        assert scripts.call("spans.between", *days) == "2026-01-05..2026-02-10"


def span_of(scripts: Scripts, first: str, last: str, first_of_all: str | None) -> dict[str, Any]:
    spans = f"new Map([['all_time', {{first_day: {first_of_all!r}}}]])".replace("None", "null")
    found = scripts.evaluate(
        f"wholesale.spans.of('{first}..{last}', {{spans: {spans}, everything: 'all_time'}})"
    )
    assert isinstance(found, dict)
    return found


def test_a_year_before_has_the_same_days_and_a_whole_february_for_a_whole_one(
    scripts: Scripts,
) -> None:
    for number in range(800):
        day = date(2023, 12, 1) + timedelta(days=number)
        span = span_of(scripts, str(day), str(day), "2000-01-01")
        first, last = span["year_before_first_day"], span["year_before_last_day"]
        assert last == str(year_before(day))
        assert first == (last if (last, str(day)) != FEBRUARY else "2024-02-28")


@pytest.mark.parametrize(
    ("first_of_all", "is_covered"),
    [("2025-01-05", True), ("2025-01-06", False), (None, False)],
)
def test_chosen_days_are_compared_where_orders_reach_back_to_the_first_of_the_year_before(
    scripts: Scripts, first_of_all: str | None, is_covered: bool
) -> None:
    assert span_of(scripts, "2026-01-05", "2026-02-10", first_of_all) == {
        "period_key": "2026-01-05..2026-02-10",
        "period_kind": "chosen",
        "first_day": "2026-01-05",
        "last_day": "2026-02-10",
        "year_before_first_day": "2025-01-05",
        "year_before_last_day": "2025-02-10",
        "is_year_before_covered": is_covered,
    }
