"""A hash tells any change of a row, and nothing but a change."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from time import process_time
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from support.records.lists import decoded
from wholesale.compare.row_hashes import (
    FEW,
    combine,
    hash_all,
    hash_extra,
    hash_records,
    hash_rows,
)
from wholesale.tables.shapes import INSTANT, MONEY

Row = dict[str, Any]

SCHEMA = pa.schema(
    [
        ("first", pa.string()),
        ("second", pa.string()),
        ("total", MONEY),
        ("count", pa.int64()),
        ("at", INSTANT),
        ("is_on", pa.bool_()),
    ]
)
NAMES = SCHEMA.names
GUID = "0a1b2c3d-4e5f-6a7b-8c9d-0e1f2a3b4c5d"
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "first": st.text(max_size=12),
    "second": st.text(max_size=12),
    "total": st.decimals(min_value=-(10**20), max_value=10**20, places=9),
    "count": st.integers(-(2**63), 2**63 - 1),
    "at": st.datetimes(timezones=st.just(UTC)),
    "is_on": st.booleans(),
}
rows = st.fixed_dictionaries({name: st.none() | one for name, one in VALUES.items()})


def table(records: Sequence[Row]) -> pa.Table:
    return pa.Table.from_pylist(list(records), schema=SCHEMA)


def hash(row: Row, columns: Sequence[str] = NAMES) -> int:
    (one,) = hash_rows(table([row]), columns).tolist()
    return int(one)


@given(st.lists(rows, max_size=12), st.integers(0, 12), st.integers(0, 12))
def test_equal_rows_have_equal_hashes_wherever_they_stand(
    records: list[Row], cut: int, start: int
) -> None:
    whole = table(records)
    alone = [hash(row) for row in records]

    chunked = pa.concat_tables([whole.slice(0, cut), whole.slice(cut)])
    assert hash_rows(whole, NAMES).tolist() == alone
    assert hash_rows(chunked, NAMES).tolist() == alone
    assert hash_rows(whole.slice(start), NAMES).tolist() == alone[start:]
    assert hash_rows(pa.concat_tables([whole, whole]).combine_chunks(), NAMES).tolist() == alone * 2


@given(rows, st.sampled_from(NAMES), st.data())
def test_a_change_of_any_one_value_changes_the_hash(
    row: Row, name: str, data: st.DataObject
) -> None:
    value = data.draw(st.none() | VALUES[name])
    assume(value != row[name])

    assert hash(row | {name: value}) != hash(row)


@given(st.text(max_size=8), st.text(min_size=1, max_size=8))
def test_text_that_moves_to_another_column_changes_the_hash(first: str, second: str) -> None:
    row = dict.fromkeys(NAMES)

    together = hash(row | {"first": first + second, "second": ""})
    assert together != hash(row | {"first": first, "second": second})
    assert hash(row | {"first": second, "second": None}) != hash(
        row | {"first": None, "second": second}
    )


@pytest.mark.parametrize(
    ("name", "empty"),
    [
        ("first", ""),
        ("first", "\x00"),
        ("total", Decimal(0)),
        ("count", 0),
        ("at", datetime(1970, 1, 1, tzinfo=UTC)),
        ("is_on", False),
    ],
)
def test_null_is_no_empty_value(name: str, empty: Any) -> None:
    row = dict.fromkeys(NAMES)

    assert hash(row | {name: empty}) != hash(row)


def test_short_texts_of_any_bytes_have_hashes_of_their_own() -> None:
    ones = [chr(code) for code in range(0x80)]
    texts = ["", *ones, *(left + right for left in ones for right in ones)]

    hashes = hash_rows(table([{"first": text} for text in texts]), NAMES)

    assert len(set(hashes.tolist())) == len(texts)


@given(rows)
def test_only_the_columns_that_are_named_count(row: Row) -> None:
    changed = row | {"second": f"{row['second']}!", "is_on": not row["is_on"]}

    assert hash(row, ["first", "total"]) == hash(changed, ["first", "total"])


def test_many_rows_that_hardly_differ_have_hashes_of_their_own() -> None:
    texts = [f"{left}{right}" for left in range(300) for right in range(300)]
    records = {(text[:2], text[2:]) for text in texts} | {(text, "") for text in texts}
    split = table([{"first": first, "second": second} for first, second in records])

    counts = Counter(hash_rows(split, NAMES).tolist())

    assert len(counts) == len(records)


def test_no_rows_have_no_hash_rows() -> None:
    assert hash_rows(table([]), NAMES).tolist() == []
    assert hash_rows(table([{}, {}]), []).tolist() == [0, 0]


@given(rows)
def test_a_null_says_as_little_as_a_column_that_is_not_there(row: Row) -> None:
    without = table([row]).drop_columns(["second"])

    assert hash_rows(without, NAMES).tolist() == [hash(row | {"second": None})]


@given(rows, st.permutations(NAMES))
def test_the_order_of_columns_does_not_matter(row: Row, names: list[str]) -> None:
    assert hash(row, names) == hash(row)


@given(st.lists(st.text(max_size=40), min_size=1, max_size=9), st.integers(0, 9))
def test_a_text_has_one_hash_wherever_it_stands_in_memory(texts: list[str], start: int) -> None:
    column = pa.table({"first": texts})
    alone = [hash({"first": text}, ["first"]) for text in texts]

    assert hash_rows(column.slice(start), ["first"]).tolist() == alone[start:]
    assert len(set(alone)) == len(set(texts))


def test_only_entries_of_the_columns_count_in_what_is_kept_beside_a_row() -> None:
    extra = [None, '{"total":"x"}', '{"Total":"x"}', '{"total":"y"}', '{"other":"x"}']
    rows = pa.table({"_extra": extra})

    none, as_sent, in_other_style, changed, of_others = hash_extra(rows, {"total"}).tolist()

    assert none == of_others == 0
    assert as_sent == in_other_style
    assert len({none, as_sent, changed}) == 3
    assert hash_extra(rows.slice(0, 1), {"total"}).tolist() == [0]


def test_another_spelling_of_a_column_counts_only_where_nothing_has_its_name() -> None:
    rows = pa.table(
        {
            "total": pa.array([None, Decimal(1), None, Decimal(1)]),
            "_extra": ['{"Total":"x"}', '{"Total":"x"}', '{"Total":"x","total":"y"}', None],
        }
    )

    alone, beside_a_value, beside_its_own, none = hash_extra(rows, {"total"}).tolist()

    assert beside_a_value == none == 0
    assert alone
    assert [beside_its_own] == hash_extra(pa.table({"_extra": ['{"total":"y"}']}), {"total"})


def test_a_record_is_hashed_with_its_children_in_whatever_order_they_come() -> None:
    lines = [{"sku": "A"}, {"sku": "B"}]
    records = [
        {"id": "a", "order_line_items": lines},
        {"id": "a", "order_line_items": lines},
        {"id": "a", "order_line_items": lines[::-1]},
        {"id": "a", "order_line_items": lines[:1]},
        {"id": "a", "order_line_items": lines[:1] * 2},
        {"id": "a", "order_line_items": []},
        {"id": "a", "order_line_items": lines, "status": "paid"},
    ]

    same, again, turned, *others = hash_records(decoded("orders", records)).tolist()

    assert same == again == turned
    assert len({same, *others}) == 5


def test_all_rows_have_one_hash_in_whatever_order_and_parts_they_come() -> None:
    rows = hash_rows(table([{"id": key} for key in "AABC"]), NAMES)
    a, again, b, c = (rows[place : place + 1] for place in range(4))

    assert hash_all([rows]) == hash_all([c, b, again, a])
    assert hash_all([a, b, c]) != hash_all([rows]) != hash_all([])


def test_parts_of_a_set_of_records_come_to_the_same_in_any_order() -> None:
    batch = decoded("orders", [{"id": key} for key in "abc"])
    keys, states = batch.ids.keys, hash_rows(batch.root, ["id"])
    whole = combine(keys, states)

    assert combine(keys[::-1], states[::-1]) == whole
    assert combine(keys[:1], states[:1]) ^ combine(keys[1:], states[1:]) == whole
    assert combine(keys, states[::-1]) != whole
    assert combine(keys[:0], states[:0]) == 0


@pytest.mark.parametrize("length", [0, 1, 7, 8, 9, 64, 4_001])
def test_a_text_has_one_hash_among_few_and_among_many(length: int) -> None:
    text, others = "é" + "x" * length, [f"{place:05}" * 900 for place in range(FEW + 1)]

    (alone,) = hash_rows(pa.table({"first": [text]}), ["first"])
    among_many = hash_rows(pa.table({"first": [*others, text]}), ["first"])[-1]

    assert alone == among_many


def test_a_long_text_is_hashed_in_no_more_time_than_it_takes_to_send_it() -> None:
    began = process_time()

    hash_rows(pa.table({"first": ["x" * 3_000_000, "", None]}), ["first"])

    assert process_time() - began < 2  # eight bytes a step of numpy took ten seconds


@pytest.mark.parametrize("length", [1, 7, 8, 9, 36])
def test_a_text_has_one_hash_among_those_of_its_length_and_among_others(length: int) -> None:
    same = [f"{place:0{length}}"[-length:] for place in range(FEW + 1)]
    others = ["é", "", "long " * 9]

    found = hash_rows(pa.table({"a": same + others}), ["a"])

    assert hash_rows(pa.table({"a": same}), ["a"]).tolist() == found[: len(same)].tolist()
    assert hash_rows(pa.table({"a": same[3:]}).slice(1), ["a"]).tolist() == [
        *found[4 : len(same)].tolist()
    ]
