"""Contents of answers, as a client meets them that unpacks and decodes them."""

import gzip
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from support.services.clients import body_of, raw
from wholesale_sandbox.faults.responses.contents import LARGE
from wholesale_sandbox.server import Sandbox

Dial = Callable[..., None]
KEY = {"X-API-Key": "sandbox"}


def test_a_list_without_records_has_no_data(dial: Dial, client: httpx.Client) -> None:
    right = client.get("/orders").json()
    dial("data-missing")

    assert list(client.get("/brands").json()) == ["pagination"]
    assert client.get("/orders").json() == right


def test_a_list_without_records_is_null(dial: Dial, client: httpx.Client) -> None:
    right = client.get("/orders").json()
    dial("data-null")

    assert client.get("/brands").json()["data"] is None
    assert client.get("/orders").json() == right


def test_an_array_without_records_is_null(
    dial: Dial, sandbox: Sandbox, client: httpx.Client
) -> None:
    dial("data-null")
    sandbox.dials.change({"list_shape": {"*": "bare"}})

    assert client.get("/brands").json() is None


@pytest.mark.parametrize("faults", [(), ("empty-list",)])
def test_an_error_stands_beside_the_records_of_a_list(
    dial: Dial, client: httpx.Client, faults: tuple[str, ...]
) -> None:
    dial(*faults)
    right = client.get("/orders")
    dial(*faults, "error-beside-data")

    answer = client.get("/orders")

    assert (answer.status_code, answer.json()) == (200, right.json() | {"error": "Internal Error"})
    assert client.get("/orders/o1").json()["id"] == "o1"


@pytest.mark.parametrize(
    ("fault", "body", "content_type"),
    [
        ("empty", b"", "application/json"),
        ("null", b"null", "application/json"),
        ("string", b'"ok"', "application/json"),
    ],
)
def test_an_answer_is_no_list(
    dial: Dial, client: httpx.Client, fault: str, body: bytes, content_type: str
) -> None:
    dial(fault)

    response = client.get("/orders")

    assert (response.status_code, response.content) == (200, body)
    assert response.headers["content-type"] == content_type
    assert response.headers["content-length"] == str(len(body))


def test_success_is_said_of_a_page_for_people_and_of_an_error(
    dial: Dial, client: httpx.Client
) -> None:
    dial("html")
    page = client.get("/orders")
    dial("error-object")
    failure = client.get("/orders")
    dial("error-list")
    listed = client.get("/orders")

    assert (page.status_code, page.headers["content-type"]) == (200, "text/html")
    assert page.content.startswith(b"<!doctype html>")
    assert (failure.status_code, set(failure.json())) == (200, {"error", "details"})
    assert (listed.status_code, listed.json()) == (
        200,
        {"error": "Unprocessable Entity", "details": ["limit is too high"]},
    )


def rewritten(dial: Dial, client: httpx.Client, fault: str) -> tuple[bytes, bytes]:
    """The right body and what becomes of it, both as they are after unpacking."""
    right = client.get("/orders").content
    dial(fault)
    return right, client.get("/orders").content


def test_json_ends_in_the_middle_of_an_answer_that_is_whole(
    dial: Dial, client: httpx.Client
) -> None:
    right, half = rewritten(dial, client, "half-json")

    assert half == right[: len(right) // 2]


@pytest.mark.parametrize(
    ("fault", "before", "after"),
    [
        ("rubbish-after", b"", b"<!-- ok -->"),
        ("rubbish-before", b")]}',\n", b""),
        ("byte-order-mark", b"\xef\xbb\xbf", b""),
    ],
)
def test_something_stands_beside_the_json(
    dial: Dial, client: httpx.Client, fault: str, before: bytes, after: bytes
) -> None:
    right, changed = rewritten(dial, client, fault)

    assert changed == before + right + after


def test_json_is_nested_beyond_every_stack(dial: Dial, client: httpx.Client) -> None:
    dial("nested")

    with pytest.raises(RecursionError):
        client.get("/orders").json()


def test_json_comes_under_another_type(dial: Dial, client: httpx.Client) -> None:
    right, same = rewritten(dial, client, "wrong-content-type")

    assert same == right
    assert client.get("/orders").headers["content-type"] == "text/html"


def test_a_text_is_not_utf_8(dial: Dial, client: httpx.Client) -> None:
    right, changed = rewritten(dial, client, "not-utf8")

    assert changed.replace(b"\xff", b"") == right
    with pytest.raises(UnicodeDecodeError):
        changed.decode()


@pytest.mark.parametrize(
    ("fault", "literal"), [("nan", "NaN"), ("infinity", "-Infinity"), ("overflow", "1e400")]
)
def test_a_number_is_none(dial: Dial, client: httpx.Client, fault: str, literal: str) -> None:
    right, changed = rewritten(dial, client, fault)

    assert changed.count(literal.encode()) == 1
    assert changed.replace(literal.encode(), b"9.25") == right


def test_a_key_stands_twice_in_one_object(dial: Dial, client: httpx.Client) -> None:
    _, changed = rewritten(dial, client, "key-twice")

    objects: list[list[tuple[str, Any]]] = []
    json.loads(changed, object_pairs_hook=objects.append)

    doubled = [[value for key, value in pairs if key == "id"] for pairs in objects if pairs]
    assert [found for found in doubled if len(found) > 1] == [
        ["00000000-0000-4000-8000-000000000000", "o0"]
    ]


def test_gzip_is_announced_and_not_sent(sandbox: Sandbox, dial: Dial, client: httpx.Client) -> None:
    dial("not-gzip")

    with pytest.raises(httpx.DecodingError):
        client.get("/orders")
    assert body_of(raw(sandbox)).startswith(b'{"pagination"')


def test_a_small_body_unpacks_to_a_large_one(sandbox: Sandbox, dial: Dial) -> None:
    dial("gzip-bomb")

    packed = body_of(raw(sandbox))

    assert len(packed) < 200_000
    assert len(gzip.decompress(packed)) == LARGE + len(b'{"data":[]}')


def test_a_body_is_huge_and_not_packed(dial: Dial, client: httpx.Client) -> None:
    dial("huge")

    with client.stream("GET", "/orders") as response:
        assert response.headers["content-encoding"] == "identity"
        assert int(response.headers["content-length"]) == LARGE + len(b'{"data":[]}')
        assert next(response.iter_raw()).startswith(b'{"data":[ ')
