"""The fast decoder reads a page as the careful one does, or not at all."""

from collections import Counter

import pytest
from hypothesis import given

from support.services.drawn_pages import (
    as_object,
    carefully,
    few_and_many,
    held_to,
    quoted,
    rows_of,
    shaped_pages,
)
from wholesale.api.resources import RESOURCE
from wholesale.json.page import RawPage
from wholesale.tables.careful import decode_carefully
from wholesale.tables.decoder import decode
from wholesale.tables.fast import NotFast, decode_fast
from wholesale.tables.lines import Lines
from wholesale.tables.shapes import TableShape, shape_of


@few_and_many
def test_both_decoders_give_the_same_tables(examples: int) -> None:
    read: Counter[str] = Counter()

    @held_to(examples)
    @given(shaped_pages)
    def hold(given_: tuple[TableShape, list[RawPage]]) -> None:
        shape, pages = given_
        careful = carefully(pages, shape)
        for known in (shape, careful.shape):
            try:
                fast = decode_fast(Lines.of(pages), known)
            except NotFast:
                read["carefully"] += 1
                continue
            read["fast"] += 1
            careful = carefully(pages, known)
            assert rows_of(fast) == rows_of(careful)
            assert (fast.shape, fast.records) == (careful.shape, careful.records)
            assert fast.local_times == careful.local_times
            assert (careful.quarantined, careful.misfits) == ((), ())
            schemas = {name: table.schema for name, table in careful.tables.items()}
            assert {name: table.schema for name, table in fast.tables.items()} == schemas

    hold()
    assert read["fast"] > examples / 5, "the property holds nothing if the fast one never reads"
    assert read["carefully"] > examples / 5, "nor if it reads everything"


@pytest.mark.parametrize(
    ("resource", "record"),
    [
        ("orders", {"total": number})
        for number in (
            *("0", "-0.0", "12.5", '"12.50"', "1e3", "1e28", "1e29", "-1e29", "3.4e29", '"1e29"'),
            *("9" * 29 + "." + "9" * 9, "9" * 29 + ".9999999990", "9" * 30, "0.0000000001"),
            *("1e400", '" 1"', '"1_0"', '"NaN"', '"+.5"', '""', "true", "[]", "null"),
        )
    ]
    + [
        ("orders", {"created_at": f'"{day}T{time}{offset}"'})
        for day in ("0001-01-01", "2024-02-29", "2023-02-29", "9999-12-31", "0000-01-01")
        for time in ("00:00:00", "23:59:59.999999", "23:59:60", "24:00:00", "12:00")
        for offset in ("", "Z", "z", "+01:00", "-01:00", "+2359", "-14", "+24:00", "+05:60")
    ]
    + [
        ("items", {"moq": number})
        for number in (
            "3",
            "-0",
            "3.0",
            '"3"',
            '"3.00"',
            "9223372036854775807",
            "9223372036854775808",
        )
    ]
    + [
        ("items", {"options": f'[{{"name": null, "values": {texts}}}, {rest}{{}}]'})
        for rest in ("", "null, ")
        for texts in (
            *("[]", "null", '["a","b"]', '["a",null]', "[null]", "[1]", '"a"', '[["a"]]'),
            *('["\\u0000"]', '["\\u001f"]', '["\\u007f"]', '["\\"\\\\/"]', '["\\ud83d\\ude00"]'),
        )
    ]
    + [
        ("orders", {"order_line_items": lines, "order_comments": "[null]"})
        for lines in ("null", "[]", "[null]", '[{"sku":"a"},null,{"quantity":2}]', '"a"', "{}")
    ]
    + [
        ("orders", {"order_line_items": f'[{{"order_id": {order}}}, {{"sku": "a"}}]'})
        for order in ('"x"', '"y"', "null", "1", "[]")
    ]
    + [
        ("vendors", {field: value})
        for field in ("id", "name", "shipping_scheme")
        for value in ('"a"', '"a b"', '"\\u0000"', '"\\udc00"', "1", "1.50", "true", "{}", "null")
    ],
    ids=str,
)
def test_both_decoders_agree_on_each_odd_value_alone(resource: str, record: dict[str, str]) -> None:
    shape = shape_of(RESOURCE[resource])
    page = RawPage(f"[{as_object({'id': quoted('x')} | record)}]".encode())
    careful = decode_carefully(page, shape)

    try:
        fast = decode_fast(Lines.of([page]), careful.shape)
    except NotFast:
        return
    assert rows_of(fast) == rows_of(decode_carefully(page, careful.shape))


@pytest.mark.parametrize(
    ("zone", "sent", "stored"),
    [
        ("UTC", "2026-07-01T12:00:00", "2026-07-01T12:00:00+00:00"),
        ("Europe/Vienna", "2026-07-01T12:00:00", "2026-07-01T10:00:00+00:00"),
        ("Europe/Vienna", "2026-01-01T12:00:00", "2026-01-01T11:00:00+00:00"),
        ("Europe/Vienna", "2026-01-01", "2025-12-31T23:00:00+00:00"),
        ("Europe/Vienna", "2026-07-01T12:00:00Z", "2026-07-01T12:00:00+00:00"),
        ("Europe/Vienna", "2026-07-01T12:00:00-01:00", "2026-07-01T13:00:00+00:00"),
        ("Europe/Vienna", "2026-10-25T02:30:00", "2026-10-25T00:30:00+00:00"),
        ("Europe/Vienna", "2026-03-29T02:30:00", "2026-03-29T01:30:00+00:00"),
        ("Asia/Tokyo", "0001-01-01T00:00:00", None),
    ],
)
def test_a_time_without_an_offset_is_in_the_zone_that_was_set(
    zone: str, sent: str, stored: str | None
) -> None:
    shape = shape_of(RESOURCE["orders"]).in_zone(zone)
    other = '{"id": "y", "created_at": "2026-01-01T00:00:00Z", "updated_at": null}'
    comments = f'[{{"created_at": "{sent}"}}]'
    order = f'{{"id": "x", "created_at": "{sent}", "order_comments": {comments}}}'
    page = RawPage(f"[{order}, {other}]".encode())
    is_local = not sent.endswith(("Z", "-01:00"))
    columns = {"orders.created_at", "orders__order_comments.created_at"}

    for decoded in (decode([page], shape), decode_carefully(page, shape)):
        times = decoded.root["created_at"].to_pylist()
        times += decoded.tables["orders__order_comments"]["created_at"].to_pylist()
        moments = [at and at.isoformat() for at in times]
        assert moments == [stored, "2026-01-01T00:00:00+00:00", stored]
        assert decoded.local_times == (columns if is_local else set())


def test_times_without_an_offset_are_read_fast_too() -> None:
    shape = shape_of(RESOURCE["orders"]).in_zone("Europe/Vienna")
    order = {"id": quoted("x"), "created_at": quoted("2026-07-01T12:00:00")}

    assert decode([RawPage(f"[{as_object(order)}]".encode())], shape).careful_pages == 0


@pytest.mark.parametrize("place", [0, 1])
def test_fields_come_in_any_order_and_another_one_in_each_record(place: int) -> None:
    shape = shape_of(RESOURCE["orders"])
    lines = '[{"sku": "s", "quantity": 1}, {"quantity": 2, "title": "t"}]'
    members = [("id", '"x"'), ("total", "12.5"), ("status", '"new"'), ("order_line_items", lines)]
    orders = [as_object(dict(members)), as_object(dict(reversed(members)))]
    pages = [RawPage(f"[{order}]".encode()) for order in (orders[place], *orders)]

    assert rows_of(decode_fast(Lines.of(pages), shape)) == rows_of(carefully(pages, shape))


def test_a_line_that_repeats_the_id_of_its_order_has_nothing_to_keep_beside_its_columns() -> None:
    shape = shape_of(RESOURCE["orders"])
    alike = '[{"order_id": "x", "sku": "a"}]'
    other = '[{"order_id": "x", "sku": "a"}, {"order_id": "y", "sku": "b"}]'
    pages = [
        RawPage(f'[{{"id": "x", "order_line_items": {lines}}}]'.encode())
        for lines in (alike, other)
    ]

    fast, careful = decode_fast(Lines.of(pages[:1]), shape), decode_carefully(pages[1], shape)

    kept = [d.tables["orders__order_line_items"]["_extra"].to_pylist() for d in (fast, careful)]
    assert kept == [[None], [None, '{"order_id":"y"}']]


@pytest.mark.parametrize("records", ['[{"id": "x", "name": "' + "n" * 2**15 + '"}]', "[]", " [ ] "])
def test_a_page_whose_first_record_is_long_or_missing_is_read_too(records: str) -> None:
    shape = shape_of(RESOURCE["vendors"])
    pages = [RawPage(records.encode()), RawPage(b'[{"name": "b", "id": "y"}]')]

    assert rows_of(decode_fast(Lines.of(pages), shape)) == rows_of(carefully(pages, shape))
