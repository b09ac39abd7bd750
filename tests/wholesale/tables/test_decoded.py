"""Tables of a resource are filtered and joined together, so that no child loses its parent."""

import json
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pytest

from wholesale.api.resources import RESOURCE
from wholesale.json.page import RawPage
from wholesale.names import DELETED_AT
from wholesale.tables.careful import decode_carefully
from wholesale.tables.decoded import Decoded, empty, join, one_chunk
from wholesale.tables.fast import decode_fast
from wholesale.tables.lines import Lines
from wholesale.tables.shapes import shape_of

SHAPE = shape_of(RESOURCE["orders"])
LINES = "orders__order_line_items"


def page(**lines: list[str]) -> RawPage:
    records = [
        {"id": id_, "order_line_items": [{"sku": sku} for sku in skus]}
        for id_, skus in lines.items()
    ]
    return RawPage(json.dumps(records).encode())


def lines_of(decoded: Decoded) -> list[tuple[Any, ...]]:
    ids = decoded.root["id"].to_pylist()
    owners = decoded.owners[LINES].to_pylist()
    rows = decoded.tables[LINES].to_pylist()
    return sorted(
        (ids[owner], row["order_id"], row["line_number"], row["sku"])
        for owner, row in zip(owners, rows, strict=True)
    )


def test_keep_takes_children_with_their_parents() -> None:
    for decode in (lambda p, s: decode_fast(Lines.of([p]), s), decode_carefully):
        decoded = decode(page(a=["1", "2"], b=[], c=["3"], d=["4"]), SHAPE)

        kept = decoded.keep(pa.array([False, True, True, False]))

        assert kept.root["id"].to_pylist() == ["b", "c"]
        assert lines_of(kept) == [("c", "c", 1, "3")]
        assert kept.records == 2


def test_some_records_are_marked_as_deleted() -> None:
    decoded = decode_carefully(page(a=["1"], b=[]), SHAPE)
    at = datetime(2026, 1, 1, tzinfo=UTC)

    marked = decoded.marked(pa.array([True, False]), at)

    assert marked.root[DELETED_AT].to_pylist() == [at, None]
    assert marked.root.schema == decoded.root.schema
    assert lines_of(marked) == lines_of(decoded)


def test_keep_of_everything_changes_nothing() -> None:
    decoded = decode_fast(Lines.of([page(a=["1"], b=[])]), SHAPE)

    assert decoded.keep(pa.array([True, True])) is decoded


def test_keep_of_nothing_is_empty() -> None:
    kept = decode_fast(Lines.of([page(a=["1"])]), SHAPE).keep(pa.array([False]))

    assert (len(kept.root), lines_of(kept)) == (0, [])


def test_join_moves_owners_to_their_new_rows() -> None:
    parts = [
        decode_fast(Lines.of([page(a=["1"], b=["2", "3"])]), SHAPE),
        empty(SHAPE),
        decode_carefully(page(c=["4"], d=[]), SHAPE),
    ]

    assert lines_of(join(parts, SHAPE)) == [
        ("a", "a", 1, "1"),
        ("b", "b", 1, "2"),
        ("b", "b", 2, "3"),
        ("c", "c", 1, "4"),
    ]


def test_join_gives_every_part_the_columns_of_the_grown_shape() -> None:
    first = decode_fast(Lines.of([page(a=["1"])]), SHAPE)
    second = decode_carefully(
        RawPage(b'[{"id":"b","colour":"red","order_comments":[{"body":"hi"}]}]'), SHAPE
    )

    joined = join([first, second], second.shape)

    assert joined.root["colour"].to_pylist() == [None, "red"]
    assert joined.tables["orders__order_comments"]["body"].to_pylist() == ["hi"]
    assert joined.careful_pages == 1


def test_join_keeps_the_account_of_all_parts() -> None:
    odd = [decode_carefully(RawPage(b'[{"id":"a","total":"x"},{}]', n), SHAPE) for n in (1, 2)]

    joined = join(odd, SHAPE)

    assert (joined.records, joined.careful_pages, len(joined.misfits)) == (4, 2, 2)
    assert [(record.page, record.index) for record in joined.quarantined] == [(1, 1), (2, 1)]


def test_empty_has_all_tables_and_no_row() -> None:
    nothing = empty(SHAPE)

    assert {name: len(table) for name, table in nothing.tables.items()} == {
        "orders": 0,
        LINES: 0,
        "orders__order_comments": 0,
    }
    assert nothing.records == 0


@pytest.mark.parametrize(
    "column",
    [
        pa.array([1, 2]),
        pa.chunked_array([[1, 2]]),
        pa.chunked_array([[1], [], [2]]),
    ],
    ids=["array", "one chunk", "three chunks"],
)
def test_a_column_in_any_pieces_becomes_one_array(column: pa.Array | pa.ChunkedArray) -> None:
    assert one_chunk(column).equals(pa.array([1, 2]))


def test_a_column_without_any_piece_becomes_an_empty_array_of_its_type() -> None:
    assert one_chunk(pa.chunked_array([], pa.string())).equals(pa.array([], pa.string()))
