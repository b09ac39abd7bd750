"""Records inside others of their kind are told from entries of another kind."""

from typing import Any

import pytest

from support.records.lists import decoded
from wholesale.expect.nested import nested_ids


def nested(**fields: Any) -> list[tuple[str, str]]:
    """What stands inside a category with these fields, which the description does not show."""
    return list(nested_ids(decoded("categories", [{"id": "a", "title": "A", **fields}])))


def test_the_branches_of_a_tree_are_records() -> None:
    leaf = {"id": "c", "title": "C"}
    branch = {"id": "b", "title": "B", "children": [leaf, {"id": "d", "children": []}]}

    assert nested(children=[branch]) == [(key, "categories.children") for key in ("b", "c", "d")]


@pytest.mark.parametrize(
    ("parent", "found"), [("a", [("b", "categories.subs")]), ("x", []), (None, [])]
)
def test_what_names_the_record_that_it_stands_in_as_its_parent_is_one_too(
    parent: str | None, found: list[tuple[str, str]]
) -> None:
    assert nested(subs=[{"id": "b", "parent_id": parent}]) == found


@pytest.mark.parametrize(
    "value",
    [
        [{"id": "i", "title": "an item"}],
        [{"title": "B", "children": [{"title": "no id"}]}],
        [{"id": "b", "size": {"children": []}}],
        {"id": "b", "children": []},
        ["b"],
        "children",
        None,
    ],
)
def test_other_entries_are_none(value: Any) -> None:
    assert nested(children=value) == []


def test_odd_entries_are_passed_over() -> None:
    odd = [{"id": "b", "children": "many"}, {"children": []}, "c", None]

    assert nested(children=odd) == [("b", "categories.children")]
