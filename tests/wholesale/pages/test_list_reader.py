"""A list is read to its end, whatever happens on the way."""

import json
from collections.abc import Sequence

import httpx
import pytest

from support.records.lists import Record, answer, numbered
from support.services.paged import Paged, ids, read
from wholesale.api.resources import RESOURCE
from wholesale.errors import ContentError, Unauthorized, Unavailable
from wholesale.http.traffic import Traffic
from wholesale.pages.fetcher import Fetcher
from wholesale.pages.pagination import Paginator


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


def test_a_list_that_is_answered_by_204_each_time_is_empty() -> None:
    service = Paged({}, is_bare=True)
    service.handle = lambda request: httpx.Response(204)  # type: ignore[method-assign]

    paginator, found = read(service.service())

    assert (found, paginator.records, paginator.fault) == ([], 0, None)


@pytest.mark.parametrize("null", [None, {"data": None}, {"pagination": {"current": 3}}])
def test_null_is_asked_for_once_more_and_ends_a_list_behind_its_last_page(null: Record) -> None:
    service = Paged({"/vendors": numbered(20)}, is_bare=True)
    inner = service.handle
    emptied = {2}

    def handle(request: httpx.Request) -> httpx.Response:
        number = int(request.url.params["page"])
        answered = inner(request)
        if number > 2 or number in emptied:
            emptied.discard(number)
            return answer(null)
        return answered

    service.handle = handle  # type: ignore[method-assign]

    paginator, found = read(service.service())

    assert (found, paginator.fault) == (ids(20), None)
    assert service.pages[:7] == [1, 2, 2, 3, 3, 4, 4]


def test_a_first_page_that_is_null_is_no_list() -> None:
    service = Paged({})
    service.handle = lambda request: answer(None)  # type: ignore[method-assign]

    with pytest.raises(ContentError, match="body is null, not a list of records"):
        read(service.service())


def test_422_for_a_page_leaves_the_limit_alone_and_ends_the_list_with_a_fault() -> None:
    service = Paged({"/vendors": numbered(20)}, is_bare=True, behind_last="422")
    client = service.service()

    paginator, found = read(client)

    assert (found, paginator.fault) == (ids(20), "page 3 is refused")
    assert service.pages == [1, 2, 3, 1, 0]
    assert client.paging.limit == 10


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


@pytest.mark.parametrize(("expected", "further"), [(25, []), (26, [6, 9, 21]), (None, [6, 9, 21])])
def test_a_list_that_shows_as_many_as_another_reading_is_not_looked_for_further_on(
    expected: int | None, further: list[int]
) -> None:
    service = Paged({"/vendors": numbered(25)}, is_bare=True)
    client = service.service()
    client.paging.is_first_known = True

    with Fetcher(client, RESOURCE["vendors"], Traffic()) as pages:
        shown = [page.number for page in pages.read_list(Paginator(expected=expected), ())]

    assert shown == [1, 2, 3]
    assert service.pages == [1, 2, 3, 4, 5, *further]


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


@pytest.mark.parametrize("is_bare", [False, True], ids=["envelope", "bare"])
def test_404_behind_the_last_page_ends_a_list(is_bare: bool) -> None:
    service = Paged({"/vendors": numbered(20)}, is_bare=is_bare, behind_last="404")

    paginator, found = read(service.service())

    assert found == ids(20)
    assert (paginator.fault, paginator.records) == (None, 20)
