"""Columns of the dashboard: each type is written, sorted and coloured, and none is unknown."""

import json
from collections.abc import Mapping
from typing import Any, get_args

import pytest

from support.warehouses.javascript import Scripts
from wholesale_elt.dashboard.page import ColumnType

NONE = "\u2013"


def test_the_page_knows_every_type_of_the_registry_and_no_other(scripts: Scripts) -> None:
    assert set(scripts.evaluate("Object.keys(wholesale.columns.TYPES)")) == set(
        get_args(ColumnType)
    )


@pytest.mark.parametrize(
    ("column", "value", "texts"),
    [
        ({"type": "amount"}, "1234.567", ["1,234.57", "1,235", "1,234.567"]),
        ({"type": "rate"}, "0.123456", ["12.3%", "12.3%", "0.123456"]),
        ({"type": "count"}, 1200, ["1,200", "1,200", "1,200"]),
        ({}, "text", ["text", "text", "text"]),
        ({"words": {"all": "All vendors"}}, "all", ["All vendors"] * 3),
        ({"type": "amount"}, None, [NONE] * 3),
    ],
)
def test_a_value_is_written_for_a_table_a_headline_and_in_full(
    scripts: Scripts, column: Mapping[str, Any], value: Any, texts: list[str]
) -> None:
    found = [
        scripts.call("columns.written", {"name": "c", **column}, {"c": value}, how)
        for how in ("write", "short", "exact")
    ]
    assert found == texts


@pytest.mark.parametrize(
    ("type_", "values"),
    [
        ("amount", ["-10", "-9.5", "2", "10"]),
        ("count", [-1, 2, 10]),
        ("text", ["Item 2", "Item 10", "other"]),
        ("date", ["2024-12-31", "2025-01-01"]),
        ("flag", [False, True]),
    ],
)
def test_rows_are_sorted_by_what_the_values_mean_those_without_last(
    scripts: Scripts, type_: str, values: list[Any]
) -> None:
    rows = [{"c": value} for value in (None, *values[1::2], *values[::2])]
    column = {"name": "c", "type": type_}
    for is_descending, expected in ((False, values), (True, values[::-1])):
        found = scripts.call("columns.sorted", rows, column, is_descending)
        assert [row["c"] for row in found] == [*expected, None]


def test_numbers_and_times_begin_with_the_largest(scripts: Scripts) -> None:
    first = {
        name: scripts.call("columns.beginsWithLargest", {"type": name})
        for name in get_args(ColumnType)
    }
    assert {name for name, is_largest in first.items() if not is_largest} == {
        *("code", "id", "flag", "verdict", "text")
    }


@pytest.mark.parametrize(
    ("type_", "value", "tone"),
    [
        ("change", "0.000001", "up"),
        ("change", "-1", "down"),
        ("change", "0", ""),
        ("change", None, ""),
        ("flag", True, "up"),
        ("flag", False, "down"),
        ("verdict", "complete", "up"),
        ("verdict", "incomplete", "down"),
    ],
)
def test_good_and_bad_news_have_their_colour_where_the_registry_says_so(
    scripts: Scripts, type_: str, value: Any, tone: str
) -> None:
    column = {"name": "c", "type": type_}
    assert scripts.call("columns.toneOf", {**column, "is_coloured": True}, {"c": value}) == tone
    assert scripts.call("columns.toneOf", column, {"c": value}) == ""


def test_a_text_is_filled_with_the_columns_that_it_names(scripts: Scripts) -> None:
    columns = [{"name": "a", "type": "count"}, {"name": "b", "type": "amount"}]
    row = {"a": 1200, "b": None}
    assert scripts.call("columns.filled", "{a} of {b}, {a}", columns, row, "short") == (
        f"1,200 of {NONE}, 1,200"
    )
    assert json.dumps(scripts.call("columns.parts", "no name", columns, row)) == '["no name"]'
