"""What cannot be read by itself is named, and keeps nothing else from being loaded."""

from collections.abc import Callable, Collection

import httpx
import pytest

from support.records.lists import (
    Lists,
    answer,
    changed,
    ids,
    numbered,
    orders,
    read,
    read_lists,
    stored,
)
from wholesale.errors import ContentError, NotFound, Unauthorized, Unavailable
from wholesale.sync import Batch

ASK = "; the next run asks again: if it fails too, ask whoever runs the service"
BROKEN = "got no usable response in 2 attempts, 0 s: it answered 500"


def broken() -> httpx.Response:
    return answer({"error": "broken"}, 500)


def failing(service: Lists, names: Collection[str], how: Callable[[], httpx.Response]) -> None:
    """detail requests of these records fail in this way."""
    whole = service.single

    def single(path: str) -> httpx.Response:
        return how() if path.rpartition("/")[2] in names else whole(path)

    service.single = single  # type: ignore[method-assign]


@pytest.mark.parametrize(
    ("how", "why"),
    [
        (broken, BROKEN),
        (lambda: answer({}, 403), "answered 403 Forbidden: ask for a key that may read it"),
        (lambda: httpx.Response(200, content=b"<html>"), ": body is HTML or XML, not a record"),
        (lambda: httpx.Response(200, content=b'{"id"'), ": body is no JSON: Expecting"),
        (lambda: httpx.Response(200, content=b'{"id":1,"id":1}'), ": an object of the body names"),
    ],
)
def test_one_order_that_cannot_be_read_keeps_no_other_from_loading(
    how: Callable[[], httpx.Response], why: str
) -> None:
    now = changed(orders(60), 5, status="shipped")
    service = Lists({"/orders": now})
    failing(service, ["id-0002"], how)
    reader = service.reader("orders", stored("orders", orders(60)))

    assert sorted(ids(read(reader))) == ["id-0000", "id-0001", "id-0003", "id-0004"]

    (doubt,) = reader.doubts.sentences()
    assert doubt.startswith(f"1 record cannot be read: GET /orders/id-0002?verbose=true{why[:0]}")
    assert why in doubt
    assert doubt.endswith(ASK)
    assert reader.tally.full_scans == 1
    assert service.asked["/orders/id-0002", 0] == 2


def test_the_next_run_reads_what_could_not_be_read() -> None:
    now = changed(orders(60), 5, status="shipped")
    held = [record if n != 2 else orders(60)[2] for n, record in enumerate(now)]
    reader = Lists({"/orders": now}).reader("orders", stored("orders", held))

    assert ids(read(reader)) == ["id-0002"]

    assert reader.doubts.sentences() == []


def test_many_orders_that_cannot_be_read_are_counted_and_some_are_named() -> None:
    service = Lists({"/orders": changed(orders(200), 40, status="shipped")})
    names = [f"id-{number:04}" for number in range(0, 40, 5)]
    failing(service, names, broken)
    reader = service.reader("orders", stored("orders", orders(200)))

    assert len(ids(read(reader))) == 40 - len(names)

    assert reader.doubts.sentences() == [
        f"8 records cannot be read: GET /orders/id-0000?verbose=true {BROKEN},"
        f" nor id-0005, id-0010, id-0015, id-0020 and 3 more{ASK}"
    ]


def test_orders_that_never_come_alone_are_named() -> None:
    service = Lists({"/orders": changed(orders(300), 30, status="shipped")})
    failing(service, [f"id-{number:04}" for number in range(300)], broken)
    reader = service.reader("orders", stored("orders", orders(300)))

    assert ids(read(reader)) == []

    assert len(reader.doubts.unread) + len(reader.doubts.refused) == 30
    assert reader.doubts.sentences() != []


def test_a_page_that_one_order_fails_is_read_order_by_order() -> None:
    service = Lists({"/orders": orders(60)})

    def page(path: str, number: int) -> httpx.Response | None:
        return broken() if number == 3 and service.queries[-1]["verbose"] == "true" else None

    service.page = page
    failing(service, ["id-0024"], broken)
    reader = service.reader("orders", concurrency=1)

    assert sorted(ids(read(reader))) == [f"id-{n:04}" for n in range(60) if n != 24]

    assert reader.doubts.sentences() == [
        f"1 record cannot be read: GET /orders/id-0024?verbose=true {BROKEN}{ASK}"
    ]
    assert len(set(service.singles) - {"/orders/id-0000"}) <= 10 + 5


@pytest.mark.parametrize("count", [8, 60])
def test_a_first_page_that_one_order_fails_is_no_end(count: int) -> None:
    service = Lists({"/orders": orders(count)})

    def page(path: str, number: int) -> httpx.Response | None:
        return broken() if number == 1 and service.queries[-1]["verbose"] == "true" else None

    service.page = page
    failing(service, ["id-0004"], broken)
    reader = service.reader("orders", concurrency=1)

    assert sorted(ids(read(reader))) == [f"id-{n:04}" for n in range(count) if n != 4]

    assert reader.doubts.sentences() == [
        f"1 record cannot be read: GET /orders/id-0004?verbose=true {BROKEN}{ASK}"
    ]


@pytest.mark.parametrize("page", [1, 4])
@pytest.mark.parametrize("known", [0, 60])
def test_a_page_that_fails_in_short_too_keeps_no_other_from_loading(known: int, page: int) -> None:
    now = [
        record | {"status": "shipped"} if n % 12 == 4 else record
        for n, record in enumerate(orders(60))
    ]
    service = Lists({"/orders": now}, lambda path, number: broken() if number == page else None)
    reader = service.reader("orders", stored("orders", orders(known)), concurrency=1)
    batches: list[Batch] = []

    with pytest.raises(Unavailable, match=rf"GET /orders\?.*page={page}.* it answered 500"):
        reader.read(batches.append)

    on_others = now[: 10 * (page - 1)] + now[10 * page :]
    wanted = [order for order in on_others if not known or order["status"] == "shipped"]
    assert (sorted(ids(batches)), reader.gone) == ([order["id"] for order in wanted], set())


@pytest.mark.parametrize("page", [1, 4])
def test_a_page_that_fails_of_a_list_without_summaries_keeps_no_other_from_loading(
    page: int,
) -> None:
    items = numbered(60, title="T", options=[])
    service = Lists({"/items": items}, lambda path, number: broken() if number == page else None)
    reader = service.reader("items", concurrency=1)
    batches: list[Batch] = []

    with pytest.raises(Unavailable, match=rf"GET /items\?page={page}.* it answered 500"):
        reader.read(batches.append)

    on_others = items[: 10 * (page - 1)] + items[10 * page :]
    assert sorted(ids(batches)) == [item["id"] for item in on_others]


def test_where_something_else_answers_no_other_page_is_asked_for() -> None:
    service = Lists({}, lambda path, number: httpx.Response(200, content=b"<html>"))
    reader = service.reader("items", concurrency=1)

    with pytest.raises(ContentError, match=r"GET /items\?page=1&.* body is HTML or XML"):
        read(reader)

    assert set(service.asked) == {("/items", 1)}


def test_a_list_of_which_most_pages_fail_names_the_first_of_them() -> None:
    service = Lists(
        {"/items": numbered(300, title="T", options=[])},
        lambda path, number: broken() if 3 <= number <= 20 else None,
    )
    reader = service.reader("items", concurrency=1)
    batches: list[Batch] = []

    with pytest.raises(Unavailable, match=r"GET /items\?page=3.* it answered 500"):
        reader.read(batches.append)

    assert len(ids(batches)) == 20


def test_a_service_that_answers_nothing_else_either_is_not_asked_for_each_order() -> None:
    service = Lists({"/orders": changed(orders(200), 40, status="shipped")})
    whole, answered = service.handle, []

    def handle(request: httpx.Request) -> httpx.Response:
        answered.append(request)
        return whole(request) if len(answered) <= 30 else broken()

    service.handle = handle  # type: ignore[method-assign]
    reader = service.reader("orders", stored("orders", orders(200)), concurrency=1)

    with pytest.raises(Unavailable):
        read(reader)

    assert len(answered) < 50


def test_a_missing_item_that_cannot_be_asked_for_is_neither_alive_nor_gone() -> None:
    held = numbered(40, title="T", options=[])
    service = Lists({"/items": held[:38]})
    failing(service, ["id-0038"], broken)
    reader = service.reader("items", stored("items", held))

    read(reader)

    assert reader.gone == {"id-0039"}
    assert reader.doubts.suspects == ("id-0038",)
    assert reader.doubts.sentences() == [
        f"1 record cannot be read: GET /items/id-0038 {BROKEN}{ASK}",
        "1 stored record not listed, and not settled yet",
    ]


def test_a_list_of_children_that_cannot_be_read_costs_no_other_children() -> None:
    variants = {
        f"/items/i{n}/variants": [{"id": f"v{n}", "sku": "new", "options": []}] for n in range(30)
    }

    def page(path: str, number: int) -> httpx.Response | None:
        return broken() if path == "/items/i7/variants" else None

    service = Lists(variants, page)
    old = stored("variants", [{"id": "v7", "sku": "old"}, {"id": "gone", "sku": ""}], parent="i7")
    reader = service.reader("variants", old)

    loaded = sorted(ids(read_lists(reader, [f"i{n}" for n in range(30)])))

    assert loaded == sorted(f"v{n}" for n in range(30)), "that of i7 was asked for by its id"
    assert reader.gone == set(), "it may stand in the list that cannot be read"
    assert reader.doubts.suspects == ("gone",)
    assert reader.doubts.sentences()[-1] == (
        f"1 list cannot be read: GET /items/i7/variants?page=1&limit=10 {BROKEN}{ASK}"
    )


def pages_in_full(service: Lists, how: Callable[[int], httpx.Response | None]) -> None:
    """Pages in full are answered in this way, by their number."""
    service.page = lambda path, number: (
        how(number) if service.queries[-1]["verbose"] == "true" else None
    )


@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize(
    "how",
    [
        lambda number: broken() if number <= 3 else None,
        lambda number: broken() if number == 1 else answer({}, 404),
        lambda number: broken() if number > 1 else None,
        lambda number: broken() if number % 2 == 0 else None,
    ],
)
def test_where_pages_in_full_fail_each_order_is_read_by_its_id(
    how: Callable[[int], httpx.Response | None], is_first: bool
) -> None:
    now = orders(60, day=2)
    service = Lists({"/orders": now})
    pages_in_full(service, how)
    held = stored("orders", [] if is_first else orders(60))
    reader = service.reader("orders", held, concurrency=1, page_size=2)

    assert sorted(ids(read(reader))) == [order["id"] for order in now]

    assert reader.doubts.sentences() == []


def test_a_first_page_in_full_that_is_not_there_ends_the_run() -> None:
    service = Lists({"/orders": orders(60)})
    pages_in_full(service, lambda number: answer({}, 404))

    with pytest.raises(NotFound):
        read(service.reader("orders", concurrency=1))


def test_a_first_page_in_full_that_fails_tells_nothing_of_what_the_list_shows_otherwise() -> None:
    before = orders(45)
    now = [order | {"status": "shipped"} for order in before]
    service = Lists({"/orders": now})
    pages_in_full(service, lambda number: broken() if number == 1 else None)
    reader = service.reader("orders", stored("orders", before), concurrency=1)

    assert sorted(ids(read(reader))) == [order["id"] for order in now]

    assert reader.doubts.sentences() == []


def test_where_no_single_read_works_nothing_that_is_missing_is_settled() -> None:
    held = numbered(40, title="T", options=[])
    service = Lists({"/items": held[:38]})
    failing(service, [record["id"] for record in held], broken)
    reader = service.reader("items", stored("items", held))

    read(reader)

    assert reader.gone == set()
    assert reader.doubts.suspects == ("id-0038", "id-0039")
    assert reader.doubts.faults == []


def test_a_key_that_is_refused_by_a_list_of_children_ends_the_run() -> None:
    service = Lists({}, lambda path, number: answer({"error": "Unauthorized"}, 401))

    with pytest.raises(Unauthorized):
        read_lists(service.reader("variants"), ["i1"])
