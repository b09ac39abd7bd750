"""A list is read to its end, and how a service pages its lists is learned once, for all."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import httpx
import pytest

from support.records.lists import Record, answer, numbered
from wholesale.api.resources import RESOURCE
from wholesale.errors import Failing, NotFound, Unauthorized, Unavailable, Unprocessable
from wholesale.http.client import Client
from wholesale.http.traffic import Traffic
from wholesale.pages.fetcher import Fetcher
from wholesale.pages.pagination import Paginator
from wholesale.pages.service import Service
from wholesale.settings import ApiSettings


@dataclass
class Paged:
    """Lists as some service might page them: `first` is the number of their first page.

    A limit above `most` is answered by a `refusal`, from request number `from_request` on.
    `taken` are the parameters that are not refused; a page has `default` records without a limit.
    `before_first` says what a page before the first one is, `behind_last` what one behind the last
    is.
    """

    lists: Mapping[str, Sequence[Record]]
    first: int = 1
    most: int = 1000
    from_request: int = 1
    refusal: int = 422
    is_bare: bool = False
    taken: frozenset[str] = frozenset({"page", "limit"})
    default: int = 10
    before_first: Literal["empty", "first page", "404", "422", "500"] = "empty"
    behind_last: Literal["empty", "404", "422", "last page"] = "empty"
    asked: list[tuple[int, int]] = field(default_factory=list)

    def handle(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.removeprefix("/api/external/v1")
        params = request.url.params
        number, limit = int(params.get("page", self.first)), int(params.get("limit", self.default))
        self.asked.append((number, limit))
        if not self.taken.issuperset(params):
            return answer({"error": "Unprocessable", "details": "parameter"}, 422)
        if path not in self.lists:
            return answer({}, 404)
        if len(self.asked) >= self.from_request and limit > self.most:
            return answer({"error": "Unprocessable", "details": "limit"}, self.refusal)
        records = self.lists[path]
        pages = max(1, -(-len(records) // limit))
        place = number - self.first
        if place < 0 and self.before_first == "first page":
            place = 0
        if place >= pages and self.behind_last == "last page":
            place = pages - 1
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
                transport=httpx.MockTransport(self.handle),
                sleep=lambda _: None,
            )
        )

    @property
    def pages(self) -> list[int]:
        return [number for number, _ in self.asked]


def read(
    client: Service, resource: str = "vendors", page_size: int | None = None
) -> tuple[Paginator, list[str]]:
    """The paginator of a list at its end, and the ids that it brought, in order."""
    paginator, found = Paginator(), []
    with Fetcher(client, RESOURCE[resource], Traffic()) as pages:
        for page in pages.read_list(paginator, (), page_size):
            found += [record["id"] for record in json.loads(page.records)]
    return paginator, found


def ids(count: int) -> list[str]:
    return [record["id"] for record in numbered(count)]


@pytest.mark.parametrize("refusal", [400, 422])
def test_a_refused_limit_is_halved_until_it_is_accepted_and_remembered(refusal: int) -> None:
    lists = {"/vendors": numbered(25), "/brands": numbered(7)}
    service = Paged(lists, most=30, refusal=refusal)
    client = service.service(page_size=100)

    paginator, found = read(client)
    _, brands = read(client, "brands")

    assert (found, brands) == (ids(25), ids(7))
    assert (paginator.fault, paginator.records, paginator.last_total) == (None, 25, 25)
    assert service.asked == [(1, 100), (1, 50), (1, 25), (1, 25), (2, 25), (1, 25)]
    assert (client.paging.limit, client.client.settings.page_size) == (25, 100)


def test_a_limit_that_is_refused_in_the_middle_of_a_list_loses_no_record() -> None:
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


def test_a_page_that_is_too_large_is_asked_for_in_smaller_ones_and_loses_no_record() -> None:
    service = Paged({"/vendors": numbered(42)}, most=5, from_request=3, refusal=413)

    _, found = read(service.service())

    assert found[20:] == ids(42)
    assert service.asked[:6] == [(1, 10), (2, 10), (3, 10), (1, 5), (1, 5), (2, 5)]


@pytest.mark.parametrize("refusal", [413, 422, 500])
def test_longer_pages_that_end_in_failures_are_read_again_in_the_usual_size(refusal: int) -> None:
    service = Paged({"/vendors": numbered(42)}, most=10, from_request=2, refusal=refusal)

    paginator, found = read(service.service(attempts=1), page_size=20)

    assert (found[:20], found[20:]) == (ids(20), ids(42))
    assert (paginator.fault, paginator.records, paginator.last_total) == (None, 42, 42)
    assert [number for number, limit in service.asked if limit == 10] == [1, 2, 3, 4, 5]


def test_a_list_of_the_usual_size_that_ends_in_failures_is_not_read_again() -> None:
    service = Paged({"/vendors": numbered(42)}, most=5, from_request=2, refusal=500)

    with pytest.raises(Unavailable):
        read(service.service(attempts=1))

    assert service.asked.count((1, 10)) == 1


def test_a_limit_that_is_refused_while_many_pages_are_under_way_loses_no_record() -> None:
    service = Paged({"/vendors": numbered(420)}, most=5, from_request=9)

    paginator, found = read(service.service(concurrency=8))

    assert found[-420:] == ids(420)
    assert (paginator.fault, paginator.records, paginator.last_total) == (None, 420, 420)


def test_a_limit_that_another_list_has_lowered_meanwhile_is_not_looked_for_again() -> None:
    service = Paged({"/vendors": numbered(7), "/brands": numbered(7)}, most=5)
    inner = service.handle
    requests: list[httpx.Request] = []
    read_brands: list[str] = []

    def handle(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        if len(requests) == 1:
            read_brands.extend(read(client, "brands")[1])
        return inner(request)

    service.handle = handle  # type: ignore[method-assign]
    client = service.service(concurrency=2)
    paginator, found = read(client)

    assert (found, read_brands, paginator.fault) == (ids(7), ids(7), None)
    assert service.asked == [(1, 10), (1, 5), (1, 5), (2, 5), (1, 10), (1, 5), (2, 5)]


def test_a_first_page_is_had_with_a_lower_limit_too() -> None:
    service = Paged({"/vendors": numbered(42)}, most=5)
    client = service.service()
    with Fetcher(client, RESOURCE["vendors"], Traffic()) as pages:
        assert pages.first_page().count == 5
    assert client.paging.limit == 5


def test_a_service_that_fails_at_large_pages_is_asked_for_smaller_ones() -> None:
    service = Paged({"/vendors": numbered(42)}, most=5, refusal=500)
    client = service.service(page_size=20)

    paginator, found = read(client)

    assert (found, paginator.fault, client.paging.limit) == (ids(42), None, 5)
    assert service.asked[:7] == [*[(1, 20)] * 3, (1, 5), *[(1, 20)] * 2, (1, 5)]


def test_a_page_that_is_answered_after_all_is_read_as_it_is() -> None:
    service = Paged({"/vendors": numbered(42)}, most=5, refusal=500)
    inner = service.handle

    def handle(request: httpx.Request) -> httpx.Response:
        service.most = 5 if len(service.asked) < 3 else 1000
        return inner(request)

    service.handle = handle  # type: ignore[method-assign]
    client = service.service(page_size=20)

    paginator, found = read(client)

    assert (found, paginator.fault, client.paging.limit) == (ids(42), None, 20)


def test_a_service_that_fails_at_pages_of_any_size_is_asked_for_smaller_ones_once() -> None:
    service = Paged({"/vendors": numbered(42)}, most=0, refusal=500)
    client = service.service(page_size=20)

    for _ in range(2):
        with pytest.raises(Failing, match=r"^GET /vendors\?page=1&limit=20 got no usable answer"):
            read(client)

    assert {limit for _, limit in service.asked} == {20, 5, 1}
    assert client.paging.limit == 20


def test_a_service_that_fails_at_smaller_pages_too_is_asked_for_as_many_as_before() -> None:
    """One record that the service fails at fails each page that shows it."""
    service = Paged({"/vendors": numbered(42)}, most=5, refusal=500)
    inner = service.handle

    def handle(request: httpx.Request) -> httpx.Response:
        is_second = request.url.params["page"] == "2"
        return answer({}, 500) if is_second else inner(request)

    service.handle = handle  # type: ignore[method-assign]
    client = service.service(page_size=20)

    with pytest.raises(Failing, match=r"^GET /vendors\?page=2&limit=5 got no usable answer"):
        read(client)

    assert client.paging.limit == 20


def emptied(service: Paged, page_zero: int = 200) -> Paged:
    """The same service, whose lists show nothing at a larger limit than its most."""
    inner = service.handle
    none = {"pagination": {"total_pages": 0, "total_count": 0}, "data": []}

    def handle(request: httpx.Request) -> httpx.Response:
        answered = inner(request)
        if request.url.params["page"] == "0" and page_zero != 200:
            return answer({}, page_zero)
        return answer(none) if answered.status_code == 422 else answered

    service.handle = handle  # type: ignore[method-assign]
    return service


@pytest.mark.parametrize("page_zero", [200, 404])
@pytest.mark.parametrize(("most", "less"), [(5, 5), (3, 1)])
def test_a_list_that_shows_nothing_at_a_large_limit_is_read_at_a_lower_one(
    page_zero: int, most: int, less: int
) -> None:
    service = emptied(Paged({"/vendors": numbered(12), "/brands": []}, most=most), page_zero)
    client = service.service(page_size=20)

    assert (read(client)[1], read(client, "brands")[1]) == (ids(12), [])
    assert client.paging.limit == less
    looks = [(1, 20), (1, 20), (1, 1), (0, 20), (1, 5)]
    pages = [(number, less) for number in range(1, -(-12 // less) + 1)]
    assert service.asked[: len(looks) + len(pages)] == [*looks, *pages]


def test_a_key_that_is_refused_before_the_first_page_of_an_empty_list_is_refused() -> None:
    service = emptied(Paged({"/vendors": numbered(12)}, most=5), 401)

    with pytest.raises(Unauthorized):
        read(service.service(page_size=20))


@pytest.mark.parametrize("first_answer", [404, 200])
def test_a_list_that_is_denied_or_empty_once_is_read(first_answer: int) -> None:
    service = Paged({"/vendors": numbered(25)})
    inner = service.handle
    none = {"pagination": {"total_pages": 0, "total_count": 0}, "data": []}

    def handle(request: httpx.Request) -> httpx.Response:
        answered = inner(request)
        return answer(none, first_answer) if len(service.asked) == 1 else answered

    service.handle = handle  # type: ignore[method-assign]

    paginator, found = read(service.service())

    assert (found, paginator.fault) == (ids(25), None)
    assert service.pages == [1, 1, 2, 3]


def test_no_content_is_asked_for_once_more_and_ends_a_list_behind_its_last_page() -> None:
    service = Paged({"/vendors": numbered(20)}, is_bare=True)
    inner = service.handle
    emptied = {1}

    def handle(request: httpx.Request) -> httpx.Response:
        number = int(request.url.params["page"])
        if number == 3 or number in emptied:
            emptied.discard(number)
            return httpx.Response(204)
        return inner(request)

    service.handle = handle  # type: ignore[method-assign]

    paginator, found = read(service.service())

    assert (found, paginator.fault) == (ids(20), None)


def test_422_for_anything_else_than_the_limit_is_an_error_and_nothing_is_remembered() -> None:
    service = Paged({"/vendors": numbered(25)}, most=0)
    client = service.service()

    with pytest.raises(Unprocessable, match=r"^GET /vendors\?page=1&limit=10 answered 422"):
        read(client)

    assert service.asked == [(1, 10), (1, 5), (1, 2), (1, 1), (1, 10), (1, 10)]
    assert (client.paging.limit, client.paging.left_out) == (10, {})


@pytest.mark.parametrize("is_bare", [True, False])
@pytest.mark.parametrize(("taken", "default"), [({"page"}, 7), (set(), 1000)])
def test_parameters_that_a_list_does_not_take_are_left_out(
    taken: set[str], default: int, is_bare: bool
) -> None:
    lists = {"/vendors": numbered(25)}
    service = Paged(lists, is_bare=is_bare, taken=frozenset(taken), default=default)
    client = service.service()

    for _ in range(2):
        paginator, found = read(client)
        assert (found, paginator.fault) == (ids(25), None)

    assert client.paging.left_out == {"list_vendors": {"page", "limit"} - taken}
    assert (client.paging.limit, client.paging.is_first_known) == (10, bool(taken))


def test_a_list_that_takes_no_limit_is_learned_once_for_all_parents() -> None:
    service = Paged(
        {f"/items/{n}/variants": numbered(3) for n in range(5)}, taken=frozenset(), default=1000
    )
    traffic = Traffic()
    with Fetcher(service.service(), RESOURCE["variants"], traffic) as fetcher:
        found = [child.paginator for child in fetcher.lists([str(n) for n in range(5)])]

    assert [paginator and paginator.records for paginator in found] == [3] * 5
    assert traffic.requests == len([10, 5, 2, 1]) + 2 + 5


def test_that_a_list_takes_no_limit_is_not_found_out_again_where_another_thread_has() -> None:
    service = Paged({"/vendors": numbered(7)}, taken=frozenset(), default=1000)
    inner = service.handle

    def handle(request: httpx.Request) -> httpx.Response:
        client.paging.left_out["list_vendors"] = frozenset({"page", "limit"})
        return inner(request)

    service.handle = handle  # type: ignore[method-assign]
    client = service.service()

    assert read(client)[1] == ids(7)
    assert len(service.asked) == len(["refused", "the same", "the list"])


def test_422_for_a_page_leaves_the_limit_alone_and_ends_the_list_with_a_fault() -> None:
    service = Paged({"/vendors": numbered(20)}, is_bare=True, behind_last="422")
    client = service.service()

    paginator, found = read(client)

    assert (found, paginator.fault) == (ids(20), "page 3 is refused")
    assert service.pages == [1, 2, 3, 1, 0]
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


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("count", [0, 1, 3, 10])
def test_a_page_that_is_shown_for_ever_hides_no_page_0_of_other_lists(
    count: int, first: int
) -> None:
    service = Paged(
        {"/vendors": numbered(count), "/brands": numbered(25)},
        first,
        is_bare=True,
        before_first="first page",
        behind_last="last page",
    )
    client = service.service()

    for resource, records in (("vendors", count), ("brands", 25), ("vendors", count)):
        assert sorted(read(client, resource)[1]) == ids(records)

    assert client.paging.first == first


@pytest.mark.parametrize("is_look", [False, True])
@pytest.mark.parametrize("count", [3, 25])
def test_page_0_is_the_first_where_page_1_of_a_short_list_is_denied(
    count: int, is_look: bool
) -> None:
    service = Paged(
        {"/vendors": numbered(3), "/brands": numbered(count)}, first=0, behind_last="404"
    )
    client = service.service()

    if is_look:
        with Fetcher(client, RESOURCE["vendors"], Traffic()) as pages:
            assert pages.page(0, ()).count == 3
    else:
        assert read(client)[1] == ids(3)
    assert read(client, "brands")[1] == ids(count)
    assert (client.paging.first, client.paging.is_first_known) == (0, True)


@pytest.mark.parametrize("before_first", ["empty", "404", "500"])
@pytest.mark.parametrize("is_look", [False, True])
def test_a_list_that_is_denied_stays_so_where_page_0_shows_nothing(
    before_first: Any, is_look: bool
) -> None:
    service = Paged({"/vendors": numbered(3)}, before_first=before_first)
    inner = service.handle
    service.handle = lambda request: (  # type: ignore[method-assign]
        inner(request) if request.url.params["page"] == "0" else answer({}, 404)
    )
    client = service.service()

    with Fetcher(client, RESOURCE["vendors"], Traffic()) as pages, pytest.raises(NotFound):
        pages.page(0, ()) if is_look else list(pages.read_list(Paginator(), ()))
    assert client.paging.first == 1


def test_a_page_1_that_is_denied_by_mistake_does_not_make_page_0_the_first() -> None:
    service = Paged({"/vendors": numbered(25)}, is_bare=True, before_first="first page")
    inner = service.handle

    def handle(request: httpx.Request) -> httpx.Response:
        page = inner(request)
        return answer({}, 404) if service.pages in ([1], [1, 1]) else page

    service.handle = handle  # type: ignore[method-assign]
    client = service.service()

    with pytest.raises(NotFound):
        read(client)
    assert read(client)[1] == ids(25)


def test_a_key_that_is_refused_for_page_0_of_a_denied_list_ends_the_reading() -> None:
    service = Paged({"/vendors": numbered(3)})
    service.handle = lambda request: (  # type: ignore[method-assign]
        answer({}, 401 if request.url.params["page"] == "0" else 404)
    )

    with pytest.raises(Unauthorized):
        read(service.service())


def test_a_record_that_comes_between_two_pages_is_no_page_0() -> None:
    service = Paged(
        {"/vendors": numbered(3)}, is_bare=True, before_first="first page", behind_last="last page"
    )
    inner = service.handle

    def handle(request: httpx.Request) -> httpx.Response:
        if service.asked[-1:] == [(0, 1)]:
            service.lists = {"/vendors": [{"id": f"new-{len(service.asked)}"}, *numbered(3)]}
        return inner(request)

    service.handle = handle  # type: ignore[method-assign]
    client = service.service()

    read(client)

    assert (client.paging.first, client.paging.is_first_known) == (1, True)


def test_a_list_of_one_page_does_not_tell_where_pages_begin_by_its_count() -> None:
    service = Paged(
        {"/vendors": numbered(7), "/brands": numbered(25)}, first=0, behind_last="last page"
    )
    client = service.service()

    assert (read(client, "vendors")[1], sorted(read(client, "brands")[1])) == (ids(7), ids(25))


@pytest.mark.parametrize(
    ("hidden", "found"),
    [
        (range(10, 40), [*range(10), *range(40, 150)]),
        (range(15, 75), [*range(15), *range(75, 150)]),
        (range(10, 150), range(10)),
        (range(150), ()),
    ],
)
def test_a_list_goes_on_behind_pages_that_were_emptied_after_they_were_cut(
    hidden: range, found: Sequence[int]
) -> None:
    service = Paged({"/vendors": numbered(150)}, is_bare=True)
    names = {f"id-{number:04}" for number in hidden}
    inner = service.handle

    def handle(request: httpx.Request) -> httpx.Response:
        data = json.loads(inner(request).read())
        return answer([record for record in data if record["id"] not in names])

    service.handle = handle  # type: ignore[method-assign]

    paginator, shown = read(service.service())

    assert (shown, paginator.fault) == ([f"id-{number:04}" for number in found], None)


def test_a_list_that_shows_what_it_counts_is_not_looked_for_further_on() -> None:
    service = Paged({"/vendors": numbered(25)}, is_bare=True)
    inner = service.handle
    service.handle = lambda request: answer(  # type: ignore[method-assign]
        {"data": json.loads(inner(request).read()), "pagination": {"total_count": 25}}
    )

    paginator, shown = read(service.service())

    assert (shown, paginator.fault) == (ids(25), None)
    assert [page for page, _ in service.asked] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("status", [404, 422, 500])
def test_a_list_ends_where_pages_further_on_cannot_be_read(status: int) -> None:
    service = Paged({"/vendors": numbered(25)}, is_bare=True)
    inner = service.handle
    service.handle = lambda request: (  # type: ignore[method-assign]
        answer({}, status) if int(request.url.params["page"]) > 5 else inner(request)
    )

    paginator, shown = read(service.service())

    assert (shown, paginator.fault) == (ids(25), None)


def test_a_key_that_is_refused_further_on_ends_the_reading() -> None:
    service = Paged({"/vendors": numbered(25)}, is_bare=True)
    inner = service.handle
    service.handle = lambda request: (  # type: ignore[method-assign]
        answer({}, 401) if int(request.url.params["page"]) > 5 else inner(request)
    )

    with pytest.raises(Unauthorized):
        read(service.service())


def test_lists_of_parents_counted_from_0_are_all_read() -> None:
    service = Paged(
        {f"/buyers/{name}/buyer_users": numbered(3) for name in "abc"}, first=0, is_bare=True
    )
    with Fetcher(service.service(), RESOURCE["buyer_users"], Traffic()) as lists:
        read = [[page.records for page in found.pages] for found in lists.lists("abc")]

    assert read == [[json.dumps(numbered(3)).encode()]] * 3


@pytest.mark.parametrize("before_first", ["empty", "first page", "404", "422", "500"])
def test_page_0_is_asked_for_once_where_nothing_tells_where_a_list_begins(
    before_first: Any,
) -> None:
    service = Paged({"/vendors": numbered(25)}, is_bare=True, before_first=before_first)
    client = service.service()

    for _ in range(3):
        assert read(client)[1] == ids(25)

    attempts = 2 if before_first == "500" else 1
    whole = [1, 2, 3, 4, 5, 6, 9, 21]
    assert service.pages == [*whole, *[0] * attempts, *whole * 2]


def test_page_0_of_an_empty_list_is_asked_for_once_and_tells_nothing_of_other_lists() -> None:
    service = Paged({"/vendors": [], "/brands": numbered(3)}, first=0, is_bare=True)
    client = service.service()

    found = [read(client, resource)[1] for resource in ("vendors", "vendors", "brands", "vendors")]

    assert found == [[], [], ids(3), []]
    brands = [1, 1, 1, 0, 2, 0, 1]
    assert service.pages == [1, 1, 1, 2, 0, 1, 1, 1, 2, *brands, 0, 0, 0, 1]
    assert client.paging.first == 0


def test_page_0_is_not_asked_for_where_the_records_add_up() -> None:
    service = Paged({"/vendors": numbered(25), "/brands": []})
    client = service.service()

    assert (read(client)[1], read(client, "brands")[1]) == (ids(25), [])
    assert service.pages == [1, 2, 3, 1, 1, 1]


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
