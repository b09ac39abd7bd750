"""A record in a poorer form than its resource has is told from one that has little to say."""

from typing import Any

import pytest

from support.records.lists import decoded, stored
from wholesale.api.resources import ORDER_SUMMARY
from wholesale.compare.forms import (
    LEAST_OMISSIONS,
    LEAST_RECORDS,
    MOST_LOST,
    Form,
    is_usual_list,
    usual_columns,
)
from wholesale.compare.stored import NOTHING, Stored
from wholesale.tables.decoded import Decoded

LINES = [{"sku": "A"}]

LINES_TABLE, COMMENTS_TABLE = "orders__order_line_items", "orders__order_comments"


def order(key: str, **fields: Any) -> dict[str, Any]:
    """An order in full; a field that is None is left out."""
    whole = {
        "id": key,
        "status": "received",
        "payment_status": "unpaid",
        "order_line_items": LINES,
        "order_comments": [],
    } | fields
    return {name: value for name, value in whole.items() if value is not None}


def orders(*records: dict[str, Any]) -> Decoded:
    return decoded("orders", records)


def form_of(before: Stored = NOTHING, *samples: dict[str, Any]) -> Form:
    form = Form(before, ORDER_SUMMARY)
    form.learn(orders(*samples))
    return form


SUMMARY = {"id": "s", "status": "received", "total": "1"}
TOMBSTONE = {"id": "t", "deleted": True}


@pytest.mark.parametrize(
    ("before", "samples"),
    [
        (NOTHING, [order("a"), order("b")]),
        (stored("orders", [order("a"), order("b")]), []),
    ],
    ids=["by this run", "by what is stored"],
)
def test_a_summary_and_a_tombstone_are_no_records_in_full(
    before: Stored, samples: list[dict[str, Any]]
) -> None:
    form = form_of(before, *samples)

    assert form.is_whole(orders(order("a"), SUMMARY, TOMBSTONE)).tolist() == [True, False, False]


@pytest.mark.parametrize(("count", "is_whole"), [(1, True), (LEAST_RECORDS, False)])
@pytest.mark.parametrize("are_stored", [True, False])
def test_what_a_few_records_have_is_not_usual_for_one_that_has_its_lists(
    count: int, is_whole: bool, are_stored: bool
) -> None:
    odd = [order(str(number), po_number="A", order_comments=None) for number in range(count)]
    form = form_of(stored("orders", odd)) if are_stored else form_of(NOTHING, *odd)
    plain: dict[str, Any] = SUMMARY | {"order_line_items": []}

    assert form.is_whole(orders(plain, SUMMARY, TOMBSTONE)).tolist() == [is_whole, False, False]


def test_a_tombstone_is_hollow_and_a_summary_is_not() -> None:
    form = form_of(stored("orders", [order("a"), order("b")]))
    times = {"created_at": "2024-01-01T00:00:00Z", "updated_at": "2024-01-02T00:00:00Z"}
    lines_alone = {"id": "l", "order_line_items": [{"sku": "s"}]}

    found = orders(order("a"), SUMMARY, TOMBSTONE, TOMBSTONE | times, lines_alone)

    assert form.is_hollow(found).tolist() == [False, False, True, True, False]


def test_a_field_that_only_stored_records_have_says_nothing_against_a_tombstone() -> None:
    form = form_of(stored("orders", [order("a") | {"rank": "first"}]))

    assert form.is_hollow(orders(order("b"), TOMBSTONE)).tolist() == [False, True]


def test_nothing_is_hollow_where_it_is_not_known_what_records_have() -> None:
    assert form_of(NOTHING).is_hollow(orders({"id": "a"})).tolist() == [False]


def test_what_is_usual_is_what_almost_all_have() -> None:
    records = [order(str(n), po_number="P" if n < 5 else None) for n in range(10)]

    assert usual_columns(orders(*records).root) == {"status", "payment_status"}
    assert usual_columns(orders().root) == frozenset()


def test_any_of_what_is_usual_makes_a_record_whole() -> None:
    form = form_of(NOTHING, order("a", po_number="P"), order("b", po_number="P"))

    assert form.is_whole(orders(order("c", payment_status=None, po_number="P"))).tolist() == [True]


def test_where_nothing_is_known_every_record_is_whole() -> None:
    assert form_of().is_whole(orders(SUMMARY)).tolist() == [True]


def test_the_sample_that_has_the_most_tells_what_is_usual() -> None:
    form = form_of(NOTHING, SUMMARY)
    form.learn(orders(order("a")))
    form.learn(orders(SUMMARY))

    assert form.is_whole(orders(SUMMARY)).tolist() == [False]


@pytest.mark.parametrize("absent", [{"order_line_items": None}, {"order_line_items": "x"}])
def test_a_list_that_others_have_must_be_there(absent: dict[str, Any]) -> None:
    form = form_of(NOTHING, order("a"))

    batch = orders(order("b") | absent, order("c", order_line_items=[]), order("d"))

    assert form.is_whole(batch).tolist() == [False, True, True]


def test_a_list_that_nobody_has_is_not_asked_for() -> None:
    form = form_of(NOTHING, order("a", order_comments=None))

    assert form.is_whole(orders(order("b", order_comments=None))).tolist() == [True]


def omitting(count: int, **more: Any) -> list[dict[str, Any]]:
    return [order(str(n), order_comments=None, **more) for n in range(count)]


def test_a_service_that_leaves_empty_lists_out_is_understood() -> None:
    said = order("a", order_comments=[{"text": "hello"}])
    form = form_of(stored("orders", [said]), said, *omitting(LEAST_OMISSIONS))
    page = orders(said, *omitting(LEAST_OMISSIONS))

    assert len(form.lacking(page)[COMMENTS_TABLE]) == LEAST_OMISSIONS
    assert form.lacks_always(COMMENTS_TABLE, orders(*omitting(LEAST_OMISSIONS)))
    assert form.may_omit(COMMENTS_TABLE, LEAST_OMISSIONS, of=100)
    form.omit(COMMENTS_TABLE)

    assert [len(keys) for keys in form.lacking(page).values()] == [0]
    assert form.is_whole(orders(order("a", order_comments=None))).tolist() == [True]


@pytest.mark.parametrize(
    ("owners", "records", "is_usual"),
    [(100, 100, True), (90, 100, True), (89, 100, False), (9, 9, False), (0, 0, False)],
)
def test_a_list_is_usual_where_almost_all_of_enough_records_have_it(
    owners: int, records: int, is_usual: bool
) -> None:
    assert is_usual_list(owners, records) is is_usual


def test_a_list_that_almost_all_that_is_stored_has_is_not_left_out_but_lost() -> None:
    before = stored("orders", [order("a")], usual_lists=[LINES_TABLE])
    form = form_of(before)

    assert not form.may_omit(LINES_TABLE, LEAST_OMISSIONS, of=LEAST_OMISSIONS)
    assert form.may_omit(COMMENTS_TABLE, LEAST_OMISSIONS, of=LEAST_OMISSIONS)


def test_few_records_show_that_a_list_is_left_out_if_there_are_few() -> None:
    form = form_of(NOTHING)

    assert form.may_omit(COMMENTS_TABLE, 1, of=MOST_LOST)
    assert not form.may_omit(COMMENTS_TABLE, 1, of=MOST_LOST + 1)
    assert not form.may_omit(COMMENTS_TABLE, LEAST_OMISSIONS - 1, of=100)


@pytest.mark.parametrize(
    "alone",
    [
        [],
        [*omitting(LEAST_OMISSIONS), order("x", order_comments=[{"text": "here"}])],
        [*omitting(LEAST_OMISSIONS), order("x")],
    ],
    ids=["none", "one has it alone", "one has it empty"],
)
def test_a_list_is_not_taken_for_left_out_on_weaker_evidence(alone: list[dict[str, Any]]) -> None:
    said = order("a", order_comments=[{"text": "hello"}])
    form = form_of(NOTHING, said)

    assert not form.lacks_always(COMMENTS_TABLE, orders(*alone))
    assert form.is_whole(orders(order("b", order_comments=None))).tolist() == [False]
