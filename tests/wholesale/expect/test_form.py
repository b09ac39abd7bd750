"""A record that lacks what full records have is told from one that has little to say."""

from typing import Any

import pytest

from support.records.lists import decoded
from support.records.samples import guid
from wholesale.expect.form import (
    LEAST_RECORDS,
    LIST_OF_OBJECTS,
    Form,
    usual_columns,
)
from wholesale.expect.unlike import find_rows, unlike_columns
from wholesale.tables.decoded import Decoded
from wholesale.tables.shown import is_unreadable, misfit_columns, shown_columns

LINES = [{"sku": "A"}]
LINES_TABLE, COMMENTS_TABLE = "orders__order_line_items", "orders__order_comments"
FORM = Form(frozenset({"payment_status", "po_number"}), frozenset())
OMITTING = Form(FORM.columns, frozenset({COMMENTS_TABLE}))
"""The form of a service that leaves out the comments of an order that has none."""


def order(key: str, **fields: Any) -> dict[str, Any]:
    """An order in full; a field that is None is left out."""
    whole = {
        "id": key,
        "status": "received",
        "payment_status": "unpaid",
        "po_number": "P",
        "order_line_items": LINES,
        "order_comments": [],
    } | fields
    return {name: value for name, value in whole.items() if value is not None}


def orders(*records: dict[str, Any]) -> Decoded:
    return decoded("orders", records)


SUMMARY = {"id": "s", "status": "received", "total": "1"}
BARE = {"id": "b", "order_line_items": [], "order_comments": []}


def test_a_record_is_whole_with_all_its_lists_and_any_of_the_columns() -> None:
    found = orders(order("a"), order("b", po_number=None), SUMMARY, BARE)

    assert FORM.is_whole(found, are_all=True).tolist() == [True, True, False, False]


def test_no_record_is_whole_where_all_lack_a_column() -> None:
    page = [order(str(number), po_number=None) for number in range(LEAST_RECORDS)]

    assert FORM.missing(orders(*page), are_all=False) == ["po_number"]
    assert not FORM.is_whole(orders(*page), are_all=False).any()


@pytest.mark.parametrize(("are_all", "missing"), [(True, ["po_number"]), (False, [])])
def test_few_records_that_changed_may_lack_a_column_by_chance(
    are_all: bool, missing: list[str]
) -> None:
    page = [order(str(number), po_number=None) for number in range(LEAST_RECORDS - 1)]

    assert FORM.missing(orders(*page), are_all=are_all) == missing
    assert FORM.is_whole(orders(*page), are_all=are_all).all() == (not missing)


def test_no_records_lack_nothing() -> None:
    assert FORM.missing(orders(), are_all=True) == []
    assert FORM.is_whole(orders(), are_all=True).tolist() == []
    assert FORM.lacking_lists(orders()) == {}


def test_where_nothing_is_known_of_columns_a_record_is_whole_by_its_lists() -> None:
    form = Form(frozenset(), frozenset())

    assert form.is_whole(orders(BARE, SUMMARY), are_all=True).tolist() == [True, False]


@pytest.mark.parametrize("form", [FORM, OMITTING])
def test_columns_that_a_page_does_not_know_at_all_are_missing(form: Form) -> None:
    wider = Form(form.columns | {"weight"}, form.left_out)

    assert wider.missing(orders(order("a")), are_all=True) == ["weight"]


@pytest.mark.parametrize(
    ("form", "comments", "is_whole"),
    [
        (FORM, None, False),
        (FORM, [], True),
        (FORM, "none", False),
        (FORM, [None], False),
        (FORM, [{"body": "B"}, "none"], False),
        (OMITTING, [None], False),
        (OMITTING, None, True),
        (OMITTING, [], True),
        (OMITTING, [{"body": "B"}], True),
        (OMITTING, "none", False),
        (OMITTING, {"body": "B"}, False),
    ],
)
def test_a_list_may_be_left_out_where_the_service_does_so_but_not_sent_as_something_else(
    form: Form, comments: Any, is_whole: bool
) -> None:
    """Absence is not emptiness, and what cannot be read is neither."""
    found = orders(order("a", order_comments=comments), order("b"))

    assert form.is_whole(found, are_all=True).tolist() == [is_whole, True]
    lacking = {name: mask.tolist() for name, mask in form.lacking_lists(found).items()}
    name = f"{LIST_OF_OBJECTS} order_comments" if comments else "order_comments"
    assert lacking == ({} if is_whole else {name: [True, False]})


def test_the_other_list_must_be_there_all_the_same() -> None:
    found = orders(order("a", order_line_items=None, order_comments=None))

    assert OMITTING.is_whole(found, are_all=True).tolist() == [False]
    lacking = OMITTING.lacking_lists(found)
    assert {name: mask.tolist() for name, mask in lacking.items()} == {"order_line_items": [True]}


def test_something_else_in_the_place_of_a_list_is_told_from_nothing() -> None:
    found = orders(*(order(key, order_comments=held) for key, held in (("a", "x"), ("b", None))))

    assert is_unreadable(COMMENTS_TABLE, found).tolist() == [True, False]
    assert is_unreadable(LINES_TABLE, found).tolist() == [False, False]


def test_what_is_usual_is_what_almost_all_have() -> None:
    records = [order(str(n), po_number="P" if n < 5 else None) for n in range(10)]
    records[0]["status"] = None

    assert usual_columns(orders(*records).root) == {"status", "payment_status"}
    assert usual_columns(orders().root) == frozenset()


def test_a_column_is_shown_by_one_value_or_by_one_misfit() -> None:
    rows = orders(
        {"id": "a", "total": "1"},
        {"id": "b", "updated_at": "soon", "subTotal": "x", "mood": "good"},
    ).root

    assert misfit_columns(rows) == {"updated_at", "sub_total"}
    assert shown_columns(rows) == {"id", "total", "updated_at", "sub_total", "mood"}
    assert shown_columns(orders().root) == frozenset()


FIRST, SECOND = {"updated_at": "2024-01-01T00:00:00Z"}, {"updated_at": "2024-01-02T00:00:00Z"}


@pytest.mark.parametrize(
    ("short", "full", "unlike"),
    [
        ({"status": "a", "total": 1}, {"status": "a", "total": "1.00"}, []),
        ({"status": "a", "total": 1}, {"status": "b", "total": 2}, ["status", "total"]),
        ({"status": "a ", "total": 1}, {"status": "a", "total": 1}, ["status"]),
        ({"status": "A"}, {"status": "a"}, ["status"]),
        ({"status": "a"}, {}, ["status"]),
        ({}, {"status": "a"}, ["status"]),
        ({"status": None}, {}, []),
        ({"total": "one"}, {"total": "1"}, ["total"]),
        ({"vendor_id": guid("v")}, {"vendor_id": guid("v").upper()}, []),
        ({"vendor_id": guid("v")}, {"vendor_id": guid("w")}, ["vendor_id"]),
        (SECOND | {"status": "a"}, {"status": "b"}, []),
    ],
)
def test_rows_of_the_list_are_held_against_their_full_records_of_the_same_version(
    short: dict[str, Any], full: dict[str, Any], unlike: list[str]
) -> None:
    listed = orders({"id": "gone", "status": "x"}, {"id": "a"} | FIRST | short).root
    whole = orders({"id": "a"} | FIRST | full, {"id": "new", "status": "y"}).root

    columns = ["status", "total", "vendor_id", "of no table"]
    assert unlike_columns(listed, whole, columns) == unlike


def test_a_row_without_a_version_is_of_the_version_of_its_record() -> None:
    listed, whole = orders({"id": "a", "status": "a"}).root, orders({"id": "a"} | FIRST).root
    other = orders({"id": "a", "status": "b"} | FIRST).root

    assert unlike_columns(listed, other, ["status"]) == ["status"]
    assert unlike_columns(listed, whole, ["vendor_name"]) == []


def test_rows_are_found_by_their_ids_however_these_are_spelled() -> None:
    among = orders({"id": "a"}, {"id": guid("b")}).root
    rows = orders({"id": guid("b").upper()}, {"id": "c"}, {"id": "a"}).root

    assert find_rows(rows, among).to_pylist() == [1, None, 0]
    assert find_rows(rows, orders().root).to_pylist() == [None] * 3
    assert find_rows(orders().root, among).to_pylist() == []
