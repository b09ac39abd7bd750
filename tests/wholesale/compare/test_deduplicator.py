"""Every record is new once; a newer version that comes later is not lost."""

import json

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.lists import decoded
from wholesale.api.resources import RESOURCE
from wholesale.compare.deduplicator import Deduplicator, Split
from wholesale.pages.page import RawPage
from wholesale.tables.decoded import Decoded
from wholesale.tables.decoder import decode
from wholesale.tables.ids import Keys, keys_of
from wholesale.tables.shapes import shape_of

SHAPE = shape_of(RESOURCE["orders"])


def batch(*records: tuple[str, int | None, str]) -> Decoded:
    """Records of id, day of the last update, and status."""
    body = [
        {"id": id_, "updated_at": day and f"2024-01-{day:02}T00:00:00Z", "status": status}
        for id_, day, status in records
    ]
    return decode([RawPage(json.dumps(body).encode())], SHAPE)


def keys(*ids: str) -> Keys:
    return keys_of(pa.array(ids, pa.string()))


def parts_of(split: Split) -> tuple[dict[str, str], dict[str, str], int]:
    parts = [
        dict(zip(part.root["id"].to_pylist(), part.root["status"].to_pylist(), strict=True))
        for part in (split.new, split.newer)
        if part is not None
    ]
    return parts[0], parts[1] if len(parts) > 1 else {}, split.duplicates


def test_a_record_is_new_once() -> None:
    seen = Deduplicator("updated_at")

    assert parts_of(seen.split(batch(("a", 1, "x"), ("b", 1, "y")))) == (
        {"a": "x", "b": "y"},
        {},
        0,
    )
    assert parts_of(seen.split(batch(("b", 1, "y"), ("c", 1, "z")))) == ({"c": "z"}, {}, 1)
    assert seen.count == 3


def test_ids_are_told_apart_from_those_that_came_elsewhere() -> None:
    listed, loaded = Deduplicator("updated_at"), Deduplicator("updated_at")
    listed.split(batch(("a", 1, "x"), ("b", 1, "y"), ("a", 2, "x")))
    listed.split(batch(("c", 1, "z"), ("a", 3, "x")))
    loaded.split(batch(("b", 2, "y"), ("d", 1, "z")))

    nothing = Deduplicator("updated_at")
    assert listed.difference(nothing).tolist() == sorted(keys("a", "b", "c").tolist())
    assert listed.difference(loaded).tolist() == sorted(keys("a", "c").tolist())
    assert len(nothing.difference(loaded)) == 0


def test_within_a_batch_the_newest_version_wins_wherever_it_stands() -> None:
    versions = [("a", 2, "new"), ("a", 1, "old"), ("a", None, "unknown")]

    assert parts_of(Deduplicator("updated_at").split(batch(*versions))) == ({"a": "new"}, {}, 2)
    assert parts_of(Deduplicator("updated_at").split(batch(*reversed(versions)))) == (
        {"a": "new"},
        {},
        2,
    )


def test_of_equal_versions_in_a_batch_the_last_wins() -> None:
    found = Deduplicator("updated_at").split(batch(("a", 1, "first"), ("a", 1, "last")))

    assert parts_of(found) == ({"a": "last"}, {}, 1)


def test_a_newer_version_of_a_known_record_is_told_apart() -> None:
    seen = Deduplicator("updated_at")
    seen.split(batch(("a", 2, "old"), ("b", None, "old")))

    found = seen.split(batch(("a", 3, "new"), ("b", 1, "new"), ("c", 1, "new")))

    assert parts_of(found) == ({"c": "new"}, {"a": "new", "b": "new"}, 2)


@pytest.mark.parametrize("day", [1, 2, None])
def test_an_older_or_equal_version_is_dropped(day: int | None) -> None:
    seen = Deduplicator("updated_at")
    seen.split(batch(("a", 2, "kept")))

    assert parts_of(seen.split(batch(("a", day, "dropped")))) == ({}, {}, 1)


def test_an_older_version_does_not_come_back_after_a_newer_one() -> None:
    seen = Deduplicator("updated_at")
    seen.split(batch(("a", 1, "first")))
    seen.split(batch(("a", 3, "newer")))

    assert parts_of(seen.split(batch(("a", 2, "between")))) == ({}, {}, 1)
    assert parts_of(seen.split(batch(("a", 3, "again")))) == ({}, {}, 1)
    assert seen.count == 1


def test_resources_not_shown_to_have_a_version_go_by_updated_at_where_they_send_it() -> None:
    seen = Deduplicator(None)
    seen.split(batch(("a", 1, "first")))

    found = seen.split(batch(("a", 2, "second"), ("b", 1, "b")))

    assert parts_of(found) == ({"b": "b"}, {"a": "second"}, 1)


def test_resources_without_a_version_keep_what_came_first_over_batches() -> None:
    seen = Deduplicator(None)
    seen.split(decoded("items", [{"id": "a", "title": "first"}]))

    again = seen.split(decoded("items", [{"id": "a", "title": "second"}, {"id": "b"}]))

    assert (again.new.root["id"].to_pylist(), again.newer, again.duplicates) == (["b"], None, 1)


def test_nothing_is_forgotten_over_many_batches() -> None:
    seen = Deduplicator("updated_at")
    ids = [f"id-{n}" for n in range(20)]
    for id_ in ids:
        seen.split(batch((id_, 1, "x")))
    seen.split(batch(("id-3", 5, "newer")))

    found = seen.split(batch(*((id_, 1, "y") for id_ in ids), ("id-3", 4, "z")))

    assert parts_of(found) == ({}, {}, 21)
    assert seen.count == 20


def test_an_empty_batch_changes_nothing() -> None:
    seen = Deduplicator("updated_at")
    seen.split(batch(("a", 1, "x")))

    assert parts_of(seen.split(batch())) == ({}, {}, 0)
    assert seen.count == 1


def test_children_go_with_their_record() -> None:
    seen = Deduplicator("updated_at")
    lines = [{"sku": "1"}, {"sku": "2"}]
    body = [{"id": id_, "order_line_items": lines} for id_ in ("a", "b", "a")]

    new = seen.split(decode([RawPage(json.dumps(body).encode())], SHAPE)).new

    rows = new.tables["orders__order_line_items"].select(["order_id", "line_number", "sku"])
    assert rows.to_pylist() == [
        {"order_id": "b", "line_number": 1, "sku": "1"},
        {"order_id": "b", "line_number": 2, "sku": "2"},
        {"order_id": "a", "line_number": 1, "sku": "1"},
        {"order_id": "a", "line_number": 2, "sku": "2"},
    ]
    assert new.owners["orders__order_line_items"].to_pylist() == [0, 0, 1, 1]


def test_ids_that_came_are_held() -> None:
    seen = Deduplicator("updated_at")
    seen.split(batch(("a", 1, "x")))
    seen.split(batch(("b", None, "x"), ("a", 2, "newer")))

    assert seen.holds(keys("b", "c", "a", "a")).tolist() == [True, False, True, True]
    assert seen.holds(keys()).tolist() == []
    assert Deduplicator(None).holds(keys("a")).tolist() == [False]


def test_a_row_is_held_in_its_version_only() -> None:
    seen = Deduplicator("updated_at")
    seen.split(batch(("a", 1, "x"), ("b", None, "x"), ("c", 1, "x")))
    seen.split(batch(("c", 2, "newer")))
    rows = batch(("a", 1, "x"), ("b", None, "x"), ("c", 2, "x"), ("new", None, "x"))
    others = batch(("a", None, "x"), ("b", 1, "x"), ("c", 1, "x"))

    assert seen.holds_version(rows).tolist() == [True, True, True, False]
    assert seen.holds_version(others).tolist() == [False] * 3
    assert Deduplicator("updated_at").holds_version(rows).tolist() == [False] * 4


def test_what_is_removed_is_held_no_longer() -> None:
    seen = Deduplicator("updated_at")
    seen.split(batch(("a", 1, "x"), ("b", 1, "y"), ("d", 1, "y")))
    seen.split(batch(("c", 1, "z")))

    assert seen.remove(keys("b", "x", "c", "b")).tolist() == [True, False, True, True]
    assert seen.remove(keys("a", "b", "c")).tolist() == [True, False, False]
    assert seen.holds(keys("a", "b", "c", "d")).tolist() == [False, False, False, True]
    assert seen.count == 4, "how many came stays"


@given(
    listed=st.lists(st.integers(0, 400), max_size=300, unique=True),
    removed=st.lists(st.lists(st.integers(0, 400), max_size=80), max_size=6),
)
def test_removing_is_what_sets_do(listed: list[int], removed: list[list[int]]) -> None:
    seen, held = Deduplicator("updated_at"), set(listed)
    for start in range(0, len(listed), 70):
        seen.split(batch(*((f"{n:04}", 1, "x") for n in listed[start : start + 70])))

    for numbers in removed:
        found = seen.remove(keys(*(f"{n:04}" for n in numbers))).tolist()
        assert found == [n in held for n in numbers]
        held -= set(numbers)

    everything = range(401)
    assert seen.holds(keys(*(f"{n:04}" for n in everything))).tolist() == [
        n in held for n in everything
    ]
