"""Orders are placed one after the other, in a business that grows and has seasons."""

from collections import Counter
from datetime import date, datetime
from random import Random

from support.records.seeded import (
    ORDERS,
    READ_ORDERS,
    moment,
)
from wholesale_sandbox.world.calendar import Calendar


def test_orders_are_sorted_by_created_at() -> None:
    created = [moment(order["created_at"]) for order in READ_ORDERS]
    assert created == sorted(created)
    first, last = READ_ORDERS[0]["created_at"], READ_ORDERS[-1]["created_at"]
    assert (first[:7], last[:7]) == ("2024-07", "2026-06")


def test_orders_in_one_second_are_sorted_too() -> None:
    calendar = Calendar(seed=1, orders=100_000_000, until=date(2026, 7, 1))
    rng = Random(1)
    first = 50_000_000
    day = calendar.day(first)
    created = [
        calendar.moment(number, calendar.day(number), rng.randrange(2**16), rng.randrange(10**6))
        for number in range(first, first + 150_000)
    ]
    assert created == sorted(created)
    assert len(set(created)) < len(created)
    assert calendar.day(first + 150_000) > day


def test_the_business_grows_and_has_seasons_and_weekends() -> None:
    days = [datetime.fromisoformat(order["created_at"]) for order in READ_ORDERS]
    months = Counter(day.strftime("%Y-%m") for day in days)
    weekdays = Counter(day.weekday() for day in days)
    assert sum(day < datetime.fromisoformat("2025-07-01T00:00Z") for day in days) < ORDERS * 0.45
    for year in ("2024", "2025"):
        assert months[f"{year}-11"] > 1.3 * months[f"{year}-08"]
    assert weekdays[5] + weekdays[6] < weekdays[0]
