"""How many records a page a service accepts, answers and shows is learned once, for all lists."""

import httpx
import pytest

from support.records.lists import answer, numbered
from support.services.paged import Paged, ids, read
from wholesale.api.resources import RESOURCE
from wholesale.errors import Failing, TooLarge, Unauthorized, Unprocessable
from wholesale.http.traffic import Traffic
from wholesale.pages.fetcher import Fetcher


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


def test_no_page_is_looked_for_before_a_first_one_that_is_known() -> None:
    service = emptied(Paged({"/vendors": numbered(12)}, most=5))
    client = service.service(page_size=20)
    client.paging.is_first_known = True

    assert read(client)[1] == ids(12)
    assert 0 not in service.pages


@pytest.mark.parametrize(
    ("service", "count", "first", "limit"),
    [
        (Paged({"/vendors": numbered(12)}), 12, 1, 20),
        (Paged({"/vendors": []}), 0, 1, 20),
        (Paged({"/vendors": numbered(12)}, first=0), 12, 0, 20),
        (emptied(Paged({"/vendors": numbered(12)}, most=5)), 5, 1, 5),
    ],
)
def test_a_first_page_by_itself_is_empty_only_if_nothing_speaks_against_it(
    service: Paged, count: int, first: int, limit: int
) -> None:
    client = service.service(page_size=20)

    with Fetcher(client, RESOURCE["vendors"], Traffic()) as pages:
        assert pages.first_page().count == count

    assert (client.paging.first, client.paging.limit) == (first, limit)


def test_a_key_that_is_refused_before_the_first_page_of_an_empty_list_is_refused() -> None:
    service = emptied(Paged({"/vendors": numbered(12)}, most=5), 401)

    with pytest.raises(Unauthorized):
        read(service.service(page_size=20))


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


@pytest.mark.parametrize(("count", "fault"), [(12, None), (14, "page 3 is refused")])
def test_a_list_that_takes_no_limit_ends_where_a_page_is_refused(
    count: int, fault: str | None
) -> None:
    """What is refused then is the page, so the list is not to be read again."""
    lists = {"/vendors": numbered(count)}
    taken = frozenset({"page"})
    service = Paged(lists, is_bare=True, taken=taken, default=7, behind_last="422")

    paginator, found = read(service.service())

    assert (found, paginator.fault) == (ids(count), fault)
    assert service.pages.count(3) == 1


def test_a_page_that_is_too_large_ends_the_reading_of_a_list_that_takes_no_limit() -> None:
    service = Paged({"/vendors": numbered(14)}, taken=frozenset({"page"}), default=7)
    inner = service.handle
    service.handle = lambda request: (  # type: ignore[method-assign]
        answer({}, 413) if request.url.params["page"] == "2" else inner(request)
    )

    with pytest.raises(TooLarge, match=r"^GET /vendors\?page=2 answered 413"):
        read(service.service())


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
