"""How old figures are by the reader's clock, and what pages say once they are late, and old."""

from collections.abc import Iterator

import pytest

from support.warehouses.javascript import Scripts, loaded_scripts

READ_AT = "2026-11-28T18:02:00.000000Z"
META = (
    f"{{as_of: '{READ_AT}', as_of_date: '2026-11-28', built_at: '{READ_AT}',"
    " usual_hours: 24, late_after_hours: 48, old_after_days: 7}"
)
A_YEAR = 365 * 24


@pytest.fixture(scope="module")
def scripts() -> Iterator[Scripts]:
    with loaded_scripts("data", "decimals", "days", "format", "age") as scripts:
        yield scripts


@pytest.fixture
def page(scripts: Scripts) -> Scripts:
    scripts.evaluate(f"wholesale.meta = {META}")
    return scripts


def after(page: Scripts, hours: float) -> None:
    """The reader's clock stands so many hours after everything was read."""
    page.evaluate(f"(Date.now = () => Date.parse('{READ_AT}') + {hours} * 3600000) && null")


@pytest.mark.parametrize(
    ("hours", "text", "states"),
    [
        (-2 * A_YEAR, "age not known", ["isUnknown"]),
        (-1.1, "age not known", ["isUnknown"]),
        (-0.9, "less than an hour old", ["isFresh"]),
        (0, "less than an hour old", ["isFresh"]),
        (1, "1 hour old", ["isFresh"]),
        (47.9, "47 hours old", ["isFresh"]),
        (48, "2 days old", ["isFresh"]),
        (48.1, "2 days old", ["isLate"]),
        (7 * 24, "7 days old", ["isLate"]),
        (8 * 24, "8 days old", ["isLate", "isOld"]),
        (53 * 24 + 5, "53 days old", ["isLate", "isOld"]),
        (2 * A_YEAR, "730 days old", ["isLate", "isOld"]),
        (24_000, "1,000 days old", ["isLate", "isOld"]),
    ],
)
def test_figures_tell_their_age_unless_the_clock_is_behind_them(
    page: Scripts, hours: float, text: str, states: list[str]
) -> None:
    after(page, hours)
    known = ("isUnknown", "isFresh", "isLate", "isOld")
    assert page.call("age.text") == text
    assert [state for state in known if page.call(f"age.{state}")] == states


def test_figures_may_be_old_before_the_next_version_is_due(page: Scripts) -> None:
    page.evaluate("Object.assign(wholesale.meta, {usual_hours: 720, late_after_hours: 1440}) && 1")
    after(page, 8 * 24)
    assert (page.call("age.isLate"), page.call("age.isOld")) == (False, True)
    assert (page.call("age.isFresh"), page.call("age.due")) == (False, None)
    page.evaluate("wholesale.meta.old_after_days = 60")
    assert page.call("age.isFresh")


@pytest.mark.parametrize(
    ("hours", "usual", "due"),
    [
        (47, 24, None),
        (49, 24, "a version was due yesterday, 06:02 PM"),
        (80, 24, "a version was due Nov 29, 06:02 PM"),
        (53 * 24, 24, "a version was due Nov 29, 2026, 06:02 PM"),
        (53 * 24, None, None),
    ],
)
def test_late_figures_tell_when_a_version_was_due_if_it_is_known_how_often_they_come(
    page: Scripts, hours: float, usual: float | None, due: str | None
) -> None:
    page.evaluate(f"(wholesale.meta.usual_hours = {'null' if usual is None else usual})")
    after(page, hours)
    assert page.call("age.due") == due


@pytest.mark.parametrize(
    ("hours", "said"),
    [
        (0, "today, 06:02 PM"),
        (7, "yesterday, 06:02 PM"),
        (31, "Nov 28, 06:02 PM"),
        (-24, "Nov 28, 06:02 PM"),
        (53 * 24, "Nov 28, 2026, 06:02 PM"),
    ],
)
def test_a_moment_is_said_as_short_as_it_can_be(page: Scripts, hours: float, said: str) -> None:
    after(page, hours)
    assert page.call("age.said", READ_AT) == said


def test_figures_that_were_never_whole_are_as_old_as_what_was_made_of_them(page: Scripts) -> None:
    page.evaluate("(wholesale.meta.as_of = null, wholesale.meta.as_of_date = null)")
    after(page, 72)
    assert (page.call("age.text"), page.call("age.day")) == ("3 days old", "2026-11-28")


@pytest.mark.parametrize(
    ("last", "hours", "counted", "ago", "now"),
    [
        ("2026-11-28", 2, "", "ago", "now"),
        ("2026-11-27", 2, "", "ago", "now"),
        ("2026-11-28", 24, "", "ago", "now"),
        *(
            (last, hours, f" by {day}", f"before {day}", f"on {day}")
            for last, hours, day in (
                ("2026-11-28", 72, "Nov 28, 2026"),
                ("2026-11-28", -72, "Nov 28, 2026"),
                ("2026-11-25", 0, "Nov 25, 2026"),
                ("2011-12-09", 0, "Dec 9, 2011"),
            )
        ),
    ],
)
def test_days_are_counted_to_a_day_that_is_named_if_it_is_not_the_reader_s_own(
    page: Scripts, last: str, hours: float, counted: str, ago: str, now: str
) -> None:
    page.evaluate(f"(wholesale.meta.as_of_date = '{last}')")
    after(page, hours)
    assert [page.call(f"age.{name}") for name in ("counted", "ago", "now")] == [counted, ago, now]


@pytest.mark.parametrize(
    ("hours", "page_name", "title"),
    [
        (2, "today", "Today"),
        (29, "today", "Today"),
        (60, "today", "Nov 28, 2026"),
        (53 * 24, "today", "Nov 28, 2026"),
        (-2 * A_YEAR, "today", "Nov 28, 2026"),
        (53 * 24, "sales", "Sales"),
    ],
)
def test_a_page_is_of_today_if_it_was_read_today_or_yesterday(
    page: Scripts, hours: float, page_name: str, title: str
) -> None:
    after(page, hours)
    named = {"name": page_name, "title": page_name.capitalize()}
    assert page.call("age.titleOf", named) == title
