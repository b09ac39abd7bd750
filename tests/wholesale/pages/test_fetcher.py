"""Lists and records are fetched several at once, come in order, and no more than is needed."""

import json
import threading

import httpx
import pytest

from support.records.lists import Lists, Record, answer, fetcher, fetchers, numbered
from wholesale.api.profile import ServiceProfile, set_to
from wholesale.api.resources import RESOURCE
from wholesale.errors import ContentError, NotFound, ServiceError, Unauthorized
from wholesale.http.traffic import Traffic
from wholesale.json.page import RawPage
from wholesale.pages.fetcher import ChildList, Fetcher
from wholesale.pages.paginator import Paginator
from wholesale.pages.read_ahead import AHEAD_PER_CONNECTION
from wholesale.pages.single_records import Key

NO_LISTS: Record = {"order_line_items": [], "order_comments": []}


def body_of(order_id: str) -> bytes:
    return json.dumps({"id": order_id} | NO_LISTS).encode()


def test_pages_come_in_order_whatever_arrives_first() -> None:
    third = threading.Event()

    def hold_back(path: str, number: int) -> None:
        if number == 2:
            assert third.wait(10), "page 3 is asked for while page 2 is under way"
        if number == 3:
            third.set()

    service = Lists({"/vendors": numbered(25)}, hold_back)
    sizes = []
    with fetcher(service, "vendors", concurrency=2) as pages:
        for page in pages.list_reader(()).read(Paginator(limit=10)):
            sizes.append((page.number, page.records.count(b"id-")))

    assert sizes == [(1, 10), (2, 10), (3, 5)]
    assert service.asked == {("/vendors", page): 1 for page in (1, 2, 3)}
    assert fetchers() == []


def test_a_query_goes_with_every_page() -> None:
    service = Lists({"/orders": numbered(11)})
    with fetcher(service, "orders", concurrency=1) as pages:
        assert len(list(pages.list_reader((("verbose", "false"),)).read(Paginator(limit=10)))) == 2

    assert service.queries == [
        {"verbose": "false", "page": page, "limit": "10"} for page in ("1", "2")
    ]


@pytest.mark.parametrize("first", [0, 1])
def test_a_page_is_fetched_by_itself_by_its_place_in_the_list(first: int) -> None:
    service = Lists({"/orders": numbered(21)})
    known = ServiceProfile(first_page=first)
    with fetcher(service, "orders", known) as pages:
        page = pages.list_reader(RESOURCE["orders"].query).page(2 - first, 10)

    assert (page.count, page.total_pages, page.total_count) == (10, 3, 21)
    assert service.queries == [{"verbose": "true", "page": "2", "limit": "10"}]


def test_each_list_is_read_to_its_end_and_knows_its_parent() -> None:
    service = Lists(
        {"/items/i1/variants": numbered(11), "/items/i 2/variants": [], "/items/i3/variants": [{}]}
    )
    with fetcher(service, "variants") as lists:
        found = list(lists.lists(["i1", "i 2", "i3"], 10))

    assert [(part.paginator.pages, part.paginator.records) for part in found if part.paginator] == [
        (2, 11),
        (1, 0),
        (1, 1),
    ]
    assert [[(page.number, page.parent) for page in part.pages] for part in found] == [
        [(1, "i1"), (2, "i1")],
        [],
        [(1, "i3")],
    ]


def test_the_list_of_one_parent_that_has_no_end_is_left_earlier_as_it_is_held_in_memory() -> None:
    def page(path: str, number: int) -> httpx.Response:
        return answer([{"id": f"{number}-{place}"} for place in range(10)])

    known = ServiceProfile(most_records=500)
    with fetcher(Lists({}, page), "variants", known) as lists:
        (found,) = lists.lists(["i1"], 10)

    assert isinstance(found.failure, ServiceError)
    assert set_to("most_records", 10 * 10 * 60) in str(found.failure)


def test_a_list_that_is_not_found_is_told_from_an_empty_one() -> None:
    with fetcher(Lists({"/buyers/b/buyer_users": []}), "buyer_users") as lists:
        missing, empty = lists.lists(["gone", "b"], 10)

    assert missing == ChildList("gone", None, [])
    assert missing.records == 0
    assert (empty.parent, empty.paginator and empty.paginator.records) == ("b", 0)
    assert (empty.failure, empty.records) == (None, 0)


@pytest.mark.parametrize("status", [200, 204, 422, 500])
def test_a_list_that_cannot_be_read_is_no_list_that_is_not_found(status: int) -> None:
    service = Lists({"/buyers/b/buyer_users": []})
    inner = service.handle
    service.handle = lambda request: (  # type: ignore[method-assign]
        httpx.Response(status) if "odd" in request.url.path else inner(request)
    )

    with fetcher(service, "buyer_users") as lists:
        odd, empty = sorted(lists.lists(["odd", "b"], 10), key=lambda found: found.parent == "b")

    assert (odd.parent, odd.paginator) == ("odd", None)
    assert isinstance(odd.failure, ServiceError)
    assert (empty.parent, empty.failure) == ("b", None)


def test_a_refused_key_ends_the_reading_of_lists() -> None:
    service = Lists({}, lambda path, number: answer({"error": "no"}, 401))

    with fetcher(service, "buyer_users") as lists, pytest.raises(Unauthorized):
        list(lists.lists(["b"], 10))


def test_a_list_that_is_not_found_half_way_does_not_add_up() -> None:
    def lose(path: str, number: int) -> httpx.Response | None:
        return answer({"error": "Resource not found"}, 404) if number != 1 else None

    service = Lists({"/buyers/b/buyer_users": numbered(11)}, lose)

    with fetcher(service, "buyer_users") as lists:
        (found,) = lists.lists(["b"], 10)

    assert [page.number for page in found.pages] == [1]
    assert found.paginator is not None
    assert (found.records, found.paginator.last_total) == (10, 11)


def test_a_list_of_a_resource_without_parents_that_is_not_found_is_an_error() -> None:
    with fetcher(Lists({}), "vendors") as pages, pytest.raises(NotFound):
        list(pages.list_reader(()).read(Paginator(limit=10)))


def test_records_come_in_the_order_they_are_asked_for_and_none_where_there_is_none() -> None:
    service = Lists({"/orders": [{"id": "a"} | NO_LISTS, {"id": "c"} | NO_LISTS]})
    with fetcher(service, "orders") as records:
        found = list(records.records([Key("a"), Key("b"), Key("c")]))

    assert found == [
        ("a", RawPage(b"[%b]" % body_of("a"))),
        ("b", None),
        ("c", RawPage(b"[%b]" % body_of("c"))),
    ]
    assert service.queries == [{"verbose": "true"}] * 3


def test_a_record_that_takes_long_comes_behind_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("wholesale.pages.fetcher.PATIENCE_SECONDS", 0.01)
    service = Lists({"/orders": numbered(9, **NO_LISTS)})
    whole, others = service.single, threading.Semaphore(0)

    def single(path: str) -> httpx.Response:
        if path == "/orders/id-0000":
            assert all(others.acquire(timeout=120) for _ in range(8))
        return whole(path)

    service.single = single  # type: ignore[method-assign]

    with fetcher(service, "orders", concurrency=3) as fetching:
        found = []
        for key, _ in fetching.records(Key(f"id-{number:04}") for number in range(9)):
            found.append(key)
            others.release()

    assert found[-1] == "id-0000"
    assert sorted(found) == [f"id-{number:04}" for number in range(9)]


def test_no_more_is_fetched_ahead_than_the_connections_can_carry() -> None:
    service = Lists({"/orders": numbered(500, **NO_LISTS)})
    with fetcher(service, "orders", concurrency=3) as fetching:
        records = fetching.records(Key(f"id-{n:04}") for n in range(500))
        for _ in range(10):
            next(iter(records))

    assert sum(service.asked.values()) <= 10 + 3 * AHEAD_PER_CONNECTION
    assert service.most_under_way <= 3
    assert fetchers() == []


def test_large_answers_are_few_that_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wholesale.pages.read_ahead.BYTES_AHEAD", 30_000)
    long = numbered(400, note="x" * 1000)
    service = Lists({"/orders": [*numbered(200), *long]})
    with fetcher(service, "orders", concurrency=32) as fetching:
        pages = iter(fetching.list_reader(()).read(Paginator(limit=10)))
        waiting = []
        for taken in range(1, 61):
            next(pages)
            waiting.append(sum(service.asked.values()) - taken)

    assert max(waiting[:19]) > 3
    assert max(waiting[25:]) <= 2, "two pages of 10 kB wait beside the one that is taken"


def test_what_is_sent_and_received_is_counted_in_the_traffic() -> None:
    service = Lists({"/orders": [{"id": "a"} | NO_LISTS]})
    traffic = Traffic()
    with Fetcher(service.service(), RESOURCE["orders"], traffic) as records:
        list(records.records([Key("a"), Key("b")]))

    assert traffic == Traffic(requests=2, bytes=len(body_of("a")), retries=0)


def test_a_fetcher_works_within_its_block_only() -> None:
    with pytest.raises(RuntimeError, match="outside of its with block"):
        next(fetcher(Lists({}), "orders").records([Key("a")]))


def test_a_page_that_turns_out_to_be_unreadable_is_asked_for_again() -> None:
    broken = json.dumps({"pagination": {"total_pages": 2, "total_count": 11}, "data": [{"id": 1}]})
    bodies = iter([broken, broken.replace("1}]", "2}]"), broken.replace("1}]", "3}]")])
    service = Lists(
        {"/vendors": numbered(11)},
        lambda path, number: answer(json.loads(next(bodies))) if number == 1 else None,
    )
    traffic = Traffic()
    with Fetcher(service.service(attempts=4), RESOURCE["vendors"], traffic) as pages:
        page = next(iter(pages.list_reader(()).read(Paginator(limit=10))))
        assert page.refetch is not None
        read_so_far = []

        def decode(again: RawPage) -> str:
            read_so_far.append((again.records, again.number))
            if again.records != b'[{"id": 3}]':
                raise ContentError("an object of the body names its key 'id' twice")
            return "decoded"

        assert page.refetch(decode) == "decoded"

    assert read_so_far == [(b'[{"id": 2}]', 1), (b'[{"id": 3}]', 1)]
    assert service.asked["/vendors", 1] == 3
    assert traffic.retries == 2


def test_a_page_that_stays_unreadable_is_an_error_that_names_it() -> None:
    service = Lists({"/items/i1/variants": numbered(3)})

    def refuse(again: RawPage) -> None:
        assert again.parent == "i1"
        raise ContentError("an object names 'id' twice")

    with fetcher(service, "variants", attempts=3) as lists:
        (found,) = lists.lists(["i1"], 10)
        (page,) = found.pages
        assert page.refetch is not None
        with pytest.raises(ContentError) as failure:
            page.refetch(refuse)

    assert str(failure.value) == (
        "GET /items/i1/variants?page=1&limit=10: an object names 'id' twice; see what answers there"
    )
    assert service.asked["/items/i1/variants", 1] == 1 + 3


def test_a_list_may_be_cut_into_smaller_pages_than_usual() -> None:
    service = Lists({"/vendors": numbered(20)})
    with fetcher(service, "vendors") as pages:
        paginator = pages.list_reader(()).paginator(9)
        read = list(pages.list_reader(()).read(paginator))

    assert (len(read), paginator.records) == (3, 20)
    assert [query["limit"] for query in service.queries] == ["9"] * 3


def test_an_answer_that_fails_for_want_of_time_is_no_late_one() -> None:
    def handle(request: httpx.Request) -> httpx.Response:
        raise TimeoutError("of something else than the wait for it")

    service = Lists({})
    service.handle = handle  # type: ignore[method-assign]
    with fetcher(service, "orders") as records, pytest.raises(TimeoutError):
        next(records.records([Key("a")]))


def test_a_service_that_does_not_answer_a_few_times_is_left_alone() -> None:
    service = Lists({}, lambda path, number: answer({}, 500))
    with fetcher(service, "vendors") as pages:
        assert not any(pages.is_answering() for _ in range(9))

    assert service.asked == {("/vendors", 1): 3, ("/vendors", 2): 3}


def test_a_service_that_answers_is_asked_for_its_first_page_only() -> None:
    service = Lists({"/buyers": []})
    known = ServiceProfile(first_page=0)
    service.page = lambda path, number: answer([])
    service.single = lambda path: answer([])  # type: ignore[method-assign]
    with fetcher(service, "buyer_users", known) as pages:
        pages.service.questions_in_vain = 2
        assert pages.is_answering()

    assert service.asked == {("/buyers", 0): 1}
    assert pages.service.questions_in_vain == 0
