"""A record by itself is what the service shows of it in full, or why there is none."""

import json

import httpx
import pytest

from support.records.lists import Lists, Record, answer, fetcher, fetchers, not_found, numbered
from wholesale.api.profile import ServiceProfile
from wholesale.errors import ContentError, Unauthorized, Unprocessable
from wholesale.json.page import RawPage
from wholesale.pages.single_records import Key

NO_LISTS: Record = {"order_line_items": [], "order_comments": []}


@pytest.mark.parametrize("status", [404, 410])
def test_a_record_that_is_not_found_is_none(status: int) -> None:
    service = Lists({"/vendors": numbered(1)})
    service.single = lambda path: httpx.Response(status)  # type: ignore[method-assign]

    with fetcher(service, "vendors") as records:
        assert list(records.records([Key("gone")])) == [("gone", None)]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 204),
        (b"", 200),
        (b"null", 200),
        (b"{}", 200),
        (b"[]", 200),
        (b'{"data":null}', 200),
        (b'{"error":"Resource not found","details":""}', 200),
        (b'{"success":false,"data":{"id":"a"}}', 200),
    ],
)
def test_nothing_else_says_that_a_record_is_not_there(body: bytes, status: int) -> None:
    """What comes is no record and no 404: the record cannot be read, or holds nothing."""
    service = Lists({"/vendors": numbered(1)})
    service.single = lambda path: httpx.Response(  # type: ignore[method-assign]
        status, stream=httpx.ByteStream(body)
    )

    with fetcher(service, "vendors") as records:
        ((_, found),) = records.records([Key("a")])

    assert isinstance(found, ContentError) or found == RawPage(b"[%b]" % body)


def test_a_record_of_a_child_is_asked_for_under_its_parent() -> None:
    service = Lists({"/items/i1/variants": [{"id": "v1"}]})
    with fetcher(service, "variants") as records:
        found = list(records.records([Key("v1", "i1"), Key("v1", "i2")]))

    assert found == [("v1", RawPage(b'[{"id": "v1"}]', parent="i1")), ("v1", None)]
    assert service.singles == ["/items/i1/variants/v1", "/items/i2/variants/v1"]


def test_only_a_404_says_that_there_is_no_record() -> None:
    service = Lists({"/orders": [{"id": "b"}]})
    refusal = answer({"error": "no"}, 422)
    whole = service.single
    service.single = lambda path: refusal if path == "/orders/a" else whole(path)  # type: ignore[method-assign]

    with fetcher(service, "orders") as records:
        (_, failure), found = records.records([Key("a"), Key("b")])

    assert isinstance(failure, Unprocessable)
    assert str(failure).startswith("GET /orders/a?verbose=true answered 422 no: ")
    assert found == ("b", RawPage(b'[{"id": "b"}]'))


def test_a_refused_key_ends_the_reading_of_records() -> None:
    service = Lists({})
    service.single = lambda path: answer({"error": "no"}, 401)  # type: ignore[method-assign]

    with fetcher(service, "orders") as records, pytest.raises(Unauthorized):
        list(records.records([Key("a")]))

    assert fetchers() == []


def test_a_record_whose_keys_are_in_doubt_is_asked_for_again() -> None:
    service = Lists({"/orders": [{"id": "a"} | NO_LISTS]})
    whole, bodies = service.single, [b'{"id": "a", "total": 1, "total": 2}']

    def single(path: str) -> httpx.Response:
        return httpx.Response(200, content=bodies.pop()) if bodies else whole(path)

    service.single = single  # type: ignore[method-assign]

    body = json.dumps([{"id": "a"} | NO_LISTS]).encode()
    with fetcher(service, "orders") as records:
        assert list(records.records([Key("a")])) == [("a", RawPage(body))]

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
BASIC = ServiceProfile(basic_form_fields=frozenset({"order_comments", "po_number"}))


def shown(service: Lists, known: ServiceProfile) -> Record:
    """The order `a`, of a service of which this much is known."""
    with fetcher(service, "orders", known, concurrency=1) as records:
        ((_, found),) = records.records([Key("a")])
    assert isinstance(found, RawPage), found
    (record,) = json.loads(found.records)
    return dict(record)


@pytest.mark.parametrize(
    ("full", "basic", "expected"),
    [
        (
            {"total": 1, "status": None},
            {"total": 2, "order_comments": COMMENTS, "status": "S", "po_number": "P"},
            {"total": 1, "status": None, "order_comments": COMMENTS, "po_number": "P"},
        ),
        ({"order_comments": None}, {"order_comments": []}, {"order_comments": []}),
        ({"order_comments": []}, {"order_comments": COMMENTS}, {"order_comments": []}),
        ({"total": 1.10}, {}, {"total": 1.10}),
        ({"updated_at": 1}, {"updated_at": 1} | NO_LISTS, {"updated_at": 1, "order_comments": []}),
    ],
)
def test_the_fields_that_only_the_basic_form_has_are_those_of_the_basic_form(
    full: Record, basic: Record, expected: Record
) -> None:
    service = in_two_forms(full, basic)

    assert shown(service, BASIC) == {"id": "a"} | expected
    assert service.queries == [{"verbose": "true"}, {"verbose": "false"}]


def test_the_basic_form_is_not_asked_for_where_it_has_nothing_more() -> None:
    service = in_two_forms({"total": 1}, {"po_number": "P"})

    assert shown(service, ServiceProfile()) == {"id": "a", "total": 1}
    assert service.queries == [{"verbose": "true"}]


def test_other_records_than_orders_have_one_form() -> None:
    service = Lists({"/vendors": [{"id": "a"}]})
    with fetcher(service, "vendors", BASIC) as records:
        assert list(records.records([Key("a")])) == [("a", RawPage(b'[{"id": "a"}]'))]

    assert service.queries == [{}]


def test_an_order_that_changes_between_its_two_forms_is_not_read() -> None:
    service = in_two_forms({"updated_at": 1}, {"updated_at": 2} | NO_LISTS)
    with fetcher(service, "orders", BASIC, concurrency=1) as records:
        ((_, found),) = records.records([Key("a")])

    assert str(found) == "GET /orders/a: it changed between its two forms"


def test_an_order_whose_basic_form_alone_is_404_is_not_gone() -> None:
    with fetcher(in_two_forms({"total": 1}, None), "orders", BASIC, concurrency=1) as records:
        ((_, found),) = records.records([Key("a")])

    assert isinstance(found, ContentError)


def test_an_order_whose_basic_form_is_refused_is_not_read() -> None:
    service = in_two_forms({"total": 1}, {})
    whole = service.single
    service.single = lambda path: (  # type: ignore[method-assign]
        whole(path) if service.queries[-1]["verbose"] == "true" else answer({}, 422)
    )
    with fetcher(service, "orders", BASIC, concurrency=1) as records:
        ((_, found),) = records.records([Key("a")])

    assert isinstance(found, Unprocessable)
