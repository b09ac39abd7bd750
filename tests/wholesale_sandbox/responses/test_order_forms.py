"""The forms of an order are cut from its full record, literal by literal."""

import pytest

from wholesale_sandbox.responses.order_forms import order_form

RECORD = (
    b'{"invoice_number":"I-1","total": "40.00", "sub_total":40.50,"id":"o","vendor_name":"V",'
    b'"order_line_items":[{"unit_price": 6.750}],"unheard_of":1}'
)


def test_a_summary_has_the_fields_of_the_summary() -> None:
    assert order_form(RECORD, "summary") == (
        b'{"id":"o","sub_total":40.50,"total":"40.00","vendor_name":"V"}'
    )


def test_a_basic_order_has_its_lines_but_no_parties() -> None:
    assert order_form(RECORD, "basic") == (
        b'{"id":"o","sub_total":40.50,"total":"40.00","order_line_items":[{"unit_price": 6.750}]}'
    )


def test_a_verbose_order_is_the_record_itself() -> None:
    assert order_form(RECORD, "verbose") is RECORD


@pytest.mark.parametrize("body", [b"null", b"[1]", b'{"id":', b"\xff"])
def test_a_record_that_is_no_order_is_served_as_it_is(body: bytes) -> None:
    assert order_form(body, "summary") == body
