"""Field docs are the texts below the fields of a record, as far as its source is at hand."""

import inspect

import pytest

from wholesale.api import records
from wholesale.api.field_docs import field_docs


def test_a_text_is_found_by_the_field_that_it_stands_below() -> None:
    docs = field_docs()

    assert docs["OrderLineItem", "categoy_name"] == "sic: the service spells it so."
    assert ("OrderLineItem", "vendor_name") not in docs
    assert [
        (record, field)
        for record, field in docs
        if field not in getattr(records, record).model_fields
    ] == []


def test_no_field_has_a_text_where_the_source_is_not_at_hand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(module: object) -> str:
        raise OSError("could not get source code")

    monkeypatch.setattr(inspect, "getsource", fail)

    assert field_docs.__wrapped__() == {}
