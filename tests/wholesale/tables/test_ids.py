"""Ids are packed into sixteen bytes each: equal ones alike, others otherwise, and back to text, in
which each GUID has one spelling."""

from uuid import UUID

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wholesale.api.guids import plain_id
from wholesale.tables.ids import (
    KEY,
    Ids,
    are_distinct,
    concat,
    find,
    in_order,
    keys_of,
    order_of,
    pack,
    with_plain_guids,
)

GUID = "0a1b2c3d-4e5f-6a7b-8c9d-0e1f2a3b4c5d"

guids = st.uuids().map(str)
numbered = st.integers(0, 9).map(lambda number: f"00000000-0000-4000-8000-{number:012}")
almost_guids = st.builds(
    lambda guid, place, character: guid[:place] + character + guid[place + 1 :],
    guids,
    st.integers(0, 35),
    st.sampled_from("-0fFgG é{\x00"),
)
ids = st.lists(
    st.one_of(
        guids, numbered, guids.map(str.upper), almost_guids, st.text(max_size=40), st.just("")
    ),
    max_size=20,
)


def column(values: list[str]) -> pa.Array:
    return pa.array(values, pa.string())


@given(ids)
def test_every_id_comes_back_in_the_same_order(values: list[str]) -> None:
    packed = pack(column(values))

    assert list(packed.texts()) == [*map(plain_id, values)]
    assert packed.keys.dtype == KEY
    assert len(packed) == len(values)


@given(ids)
def test_two_keys_are_equal_exactly_when_the_ids_are(values: list[str]) -> None:
    keys = keys_of(column(values))

    assert (keys[:, None] == keys[None, :]).tolist() == [
        [plain_id(one) == plain_id(other) for other in values] for one in values
    ]


@given(ids, st.integers(0, 5), st.integers(0, 5))
def test_a_slice_and_chunks_pack_as_the_whole(values: list[str], start: int, length: int) -> None:
    whole = column(["before", GUID, *values, "after"])
    chunked = pa.chunked_array([whole.slice(0, start), whole.slice(start)])

    texts = [*map(plain_id, whole.to_pylist())]
    assert list(pack(whole.slice(start, length)).texts()) == texts[start : start + length]
    assert list(pack(chunked).texts()) == texts
    assert keys_of(chunked).tolist() == keys_of(whole).tolist()


SPELLINGS = [
    GUID,
    GUID.upper(),
    GUID.replace("-", ""),
    f"{{{GUID}}}",
    f"urn:uuid:{GUID.upper()}",
]
NO_GUIDS = [f" {GUID[1:]}", GUID.replace("-", "_"), GUID[:-1], f"{GUID}0", f"{GUID} "]


def test_a_guid_is_one_id_however_it_is_spelled() -> None:
    for text in SPELLINGS:
        assert keys_of(column([text])).tolist() == keys_of(column([GUID])).tolist()
        assert list(pack(column([text])).texts()) == [GUID]


def test_a_text_that_is_almost_a_guid_is_another_id() -> None:
    packed = pack(column([GUID, *NO_GUIDS]))

    assert len(set(packed.keys.tolist())) == 1 + len(NO_GUIDS)
    assert list(packed.texts()) == [GUID, *NO_GUIDS]
    assert len(packed.others) == len(NO_GUIDS)


@pytest.mark.parametrize(
    "guid", [str(UUID(int=0)), str(UUID(int=1)), str(UUID(int=256)), str(UUID(int=2**128 - 256))]
)
def test_a_guid_that_ends_in_zeros_keeps_them(guid: str) -> None:
    assert list(pack(column([guid])).texts()) == [guid]
    assert list(concat([pack(column([guid])), pack(column([]))]).texts()) == [guid]


@given(ids, ids)
def test_parts_put_together_keep_order_and_texts(first: list[str], second: list[str]) -> None:
    both = concat([pack(column(first)), pack(column(second))])

    assert list(both.texts()) == [*map(plain_id, first + second)]


@given(ids, ids)
def test_what_is_there_is_found_at_its_place(held: list[str], asked: list[str]) -> None:
    packed = pack(column(held))
    ordered = packed.take(np.argsort(packed.keys, kind="stable"))

    places, is_there = find(ordered.keys, keys_of(column(asked)))

    known = {plain_id(one) for one in held}
    assert is_there.tolist() == [plain_id(one) in known for one in asked]
    found = list(ordered.take(places[is_there]).texts())
    assert [*map(plain_id, found)] == [plain_id(one) for one in asked if plain_id(one) in known]


@given(ids)
def test_keys_are_distinct_when_no_id_comes_twice(values: list[str]) -> None:
    assert are_distinct(keys_of(column(values))) == (len(set(map(plain_id, values))) == len(values))


@given(ids)
def test_taking_by_mask_and_by_place_is_the_same(values: list[str]) -> None:
    packed = pack(column(values))
    mask = np.array([index % 2 == 0 for index in range(len(values))], np.bool_)

    texts = [*map(plain_id, values[::2])]
    assert list(packed.take(mask).texts()) == texts
    assert list(packed.take(np.flatnonzero(mask)).texts()) == texts


def test_no_ids_are_no_ids() -> None:
    nothing = concat([])

    assert (len(nothing), list(nothing.texts())) == (0, [])
    assert isinstance(nothing, Ids)
    assert find(nothing.keys, keys_of(column([GUID])))[1].tolist() == [False]


@given(ids)
def test_keys_sort_by_all_their_bytes_and_equal_ones_stay_in_their_order(values: list[str]) -> None:
    keys = keys_of(column(values))
    texts = [bytes(key).ljust(KEY.itemsize, b"\0") for key in keys.tolist()]
    by_bytes = sorted(range(len(keys)), key=texts.__getitem__)

    assert order_of(keys).tolist() == by_bytes
    assert in_order(values).tolist() == keys[by_bytes].tolist()


def test_guids_are_spelled_plainly_and_other_texts_stay_as_they_are() -> None:
    others = ["ORD-1", GUID[:-1], f"{GUID.upper()[:-1]}G", "", None]
    sent = [GUID.upper(), GUID.replace("-", ""), f"{{{GUID}}}", f"URN:UUID:{GUID}", GUID, *others]

    assert with_plain_guids(pa.array(sent)).to_pylist() == [*[GUID] * 5, *others]
    assert with_plain_guids(pa.array(others[-1:], pa.string())).to_pylist() == [None]


def test_guids_that_are_spelled_plainly_are_left_alone() -> None:
    sent = pa.array([GUID, None])

    assert with_plain_guids(sent) is sent
