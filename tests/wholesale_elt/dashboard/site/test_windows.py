"""Windows: what is said of a buyer with and without one, of a month, and when nothing is shown."""

from collections.abc import Iterator
from typing import Any

import pytest

from support.warehouses.javascript import Scripts, loaded_scripts

META = (
    "{as_of: '2026-06-21T06:00:00Z', as_of_date: '2026-06-21', built_at: '2026-06-21T06:00:00Z',"
    " figures_up_to: '2026-06-20', usual_hours: 24, late_after_hours: 48, old_after_days: 30}"
)
TOLD = {
    **{"standing": "due", "first_day_80": "2026-06-22", "last_day_80": "2026-06-25"},
    **{"last_day_90": None, "judged_count": 18, "right_count": 16, "purchase_count": 20},
}
MONTH = {
    **{"month_start": "2026-06-01", "is_next": False, "dimension": "all", "member": "all"},
    **{"known_amount": "100", "low_80": "402000", "high_80": "482000", "low_90": None},
    **{"high_90": None, "judged_count": 11, "right_count": 10, "figures_up_to": "2026-06-20"},
}


@pytest.fixture(scope="module")
def loaded() -> Iterator[Scripts]:
    with loaded_scripts("data", "decimals", "days", "format", "age") as scripts:
        scripts.define("wholesale.elements = { h: () => null };")
        scripts.load("windows", "outlook")
        yield scripts


@pytest.fixture
def page(loaded: Scripts) -> Scripts:
    """The day after the last one that is known."""
    loaded.define(f"wholesale.meta = {META}; wholesale.format.useCurrency('USD');")
    return at(loaded, "2026-06-21")


def at(page: Scripts, day: str) -> Scripts:
    page.define(f"Date.now = () => Date.parse('{day}T12:00:00');")
    return page


@pytest.mark.parametrize(
    ("changed", "numbers"),
    [
        ({"standing": "too_few_purchases", "purchase_count": 3}, ["3", "6"]),
        ({"standing": "too_few_purchases", "purchase_count": 8}, []),
        ({"standing": "too_few_alike"}, []),
        ({"standing": "right_too_seldom"}, []),
        ({"standing": "all_right_too_seldom"}, []),
    ],
)
def test_a_buyer_without_a_window_is_told_why_and_no_day(
    page: Scripts, changed: dict[str, Any], numbers: list[str]
) -> None:
    row = {**TOLD, **changed}
    text = page.call("windows.withoutText", row)
    assert text.startswith("no window")
    assert [word.strip(",:") for word in text.split() if word.strip(",:").isdigit()] == numbers
    assert not page.call("windows.isTold", row)
    assert page.call("windows.band", row) is None
    assert page.call("windows.awaitedText", row) == ""


def test_a_record_is_how_many_of_how_many_and_none_is_no_zero(page: Scripts) -> None:
    assert page.call("windows.rightOf", TOLD) == "16 of 18"
    assert page.call("windows.rightOf", {**TOLD, "judged_count": 0, "right_count": 0}) is None
    assert page.call("windows.rightOf", {**TOLD, "right_count": 0}) == "0 of 18"


@pytest.mark.parametrize(("day", "is_told"), [("2026-06-27", True), ("2026-06-28", False)])
def test_windows_are_shown_for_a_week_after_the_last_known_day(
    page: Scripts, day: str, is_told: bool
) -> None:
    at(page, day)
    band = {"first": "2026-06-22", "last": "2026-06-25"}
    assert page.call("windows.band", TOLD) == (band if is_told else None)
    assert bool(page.call("windows.awaitedText", TOLD)) is is_told
    assert page.call("outlook.isTold", MONTH) is is_told


def test_a_clock_that_is_behind_the_figures_does_not_make_them_old(page: Scripts) -> None:
    at(page, "2020-01-01")
    assert page.call("outlook.isTold", MONTH)


def test_the_last_window_is_that_of_nine_in_ten_if_there_is_one(page: Scripts) -> None:
    assert page.call("windows.lastDay", TOLD) == "2026-06-25"
    assert page.call("windows.lastDay", {**TOLD, "last_day_90": "2026-07-02"}) == "2026-07-02"


@pytest.mark.parametrize(
    ("where", "scope"),
    [
        ({}, {"dimension": "all", "member": "all"}),
        ({"vendor": []}, {"dimension": "all", "member": "all"}),
        ({"vendor": ["v"]}, {"dimension": "vendor", "member": "v"}),
        ({"account_manager": ["m"]}, {"dimension": "account_manager", "member": "m"}),
        ({"account_manager": [None]}, None),
        ({"vendor": ["v", "w"]}, None),
        ({"vendor": ["v"], "account_manager": ["m"]}, None),
        ({"state": ["Ohio"]}, None),
    ],
)
def test_a_month_is_foreseen_of_all_or_of_one_and_of_nothing_else(
    page: Scripts, where: dict[str, Any], scope: dict[str, str] | None
) -> None:
    assert page.call("outlook.scopeOf", where) == scope


def test_a_month_says_from_what_to_what_or_nothing(page: Scripts) -> None:
    assert page.call("outlook.rangeOf", MONTH) == "$402\u202fk to $482\u202fk"
    assert page.call("outlook.rangeOf", MONTH, 90) is None
    assert not page.call("outlook.isTold", {**MONTH, "low_80": None, "high_80": None})
    assert page.call("outlook.daysOf", MONTH) == {"seen": 20, "length": 30}
    assert page.call("outlook.daysOf", {**MONTH, "month_start": "2026-07-01"}) == {
        "seen": 0,
        "length": 31,
    }
