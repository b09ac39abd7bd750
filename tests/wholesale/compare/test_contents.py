"""Which records came again, and which of them in several contents, is told in any order."""

from itertools import permutations

import numpy as np
import pytest

from wholesale.compare.versions import NO_VERSION, Contents
from wholesale.tables.ids import KEY

Row = tuple[str, int, int]


def contents(*rows: Row) -> Contents:
    keys, versions, states = zip(*rows, strict=True) if rows else ((), (), ())
    return Contents(
        np.array([key.encode() for key in keys], KEY),
        np.array(versions, np.int64),
        np.array(states, np.uint64),
    )


@pytest.mark.parametrize(
    ("rows", "repeated", "contradicted"),
    [
        ([], "", ""),
        ([("a", 1, 1)], "", ""),
        ([("a", 1, 1), ("b", 1, 1)], "", ""),
        ([("a", 1, 1), ("a", 1, 1), ("b", 1, 2)], "a", ""),
        ([("a", 1, 1), ("a", 1, 2), ("b", 1, 2)], "a", "a"),
        ([("a", 1, 1), ("a", 2, 2)], "a", ""),
        ([("a", 1, 1), ("a", 1, 2), ("a", 2, 3)], "a", ""),  # the newest one is one
        ([("a", 1, 1), ("a", 2, 2), ("a", 2, 3)], "a", "a"),
        ([("a", NO_VERSION, 1), ("a", NO_VERSION, 2), ("c", 1, 1)], "a", "a"),
        ([("a", NO_VERSION, 1), ("a", 1, 2), ("c", 1, 1), ("c", 1, 4)], "ac", "c"),
    ],
)
def test_of_the_newest_version_of_a_record_there_is_one_content(
    rows: list[Row], repeated: str, contradicted: str
) -> None:
    for some in permutations(rows):
        parts = [contents(*some[:1]), contents(*some[1:])]
        for found in (contents(*some), Contents.of(parts)):
            again, in_several = found.repeated()
            assert [key.decode() for key in again.tolist()] == [*repeated]
            assert [key.decode() for key in in_several.tolist()] == [*contradicted]


def test_rows_of_some_records_are_left_out() -> None:
    rows = contents(("a", 1, 1), ("b", 1, 2), ("a", 1, 3))

    left = rows.without(np.array([b"a"], KEY))

    assert (len(rows), len(left)) == (3, 1)
    assert (left.keys.tolist(), left.states.tolist()) == ([b"b"], [2])


def test_no_rows_are_no_records() -> None:
    assert [len(keys) for keys in Contents.of([]).repeated()] == [0, 0]
