"""A field that no record or few can be read in is told from single values that are odd."""

from typing import Any

import pytest

from support.records.lists import decoded
from wholesale.expect.readable import LEAST_UNREAD, Readable

ODD = "12,50 EUR"


def seen(*totals: Any) -> Readable:
    """What is known after orders with these totals, on a page each."""
    readable = Readable()
    for number, total in enumerate(totals):
        readable.see(decoded("orders", [{"id": f"{number}", "total": total}]))
    return readable


@pytest.mark.parametrize(
    ("totals", "is_unreadable"),
    [
        ([ODD] * LEAST_UNREAD, True),
        ([ODD] * (LEAST_UNREAD - 1), False),
        ([ODD] * 10 + [1], True),
        ([ODD] * 10 + [1, 2], False),
        ([1, 2] + [ODD] * 10, False),
        ([ODD] * 10 + [None] * 20, True),
        ([""] * 10, False),
        (["1.0000000001"] * 10, False),
        ([], False),
    ],
)
def test_a_field_is_unreadable_that_hardly_any_of_its_values_fits(
    totals: list[Any], is_unreadable: bool
) -> None:
    expected = {"orders.total"} if is_unreadable else set()

    assert seen(*totals).unreadable(()) == expected


def test_fields_of_entries_count_by_themselves() -> None:
    lines = [{"quantity": "2 pcs", "sku": "A"}] * LEAST_UNREAD
    readable = Readable()

    readable.see(decoded("orders", [{"id": "a", "order_line_items": lines}]))

    assert readable.unreadable(()) == {"orders__order_line_items.quantity"}


def test_a_field_that_is_not_documented_has_the_type_of_its_values() -> None:
    readable = Readable()
    records = [{"id": f"{n}", "mood_at": "2026-01-01" if n else "soon"} for n in range(2)]

    readable.see(decoded("orders", records))

    assert readable.unreadable(()) == frozenset()


@pytest.mark.parametrize(("totals", "is_left"), [([], True), ([None], True), ([1], False)])
def test_it_stays_so_until_a_record_is_read_better(totals: list[Any], is_left: bool) -> None:
    known = {"orders.total"}

    assert seen(*totals).unreadable(known) == (known if is_left else set())
