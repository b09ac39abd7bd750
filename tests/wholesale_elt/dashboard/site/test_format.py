"""How the dashboard writes values: in English, dates in the reader's own order."""

from collections.abc import Sequence
from typing import Any

import pytest

from support.warehouses.javascript import Scripts

NONE = "\u2013"
MINUS = "\u2212"
TIMES = "\u00d7"
TO = " \u2013 "


@pytest.mark.parametrize(
    ("function", "value", "text"),
    [
        ("count", 1234567, "1,234,567"),
        ("amount", "999.995", "1,000.00"),
        ("amount", "1234.5", "1,234.50"),
        ("amount", "123456.5", "123,457"),
        ("amount", "-12.345", f"{MINUS}12.35"),
        ("exact", "1234.5", "1,234.50"),
        ("exact", "0.123456789", "0.123456789"),
        ("exact", "12345678901234567890123.123456789", "12,345,678,901,234,567,890,123.123456789"),
        ("compact", "999", "999"),
        ("compact", "12400", "12.4\u202fk"),
        ("compact", "-154321", f"{MINUS}154\u202fk"),
        ("compact", "999600", "1\u202fM"),
        ("compact", "5247123", "5.25\u202fM"),
        ("compact", "999600000", "1\u202fB"),
        ("compact", "987654321160609", "988\u202fT"),
        ("number", "12.3456", "12.35"),
        ("share", "0.901786", "90.2%"),
        ("wholeShare", "0.901786", "90%"),
        ("wholeShare", "-0.0006", "0%"),
        ("date", "2025-03-04", "Mar 4, 2025"),
        ("day", "2025-03-04", "Mar 4"),
        ("month", "2025-03-01", "Mar 2025"),
        ("longMonth", "2025-03-01", "March 2025"),
        ("word", "partially_paid", "Partially paid"),
        ("word", "", "Not known"),
    ],
)
def test_a_value_is_written_as_people_read_it(
    scripts: Scripts, function: str, value: Any, text: str
) -> None:
    assert scripts.call(f"format.{function}", value) == text


@pytest.mark.parametrize(
    ("now", "before", "text"),
    [
        ("120", "100", "+20.0%"),
        ("90", "100", f"{MINUS}10.0%"),
        ("100", "100", "0.0%"),
        ("100.04", "100", "0.0%"),
        ("99.96", "100", "0.0%"),
        ("0", "100", f"{MINUS}100.0%"),
        ("0.01", "1000", f"{MINUS}99.9%"),
        ("-50", "100", f"{MINUS}150.0%"),
        ("-999999999999", "2384", f"below {MINUS}999%"),
        ("300", "1", f"{TIMES}300"),
        ("999", "1", f"{TIMES}999"),
        ("122833", "1", f"over {TIMES}999"),
        ("5", "0", "new"),
        ("0", "0", None),
        ("5", "-3", None),
        (None, "3", None),
        ("3", None, None),
    ],
)
def test_a_change_says_no_more_than_it_means(
    scripts: Scripts, now: str | None, before: str | None, text: str | None
) -> None:
    assert scripts.call("format.change", now, before) == text


@pytest.mark.parametrize(
    ("language", "order", "hours"),
    [
        ("en-US", "en-US", "h12"),
        ("en-GB", "en-GB", "h23"),
        ("de-DE", "en-GB", "h23"),
        ("ar-EG", "en-GB", "h12"),
        ("ja-JP", "en-US", "h23"),
        ("not a language", "en-US", None),
    ],
)
def test_a_reader_brings_the_order_of_dates_and_the_clock_alone(
    scripts: Scripts, language: str, order: str, hours: str | None
) -> None:
    assert scripts.call("format.habitsOf", language) == [order, hours]


@pytest.mark.parametrize(
    ("days", "text"),
    [
        (("2025-03-04", "2025-03-04"), "Mar 4, 2025"),
        (("2025-03-04", "2025-04-01"), f"Mar 4{TO}Apr 1, 2025"),
        (("2024-12-31", "2025-04-01"), f"Dec 31, 2024{TO}Apr 1, 2025"),
    ],
)
def test_days_are_said_as_short_as_they_can_be(
    scripts: Scripts, days: Sequence[str], text: str
) -> None:
    assert scripts.call("format.days", *days) == text


def test_what_is_missing_is_a_dash(scripts: Scripts) -> None:
    names = ("amount", "exact", "compact", "count", "number", "share", "date", "day", "moment")
    assert [scripts.call(f"format.{name}", None) for name in names] == [NONE] * len(names)


def test_an_amount_carries_its_currency_but_where_there_is_none(scripts: Scripts) -> None:
    def written(currency: str) -> list[str]:
        scripts.call("format.useCurrency", currency)
        return [scripts.call(f"format.{name}", "12.5") for name in ("amount", "exact")]

    assert written("USD") == ["$12.50", "$12.50"]
    assert written("XXX") == ["12.50", "12.50"]
