"""A list is read to its end, by what is known of the service, whatever happens on the way."""

import json
from collections.abc import Sequence

import httpx
import pytest

from support.records.lists import Record, answer, numbered
from support.services.paged import Beyond, Paged, ids, read
from wholesale.api.profile import ServiceProfile, names_a_fact, set_to
from wholesale.api.resources import RESOURCE
from wholesale.errors import ContentError, Failing, NotFound, ServiceError, Unavailable
from wholesale.http.traffic import Traffic
from wholesale.pages.fetcher import Fetcher
from wholesale.pages.list_reader import MOST_FAILURES

MORE: Record = {"pagination": {"total_pages": 3, "total_count": 25}, "data": []}
"""An empty page of a list that counts more."""


def answering(service: Paged, page: int, *answers: httpx.Response) -> Paged:
    """The same service, which answers that page so at first."""
    left, inner = list(answers), service.handle

    def handle(request: httpx.Request) -> httpx.Response:
        found = inner(request)
        is_odd = request.url.params.get("page") == str(page) and left
        return left.pop(0) if is_odd else found

    service.handle = handle  # type: ignore[method-assign]
    return service


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("is_bare", [False, True], ids=["envelope", "bare"])
@pytest.mark.parametrize("behind_last", ["empty", "404", "repeats"])
def test_a_list_is_read_from_its_first_page_to_its_last(
    behind_last: Beyond, is_bare: bool, first: int
) -> None:
    service = Paged(
        {"/vendors": numbered(25)}, first=first, is_bare=is_bare, behind_last=behind_last
    )

    paginator, found = read(service.service(ServiceProfile(first_page=first)))

    assert (found, paginator.records, paginator.fault) == (ids(25), 25, None)
    assert service.pages == [*range(first, first + (4 if is_bare else 3))]


@pytest.mark.parametrize("known", [ServiceProfile(page_size=5), ServiceProfile(page_size=11)])
def test_no_more_records_a_page_are_asked_for_than_the_service_gives(known: ServiceProfile) -> None:
    service = Paged({"/vendors": numbered(12)})

    _, found = read(service.service(known))

    assert found == ids(12)
    assert {limit for _, limit in service.asked} == {min(10, known.page_size or 0)}


def test_a_list_that_takes_no_parameters_is_one_response() -> None:
    service = Paged({"/vendors": numbered(25)}, taken=frozenset())
    known = ServiceProfile(lists_not_paged=frozenset({"vendors"}))

    paginator, found = read(service.service(known))

    assert (found, paginator.fault) == (ids(25), None)
    assert service.pages == [1]


def test_a_list_that_takes_no_parameters_has_one_page_though_it_names_no_total() -> None:
    service = Paged({"/vendors": numbered(10)}, is_bare=True, taken=frozenset())
    known = ServiceProfile(lists_not_paged=frozenset({"vendors"}))

    paginator, found = read(service.service(known))

    assert (found, paginator.fault) == (ids(10), None)
    assert service.pages == [1]


def test_totals_that_are_not_believed_are_not_on_record() -> None:
    service = Paged({"/vendors": numbered(25)})
    known = ServiceProfile(lists_not_counted=frozenset({"vendors"}))

    paginator, found = read(service.service(known))

    assert (found, paginator.last_total) == (ids(25), None)


@pytest.mark.parametrize("status", [422, 400, 413])
def test_a_refusal_of_the_first_page_names_the_setting(status: int) -> None:
    service = Paged({"/vendors": numbered(25)}, most=5, refusal=status)

    with pytest.raises(ServiceError, match=r"\(set page_size = 5 in \[\S+\]\)$"):
        read(service.service())

    assert service.asked == [(1, 10)]


def test_a_refusal_behind_other_pages_ends_the_list_with_a_fault_that_names_the_setting() -> None:
    service = Paged({"/vendors": numbered(35)}, window=20)

    paginator, found = read(service.service())

    assert found == ids(20)
    assert paginator.fault == (
        "page 3 is refused: the service shows no more than 20 records of the list"
    )
    assert service.pages == [1, 2, 3]


@pytest.mark.parametrize("is_bare", [False, True], ids=["envelope", "bare"])
def test_a_page_that_is_refused_behind_as_many_as_are_counted_ends_the_list(is_bare: bool) -> None:
    """The only page is full, so that it may count itself alone, and the next is asked for."""
    service = Paged({"/vendors": numbered(10)}, is_bare=is_bare, behind_last="422")

    paginator, found = read(service.service())

    assert (found, paginator.is_ended, service.pages) == (ids(10), True, [1, 2])
    assert (paginator.fault is None) is not is_bare


def test_a_page_that_is_too_large_behind_others_is_an_error() -> None:
    service = answering(Paged({"/vendors": numbered(35)}), 2, answer({"error": "large"}, 413))

    with pytest.raises(ServiceError, match="answered 413"):
        read(service.service())


@pytest.mark.parametrize(
    "empty", [{"pagination": {"total_count": 0}, "data": []}, {"data": None}, None, []]
)
def test_a_list_that_is_empty_once_is_read(empty: Record | None) -> None:
    service = answering(Paged({"/vendors": numbered(25)}), 1, answer(empty))

    paginator, found = read(service.service())

    assert (found, paginator.fault) == (ids(25), None)
    assert service.pages == [1, 1, 2, 3]


def test_a_list_that_is_empty_each_time_is_empty() -> None:
    service = Paged({"/vendors": []})

    paginator, found = read(service.service())

    assert (found, paginator.records, paginator.last_total, paginator.fault) == ([], 0, 0, None)
    assert service.pages == [1, 1]


def test_a_page_that_is_empty_once_though_more_is_counted_is_read() -> None:
    service = answering(Paged({"/vendors": numbered(25)}), 2, answer(MORE))

    paginator, found = read(service.service())

    assert (found, paginator.fault) == (ids(25), None)
    assert service.pages == [1, 2, 2, 3]


def test_a_page_that_is_empty_each_time_though_more_is_counted_ends_the_list_with_a_fault() -> None:
    service = answering(Paged({"/vendors": numbered(25)}), 2, answer(MORE), answer(MORE))

    paginator, found = read(service.service())

    assert found == ids(10)
    assert paginator.fault == "page 2 is empty, and the list names 3"


@pytest.mark.parametrize("status", [404, 410, 204])
def test_a_page_behind_the_first_that_is_not_there_ends_the_list(status: int) -> None:
    service = answering(Paged({"/vendors": numbered(25)}), 2, httpx.Response(status))

    paginator, found = read(service.service())

    assert found == ids(10)
    assert paginator.fault == "page 2 is empty, and the list names 3"


@pytest.mark.parametrize(("status", "error"), [(404, NotFound), (204, ContentError)])
def test_a_first_page_that_is_not_there_is_an_error(status: int, error: type[ServiceError]) -> None:
    service = answering(Paged({"/vendors": numbered(25)}), 1, httpx.Response(status))

    with pytest.raises(error):
        read(service.service())


@pytest.mark.parametrize(
    "failure",
    [answer({"error": "Internal", "data": []}), answer({"success": False, "data": numbered(9)})],
)
def test_a_page_that_tells_of_a_failure_is_asked_for_again(failure: httpx.Response) -> None:
    service = answering(Paged({"/vendors": numbered(25)}), 2, failure)

    paginator, found = read(service.service())

    assert (found, paginator.fault) == (ids(25), None)
    assert service.pages == [1, 2, 2, 3]


def test_a_list_whose_page_tells_of_a_failure_each_time_cannot_be_read() -> None:
    failures = [answer({"errors": ["x"], "data": []}) for _ in range(3)]
    service = answering(Paged({"/vendors": numbered(25)}), 1, *failures)

    with pytest.raises(ContentError, match="it names an error"):
        read(service.service())

    assert service.pages == [1, 1, 1]


def failing(*pages: int, is_bare: bool = False) -> Paged:
    """A service that fails at these pages."""
    service = Paged({"/vendors": numbered(45)}, is_bare=is_bare)
    inner = service.handle

    def handle(request: httpx.Request) -> httpx.Response:
        found = inner(request)
        return answer({}, 500) if int(request.url.params["page"]) in pages else found

    service.handle = handle  # type: ignore[method-assign]
    return service


def read_on(service: Paged) -> tuple[list[str], list[ServiceError]]:
    """The ids of all pages that can be read, and why others cannot."""
    failures: list[ServiceError] = []
    found: list[str] = []
    with Fetcher(service.service(), RESOURCE["vendors"], Traffic()) as pages:
        reader = pages.list_reader((), failures)
        for page in reader.read(reader.paginator(10)):
            found += [record["id"] for record in json.loads(page.records)]
    return found, failures


@pytest.mark.parametrize(
    ("pages", "numbers"),
    [
        ((3,), [*range(20), *range(30, 45)]),
        ((1,), range(10, 45)),
        ((5,), range(40)),
        ((2, 3), [*range(10), *range(30, 45)]),
    ],
)
@pytest.mark.parametrize("is_bare", [False, True], ids=["envelope", "bare"])
def test_pages_that_fail_are_noted_and_the_others_are_read(
    is_bare: bool, pages: Sequence[int], numbers: Sequence[int]
) -> None:
    found, failures = read_on(failing(*pages, is_bare=is_bare))

    assert found == [f"id-{number:04}" for number in numbers]
    assert [type(failure) for failure in failures] == [Failing] * len(pages)


def test_a_list_whose_pages_all_fail_is_given_up() -> None:
    service = failing(*range(99))

    with pytest.raises(Unavailable):
        read_on(service)

    assert {*service.pages} == {*range(1, MOST_FAILURES + 2)}


def test_a_page_that_fails_is_an_error_where_failures_are_not_noted() -> None:
    with pytest.raises(Unavailable):
        read(failing(3).service())


def growing(service: Paged, *, is_counted: bool = True, ahead: int = 10) -> Paged:
    """The same service, whose lists always have a page more, of other records."""

    def page(records: Sequence[Record], number: int, size: int) -> httpx.Response:
        data = [{"id": f"{number}-{place}"} for place in range(size)]
        counts = {"current": number, "next": number + 1, "total_count": number * size + ahead}
        return answer({"pagination": counts if is_counted else {}, "data": data})

    service.page = page  # type: ignore[method-assign]
    return service


@pytest.mark.parametrize(("is_counted", "most"), [(True, 200), (True, 50), (False, 50)])
def test_a_list_without_an_end_is_left_where_it_is_longer_than_any_can_be(
    is_counted: bool, most: int
) -> None:
    service = growing(Paged({"/vendors": []}), is_counted=is_counted)
    bound = max(most, 200 if is_counted else 0)

    with pytest.raises(ServiceError) as refusal:
        read(service.service(ServiceProfile(most_records=most)))

    assert names_a_fact(str(refusal.value))
    assert set_to("most_records", 10 * (bound + 10)) in str(refusal.value)
    assert len(service.pages) == bound // 10 + 1


@pytest.mark.parametrize("times", [1, 5, 10])
def test_a_list_that_grows_to_ten_times_as_many_while_it_is_read_is_read(times: int) -> None:
    def page(records: Sequence[Record], number: int, size: int) -> httpx.Response:
        pages = min(times, 2 * number)  # it grows by two pages while one is read
        data = [{"id": f"{number}-{place}"} for place in range(size)]
        counts = {"total_pages": pages, "total_count": pages * size}
        return answer({"pagination": counts, "data": data if number <= pages else []})

    service = Paged({"/vendors": []})
    service.page = page  # type: ignore[method-assign]

    paginator, found = read(service.service(ServiceProfile(most_records=1)))

    assert (len(found), paginator.fault) == (10 * times, None)
