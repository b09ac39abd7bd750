"""A list within a record may be left out where it is empty; else its absence means no emptiness."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import httpx
import pyarrow as pa
import pytest

from support.records.lists import (
    Lists,
    Record,
    changed,
    decoded,
    ids,
    numbered,
    on,
    orders,
    paged,
    read,
    rows,
    stored,
)
from wholesale.api.records import Price
from wholesale.compare.stored import IS_DELETED, Stored

LINES = [{"sku": "A"}, {"sku": "B"}]


def test_a_service_that_leaves_out_both_lists_where_they_are_empty_is_understood() -> None:
    """No order lacks both, and so none shows that each is left out by itself."""
    lists = [{"order_line_items": LINES}, {"order_comments": [{"body": "?"}]}]
    now = [order | lists[n % 2] for n, order in enumerate(orders(40))]
    reader = Lists({"/orders": now}).reader("orders", page_size=100)

    assert len(ids(read(reader))) == 40
    assert reader.report.doubts() == []


SIZES = {"options": [{"name": "Size", "values": ["S"]}]}


@pytest.mark.parametrize("lacking", [1, 12, 39])
def test_a_list_without_summaries_may_leave_out_what_is_empty(lacking: int) -> None:
    """It is read whole in each run, so that a mistake would not last."""
    items = [
        item | ({"options": None} if number < lacking else SIZES)
        for number, item in enumerate(numbered(40, title="A"))
    ]
    service = Lists({"/items": items})
    reader = service.reader("items")

    assert len(ids(read(reader))) == 40
    singles = sum(count for (_, page), count in service.asked.items() if not page)
    assert singles == 2 + min(lacking, 20)  # two tell whether the list is short
    assert reader.report.doubts() == []


def test_records_that_are_stored_as_they_come_show_again_nothing_that_they_lack() -> None:
    items = [*numbered(30, title="A"), {"id": "new"} | SIZES]
    service = Lists({"/items": items})
    tables = decoded("items", items)
    marks = pa.repeat(False, len(items))
    whole = Stored.of([tables.root.append_column(IS_DELETED, marks)], is_whole=True)
    (child,) = tables.shape.children
    reader = service.reader("items", whole.with_entries(child, [tables.tables[child.table]]))

    assert read(reader) == []
    assert (service.singles, reader.report.doubts()) == ([], [])


class Excerpts(Lists):
    """Items whose list shows but some of their fields (§4.12 does not say which)."""

    hidden_fields = frozenset({"description", "options"})

    def slice(self, path: str, number: int, query: Mapping[str, str]) -> httpx.Response:
        shown = [
            {name: value for name, value in item.items() if name not in self.hidden_fields}
            for item in self.lists[path]
        ]
        return paged(shown, number, int(query["limit"]))


@pytest.mark.parametrize("hidden", ["description", "options"])
@pytest.mark.parametrize("is_first", [True, False])
def test_what_a_list_without_summaries_does_not_show_is_asked_for(
    hidden: str, is_first: bool
) -> None:
    items = numbered(25, title="A", description="?", options=[])
    items[2:] = [item | SIZES for item in items[2:]]
    service = Excerpts({"/items": changed(items, 2, description="!")})
    service.hidden_fields = frozenset({hidden})
    reader = service.reader("items", None if is_first else stored("items", items))

    batches = read(reader)

    whole = [row for batch in batches for row in rows(batch)]
    described = {row["id"]: row["description"] for row in whole}
    assert described == {f"id-{n:04}": "!" if n < 2 else "?" for n in range(25)}
    assert sum(len(batch.decoded.owners["items__options"]) for batch in batches) == 23
    assert (len(set(service.singles)), reader.report.doubts()) == (25, [])


def test_a_field_that_no_record_has_by_itself_makes_no_list_short() -> None:
    service = Lists({"/items": numbered(25, title="A")})

    assert len(ids(read(service.reader("items")))) == 25
    assert service.singles == ["/items/id-0000", "/items/id-0001"]


@pytest.mark.parametrize("name", ["unit_price", "amount"])  # assumed, and another one
@pytest.mark.parametrize("is_first", [True, False])
def test_what_a_list_of_records_that_are_not_described_does_not_show_is_asked_for(
    name: str, is_first: bool
) -> None:
    prices = [price | {name: "2.5"} for price in numbered(25, item_id="i")]
    service = Excerpts({"/prices": changed(prices, 2, **{name: "3.5"})})
    service.hidden_fields = frozenset({name})
    reader = service.reader("prices", None if is_first else stored("prices", prices))

    found = {row["id"]: row.get(name) for batch in read(reader) for row in rows(batch)}

    assert found == {f"id-{n:04}": Decimal("3.5" if n < 2 else "2.5") for n in range(25)}
    assert (len(set(service.singles)), reader.report.doubts()) == (25, [])


def test_a_list_that_shows_all_that_is_assumed_is_not_compared_with_single_reads() -> None:
    assumed = dict.fromkeys(Price.assumed_fields, "1")
    service = Lists({"/prices": numbered(25, **assumed)})

    assert len(ids(read(service.reader("prices")))) == 25
    assert service.singles == []


@pytest.mark.parametrize("kept", [1, 12])
def test_no_list_is_left_out_that_a_record_has_by_itself(kept: int) -> None:
    whole = [item | (SIZES if number < kept else {}) for number, item in enumerate(numbered(12))]

    def page(path: str, number: int) -> httpx.Response:
        shown = [item | {"options": None} for item in whole]
        return paged([*shown, {"id": "x"} | SIZES], number, 20)

    reader = Lists({"/items": [*whole, {"id": "x"} | SIZES]}, page).reader("items")

    assert len(ids(read(reader))) == kept + 1
    assert (reader.report.doubts() == []) == (kept == 12)


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
    now = with_lists(changed(items, 30, title="B"), **SIZES) if is_sent else items
    reader = Lists({"/items": now}).reader("items", stored("items", with_lists(items, **SIZES)))

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
