"""Lists are sorted by the exact value of a column, however many rows they have."""

from collections.abc import Iterator
from typing import Any

import pytest

from support.warehouses.javascript import Scripts, loaded_scripts


@pytest.fixture(scope="module")
def page() -> Iterator[Scripts]:
    with loaded_scripts("data", "decimals", "sorting") as scripts:
        yield scripts


@pytest.mark.parametrize(
    ("values", "places"),
    [
        (["10", "9", "-1", "9.5"], [2, 1, 3, 0]),
        ([3, None, 1, None], [1, 3, 2, 0]),
        (["9007199254740993", "9007199254740992", "9007199254740994"], [1, 0, 2]),
        (["0.1000000001", "0.1"], [1, 0]),
        (["b", "a", None, "b", "É", "e"], [2, 1, 0, 3, 5, 4]),
        (["00000010", "9", "A-1"], [1, 0, 2]),
        ([True, False, None], [2, 1, 0]),
        ([1, 1, 1], [0, 1, 2]),
        ([], []),
    ],
)
def test_values_are_in_their_order(page: Scripts, values: list[Any], places: list[int]) -> None:
    """Numbers by size, also those too long for numbers of a browser; what is missing first."""
    items = list(range(len(values)))
    assert page.call("sorting.sorted", items, values, True) == places
    backwards = page.call("sorting.sorted", items, values, False)
    assert [values[place] for place in backwards] == [values[place] for place in places[::-1]]


def test_what_is_alike_stays_in_its_order_either_way(page: Scripts) -> None:
    for is_ascending in (True, False):
        assert page.call("sorting.sorted", [0, 1, 2], ["a", "a", "a"], is_ascending) == [0, 1, 2]
