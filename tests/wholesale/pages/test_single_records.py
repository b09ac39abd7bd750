"""A record by itself is what the service shows of it in full, or why there is none."""

import json

import httpx
import pytest

from support.records.lists import Lists, Record, answer, fetcher, fetchers, not_found, numbered
from wholesale.errors import Unauthorized, Unprocessable
from wholesale.json.page import RawPage

NO_LISTS: Record = {"order_line_items": [], "order_comments": []}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 404),
        (b"", 410),
        (b"", 204),
        (b"", 200),
        (b"null", 200),
        (b'{"error":"Resource not found","details":""}', 200),
    ],
)
def test_a_record_is_denied_by_any_way_to_say_that_there_is_none(body: bytes, status: int) -> None:
    service = Lists({"/vendors": numbered(1)})
    service.single = lambda path: httpx.Response(  # type: ignore[method-assign]
        status, stream=httpx.ByteStream(body)
    )

    with fetcher(service, "vendors") as records:
        assert list(records.records([("gone", None)])) == [("gone", None)]


def test_a_record_of_a_child_is_asked_for_under_its_parent() -> None:
    service = Lists({"/items/i1/variants": [{"id": "v1"}]})
    with fetcher(service, "variants") as records:
        found = list(records.records([("v1", "i1"), ("v1", "i2")]))

    assert found == [("v1", RawPage(b'[{"id": "v1"}]', parent="i1")), ("v1", None)]
    assert service.singles == ["/items/i1/variants/v1", "/items/i2/variants/v1"]


def test_only_a_404_says_that_there_is_no_record() -> None:
    service = Lists({"/orders": [{"id": "b"}]})
    refusal = answer({"error": "no"}, 422)
    whole = service.single
    service.single = lambda path: refusal if path == "/orders/a" else whole(path)  # type: ignore[method-assign]

    with fetcher(service, "orders") as records:
        (_, failure), found = records.records([("a", None), ("b", None)])

    assert isinstance(failure, Unprocessable)
    assert str(failure).startswith("GET /orders/a?verbose=true answered 422 no: ")
    assert found == ("b", RawPage(b'[{"id": "b"}]'))


def test_a_refused_key_ends_the_reading_of_records() -> None:
    service = Lists({})
    service.single = lambda path: answer({"error": "no"}, 401)  # type: ignore[method-assign]

    with fetcher(service, "orders") as records, pytest.raises(Unauthorized):
        list(records.records([("a", None)]))

    assert fetchers() == []


def test_a_record_whose_keys_are_in_doubt_is_asked_for_again() -> None:
    service = Lists({"/orders": [{"id": "a"} | NO_LISTS]})
    whole, bodies = service.single, [b'{"id": "a", "total": 1, "total": 2}']

    def single(path: str) -> httpx.Response:
        return httpx.Response(200, content=bodies.pop()) if bodies else whole(path)

    service.single = single  # type: ignore[method-assign]

    body = json.dumps([{"id": "a"} | NO_LISTS]).encode()
    with fetcher(service, "orders") as records:
        assert list(records.records([("a", None)])) == [("a", RawPage(body))]

    assert service.singles == ["/orders/a"] * 2


def in_two_forms(full: Record, basic: Record | None) -> Lists:
    """A service whose orders have these fields in the verbose form, and those in the basic one."""
    service = Lists({"/orders": numbered(30)})

    def single(path: str) -> httpx.Response:
        form = full if service.queries[-1]["verbose"] == "true" else basic
        return not_found() if form is None else answer({"id": path.rpartition("/")[2]} | form)

    service.single = single  # type: ignore[method-assign]
    return service


COMMENTS = [{"body": "B"}]


@pytest.mark.parametrize(
    ("full", "basic", "shown"),
    [
        (
            {"total": 1, "status": None},
            {"total": 2, "order_comments": COMMENTS, "status": "S", "po_number": "P"},
            {"total": 1, "order_comments": COMMENTS, "status": "S", "po_number": "P"},
        ),
        ({"order_comments": None}, {"order_comments": []}, {"order_comments": []}),
        ({"order_comments": []}, {"order_comments": COMMENTS}, {"order_comments": []}),
        ({"total": 1.10}, {"order_comments": None}, {"total": 1.10}),
        ({"total": 1.10}, None, {"total": 1.10}),
        ({"updated_at": 1}, {"updated_at": 1} | NO_LISTS, {"updated_at": 1} | NO_LISTS),
    ],
)
def test_what_the_verbose_form_lacks_beside_its_lists_is_that_of_the_basic_form(
    full: Record, basic: Record | None, shown: Record
) -> None:
    with fetcher(in_two_forms(full, basic), "orders", concurrency=1) as records:
        ((_, found),) = records.records([("a", None)])

    assert isinstance(found, RawPage)
    assert json.loads(found.records) == [{"id": "a"} | shown]


def test_an_order_that_changes_between_its_two_forms_is_not_read() -> None:
    service = in_two_forms({"updated_at": 1}, {"updated_at": 2} | NO_LISTS)
    with fetcher(service, "orders", concurrency=1) as records:
        ((_, found),) = records.records([("a", None)])

    assert str(found) == "GET /orders/a: it changed between its two forms"


@pytest.mark.parametrize(("basic", "asked"), [({}, 30 + 10), (NO_LISTS, 30 * 2)])
def test_basic_forms_are_asked_for_as_long_as_they_have_more(basic: Record, asked: int) -> None:
    service = in_two_forms({}, basic)
    with fetcher(service, "orders", concurrency=1) as records:
        list(records.records([(f"id-{number:04}", None) for number in range(30)]))

    assert len(service.queries) == asked


@pytest.mark.parametrize(("status", "attempts"), [(400, 1), (403, 2), (422, 1)])
def test_an_order_whose_basic_form_is_refused_is_as_its_verbose_form_shows_it(
    status: int, attempts: int
) -> None:
    service = in_two_forms({"total": 1}, {})
    whole = service.single
    service.single = lambda path: (  # type: ignore[method-assign]
        whole(path) if service.queries[-1]["verbose"] == "true" else answer({}, status)
    )
    with fetcher(service, "orders", concurrency=1) as records:
        found = dict(records.records([(f"id-{number:04}", None) for number in range(30)]))

    assert found == {
        name: RawPage(json.dumps([{"id": name, "total": 1}]).encode()) for name in found
    }
    assert len(found) == 30
    assert len(service.queries) == 30 + 10 * attempts
