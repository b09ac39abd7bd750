"""What summaries, pages and single reads show of a record is compared before it is believed."""

import json
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from html import escape
from typing import Any
from unicodedata import normalize
from uuid import UUID

import httpx
import pytest

from support.records.lists import (
    Lists,
    answer,
    changed,
    ids,
    on,
    orders,
    paged,
    read,
    rows,
    stored,
)
from wholesale.api.resources import ORDER_SUMMARY
from wholesale.sync import batches

LINES = [{"sku": "A"}, {"sku": "B"}]
ONE_LINE = {"order_line_items": LINES[:1], "order_comments": []}


@pytest.mark.parametrize("is_first", [True, False])
def test_no_pages_are_read_that_show_fewer_lines_than_single_reads(is_first: bool) -> None:
    many = [{"sku": sku} for sku in "ABCDE"]
    now = [
        order | {"order_line_items": many[: 1 + number % 5], "status": "shipped"}
        for number, order in enumerate(orders(25, day=2))
    ]
    short = [order | {"order_line_items": order["order_line_items"][:2]} for order in now]
    service = Lists({"/orders": now})
    service.page = lambda path, number: (
        paged(short, number) if service.queries[-1]["verbose"] == "true" else None
    )
    held = [] if is_first else orders(25)
    reader = service.reader("orders", stored("orders", held), concurrency=1)

    found: Counter[str] = Counter()
    for batch in read(reader):
        found.update(batch.decoded.tables["orders__order_line_items"]["order_id"].to_pylist())

    assert found == {order["id"]: len(order["order_line_items"]) for order in now}
    assert reader.report.doubts() == []


@pytest.mark.parametrize(
    "on_pages",
    [{"po_number": None}, {"order_line_items": [{"quantity": 2}]}],
    ids=["a field of the order", "a field of its lines"],
)
@pytest.mark.parametrize("is_first", [True, False])
def test_no_pages_are_read_that_lack_a_field_which_single_reads_show(
    on_pages: dict[str, Any], is_first: bool
) -> None:
    line = {"sku": "A", "quantity": 2}
    now = [
        order | {"order_line_items": [line], "po_number": "7", "status": "shipped"}
        for order in orders(25, day=2)
    ]
    service = Lists({"/orders": now})
    service.page = lambda path, number: (
        paged([order | on_pages for order in now], number)
        if service.queries[-1]["verbose"] == "true"
        else None
    )
    reader = service.reader("orders", stored("orders", [] if is_first else orders(25)))

    found = [
        (order["po_number"], entry["sku"])
        for batch in read(reader)
        for order, entry in zip(
            batch.decoded.root.to_pylist(),
            batch.decoded.tables["orders__order_line_items"].to_pylist(),
            strict=True,
        )
    ]

    assert found == [("7", "A")] * 25
    assert reader.report.doubts() == []


def test_a_field_that_an_order_gets_meanwhile_is_no_sign_that_pages_lack_it() -> None:
    now = [order | {"order_line_items": LINES} for order in orders(25)]
    service = Lists({"/orders": now})
    whole = service.single
    service.single = lambda path: answer(  # type: ignore[method-assign]
        json.loads(whole(path).read()) | {"po_number": "7", "updated_at": "2026-01-09T00:00:00Z"}
    )
    reader = service.reader("orders", concurrency=1)

    read(reader)

    assert sum(query.get("verbose") == "true" for query in service.queries) < len(now)


def test_no_pages_are_read_that_show_fewer_lines_than_single_reads_of_another_spelling() -> None:
    now = [
        order | {"id": str(UUID(int=number)), "order_line_items": LINES}
        for number, order in enumerate(orders(25))
    ]
    service = Lists({"/orders": now})
    short = [order | ONE_LINE for order in now]
    service.page = lambda path, number: (
        paged(short, number) if service.queries[-1]["verbose"] == "true" else None
    )
    whole = service.single

    def single(path: str) -> httpx.Response:
        order = json.loads(whole(path).read())
        return answer({**order, "id": order["id"].replace("-", "")})

    service.single = single  # type: ignore[method-assign]
    reader = service.reader("orders", concurrency=1)

    found = [
        order_id
        for batch in read(reader)
        for order_id in batch.decoded.tables["orders__order_line_items"]["order_id"].to_pylist()
    ]

    assert Counter(found) == {order["id"]: 2 for order in now}
    assert reader.report.doubts() == []


def test_comments_that_only_the_basic_form_of_a_few_orders_has_are_read() -> None:
    now = orders(60)
    comments = {now[number]["id"]: [{"body": "B"}] for number in (40, 50)}
    service = Lists({"/orders": now})
    whole = service.single

    def single(path: str) -> httpx.Response:
        order = json.loads(whole(path).read())
        is_basic = service.queries[-1]["verbose"] == "false"
        return answer(
            order | {"order_comments": comments.get(order["id"], [])} if is_basic else order
        )

    service.single = single  # type: ignore[method-assign]
    reader = service.reader("orders", concurrency=1)

    found = [
        order_id
        for batch in read(reader)
        for order_id in batch.decoded.tables["orders__order_comments"]["order_id"].to_pylist()
    ]

    assert sorted(found) == sorted(comments)
    assert reader.report.doubts() == []


def test_an_order_that_gets_a_line_meanwhile_is_no_sign_that_pages_cut_lines_off() -> None:
    now = [order | {"order_line_items": LINES} for order in orders(25)]
    edited = now[0] | {"order_line_items": [*LINES, *LINES], "updated_at": on(3)}
    service = Lists({"/orders": [edited, *now[1:]]})
    service.page = lambda path, number: paged(now, number)
    reader = service.reader("orders", concurrency=1)

    read(reader)

    assert len(service.singles) < len(now)


def written_otherwise(
    service: Lists,
    field: str = "status",
    write: Callable[[str], str | None] = "status.{}".format,
    *,
    is_in_full_too: bool = False,
) -> Lists:
    """The same service, whose summaries write a field otherwise than its orders do, and its pages
    in full as its summaries, if `is_in_full_too`."""

    def page(path: str, number: int) -> httpx.Response | None:
        query = service.queries[-1]
        if query["verbose"] == "true" and not is_in_full_too:
            return None
        listed = [{**order, field: write(order[field])} for order in service.lists[path]]
        return paged(listed, number, int(query["limit"]))

    service.page = page
    return service


def test_a_field_that_the_list_shows_otherwise_is_stored_as_single_reads_show_it() -> None:
    before = orders(45)
    few = changed(before, 1, status="shipped", updated_at=on(2))
    head = changed(before, 15, status="shipped", updated_at=on(2))
    for held, records in (([], before), (before, before), (before, few), (before, head)):
        service = written_otherwise(Lists({"/orders": records}))
        reader = service.reader("orders", stored("orders", held), concurrency=1, page_size=15)

        found = {row["id"]: row["status"] for batch in read(reader) for row in rows(batch)}

        assert found == {order["id"]: order["status"] for order in records}
        assert reader.report.doubts() == []
        assert reader.report.sweeps == (2 if records is head else 1)


@pytest.mark.parametrize("edited", [1, 40])
def test_an_order_is_loaded_by_itself_though_all_lists_write_its_status_in_capitals(
    edited: int,
) -> None:
    before = orders(45)
    now = changed(before, edited, status="shipped", updated_at=on(2))
    service = written_otherwise(Lists({"/orders": now}), write=str.upper, is_in_full_too=True)
    held = [order | {"status": order["status"].upper()} for order in before]
    reader = service.reader("orders", stored("orders", held), page_size=15)

    found = {row["id"]: row["status"] for batch in read(reader) for row in rows(batch)}

    read_as = "shipped" if edited == 1 else "SHIPPED"  # by its id, or on a page
    assert found == {order["id"]: read_as for order in now[:edited]}
    assert (reader.report.doubts(), reader.report.sweeps) == ([], 1)


def test_a_field_that_has_no_fitting_column_in_the_list_alone_is_stored_all_the_same() -> None:
    records = [order | {"total": "12.50"} for order in orders(45)]
    service = written_otherwise(Lists({"/orders": records}), "total", "$ {}".format)
    reader = service.reader("orders", concurrency=1, page_size=15)

    found = {row["id"]: row["total"] for batch in read(reader) for row in rows(batch)}

    assert found == dict.fromkeys((order["id"] for order in records), Decimal("12.5"))
    assert (reader.report.doubts(), reader.report.sweeps) == ([], 1)


def as_html(text: str) -> str:
    return normalize("NFD", escape(text.strip()))


@pytest.mark.parametrize(
    ("text", "write"),
    [
        (" Müller & Sons", as_html),
        ("Müller", lambda text: normalize("NFD", text)),
        ("", lambda text: text or None),
    ],
)
def test_a_text_that_a_few_summaries_write_otherwise_says_the_same(
    text: str, write: Callable[[str], str | None]
) -> None:
    records = orders(45)
    records[3] |= {"status": text}
    service = written_otherwise(Lists({"/orders": records}), write=write)
    reader = service.reader("orders", concurrency=1, page_size=15)

    found = {row["id"]: row["status"] for batch in read(reader) for row in rows(batch)}

    assert found == {order["id"]: order["status"] for order in records}
    assert (reader.report.doubts(), reader.report.sweeps) == ([], 1)


def test_a_page_of_old_bodies_is_no_sign_that_the_list_shows_something_otherwise() -> None:
    before = orders(25)
    now = [order | {"status": "SHIPPED"} for order in before]
    service = Lists({"/orders": now})
    service.page = lambda path, number: (
        paged(before, number) if service.queries[-1]["verbose"] == "true" else None
    )
    reader = service.reader("orders", stored("orders", before), concurrency=1)

    found = {row["id"]: row["status"] for batch in read(reader) for row in rows(batch)}

    assert found == {order["id"]: "SHIPPED" for order in now}, "asked for one by one"
    assert reader.report.doubts() == []


def test_what_one_sample_alone_has_is_not_asked_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "BATCH_BYTES", 1)
    held = [
        {**{name: record[name] for name in ORDER_SUMMARY if name in record}, **ONE_LINE}
        for record in orders(5)
    ]
    held[1] |= {"order_line_items": LINES, "colour": "red"}
    reader = Lists({"/orders": held}).reader("orders")

    assert sorted(ids(read(reader))) == [record["id"] for record in held]
    assert reader.report.doubts() == []
