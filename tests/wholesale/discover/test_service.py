"""How a service pages its lists is found out by a few requests, or left as it is assumed."""

import itertools
from typing import Any

import httpx
import pytest

from support.records.lists import Record, answer, numbered
from support.services.paged import Beyond, Paged
from wholesale.api.profile import ServiceFacts, ServiceProfile
from wholesale.discover.service import discover_service
from wholesale.errors import Unauthorized
from wholesale.http.traffic import Traffic

BEYOND: tuple[Beyond, ...] = ("empty", "404", "422", "500", "repeats")


def discovered(
    paged: Paged, known: ServiceProfile | None = None, /, **settings: Any
) -> ServiceProfile:
    """What is known of the service after a look at it."""
    client = paged.service(known, **settings)
    with client.client:
        discover_service(client, Traffic())
    return client.profile


def facts(profile: ServiceProfile) -> dict[str, Any]:
    """The facts that were observed."""
    return {name: getattr(profile, name) for name in sorted(profile.observed)}


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("before_first", BEYOND)
@pytest.mark.parametrize("behind_last", BEYOND)
@pytest.mark.parametrize("is_bare", [False, True], ids=["envelope", "bare"])
@pytest.mark.parametrize("count", [2, 3, 25])
def test_the_number_of_the_first_page_is_shown_by_a_list_of_two_records(
    count: int, is_bare: bool, behind_last: Beyond, before_first: Beyond, first: int
) -> None:
    service = Paged(
        {"/orders": numbered(count)},
        first=first,
        is_bare=is_bare,
        before_first=before_first,
        behind_last=behind_last,
    )

    profile = discovered(service)

    assert (profile.first_page, profile.origin_of("first_page")) == (first, "observed")
    assert profile.page_size is None


@pytest.mark.parametrize(
    ("lists", "first"),
    [
        ({"/vendors": numbered(2)}, 0),
        ({"/orders": [], "/vendors": [], "/items": numbered(2)}, 0),
        ({"/buyers": numbered(3)}, 0),
    ],
)
def test_the_next_list_is_asked_where_one_does_not_tell(
    lists: dict[str, list[Record]], first: int
) -> None:
    profile = discovered(Paged(lists, first=first))

    assert (profile.first_page, profile.origin_of("first_page")) == (first, "observed")


@pytest.mark.parametrize(
    "service",
    [
        Paged({}),
        Paged({"/orders": [], "/vendors": [], "/items": [], "/buyers": []}),
        Paged({"/orders": numbered(1)}, before_first="repeats"),
        Paged({"/orders": numbered(1)}, first=0, behind_last="repeats"),
        Paged({"/orders": numbered(25)}, taken=frozenset({"verbose"})),
        Paged({"/orders": [{"name": "a"}, {"name": "b"}]}),
    ],
    ids=["no lists", "empty", "one", "one, from 0", "no parameters", "no ids"],
)
def test_lists_of_one_record_or_none_leave_the_first_page_as_assumed(service: Paged) -> None:
    profile = discovered(service)

    assert (profile.first_page, profile.origin_of("first_page")) == (1, "assumed")


def test_a_list_that_moves_while_it_is_asked_tells_nothing() -> None:
    service = Paged({"/orders": numbered(3)}, before_first="repeats")
    moving = itertools.count()
    service.lists = {"/vendors": numbered(2)}
    inner = service.handle

    def handle(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/orders"):
            return answer([{"id": f"new-{next(moving)}"}])
        return inner(request)

    service.handle = handle  # type: ignore[method-assign]

    assert discovered(service).first_page == 1


def test_a_list_that_ignores_the_number_of_a_page_tells_nothing() -> None:
    service = Paged({})
    service.handle = lambda request: answer(numbered(3))  # type: ignore[method-assign]

    assert discovered(service).origin_of("first_page") == "assumed"


@pytest.mark.parametrize("refusal", [422, 400, 413, 500])
@pytest.mark.parametrize(("most", "size"), [(99, 50), (50, 50), (49, 25), (1, 1)])
def test_a_page_size_that_is_refused_is_halved(most: int, size: int, refusal: int) -> None:
    service = Paged({"/orders": numbered(205)}, most=most, refusal=refusal)

    profile = discovered(service, page_size=100)

    assert (profile.page_size, profile.origin_of("page_size")) == (size, "observed")


def test_a_service_that_refuses_every_size_leaves_it_as_assumed() -> None:
    service = Paged({"/orders": numbered(205)}, most=0, first=0)

    profile = discovered(service)

    assert facts(profile) == {}
    assert (profile.first_page, profile.page_size) == (1, None)


@pytest.mark.parametrize("is_bare", [False, True], ids=["envelope", "bare"])
@pytest.mark.parametrize("behind_last", BEYOND)
@pytest.mark.parametrize(("count", "size"), [(25, None), (10, None), (30, 10), (11, 10), (10, 5)])
def test_a_page_size_that_is_cut_off_is_what_the_first_page_has(
    count: int, size: int | None, behind_last: Beyond, is_bare: bool
) -> None:
    """A page of fewer records than were asked for is all there is, unless more follow."""
    service = Paged(
        {"/orders": numbered(count)}, gives=size or 1000, is_bare=is_bare, behind_last=behind_last
    )

    profile = discovered(service, page_size=25)

    assert (profile.page_size, profile.origin_of("page_size")) == (size, "observed")


def test_no_more_is_asked_for_than_the_settings_and_what_is_set_allow() -> None:
    service = Paged({"/orders": numbered(50)})

    profile = discovered(service, ServiceProfile(), page_size=20, service=ServiceFacts(page_size=7))

    assert (profile.page_size, profile.origin_of("page_size")) == (7, "set")
    assert max(limit for _, limit in service.asked) == 7


@pytest.mark.parametrize(
    ("count", "gives", "most", "size"),
    [
        (100, 1000, 1000, 50),
        (100, 40, 1000, 40),
        (100, 10, 1000, None),
        (100, 1000, 10, None),
        (99, 1000, 1000, None),
    ],
)
def test_rows_in_short_come_more_a_page_where_the_service_gives_them(
    count: int, gives: int, most: int, size: int | None
) -> None:
    service = Paged({"/orders": numbered(count)})
    inner = service.handle

    def handle(request: httpx.Request) -> httpx.Response:
        is_short = request.url.params.get("verbose") == "false"
        service.gives, service.most = (gives, most) if is_short else (1000, 1000)
        return inner(request)

    service.handle = handle  # type: ignore[method-assign]

    profile = discovered(service)

    assert profile.summary_page_size == size
    assert profile.page_size is None
    assert profile.origin_of("summary_page_size") == ("assumed" if count == 99 else "observed")


def test_what_was_looked_at_is_not_asked_for_again() -> None:
    service = Paged({"/orders": numbered(25)})
    known = discovered(service)
    asked = len(service.asked)

    assert discovered(service, known) == known
    assert len(service.asked) == asked


def test_what_is_set_is_not_asked_for() -> None:
    service = Paged({"/orders": numbered(25)}, first=0)

    profile = discovered(service, service=ServiceFacts(first_page=1, page_size=5))

    assert service.asked == []
    assert profile == ServiceProfile.of(ServiceFacts(first_page=1, page_size=5))


def test_each_fact_that_is_set_stays_whatever_is_seen() -> None:
    service = Paged({"/orders": numbered(250)}, first=0, gives=5)
    pins = ServiceFacts(first_page=0, summary_page_size=9)

    profile = discovered(service, service=pins)

    assert facts(profile) == {"page_size": 5}
    assert (profile.first_page, profile.summary_page_size) == (0, 9)


def test_a_key_that_is_refused_ends_the_look_at_any_request() -> None:
    service = Paged({"/orders": numbered(205)}, window=100)
    discovered(service)

    for valid in range(len(service.asked)):
        refusing = Paged(service.lists, window=100)
        inner = refusing.handle
        refusing.handle = lambda request, refusing=refusing, inner=inner, valid=valid: (  # type: ignore[method-assign,misc]
            inner(request) if len(refusing.asked) < valid else answer({"error": "no"}, 401)
        )
        with pytest.raises(Unauthorized):
            discovered(refusing)


def test_a_list_of_orders_that_may_not_be_read_leaves_its_size_as_assumed() -> None:
    service = Paged({"/orders": numbered(25), "/vendors": numbered(2)}, first=0)
    inner = service.handle
    service.handle = lambda request: (  # type: ignore[method-assign]
        answer({"error": "no"}, 403) if request.url.path.endswith("/orders") else inner(request)
    )

    assert facts(discovered(service)) == {"first_page": 0}
