"""The client asks for a path and reads its answer, or says what is wrong with it."""

import gzip
import json
import re

import httpx
import pytest

from support.services.script import KEY, Script, answer, get
from wholesale.errors import (
    ContentError,
    Forbidden,
    NoBody,
    NoContent,
    NotFound,
    ServiceError,
    Unauthorized,
    Unprocessable,
)
from wholesale.http.retries import RETRY_BUDGET
from wholesale.http.traffic import Traffic


def test_the_key_goes_with_every_request() -> None:
    script = Script([answer(503), answer(200, b"[1]")])

    assert get(script.client(), page=2, verbose="true") == [1]
    assert [str(request.url) for request in script.asked] == [
        "https://service.test/api/external/v1/orders?page=2&verbose=true"
    ] * 2
    for request in script.asked:
        assert request.method == "GET"
        assert dict(request.headers) == {
            "host": "service.test",
            "x-api-key": KEY,
            "accept": "application/json",
            "accept-encoding": "gzip",
            "cache-control": "no-cache",
            "user-agent": "wholesale-elt",
        }


def test_traffic_counts_requests_retries_and_decoded_bytes() -> None:
    body = gzip.compress(b"[1,2]")
    script = Script([answer(500), answer(200, body, Content_Encoding="gzip")])
    traffic = Traffic()

    with script.client() as client:
        client.get("/orders", {}, read=json.loads, traffic=traffic)

    assert traffic == Traffic(requests=2, bytes=5, retries=1)


@pytest.mark.parametrize(
    ("status", "kind", "said"),
    [
        (401, Unauthorized, "Invalid Credentials"),
        (403, Forbidden, "Invalid Credentials"),
        (404, NotFound, "Invalid Credentials"),
        (410, NotFound, "Invalid Credentials"),
        (422, Unprocessable, "Invalid Credentials"),
        (204, NoBody, ""),
        (418, ServiceError, "Invalid Credentials"),
    ],
)
def test_a_clear_refusal_is_not_tried_again(
    status: int, kind: type[ServiceError], said: str
) -> None:
    script = Script([answer(status, b'{"error":"Invalid Credentials","details":"..."}')])

    with pytest.raises(ServiceError) as failure:
        get(script.client(), page=1)

    assert type(failure.value) is kind
    assert f"GET /orders?page=1 answered {status} {said}".rstrip() in str(failure.value)
    assert (len(script.asked), script.slept) == (1, [])


@pytest.mark.parametrize(("status", "kind"), [(401, Unauthorized), (403, Forbidden)])
def test_a_key_that_was_good_before_is_refused_for_good_at_the_second_attempt(
    status: int, kind: type[ServiceError]
) -> None:
    refused = answer(status)
    script = Script([answer(200, b"1"), refused, answer(200, b"2"), refused, refused])

    with script.client() as client:
        found = [client.get("/", {}, read=json.loads, traffic=Traffic()) for _ in range(2)]
        with pytest.raises(kind):
            client.get("/", {}, read=json.loads, traffic=Traffic())

    assert (found, len(script.asked), script.slept) == ([1, 2], 5, [0.5, 0.5])


def test_an_answer_that_is_empty_three_times_is_meant_so_by_a_service_that_is_well() -> None:
    def read(body: bytes) -> None:
        raise NoContent("body is null, not a record")

    script = Script([answer(200, b"null")])
    with script.client() as client:
        for _ in range(RETRY_BUDGET):
            with pytest.raises(NoContent):
                client.get("/", {}, read=read, traffic=Traffic())

    assert len(script.asked) == 3 * RETRY_BUDGET


def test_a_key_that_was_good_before_gets_no_more_attempts_than_there_are() -> None:
    script = Script([answer(200, b"1"), answer(401)])

    with script.client() as client:
        client.get("/", {}, read=json.loads, traffic=Traffic())
        with pytest.raises(Unauthorized):
            client.get("/", {}, read=json.loads, traffic=Traffic(), attempts=1)

    assert (len(script.asked), script.slept) == (2, [])


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("90", 90),
        (" 7 ", 7),
        ("0", 0),
        ("", 0),
        ("-5", 0),
        ("old", 0),
        ("9" * 99, 9_999_999_999),
        ("1, 2", 0),
    ],
)
def test_the_age_of_the_oldest_answer_is_noted(said: str, seconds: int) -> None:
    script = Script([answer(200, b"1", Age=said), answer(200, b"2", Age="0"), answer(200, b"3")])
    traffic = Traffic()

    with script.client() as client:
        for _ in range(3):
            client.get("/", {}, read=json.loads, traffic=traffic)

    assert traffic.oldest_seconds == seconds


@pytest.mark.parametrize("status", [201, 202, 203, 205, 206, 207, 208, 226, 299, 304])
def test_a_success_without_a_whole_answer_is_none(status: int) -> None:
    script = Script([answer(status, b"[]"), answer(200, b"[1]")])

    assert get(script.client()) == [1]
    assert len(script.asked) == 2


@pytest.mark.parametrize(
    "body",
    [b"", b"<html>", b"null", b"[]", b'{"error":5}', b"\xff", b"[" * 20_000, b"x" * 2**20],
)
def test_an_error_body_of_any_kind_gives_the_phrase_of_the_status(body: bytes) -> None:
    with pytest.raises(NotFound, match=r"^GET /orders answered 404 Not Found: "):
        get(Script([answer(404, body)]).client())


def test_the_text_of_an_error_is_shortened_to_one_line() -> None:
    body = json.dumps({"error": "so\nmany\twords " * 30}).encode()

    with pytest.raises(NotFound) as failure:
        get(Script([answer(404, body)]).client())

    shown, _, _ = str(failure.value).partition(": ")
    assert shown == "GET /orders answered 404 " + ("so many words " * 30)[:80]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    "place",
    [
        "https://elsewhere.test/api/external/v1/orders/",
        "http://service.test/api/external/v1/orders/",
        "https://service.test:8443/api/external/v1/orders/",
        "https://service.test/api/external/v2/orders/",
        "//elsewhere.test/api/external/v1/orders/",
        "/login",
    ],
)
def test_a_redirect_is_not_followed_and_named_without_its_query(status: int, place: str) -> None:
    script = Script([answer(status, b"", Location=f"{place}?token=a-secret")])

    with pytest.raises(ServiceError) as failure:
        get(script.client())

    assert {str(status), place} <= set(re.split(r",? ", str(failure.value)))
    assert "a-secret" not in str(failure.value)
    assert [request.url.host for request in script.asked] == ["service.test"]


@pytest.mark.parametrize(
    "place",
    [
        "https://service.test/api/external/v1/orders/a%2Fb/?page=1",
        "https://service.test:443/api/external/v1/orders/a%2Fb/",
        "/api/external/v1/orders/a%2Fb/",
    ],
)
def test_a_redirect_to_the_same_path_with_a_slash_is_followed_once(place: str) -> None:
    moved = answer(308, b"", Location=place)
    script = Script([moved, answer(200, b"[1]")])
    for_ever = Script([moved])

    assert get(script.client(), "/orders/a%2Fb", page=1) == [1]
    assert [str(request.url) for request in script.asked] == [
        "https://service.test/api/external/v1/orders/a%2Fb?page=1",
        "https://service.test/api/external/v1/orders/a%2Fb/?page=1",
    ]
    assert {request.headers["x-api-key"] for request in script.asked} == {KEY}
    with pytest.raises(ServiceError, match="a redirect to "):
        get(for_ever.client(), "/orders/a%2Fb", page=1)
    assert len(for_ever.asked) == 2


@pytest.mark.parametrize(
    ("said", "charset"),
    [
        ("iso-8859-1", "latin-1"),
        ('"Windows-1252"', "cp1252"),
        ("utf-16", "utf-16"),
        ("UTF8", "utf-8"),
        ("us-ascii", "utf-8"),
        ("no-such-charset", "utf-8"),
        ("hex", "utf-8"),
    ],
)
def test_a_body_is_handed_on_as_utf_8_whatever_charset_it_says(said: str, charset: str) -> None:
    body = '["Zürich"]'.encode(charset)
    script = Script([answer(200, body, Content_Type=f"application/json; charset={said}")])

    assert get(script.client(), read=bytes) == '["Zürich"]'.encode()


def test_a_body_that_is_not_in_the_charset_that_it_says_is_asked_for_again() -> None:
    broken = answer(200, b"[1]", Content_Type="application/json; charset=utf-16")
    script = Script([broken, answer(200, b"[1]")])

    assert get(script.client()) == [1]
    assert len(script.asked) == 2


def test_a_body_that_cannot_be_read_is_asked_for_again() -> None:
    def read(body: bytes) -> bytes:
        if body == b"bad":
            raise ContentError("body is bad")
        return body

    script = Script([answer(200, b"bad"), answer(200, b"good")])

    assert get(script.client(), read=read) == b"good"
    with pytest.raises(ContentError) as failure:
        get(Script([answer(200, b"bad")]).client(attempts=2), "/brands", read, page=4)
    assert str(failure.value).startswith("GET /brands?page=4: body is bad")


@pytest.mark.parametrize("size", [1024, 1025])
def test_a_body_may_be_as_large_as_the_limit(size: int) -> None:
    client = Script([answer(200, b"x" * size)]).client(max_body_bytes=1024)

    if size == 1024:
        assert get(client, read=len) == 1024
    else:
        with pytest.raises(ServiceError, match="answered with more than 1,024 bytes"):
            get(client, read=len)


def test_an_answer_of_any_transport_of_httpx_is_read() -> None:
    """`json=` reads the body of a response when it is made; a stream is read when it is asked."""
    for response in (httpx.Response(200, json=[1]), answer(200, b"[1]")):
        assert get(Script([response]).client()) == [1]


def test_a_client_is_used_inside_its_with_block_only() -> None:
    client = Script([answer()]).client()

    with pytest.raises(RuntimeError, match="outside of its with block"):
        client.get("/orders", {}, read=json.loads, traffic=Traffic())


def test_a_client_stays_open_until_its_last_user_leaves() -> None:
    with Script([answer()]).client() as client:
        assert get(client) == []
        assert get(client) == []
