"""What is stored is compared with what is listed, and nulls are values too."""

from datetime import UTC, datetime

import numpy as np
import pyarrow as pa
import pytest

from support.records.lists import Record, decoded, orders, stored
from wholesale.api.resources import ORDER_SUMMARY
from wholesale.compare.past import Past
from wholesale.compare.stored import IS_DELETED, NOTHING, Compared, Stored

FIRST = "2024-01-01T00:00:00Z"
SECOND = "2024-01-02T00:00:00Z"


def told(compared: Compared) -> list[tuple[bool, bool]]:
    """Of each record, whether it is stored, and whether it differs."""
    return list(zip(compared.is_known.tolist(), compared.differs.tolist(), strict=True))


def test_a_record_is_new_or_changed_or_neither() -> None:
    before = stored("orders", [{"id": key, "updated_at": FIRST, "total": "1"} for key in "abcd"])
    now = [
        {"id": "new", "updated_at": FIRST, "total": "1"},
        {"id": "a", "updated_at": FIRST, "total": "1.00"},
        {"id": "b", "updated_at": SECOND, "total": "1"},
        {"id": "c", "updated_at": FIRST, "total": "1.01"},
    ]

    assert told(before.compare(decoded("orders", now))) == [
        (False, True),
        (True, False),
        (True, True),
        (True, True),
    ]


@pytest.mark.parametrize("field", [name for name in ORDER_SUMMARY if name.endswith("name")])
def test_null_differs_from_a_value_either_way_and_not_from_null(field: str) -> None:
    before = stored("orders", [{"id": "a", field: "x"}, {"id": "b"}, {"id": "c"}])
    now = [{"id": "a"}, {"id": "b", field: "x"}, {"id": "c", field: None}]

    assert told(before.compare(decoded("orders", now))) == [
        (True, True),
        (True, True),
        (True, False),
    ]


def test_a_deleted_record_that_is_there_again_differs() -> None:
    before = stored("orders", [{"id": "a"}, {"id": "b"}], deleted={"a"})

    assert told(before.compare(decoded("orders", [{"id": "a"}, {"id": "b"}]))) == [
        (True, True),
        (True, False),
    ]
    assert before.compare(decoded("orders", [{"id": "b"}, {"id": "a"}])).was_alive.tolist() == [
        True,
        False,
    ]
    assert (before.alive, len(before)) == (1, 2)
    assert sorted(before.ids.texts()) == ["a", "b"]


def test_a_version_so_late_that_it_may_have_changed_again_is_told_from_one_that_differs() -> None:
    records = [
        {"id": "a", "updated_at": "2024-01-01T11:59:59.999999Z"},
        {"id": "b", "updated_at": "2024-01-01T12:00:00Z"},
        {"id": "c"},
    ]
    before = stored("orders", records, dirty_since=datetime(2024, 1, 1, 12, tzinfo=UTC))

    comparison = before.compare(decoded("orders", records))

    assert comparison.is_dirty.tolist() == [False, True, False]
    assert told(comparison) == [(True, False)] * 3


def test_where_versions_are_days_all_of_the_last_day_may_have_changed_again() -> None:
    records = [{"id": key, "updated_at": f"2024-01-0{key}"} for key in "123"]
    past = Past(
        dirty_since=datetime(2024, 1, 2, 12, tzinfo=UTC),
        scanned_at=datetime(2024, 1, 2, 18, tzinfo=UTC),
    )
    before = stored("orders", records).after(past)

    assert before.compare(decoded("orders", records)).is_dirty.tolist() == [False, True, True]
    assert before.past.scanned_at == datetime(2024, 1, 2, tzinfo=UTC)


def test_whole_records_differ_by_all_that_they_and_their_entries_hold_in_whatever_order() -> None:
    red, blue = {"name": "Colour", "values": ["red"]}, {"name": "Colour", "values": ["blue"]}
    keys = ("same", "turned", "renamed", "found", "more", "less", "other", "twice")
    before = whole([{"id": key, "title": "Mug", "options": [red, blue]} for key in keys])
    now = [
        {"id": "same", "title": "Mug", "options": [red, blue]},
        {"id": "turned", "title": "Mug", "options": [blue, red]},
        {"id": "renamed", "title": "Cup", "options": [red, blue]},
        {"id": "found", "title": "Mug", "options": [red, blue], "mood": "good"},
        {"id": "more", "title": "Mug", "options": [red, blue, red]},
        {"id": "less", "title": "Mug", "options": [red]},
        {"id": "other", "title": "Mug", "options": [red, red]},
        {"id": "twice", "title": "Mug", "options": []},
        {"id": "new", "title": "Mug", "options": [red, blue]},
    ]

    assert told(before.compare(decoded("items", now))) == [
        (True, False),
        (True, False),
        *[(True, True)] * 6,
        (False, True),
    ]


def whole(records: list[Record]) -> Stored:
    """A destination that holds these items, and entries of one that it does not hold."""
    rows = decoded("items", records)
    options = decoded("items", [*records, {"id": "nobody", "options": [{"name": "Size"}]}])
    (child,) = rows.shape.children
    table = rows.root.append_column(IS_DELETED, pa.repeat(False, len(records)))
    return Stored.of([table], is_whole=True).with_entries(child, [options.tables[child.table]])


def test_kinds_without_a_version_are_known_and_tell_no_change() -> None:
    before = stored("items", [{"id": "a", "title": "old"}])

    assert told(before.compare(decoded("items", [{"id": "a", "title": "new"}]))) == [(True, False)]


def test_a_change_of_what_is_kept_as_it_was_sent_is_a_change() -> None:
    fine = [{"id": key, "updated_at": "2024-01-01T00:00:00.123456789Z"} for key in "ab"]
    before = stored("orders", fine)
    now = [fine[0], {"id": "b", "updated_at": "2024-01-01T00:00:00.123456788Z"}]

    assert told(before.compare(decoded("orders", now))) == [(True, False), (True, True)]


def test_columns_that_the_description_does_not_know_are_compared_where_they_are_shown() -> None:
    records = [{"id": "a", "mood": "good"}, {"id": "b", "mood": "good"}, {"id": "c"}]
    before = stored("orders", records)
    now = decoded("orders", [records[0], {"id": "b", "mood": "bad"}, {"id": "c", "mood": "new"}])

    assert told(before.compare(now)) == [(True, False)] * 3
    assert told(before.compare(now, ["mood"])) == [(True, False), (True, True), (True, True)]
    assert told(before.compare(now, ["seen for the first time"])) == [(True, False)] * 3


def test_each_record_knows_the_parent_that_it_was_stored_with() -> None:
    variants = stored("variants", [{"id": "v"}, {"id": "w", "parent_id": "j"}], parent="i")
    keys = decoded("orders", [{"id": "w"}, {"id": "v"}]).ids.keys

    assert list(variants.parents_of(keys)) == ["j", "i"]
    assert list(stored("orders", [{"id": "w"}]).parents_of(keys)) == [None, None]


def test_where_nothing_is_stored_everything_is_new() -> None:
    now = decoded("orders", [{"id": "a", "updated_at": FIRST}])

    assert told(NOTHING.compare(now)) == [(False, True)]
    assert told(NOTHING.compare(decoded("orders", []))) == []
    assert (NOTHING.alive, len(NOTHING)) == (0, 0)


def test_records_may_come_in_any_order_and_in_several_tables() -> None:
    records = [{"id": f"{n:02}", "updated_at": FIRST, "total": str(n)} for n in range(30)]
    table = decoded("orders", records).root.append_column(IS_DELETED, pa.repeat(False, 30))
    parts = [table.slice(20), table.slice(0, 3), table.slice(3, 17)]
    before = Stored.of(parts, columns=["total", "updated_at"], version="updated_at")
    now = [record | {"total": "-1"} if record["id"] == "07" else record for record in records]

    comparison = before.compare(decoded("orders", list(reversed(now))))

    assert comparison.is_known.all()
    assert np.flatnonzero(comparison.differs).tolist() == [22]


def test_records_that_are_doubted_count_as_changed_whatever_comes() -> None:
    rows, noon = orders(3), datetime(2026, 1, 1, 12, tzinfo=UTC)
    kept = stored("orders", rows).after(Past(scanned_at=noon, stopped_at=noon))
    doubted = kept.doubting(["id-0001", "unknown"])

    assert kept.compare(decoded("orders", rows)).differs.tolist() == [False, False, False]
    assert doubted.compare(decoded("orders", rows)).differs.tolist() == [False, True, False]
    assert (doubted.past.scanned_at, doubted.past.stopped_at) == (None, None)
    assert kept.doubting([]) is kept


def test_where_all_records_are_doubted_each_counts_as_changed() -> None:
    rows, noon = orders(3), datetime(2026, 1, 1, 12, tzinfo=UTC)
    doubted = stored("orders", rows).after(Past(scanned_at=noon, stopped_at=noon)).doubting_all()

    assert doubted.compare(decoded("orders", rows)).differs.tolist() == [True, True, True]
    assert (doubted.past.scanned_at, doubted.past.stopped_at) == (None, None)


def test_stored_records_are_found_by_their_keys() -> None:
    before = stored("orders", [{"id": key, "updated_at": SECOND} for key in "abc"], deleted={"b"})
    now = decoded("orders", [{"id": key, "updated_at": FIRST} for key in "abx"])
    keys = now.ids.keys
    older, newer = (np.full(3, before.versions[0] + change, np.int64) for change in (-1, 1))

    assert before.has(keys).tolist() == [True, True, False]
    assert before.is_alive(now).tolist() == [True, False, False]
    assert before.is_older(keys, newer).tolist() == [True, True, False]
    assert not before.is_older(keys, older).any()
    assert before.alive_keys.tolist() == sorted(
        decoded("orders", [{"id": key} for key in "ac"]).ids.keys.tolist()
    )
    for nothing in (NOTHING.has(keys), NOTHING.is_alive(now), NOTHING.is_older(keys, newer)):
        assert not nothing.any()


def test_the_parents_of_records_that_are_alive_are_known() -> None:
    users = stored("buyer_users", [{"id": "a"}, {"id": "b"}], parent="p", deleted={"b"})

    assert users.parent_keys().tolist() == decoded("orders", [{"id": "p"}]).ids.keys.tolist()
    assert stored("orders", [{"id": "a"}]).parent_keys().tolist() == []


def test_some_of_what_was_compared_is_kept() -> None:
    before = stored("orders", [{"id": "a", "total": "1"}])
    compared = before.compare(decoded("orders", [{"id": "new"}, {"id": "a", "total": "1"}]))

    assert told(compared.keep(np.array([False, True]))) == [(True, False)]
