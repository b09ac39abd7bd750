"""How old figures are by the reader's clock, and what pages say once they are old."""

from collections.abc import Iterator

import pytest

from support.warehouses.javascript import Scripts, loaded_scripts

READ_AT = "2026-11-28T18:02:00.000000Z"
META = (
    f"{{as_of: '{READ_AT}', as_of_date: '2026-11-27', built_at: '{READ_AT}', old_after_hours: 48}}"
)


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
    ("hours", "text", "is_old"),
    [
        (-9000, None, False),
        (-0.01, None, False),
        (0, "less than an hour old", False),
        (1, "1 hour old", False),
        (47.9, "47 hours old", False),
        (48, "2 days old", False),
        (48.1, "2 days old", True),
        (53 * 24 + 5, "53 days old", True),
        (24_000, "1,000 days old", True),
    ],
)
def test_figures_tell_their_age_unless_the_clock_is_behind_them(
    page: Scripts, hours: float, text: str | None, is_old: bool
) -> None:
    after(page, hours)
    assert (page.call("age.text"), page.call("age.isOld")) == (text, is_old)


def test_figures_that_were_never_whole_are_as_old_as_what_was_made_of_them(page: Scripts) -> None:
    page.evaluate("(wholesale.meta.as_of = null, wholesale.meta.as_of_date = null)")
    after(page, 72)
    assert (page.call("age.text"), page.call("age.day")) == ("3 days old", "2026-11-28")


def test_days_are_counted_to_a_day_that_is_named_once_the_figures_are_old(page: Scripts) -> None:
    after(page, 2)
    assert page.call("age.counted") == ""
    after(page, 72)
    assert page.call("age.counted") == " by Nov 27, 2026"


@pytest.mark.parametrize(
    ("last", "counted", "ago"),
    [
        ("2026-11-28", "", "ago"),
        ("2026-11-27", "", "ago"),
        ("2026-11-25", " by Nov 25, 2026", "before Nov 25, 2026"),
        ("2011-12-09", " by Dec 9, 2011", "before Dec 9, 2011"),
    ],
)
def test_days_are_counted_to_a_day_that_is_named_where_nothing_changed_lately(
    page: Scripts, last: str, counted: str, ago: str
) -> None:
    page.evaluate(f"(wholesale.meta.as_of_date = '{last}')")
    after(page, 0)
    assert (page.call("age.counted"), page.call("age.ago")) == (counted, ago)


@pytest.mark.parametrize(
    ("hours", "page_name", "title"),
    [(2, "today", "Today"), (72, "today", "Nov 27, 2026"), (72, "sales", "Sales")],
)
def test_old_figures_are_not_of_today(
    page: Scripts, hours: float, page_name: str, title: str
) -> None:
    after(page, hours)
    named = {"name": page_name, "title": page_name.capitalize()}
    assert page.call("age.titleOf", named) == title
