"""Lists and records are fetched several at once, come in order, and no more than is needed."""

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import httpx
import pytest

from support.lists import Lists, Record, answer, fetchers, numbered
from support.wires import over
from wholesale.api.resources import RESOURCE
from wholesale.errors import ContentError, NotFound, Unauthorized, Unprocessable
from wholesale.http.client import Client
from wholesale.http.traffic import Traffic
from wholesale.pages.fetcher import AHEAD_PER_CONNECTION, Fetcher
from wholesale.pages.page import RawPage
from wholesale.pages.pagination import Paginator
from wholesale.pages.service import Service
from wholesale.settings import ApiSettings


def fetcher(service: Lists, resource: str, **settings: int) -> Fetcher:
    return Fetcher(service.service(**settings), RESOURCE[resource], Traffic())


def test_pages_come_in_order_whatever_arrives_first() -> None:
    third = threading.Event()

    def hold_back(path: str, number: int) -> None:
        if number == 2:
            assert third.wait(10), "page 3 is asked for while page 2 is under way"
        if number == 3:
            third.set()

    service = Lists({"/vendors": numbered(25)}, hold_back)
    paginator, sizes = Paginator(), []
    with fetcher(service, "vendors", concurrency=2) as pages:
        for page in pages.read_list(paginator, ()):
            sizes.append((page.number, page.records.count(b"id-")))
            paginator.count(sizes[-1][1])

    assert sizes == [(1, 10), (2, 10), (3, 5)]
    assert service.asked == {("/vendors", page): 1 for page in (1, 2, 3)}
    assert fetchers() == []


def test_a_query_goes_with_every_page() -> None:
    service = Lists({"/orders": numbered(11)})
    paginator = Paginator()
    with fetcher(service, "orders", concurrency=1) as pages:
        for page in pages.read_list(paginator, (("verbose", "false"),)):
            paginator.count(page.records.count(b"id-"))

    assert service.queries == [
        {"verbose": "false", "page": page, "limit": "10"} for page in ("1", "2")
    ]


def test_the_first_page_is_fetched_by_itself_and_in_full() -> None:
    service = Lists({"/orders": numbered(11)})
    with fetcher(service, "orders") as pages:
        page = pages.first_page()

    assert (page.count(), page.total_pages, page.total_count) == (10, 2, 11)
    assert service.queries == [{"verbose": "true", "page": "1", "limit": "10"}]


def test_each_list_is_read_to_its_end_and_knows_its_parent() -> None:
    service = Lists(
        {"/items/i1/variants": numbered(11), "/items/i 2/variants": [], "/items/i3/variants": [{}]}
    )
    with fetcher(service, "variants") as lists:
        found = list(lists.lists(["i1", "i 2", "i3"]))

    assert [(paginator.pages, paginator.records) for paginator, _ in found] == [
        (2, 11),
        (1, 0),
        (1, 1),
    ]
    assert [[(page.number, page.parent) for page in pages] for _, pages in found] == [
        [(1, "i1"), (2, "i1")],
        [],
        [(1, "i3")],
    ]


def test_a_list_that_is_not_found_is_empty() -> None:
    with fetcher(Lists({}), "buyer_users") as lists:
        ((paginator, pages),) = lists.lists(["gone"])

    assert (paginator.pages, paginator.records, paginator.last_total, pages) == (0, 0, None, [])


def test_a_list_that_is_not_found_half_way_does_not_add_up() -> None:
    def lose(path: str, number: int) -> httpx.Response | None:
        return answer({"error": "Resource not found"}, 404) if number != 1 else None

    service = Lists({"/buyers/b/buyer_users": numbered(11)}, lose)

    with fetcher(service, "buyer_users") as lists:
        ((paginator, pages),) = lists.lists(["b"])

    assert [page.number for page in pages] == [1]
    assert (paginator.records, paginator.last_total) == (10, 11)


def test_a_list_of_a_kind_without_parents_that_is_not_found_is_an_error() -> None:
    with fetcher(Lists({}), "vendors") as pages, pytest.raises(NotFound):
        list(pages.read_list(Paginator(), ()))


def test_records_come_in_the_order_they_are_asked_for_and_none_where_there_is_none() -> None:
    service = Lists({"/orders": [{"id": "a"}, {"id": "c"}]})
    with fetcher(service, "orders") as records:
        found = list(records.records([("a", None), ("b", None), ("c", None)]))

    assert found == [
        ("a", RawPage(b'[{"id": "a"}]')),
        ("b", None),
        ("c", RawPage(b'[{"id": "c"}]')),
    ]
    assert service.queries == [{"verbose": "true"}] * 3


def test_a_record_of_a_child_is_asked_for_under_its_parent() -> None:
    service = Lists({"/items/i1/variants": [{"id": "v1"}]})
    with fetcher(service, "variants") as records:
        found = list(records.records([("v1", "i1"), ("v1", "i2")]))

    assert found == [("v1", RawPage(b'[{"id": "v1"}]', parent="i1")), ("v1", None)]
    assert service.singles == ["/items/i1/variants/v1", "/items/i2/variants/v1"]


def test_only_a_404_says_that_there_is_no_record() -> None:
    service = Lists({})
    service.single = lambda path: answer({"error": "no"}, 422)  # type: ignore[method-assign]

    with fetcher(service, "orders") as records, pytest.raises(Unprocessable):
        list(records.records([("a", None)]))

    assert fetchers() == []


def test_no_more_is_fetched_ahead_than_the_connections_can_carry() -> None:
    service = Lists({"/orders": numbered(500)})
    with fetcher(service, "orders", concurrency=3) as fetching:
        records = fetching.records((f"id-{n:04}", None) for n in range(500))
        for _ in range(10):
            next(iter(records))

    assert sum(service.asked.values()) <= 10 + 3 * AHEAD_PER_CONNECTION
    assert service.most_under_way <= 3
    assert fetchers() == []


def test_what_is_sent_and_received_is_counted_in_the_traffic() -> None:
    service = Lists({"/orders": [{"id": "a"}]})
    traffic = Traffic()
    with Fetcher(service.service(), RESOURCE["orders"], traffic) as records:
        list(records.records([("a", None), ("b", None)]))

    assert traffic == Traffic(requests=2, bytes=len(b'{"id": "a"}'), retries=0)


def test_a_fetcher_works_within_its_block_only() -> None:
    with pytest.raises(RuntimeError, match="outside of its with block"):
        next(fetcher(Lists({}), "orders").records([("a", None)]))


@dataclass
class Paged:
    """Lists as some service might page them: `first` is the number of their first page.

    A limit above `most` is answered 422, from request number `from_request` on. `before_first`
    says what a page before the first one is, `behind_last` what one behind the last is.
    """

    lists: Mapping[str, Sequence[Record]]
    first: int = 1
    most: int = 1000
    from_request: int = 1
    is_bare: bool = False
    before_first: Literal["empty", "first page", "404", "422", "500"] = "empty"
    behind_last: Literal["empty", "404", "422"] = "empty"
    asked: list[tuple[int, int]] = field(default_factory=list)

    def handle(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.removeprefix("/api/external/v1")
        number, limit = (int(request.url.params[name]) for name in ("page", "limit"))
        self.asked.append((number, limit))
        if path not in self.lists:
            return answer({}, 404)
        if len(self.asked) >= self.from_request and limit > self.most:
            return answer({"error": "Unprocessable", "details": "limit"}, 422)
        records = self.lists[path]
        pages = max(1, -(-len(records) // limit))
        place = number - self.first
        if place < 0 and self.before_first == "first page":
            place = 0
        refused = self.before_first if place < 0 else self.behind_last if place >= pages else ""
        if refused.isdigit():
            return answer({"error": "no such page"}, int(refused))
        data = records[place * limit : (place + 1) * limit] if place >= 0 else []
        counts = {"current": number, "total_pages": pages, "total_count": len(records)}
        return answer(data if self.is_bare else {"pagination": counts, "data": data})

    def service(self, **settings: int) -> Service:
        values = {"page_size": 10, "attempts": 3, "concurrency": 1} | settings
        return Service.of(
            Client(
                ApiSettings.of(base_url="http://127.0.0.1/api/external/v1", api_key="k", **values),
                connect=over(httpx.MockTransport(self.handle)),
                sleep=lambda _: None,
            )
        )

    @property
    def pages(self) -> list[int]:
        return [number for number, _ in self.asked]


def read(client: Service, resource: str = "vendors") -> tuple[Paginator, list[str]]:
    """The paginator of a list at its end, and the ids that it brought, in order."""
    paginator, found = Paginator(), []
    with Fetcher(client, RESOURCE[resource], Traffic()) as pages:
        for page in pages.read_list(paginator, ()):
            ids = [record["id"] for record in json.loads(page.records)]
            paginator.count(len(ids))
            found += ids
    return paginator, found


def ids(count: int) -> list[str]:
    return [record["id"] for record in numbered(count)]


def test_a_refused_limit_is_halved_until_it_is_accepted_and_remembered() -> None:
    service = Paged({"/vendors": numbered(25), "/brands": numbered(7)}, most=30)
    client = service.service(page_size=100)

    paginator, found = read(client)
    _, brands = read(client, "brands")

    assert (found, brands) == (ids(25), ids(7))
    assert (paginator.fault, paginator.records, paginator.last_total) == (None, 25, 25)
    assert service.asked == [(1, 100), (1, 50), (1, 25), (1, 25), (1, 25)]
    assert (client.paging.limit, client.client.settings.page_size) == (25, 100)


def test_a_limit_that_is_refused_in_the_middle_of_a_walk_loses_no_record() -> None:
    """Page 3 of 10 holds other records than page 3 of 5: the list begins again."""
    service = Paged({"/vendors": numbered(42)}, most=5, from_request=3)

    paginator, found = read(service.service())

    assert found[:20] == ids(20)
    assert found[20:] == ids(42)
    assert (paginator.fault, paginator.pages, paginator.records, paginator.last_total) == (
        None,
        9,
        42,
        42,
    )
    assert service.asked[:5] == [(1, 10), (2, 10), (3, 10), (1, 10), (1, 5)]


def test_a_limit_that_is_refused_while_many_pages_are_under_way_loses_no_record() -> None:
    service = Paged({"/vendors": numbered(420)}, most=5, from_request=9)

    paginator, found = read(service.service(concurrency=8))

    assert found[-420:] == ids(420)
    assert (paginator.fault, paginator.records, paginator.last_total) == (None, 420, 420)


def test_a_first_page_is_had_with_a_lower_limit_too() -> None:
    service = Paged({"/vendors": numbered(42)}, most=5)
    client = service.service()
    with Fetcher(client, RESOURCE["vendors"], Traffic()) as pages:
        assert pages.first_page().count() == 5
    assert client.paging.limit == 5


def test_422_for_anything_else_than_the_limit_is_an_error_and_nothing_is_remembered() -> None:
    service = Paged({"/vendors": numbered(25)}, most=0)
    client = service.service()

    with pytest.raises(Unprocessable, match=r"^GET /vendors\?page=1&limit=10 answered 422"):
        read(client)

    assert service.asked == [(1, 10), (1, 5), (1, 2), (1, 1)]
    assert client.paging.limit == 10


def test_422_for_a_page_leaves_the_limit_alone() -> None:
    service = Paged({"/vendors": numbered(20)}, is_bare=True, behind_last="422")
    client = service.service()

    with pytest.raises(Unprocessable, match=r"^GET /vendors\?page=3&limit=10 answered 422"):
        read(client)

    assert service.pages == [1, 2, 3, 1]
    assert client.paging.limit == 10


@pytest.mark.parametrize("is_bare", [False, True], ids=["envelope", "bare"])
@pytest.mark.parametrize("count", [3, 10, 25, 40])
def test_pages_counted_from_0_are_all_read(count: int, is_bare: bool) -> None:
    service = Paged({"/vendors": numbered(count)}, first=0, is_bare=is_bare)
    client = service.service()

    paginator, found = read(client)
    _, again = read(client)

    assert sorted(found) == ids(count)
    assert again == ids(count)
    assert (paginator.fault, paginator.records) == (None, count)


def test_lists_of_parents_counted_from_0_are_all_read() -> None:
    service = Paged(
        {f"/buyers/{name}/buyer_users": numbered(3) for name in "abc"}, first=0, is_bare=True
    )
    with Fetcher(service.service(), RESOURCE["buyer_users"], Traffic()) as lists:
        found = [[page.records for page in pages] for _, pages in lists.lists("abc")]

    assert found == [[json.dumps(numbered(3)).encode()]] * 3


@pytest.mark.parametrize("before_first", ["empty", "first page", "404", "422", "500"])
def test_page_0_is_asked_for_once_where_nothing_tells_where_a_list_begins(
    before_first: Any,
) -> None:
    service = Paged({"/vendors": numbered(25)}, is_bare=True, before_first=before_first)
    client = service.service()

    for _ in range(3):
        assert read(client)[1] == ids(25)

    attempts = 2 if before_first == "500" else 1
    assert service.pages == [1, 2, 3, 4, 5, *[0] * attempts, *[1, 2, 3, 4, 5] * 2]


def test_page_0_is_not_asked_for_where_the_records_add_up() -> None:
    service = Paged({"/vendors": numbered(25), "/brands": []})
    client = service.service()

    assert (read(client)[1], read(client, "brands")[1]) == (ids(25), [])
    assert service.pages == [1, 2, 3, 1]


def test_a_key_that_is_refused_at_page_0_is_refused() -> None:
    service = Paged({"/vendors": numbered(25)}, is_bare=True, before_first="404")
    inner = service.handle

    def handle(request: httpx.Request) -> httpx.Response:
        return answer({}, 401) if request.url.params["page"] == "0" else inner(request)

    service.handle = handle  # type: ignore[method-assign]
    with pytest.raises(Unauthorized):
        read(service.service())


@pytest.mark.parametrize("is_bare", [False, True], ids=["envelope", "bare"])
def test_404_behind_the_last_page_ends_a_list(is_bare: bool) -> None:
    service = Paged({"/vendors": numbered(20)}, is_bare=is_bare, behind_last="404")

    paginator, found = read(service.service())

    assert found == ids(20)
    assert (paginator.fault, paginator.records) == (None, 20)


def test_a_page_that_turns_out_to_be_unreadable_is_asked_for_again() -> None:
    broken = json.dumps({"pagination": {"total_pages": 2, "total_count": 11}, "data": [{"id": 1}]})
    bodies = iter([broken, broken.replace("1}]", "2}]"), broken.replace("1}]", "3}]")])
    service = Lists(
        {"/vendors": numbered(11)},
        lambda path, number: answer(json.loads(next(bodies))) if number == 1 else None,
    )
    traffic = Traffic()
    with Fetcher(service.service(attempts=4), RESOURCE["vendors"], traffic) as pages:
        page = next(iter(pages.read_list(Paginator(), ())))
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
        ((_, (page,)),) = lists.lists(["i1"])
        assert page.refetch is not None
        with pytest.raises(ContentError) as failure:
            page.refetch(refuse)

    assert str(failure.value) == (
        "GET /items/i1/variants?page=1&limit=10: an object names 'id' twice; see what answers there"
    )
    assert service.asked["/items/i1/variants", 1] == 1 + 3


def test_a_record_can_be_asked_for_again() -> None:
    service = Lists({"/orders": [{"id": "a"}]})
    with fetcher(service, "orders") as records:
        ((_, page),) = records.records([("a", None)])
        assert page is not None
        assert page.refetch is not None
        assert page.refetch(lambda again: again.records) == b'[{"id": "a"}]'

    assert service.singles == ["/orders/a"] * 2
