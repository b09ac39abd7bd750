"""Every record is admitted once; a newer version that comes later is not lost."""

import json

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.lists import decoded
from wholesale.api.resources import RESOURCE
from wholesale.compare.versions_seen import Admission, Seen
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


def admitted(admission: Admission) -> tuple[dict[str, str], dict[str, str], int]:
    parts = [
        dict(zip(part.root["id"].to_pylist(), part.root["status"].to_pylist(), strict=True))
        for part in (admission.fresh, admission.late)
        if part is not None
    ]
    return parts[0], parts[1] if len(parts) > 1 else {}, admission.duplicates


def test_a_record_is_fresh_once() -> None:
    seen = Seen("updated_at")

    assert admitted(seen.admit(batch(("a", 1, "x"), ("b", 1, "y")))) == (
        {"a": "x", "b": "y"},
        {},
        0,
    )
    assert admitted(seen.admit(batch(("b", 1, "y"), ("c", 1, "z")))) == ({"c": "z"}, {}, 1)
    assert len(seen) == 3


def test_ids_are_told_apart_from_those_that_were_admitted_elsewhere() -> None:
    listed, loaded = Seen("updated_at"), Seen("updated_at")
    listed.admit(batch(("a", 1, "x"), ("b", 1, "y"), ("a", 2, "x")))
    listed.admit(batch(("c", 1, "z"), ("a", 3, "x")))
    loaded.admit(batch(("b", 2, "y"), ("d", 1, "z")))

    assert listed.beyond(Seen("updated_at")).tolist() == sorted(keys("a", "b", "c").tolist())
    assert listed.beyond(loaded).tolist() == sorted(keys("a", "c").tolist())
    assert len(Seen("updated_at").beyond(loaded)) == 0


def test_within_a_batch_the_newest_version_wins_wherever_it_stands() -> None:
    versions = [("a", 2, "new"), ("a", 1, "old"), ("a", None, "unknown")]

    assert admitted(Seen("updated_at").admit(batch(*versions))) == ({"a": "new"}, {}, 2)
    assert admitted(Seen("updated_at").admit(batch(*reversed(versions)))) == ({"a": "new"}, {}, 2)


def test_of_equal_versions_in_a_batch_the_last_wins() -> None:
    admission = Seen("updated_at").admit(batch(("a", 1, "first"), ("a", 1, "last")))

    assert admitted(admission) == ({"a": "last"}, {}, 1)


def test_a_newer_version_of_an_admitted_record_is_late() -> None:
    seen = Seen("updated_at")
    seen.admit(batch(("a", 2, "old"), ("b", None, "old")))

    admission = seen.admit(batch(("a", 3, "new"), ("b", 1, "new"), ("c", 1, "fresh")))

    assert admitted(admission) == ({"c": "fresh"}, {"a": "new", "b": "new"}, 2)


@pytest.mark.parametrize("day", [1, 2, None])
def test_an_older_or_equal_version_is_dropped(day: int | None) -> None:
    seen = Seen("updated_at")
    seen.admit(batch(("a", 2, "kept")))

    assert admitted(seen.admit(batch(("a", day, "dropped")))) == ({}, {}, 1)


def test_an_older_version_does_not_come_back_after_a_late_one() -> None:
    seen = Seen("updated_at")
    seen.admit(batch(("a", 1, "first")))
    seen.admit(batch(("a", 3, "late")))

    assert admitted(seen.admit(batch(("a", 2, "between")))) == ({}, {}, 1)
    assert admitted(seen.admit(batch(("a", 3, "again")))) == ({}, {}, 1)
    assert len(seen) == 1


def test_kinds_not_shown_to_have_a_version_go_by_updated_at_where_they_send_it() -> None:
    seen = Seen(None)
    seen.admit(batch(("a", 1, "first")))

    admission = seen.admit(batch(("a", 2, "second"), ("b", 1, "b")))

    assert admitted(admission) == ({"b": "b"}, {"a": "second"}, 1)


def test_kinds_without_a_version_keep_what_came_first_over_batches() -> None:
    seen = Seen(None)
    seen.admit(decoded("items", [{"id": "a", "title": "first"}]))

    again = seen.admit(decoded("items", [{"id": "a", "title": "second"}, {"id": "b"}]))

    assert (again.fresh.root["id"].to_pylist(), again.late, again.duplicates) == (["b"], None, 1)


def test_nothing_is_forgotten_over_many_batches() -> None:
    seen = Seen("updated_at")
    ids = [f"id-{n}" for n in range(20)]
    for id_ in ids:
        seen.admit(batch((id_, 1, "x")))
    seen.admit(batch(("id-3", 5, "late")))

    admission = seen.admit(batch(*((id_, 1, "y") for id_ in ids), ("id-3", 4, "z")))

    assert admitted(admission) == ({}, {}, 21)
    assert len(seen) == 20


def test_an_empty_batch_changes_nothing() -> None:
    seen = Seen("updated_at")
    seen.admit(batch(("a", 1, "x")))

    assert admitted(seen.admit(batch())) == ({}, {}, 0)
    assert len(seen) == 1


def test_children_go_with_their_record() -> None:
    seen = Seen("updated_at")
    lines = [{"sku": "1"}, {"sku": "2"}]
    body = [{"id": id_, "order_line_items": lines} for id_ in ("a", "b", "a")]

    fresh = seen.admit(decode([RawPage(json.dumps(body).encode())], SHAPE)).fresh

    rows = fresh.tables["orders__order_line_items"].select(["order_id", "line_number", "sku"])
    assert rows.to_pylist() == [
        {"order_id": "b", "line_number": 1, "sku": "1"},
        {"order_id": "b", "line_number": 2, "sku": "2"},
        {"order_id": "a", "line_number": 1, "sku": "1"},
        {"order_id": "a", "line_number": 2, "sku": "2"},
    ]
    assert fresh.owners["orders__order_line_items"].to_pylist() == [0, 0, 1, 1]


def test_ids_that_were_admitted_are_held() -> None:
    seen = Seen("updated_at")
    seen.admit(batch(("a", 1, "x")))
    seen.admit(batch(("b", None, "x"), ("a", 2, "late")))

    assert seen.holds(keys("b", "c", "a", "a")).tolist() == [True, False, True, True]
    assert seen.holds(keys()).tolist() == []
    assert Seen(None).holds(keys("a")).tolist() == [False]


def test_a_row_is_held_in_its_version_only() -> None:
    seen = Seen("updated_at")
    seen.admit(batch(("a", 1, "x"), ("b", None, "x"), ("c", 1, "x")))
    seen.admit(batch(("c", 2, "late")))
    rows = batch(("a", 1, "x"), ("b", None, "x"), ("c", 2, "x"), ("new", None, "x"))
    others = batch(("a", None, "x"), ("b", 1, "x"), ("c", 1, "x"))

    assert seen.holds_version(rows).tolist() == [True, True, True, False]
    assert seen.holds_version(others).tolist() == [False] * 3
    assert Seen("updated_at").holds_version(rows).tolist() == [False] * 4


def test_what_is_taken_is_held_no_longer() -> None:
    seen = Seen("updated_at")
    seen.admit(batch(("a", 1, "x"), ("b", 1, "y"), ("d", 1, "y")))
    seen.admit(batch(("c", 1, "z")))

    assert seen.take(keys("b", "x", "c", "b")).tolist() == [True, False, True, True]
    assert seen.take(keys("a", "b", "c")).tolist() == [True, False, False]
    assert seen.holds(keys("a", "b", "c", "d")).tolist() == [False, False, False, True]
    assert len(seen) == 4, "how many were admitted stays"


@given(
    listed=st.lists(st.integers(0, 400), max_size=300, unique=True),
    taken=st.lists(st.lists(st.integers(0, 400), max_size=80), max_size=6),
)
def test_taking_is_what_sets_do(listed: list[int], taken: list[list[int]]) -> None:
    seen, held = Seen("updated_at"), set(listed)
    for start in range(0, len(listed), 70):
        seen.admit(batch(*((f"{n:04}", 1, "x") for n in listed[start : start + 70])))

    for numbers in taken:
        found = seen.take(keys(*(f"{n:04}" for n in numbers))).tolist()
        assert found == [n in held for n in numbers]
        held -= set(numbers)

    everything = range(401)
    assert seen.holds(keys(*(f"{n:04}" for n in everything))).tolist() == [
        n in held for n in everything
    ]
