"""How a period lies along a chart: its parts, its steps, a figure in each, and what stands out."""

from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as some

from support.warehouses.javascript import Scripts, loaded_scripts

META = (
    "{figures_up_to: '2026-06-20', figures_from: '2025-03-10',"
    " metrics: {sales: {}, average_order_value: {parts: ['sales', 'orders']}}}"
)
DAYS = some.dates(date(2024, 1, 1), date(2026, 6, 20))
GRAINS = ("day", "week", "month", "quarter", "year")


@pytest.fixture(scope="module")
def axes() -> Iterator[Scripts]:
    with loaded_scripts("data", "decimals", "days", "format", "axes") as scripts:
        scripts.evaluate(f"wholesale.meta = {META}")
        yield scripts


def parts(axes: Scripts, first: str, last: str, grain: str) -> list[tuple[str, str, bool]]:
    found = axes.evaluate(
        f"wholesale.axes.partsOf({{first: wholesale.days.number('{first}'),"
        f" last: wholesale.days.number('{last}')}}, '{grain}').map((part) =>"
        " [wholesale.days.text(part.first), wholesale.days.text(part.last), part.isWhole])"
    )
    return [(start, end, is_whole) for start, end, is_whole in found]


@given(first=DAYS, length=some.integers(0, 800), grain=some.sampled_from(GRAINS))
def test_parts_have_each_day_of_a_period_once(
    axes: Scripts, first: date, length: int, grain: str
) -> None:
    last = first + timedelta(days=length)
    found = parts(axes, str(first), str(last), grain)
    days = [
        date.fromisoformat(start) + timedelta(days=n)
        for start, end, _ in found
        for n in range((date.fromisoformat(end) - date.fromisoformat(start)).days + 1)
    ]
    assert days == [first + timedelta(days=n) for n in range(length + 1)]


def test_a_part_that_a_period_cuts_is_not_whole(axes: Scripts) -> None:
    assert parts(axes, "2026-03-30", "2026-05-10", "month") == [
        ("2026-03-30", "2026-03-31", False),
        ("2026-04-01", "2026-04-30", True),
        ("2026-05-01", "2026-05-10", False),
    ]


def course(axes: Scripts, metric: str, rows: str, first: str, last: str, grain: str) -> object:
    return axes.evaluate(
        f"wholesale.axes.courseOf({rows}, '{metric}', {{first: wholesale.days.number('{first}'),"
        f" last: wholesale.days.number('{last}')}}, '{grain}')"
    )


def test_a_course_has_a_place_for_parts_in_which_nothing_was_sold(axes: Scripts) -> None:
    rows = "[{day: '2026-04-01', sales: '5', average_order_value: '5'}]"
    span = ("2026-03-01", "2026-05-31", "month")
    assert course(axes, "sales", rows, *span) == {
        "values": [0, "5", 0],
        "isUnfinished": False,
        "said": "by month, Mar 1 \u2013 May 31, 2026",
    }
    assert course(axes, "average_order_value", rows, *span) == {
        "values": [None, "5", None],
        "isUnfinished": False,
        "said": "by month, Mar 1 \u2013 May 31, 2026",
    }


def test_a_course_begins_with_a_whole_part_and_says_if_its_last_is_not_over(axes: Scripts) -> None:
    found = course(axes, "sales", "[]", "2026-03-10", "2026-05-20", "month")
    said = "by month, Apr 1 \u2013 May 20, 2026"
    assert found == {"values": [0, 0], "isUnfinished": True, "said": said}


def test_a_part_is_compared_with_the_days_that_stand_for_it(axes: Scripts) -> None:
    def compared(period: str, compare: str, first: str, last: str) -> object:
        return axes.evaluate(
            f"(({{beforeOf}}, {{number, text, period, compared}}) => Object.values(beforeOf("
            f"compared(period('{period}', '2026-06-20'), '{compare}'),"
            f" {{first: number('{first}'), last: number('{last}')}}) ?? {{}}).map(text))"
            "(wholesale.axes, wholesale.days)"
        )

    last_28 = ("last_28_days", "year", "2026-06-20", "2026-06-20")
    assert compared(*last_28) == ["2025-06-21", "2025-06-21"]
    assert compared("this_month", "period", "2026-06-01", "2026-06-20") == [
        "2026-05-01",
        "2026-05-20",
    ]
    assert compared("2026-03", "period", "2026-03-28", "2026-03-28") == ["2026-02-28", "2026-02-28"]
    assert compared("2026-03", "period", "2026-03-30", "2026-03-30") == []


def test_a_part_is_under_way_only_if_it_goes_on_after_the_last_known_day(axes: Scripts) -> None:
    def under_way(first: str, last: str) -> bool:
        return bool(
            axes.evaluate(
                "wholesale.axes.isUnderWay(wholesale.axes.partsOf({first: wholesale.days.number("
                f"'{first}'), last: wholesale.days.number('{last}')}}, 'month').at(-1))"
            )
        )

    assert under_way("2026-03-01", "2026-06-20")
    assert not under_way("2026-03-01", "2026-05-10")
    assert not under_way("2026-06-05", "2026-06-20")


def test_all_time_goes_from_the_first_known_day_to_the_last(axes: Scripts) -> None:
    assert axes.evaluate(
        "(({first, last}) => [first, last].map(wholesale.days.text))"
        "(wholesale.axes.spanOf({name: 'all_time'}))"
    ) == ["2025-03-10", "2026-06-20"]


@given(
    most=some.floats(1e-3, 1e12, allow_nan=False), least=some.floats(-1e12, 0.0, allow_nan=False)
)
def test_steps_are_few_and_reach_from_the_least_to_the_most_by_way_of_nothing(
    axes: Scripts, most: float, least: float
) -> None:
    found = axes.call("axes.ticks", most, least)
    step = (found[-1] - found[0]) / max(1, len(found) - 1)
    assert 2 <= len(found) <= 6
    assert 0 in found
    assert least <= found[0] <= 0 <= found[-1] <= most
    assert found[-1] + step > most
    assert found[0] - step < least


def test_what_stands_out_is_far_beyond_the_others(axes: Scripts) -> None:
    assert axes.call("axes.outliersOf", [5, 6, 7, 5, 6, 90, 7, 5, 6]) == [5]
    assert axes.call("axes.outliersOf", [5, 6, 7, 5, 6, 9, 7, 5, 6]) == []
    assert axes.call("axes.outliersOf", [1, 2, 90]) == []
    assert axes.call("axes.outliersOf", [0, 0, 0, 0, 0, 0, 0, 0, 4]) == []


def test_whole_parts_are_chosen_by_their_short_names(axes: Scripts) -> None:
    def named(first: str, last: str, grain: str) -> object:
        return axes.evaluate(
            f"((parts) => wholesale.axes.periodOf(parts[0], parts.at(-1), '{grain}'))("
            f"wholesale.axes.partsOf({{first: wholesale.days.number('{first}'),"
            f" last: wholesale.days.number('{last}')}}, '{grain}'))"
        )

    assert named("2026-03-01", "2026-03-31", "month") == "2026-03"
    assert named("2026-04-01", "2026-06-30", "quarter") == "2026-Q2"
    assert named("2025-01-01", "2025-12-31", "year") == "2025"
    assert named("2026-03-05", "2026-03-31", "month") == "2026-03-05..2026-03-31"
    assert named("2026-03-01", "2026-05-31", "month") == "2026-03-01..2026-05-31"
    assert named("2026-03-05", "2026-03-05", "day") == "2026-03-05"


def test_a_period_is_cut_as_wished_if_that_gives_some_parts_and_not_too_many(axes: Scripts) -> None:
    year = "{first: wholesale.days.number('2025-06-21'), last: wholesale.days.number('2026-06-20')}"
    assert axes.evaluate(f"wholesale.axes.grainsOf({year}).map(([grain]) => grain)") == [
        "week",
        "month",
        "quarter",
    ]
    assert axes.evaluate(f"wholesale.axes.grainIn({year}, 'week')") == "week"
    assert axes.evaluate(f"wholesale.axes.grainIn({year}, 'day')") == "month"


@pytest.mark.parametrize(
    ("first", "last", "known"),
    [
        ("2025-01-01", "2025-12-31", ["2025-03-10", "2025-12-31"]),
        ("2025-03-10", "2025-03-10", ["2025-03-10", "2025-03-10"]),
        ("2025-03-11", "2025-12-31", ["2025-03-11", "2025-12-31"]),
        ("2024-01-01", "2025-03-09", None),
        (None, None, ["2025-03-10", "2026-06-20"]),
    ],
)
def test_a_chart_begins_with_the_first_day_that_is_known(
    axes: Scripts, first: str | None, last: str | None, known: object
) -> None:
    ends = (
        ""
        if first is None
        else f"first: wholesale.days.number('{first}'), last: wholesale.days.number('{last}')"
    )
    axes.evaluate(f"globalThis.span = wholesale.axes.spanOf({{{ends}}})")
    assert (
        axes.evaluate("span && [wholesale.days.text(span.first), wholesale.days.text(span.last)]")
        == known
    )
