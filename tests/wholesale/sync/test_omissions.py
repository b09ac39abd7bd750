"""A list within a record may be left out where it is empty; else its absence means no emptiness."""

from collections.abc import Mapping, Sequence
from typing import Any

import httpx
import pytest

from support.records.lists import (
    Lists,
    Record,
    changed,
    ids,
    numbered,
    on,
    orders,
    paged,
    read,
    stored,
)

LINES = [{"sku": "A"}, {"sku": "B"}]


def test_a_service_that_leaves_out_both_lists_where_they_are_empty_is_understood() -> None:
    """No order lacks both, and so none shows that each is left out by itself."""
    lists = [{"order_line_items": LINES}, {"order_comments": [{"body": "?"}]}]
    now = [order | lists[n % 2] for n, order in enumerate(orders(40))]
    reader = Lists({"/orders": now}).reader("orders", page_size=100)

    assert len(ids(read(reader))) == 40
    assert reader.report.doubts() == []


@pytest.mark.parametrize(("lacking", "of", "loaded"), [(4, 12, 12), (3, 12, 9), (12, 40, 28)])
def test_a_list_without_summaries_may_leave_out_what_is_empty_in_a_third_of_its_records(
    lacking: int, of: int, loaded: int
) -> None:
    items = [
        item | ({} if number < lacking else {"options": [{"name": "Size"}]})
        for number, item in enumerate(numbered(of, title="A"))
    ]
    reader = Lists({"/items": items}).reader("items")

    assert len(ids(read(reader))) == loaded
    assert (reader.report.doubts() == []) == (loaded == of)


def with_lists(records: Sequence[Record], **lists: Any) -> list[Record]:
    """The same records, of which two in three have entries in these lists."""
    return [record | (lists if number % 3 else {}) for number, record in enumerate(records)]


@pytest.mark.parametrize("is_sent", [True, False])
def test_a_list_that_is_no_longer_sent_empties_none_that_is_stored(is_sent: bool) -> None:
    now = changed(orders(40), 20, updated_at=on(2), status="shipped")
    service = Lists({"/orders": with_lists(now, order_line_items=LINES) if is_sent else now})
    before = stored("orders", with_lists(orders(40), order_line_items=LINES))
    reader = service.reader("orders", before, page_size=100)

    assert len(ids(read(reader))) == (20 if is_sent else 0)
    assert (reader.report.refused, reader.report.doubts() == []) == (0 if is_sent else 20, is_sent)


@pytest.mark.parametrize("is_sent", [True, False])
def test_a_list_that_is_no_longer_sent_is_missed_without_summaries_too(is_sent: bool) -> None:
    items = numbered(30, title="A")
    options = {"options": [{"name": "Size", "values": ["S"]}]}
    now = with_lists(items, **options) if is_sent else items
    reader = Lists({"/items": now}).reader("items", stored("items", with_lists(items, **options)))

    read(reader)
    assert (reader.report.refused, reader.report.doubts() == []) == (0 if is_sent else 30, is_sent)


def test_the_few_orders_of_a_small_account_may_come_without_empty_lists() -> None:
    now = orders(3)
    now[0] |= {"order_line_items": LINES}
    reader = Lists({"/orders": now}).reader("orders")

    assert len(ids(read(reader))) == 3
    assert reader.report.doubts() == []


class WithoutComments(Lists):
    """Pages show all lines of an order, and of its comments the last `shown` ones."""

    shown = 0

    def slice(self, path: str, number: int, query: Mapping[str, str]) -> httpx.Response:
        if query["verbose"] == "false":
            return super().slice(path, number, query)
        records = [
            order | {"order_comments": order["order_comments"][::-1][: self.shown]}
            for order in self.lists[path]
        ]
        return paged(records, number, int(query["limit"]))


@pytest.mark.parametrize("shown", [0, 1])
@pytest.mark.parametrize("is_first", [True, False])
def test_comments_that_pages_lack_are_asked_for_though_they_have_all_lines(
    shown: int, is_first: bool
) -> None:
    long, short = {"order_line_items": LINES * 3, "order_comments": []}, [{"body": "?"}] * 2
    before = [
        order | (long if n % 2 else {"order_line_items": LINES, "order_comments": short})
        for n, order in enumerate(orders(25))
    ]
    now = changed(before, 25, status="shipped")
    service = WithoutComments({"/orders": now})
    service.shown = shown
    reader = service.reader("orders", None if is_first else stored("orders", before))

    comments = sum(len(batch.decoded.owners["orders__order_comments"]) for batch in read(reader))

    assert comments == sum(len(order["order_comments"]) for order in now)
    assert reader.report.doubts() == []
