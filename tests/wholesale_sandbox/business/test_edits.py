"""An edit changes what it says, keeps every total exact and every other literal as it came."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wholesale_sandbox.business import edits
from wholesale_sandbox.business.edits import NotApplicable

AT = datetime(2026, 8, 1, 12, 30, tzinfo=UTC)
NOW = "2026-08-01T12:30:00Z"

ORDER = (
    b'{"id":"o1","order_number":"007","status":"received","sub_total":20.250,"total":"22.50",'
    b'"payment_status":"unpaid","order_line_items":['
    b'{"sku":"a","quantity":3,"unit_price":"1.25","total_price":"3.75","discount_amount":0},'
    b'{"sku":"b","quantity":4,"unit_price":4.125,"total_price":16.500,"extra":1e3}],'
    b'"po_number":"0042","order_comments":[{"author":"A","n":1.0}],'
    b'"created_at":"2026-07-01T00:00:00Z","updated_at":"2026-07-02T00:00:00.5+00:00",'
    b'"vendor_name":"Saltbox","invoice_status":"not_invoiced","unknown":[1.50]}'
)


ODD = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=3)
    | st.sampled_from(
        (
            *("1e400", "-1e999999", "NaN", "1E-400", "9" * 80, "0.001", 0.1, 10**40, [], {}, [{}]),
            *("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "2026-07-02", "delivered"),
        )
    )
)
NAMES = (
    *("id", "order_number", "status", "sub_total", "total", "order_line_items", "order_comments"),
    *("vendor_name", "created_at", "updated_at", "unit_price", "title", "invoice_number"),
)
LINE = st.dictionaries(st.sampled_from(("quantity", "unit_price", "total_price")), ODD)
EDITS: dict[str, Callable[[bytes], bytes]] = {
    "move on": lambda body: edits.move_on(body, AT),
    "add a comment": lambda body: edits.add_comment(body, AT, 3),
    "change a quantity": lambda body: edits.change_quantity(body, AT, 1),
    "order again": lambda body: edits.order_again(body, AT, 1, id="new"),
    "cancel": lambda body: edits.cancel(body, AT),
    "replace": lambda body: edits.replace(body, AT, "vendor_name", "Terra"),
    "reprice": lambda body: edits.reprice(body, AT, 3),
    "retouch": lambda body: edits.retouch(body, AT, 3),
    "silently": lambda body: edits.silently(body, body),
    "backward": lambda body: edits.backward(body, body),
    "note": lambda body: edits.note(body, "note", 3),
    "touch": lambda body: edits.touch(body, AT),
    "copy": lambda body: edits.copy(body, AT, id="new"),
}


def changed(former: bytes, latter: bytes) -> dict[str, str | None]:
    """The literals of the fields that differ."""
    before, after = edits.read(former), edits.read(latter)
    literals = {}
    for name in before | after:
        was, now = (
            bytes(record[name]).decode() if name in record else None for record in (before, after)
        )
        if was != now:
            literals[name] = now
    return literals


def test_an_order_moves_from_received_to_delivered_and_no_further() -> None:
    confirmed = edits.move_on(ORDER, AT)
    shipped = edits.move_on(confirmed, AT)
    delivered = edits.move_on(shipped, AT)
    assert changed(ORDER, confirmed) == {"status": '"confirmed"', "updated_at": f'"{NOW}"'}
    assert changed(confirmed, shipped) == {
        "status": '"shipped"',
        "invoice_status": '"invoiced"',
        "invoice_number": '"INV-007"',
        "invoice_generated_at": f'"{NOW}"',
    }
    assert changed(shipped, delivered) == {
        "status": '"delivered"',
        "invoice_status": '"paid"',
        "payment_status": '"paid"',
    }
    with pytest.raises(NotApplicable):
        edits.move_on(delivered, AT)


def test_an_order_is_cancelled_as_long_as_it_has_not_been_shipped() -> None:
    confirmed = edits.move_on(ORDER, AT)
    cancelled = edits.cancel(confirmed, AT)
    assert changed(confirmed, cancelled) == {
        "status": '"cancelled"',
        "payment_status": '"voided"',
    }
    for body in (cancelled, edits.move_on(confirmed, AT)):
        with pytest.raises(NotApplicable):
            edits.cancel(body, AT)


def test_a_field_that_has_the_value_already_is_not_replaced() -> None:
    replaced = edits.replace(ORDER, AT, "vendor_name", "Terra")
    assert changed(ORDER, replaced) == {"vendor_name": '"Terra"', "updated_at": f'"{NOW}"'}
    with pytest.raises(NotApplicable):
        edits.replace(replaced, AT, "vendor_name", "Terra")


def test_a_comment_is_added_behind_the_others() -> None:
    commented = edits.add_comment(ORDER, AT, 1)
    assert changed(ORDER, commented) == {
        "order_comments": (
            '[{"author":"A","n":1.0},{"author":"Saltbox","body":"Quantity confirmed by phone.",'
            f'"created_at":"{NOW}"}}]'
        ),
        "updated_at": f'"{NOW}"',
    }


def test_an_odd_quantity_is_doubled_and_the_totals_follow() -> None:
    edited = edits.change_quantity(ORDER, AT, 0)
    assert changed(ORDER, edited) == {
        "sub_total": "24.000",
        "total": '"26.25"',
        "order_line_items": (
            '[{"sku":"a","quantity":6,"unit_price":"1.25","total_price":"7.50","discount_amount":0},'
            '{"sku":"b","quantity":4,"unit_price":4.125,"total_price":16.500,"extra":1e3}]'
        ),
        "updated_at": f'"{NOW}"',
    }


def test_an_even_quantity_may_be_halved() -> None:
    edited = edits.read(edits.change_quantity(ORDER, AT, 1))
    assert (bytes(edited["sub_total"]), bytes(edited["total"])) == (b"12.000", b'"14.250"')


def test_ordering_again_is_a_new_order_of_the_same_lines() -> None:
    again = edits.order_again(edits.move_on(ORDER, AT), AT, 0b10, id="o2", order_number="008")
    assert changed(ORDER, again) == {
        "id": '"o2"',
        "order_number": '"008"',
        "sub_total": "36.750",
        "total": '"39.000"',
        "order_line_items": (
            '[{"sku":"a","quantity":3,"unit_price":"1.25","total_price":"3.75","discount_amount":0},'
            '{"sku":"b","quantity":8,"unit_price":4.125,"total_price":33.000,"extra":1e3}]'
        ),
        "order_comments": "[]",
        "po_number": "null",
        "created_at": f'"{NOW}"',
        "updated_at": f'"{NOW}"',
    }


def test_a_price_keeps_its_type_of_json_value() -> None:
    assert edits.reprice(b'{"id":"p","unit_price":2.50}', AT, 20) == b'{"id":"p","unit_price":2.75}'
    assert edits.reprice(b'{"unit_price":"2.5"}', AT, 0) == b'{"unit_price":"2.25"}'
    with pytest.raises(NotApplicable):
        edits.reprice(b'{"unit_price":2.50}', AT, 10)


def test_amounts_beyond_the_precision_of_decimals_stay_exact() -> None:
    digits = "1234567890123456789012345678901234567890.12"
    order = msgspec.json.encode(edits.read(ORDER) | {"sub_total": msgspec.Raw(digits.encode())})
    edited = edits.read(edits.change_quantity(order, AT, 0))
    assert bytes(edited["sub_total"]) == b"1234567890123456789012345678901234567893.87"


def test_updated_at_never_goes_back() -> None:
    early = datetime(2026, 1, 1, tzinfo=UTC)
    edited = edits.read(edits.move_on(ORDER, early))
    assert bytes(edited["updated_at"]) == b'"2026-07-02T00:00:00.500000Z"'


def test_a_copy_is_of_now_and_gets_no_times_that_the_resource_has_not() -> None:
    assert edits.copy(b'{"id":"a","created_at":null,"n":1.0}', AT, id="b") == (
        f'{{"id":"b","created_at":"{NOW}","n":1.0}}'.encode()
    )


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b'{"id":7}',
        b"\xff",
        b'{"status":"received","order_line_items":[]}',
        b'{"status":"received","order_line_items":[{"quantity":1.5}]}',
        b'{"status":"received","order_line_items":[{"quantity":1,"total_price":"NaN"}]}',
        b'{"status":"received","order_line_items":[{"quantity":1,"total_price":{}}]}',
        b'{"status":"cancelled"}',
    ],
)
def test_a_record_that_is_not_as_expected_is_left_alone(body: bytes) -> None:
    for edit in (edits.change_quantity, edits.add_comment, edits.reprice):
        with pytest.raises(NotApplicable):
            edit(body, AT, 0)


@given(
    st.dictionaries(st.sampled_from(NAMES), ODD | st.lists(LINE, max_size=2)),
    st.sampled_from(list(EDITS)),
)
def test_a_record_of_any_values_is_edited_or_left_alone(odd: dict[str, Any], edit: str) -> None:
    body = msgspec.json.encode(edits.read(ORDER) | odd)
    try:
        edited = EDITS[edit](body)
    except NotApplicable:
        return

    assert len(edited) < len(body) + 1_000
    assert edits.read(edited).keys() >= {"id", "status"}
