"""A service may count its pages from 0 or from 1: no page is left out, and none is invented."""

import json
from typing import Any

import httpx
import pytest

from support.records.lists import answer, numbered
from support.services.paged import Paged, ids, read
from wholesale.api.resources import RESOURCE
from wholesale.errors import NotFound, Unauthorized
from wholesale.http.traffic import Traffic
from wholesale.pages.fetcher import Fetcher
from wholesale.pages.pagination import Paginator


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
