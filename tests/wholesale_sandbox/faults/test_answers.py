"""Faults of whole answers, as a plain client or a bare socket meets them."""

import gzip
import json
import socket
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

import httpx
import pytest

from wholesale_sandbox.faults.answers import LARGE
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

Dial = Callable[..., None]
KEY = {"X-API-Key": "sandbox"}
IDS = [f"o{number}" for number in range(10)]


def raw(sandbox: Sandbox, target: str = "/orders") -> bytes:
    """All bytes that come until the connection ends. Raises: ConnectionResetError."""
    url = httpx.URL(sandbox.base_url + target)
    with socket.create_connection((url.host, url.port or 0), timeout=10) as connection:
        connection.sendall(
            b"GET %b HTTP/1.1\r\nHost: here\r\nX-API-Key: sandbox\r\nConnection: close\r\n\r\n"
            % url.raw_path
        )
        parts = []
        while part := connection.recv(65536):
            parts.append(part)
    return b"".join(parts)


def body_of(answer: bytes) -> bytes:
    return answer.partition(b"\r\n\r\n")[2]


def ids(response: httpx.Response) -> list[str]:
    return [record["id"] for record in response.json()["data"]]


def wait_of(response: httpx.Response) -> timedelta:
    return parsedate_to_datetime(response.headers["retry-after"]) - datetime.now(UTC)


@pytest.mark.parametrize("status", [429, 503])
def test_a_wait_is_asked_for_in_every_form(dial: Dial, client: httpx.Client, status: int) -> None:
    def asked(form: str, **rule: Any) -> httpx.Response:
        dial(f"{status}-after-{form}", **rule)
        response = client.get("/orders")
        assert response.status_code == status
        assert set(response.json()) == {"error", "details"}
        return response

    assert asked("seconds", seconds=7).headers["retry-after"] == "7"
    assert timedelta(seconds=58) < wait_of(asked("date", seconds=60)) <= timedelta(seconds=61)
    assert "retry-after" not in asked("nothing").headers
    assert asked("junk").headers["retry-after"] == "soon"
    assert wait_of(asked("past")) < timedelta(hours=-23)
    assert asked("negative").headers["retry-after"] == "-5"
    assert asked("huge").headers["retry-after"] == "31536000"


@pytest.mark.parametrize("status", [500, 502, 504, 520])
def test_a_failure_may_come_as_a_page_for_people(
    dial: Dial, client: httpx.Client, status: int
) -> None:
    dial(f"{status}-html")

    response = client.get("/orders")

    assert (response.status_code, response.headers["content-type"]) == (status, "text/html")
    assert response.text.startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("fault", "denial"), [("410-for-404", (410, "Error")), ("null-for-404", (200, None))]
)
def test_a_record_may_be_denied_in_other_ways(
    dial: Dial, client: httpx.Client, fault: str, denial: tuple[int, str | None]
) -> None:
    dial(fault)

    denied, found = (client.get(path) for path in ("/orders/nobody", "/orders/o1"))

    said = denied.json()
    assert (denied.status_code, said and said["error"]) == denial
    assert (found.status_code, found.json()["id"]) == (200, "o1")


def test_the_key_is_refused_in_mid_run(dial: Dial, client: httpx.Client) -> None:
    dial("401", after=2)

    responses = [client.get("/orders", params={"page": page}) for page in range(1, 5)]

    assert [response.status_code for response in responses] == [200, 200, 401, 401]
    assert responses[-1].json()["error"] == "Invalid Credentials"


def test_a_list_is_not_found(dial: Dial, client: httpx.Client) -> None:
    dial("404", endpoints=["list_orders"])

    assert client.get("/orders").json() == {"error": "Resource not found", "details": ""}
    assert client.get("/orders/o1").status_code == 200


def test_one_resource_is_forbidden(dial: Dial, client: httpx.Client) -> None:
    dial("403", resources=["orders"])

    answers = [client.get(path) for path in ("/orders", "/orders/o1", "/prices")]

    assert [answer.status_code for answer in answers] == [403, 403, 200]
    assert answers[0].json()["error"] == "Forbidden"


@pytest.mark.parametrize("status", [204, 304])
def test_there_is_no_body(dial: Dial, client: httpx.Client, status: int) -> None:
    dial(str(status))

    answers = [client.get(path) for path in ("/orders", "/orders/o1")]

    assert [(answer.status_code, answer.content) for answer in answers] == [(status, b"")] * 2


@pytest.mark.parametrize("status", [202, 206])
def test_there_is_an_empty_list_with_a_success_that_is_none(
    dial: Dial, client: httpx.Client, status: int
) -> None:
    dial(str(status))

    answer = client.get("/orders")

    assert (answer.status_code, answer.content) == (status, b"[]")


def test_an_answer_comes_out_of_a_cache(dial: Dial, client: httpx.Client) -> None:
    right = client.get("/orders").json()
    dial("aged", seconds=90)

    answer = client.get("/orders")

    assert (answer.headers["Age"], answer.json()) == ("90", right)


def test_a_list_without_records_has_no_data(dial: Dial, client: httpx.Client) -> None:
    right = client.get("/orders").json()
    dial("data-missing")

    assert list(client.get("/brands").json()) == ["pagination"]
    assert client.get("/orders").json() == right


def test_a_record_comes_in_an_array_of_one(dial: Dial, client: httpx.Client) -> None:
    right = client.get("/orders/o1").json()
    dial("in-array", endpoints=["get_order"])

    assert client.get("/orders/o1").json() == [right]
    assert client.get("/orders").json()["data"]


@pytest.mark.parametrize("status", [413, 500])
def test_a_large_body_is_refused_and_a_smaller_one_is_not(
    dial: Dial, client: httpx.Client, status: int
) -> None:
    right = client.get("/orders", params={"limit": 2})
    dial(f"{status}-when-large", number=len(right.content))

    answers = [client.get("/orders", params={"limit": limit}) for limit in (3, 2)]

    assert [answer.status_code for answer in answers] == [status, 200]
    assert answers[1].content == right.content


@pytest.mark.parametrize("fault", ["reset", "reset-inside"])
def test_a_connection_is_reset(sandbox: Sandbox, dial: Dial, fault: str) -> None:
    dial(fault)

    with pytest.raises(ConnectionResetError):
        raw(sandbox)
    with pytest.raises((httpx.ReadError, httpx.RemoteProtocolError)):
        httpx.get(f"{sandbox.base_url}/orders", headers=KEY)

    assert {entry.faults for entry in sandbox.requests.entries()} == {(fault,)}


def test_a_connection_is_closed_without_a_word(sandbox: Sandbox, dial: Dial) -> None:
    dial("closed")

    assert raw(sandbox) == b""
    assert [(entry.status, entry.faults) for entry in sandbox.requests.entries()] == [
        (0, ("closed",))
    ]


def test_a_body_is_shorter_than_announced(
    sandbox: Sandbox, dial: Dial, client: httpx.Client
) -> None:
    right = client.get("/orders", headers={"Accept-Encoding": "identity"}).content
    dial("cut")

    answer = raw(sandbox)

    assert b"content-length: %d\r\n" % len(right) in answer
    assert body_of(answer) == right[: len(right) // 2]


def test_nothing_is_answered_until_the_client_leaves(sandbox: Sandbox, dial: Dial) -> None:
    dial("no-answer")

    with pytest.raises(httpx.ReadTimeout):
        httpx.get(f"{sandbox.base_url}/orders", headers=KEY, timeout=0.2)

    sandbox.dials.reset()
    assert httpx.get(f"{sandbox.base_url}/orders", headers=KEY).status_code == 200


def test_a_sandbox_stops_though_a_client_waits_for_its_answer() -> None:
    threads = threading.enumerate()
    dials = {"faults": [{"fault": "no-answer"}]}
    with ExitStack() as stack:
        sandbox = stack.enter_context(Sandbox(SandboxSettings(empty=True, dials=dials)))
        url = httpx.URL(sandbox.base_url)
        waiting = socket.create_connection((url.host, url.port or 0))
        stack.push(waiting)
        waiting.sendall(b"GET /api/external/v1/orders HTTP/1.1\r\nHost: here\r\n\r\n")
        while not sandbox.requests.entries():
            time.sleep(0.01)
        sandbox.__exit__(None, None, None)

        assert threading.enumerate() == threads


def test_the_first_byte_comes_late(dial: Dial, client: httpx.Client) -> None:
    dial("late", seconds=0.3)

    with pytest.raises(httpx.ReadTimeout):
        client.get("/orders", timeout=0.1)
    assert ids(client.get("/orders", timeout=5)) == IDS


def test_a_body_drips_with_never_a_long_silence(dial: Dial, client: httpx.Client) -> None:
    dial("drip", seconds=0.02)

    with client.stream("GET", "/orders", headers={"Accept-Encoding": "identity"}) as response:
        parts = list(response.iter_raw())

    assert len(parts) >= 10
    assert json.loads(b"".join(parts))["data"][0]["id"] == "o0"


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

    assert (page.status_code, page.headers["content-type"]) == (200, "text/html")
    assert page.content.startswith(b"<!doctype html>")
    assert (failure.status_code, set(failure.json())) == (200, {"error", "details"})


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


def test_the_log_tells_who_followed_to_another_host_and_whether_with_the_key(
    sandbox: Sandbox, dial: Dial, client: httpx.Client
) -> None:
    dial("redirect", times=1)

    answer = client.get("/orders")
    for headers in ({}, KEY):
        httpx.get(answer.headers["location"], headers=headers)

    port = httpx.URL(sandbox.base_url).port
    assert (answer.status_code, answer.headers["location"]) == (
        302,
        f"http://localhost:{port}/elsewhere",
    )
    assert [(entry.path, entry.status) for entry in sandbox.requests.entries()][1:] == [
        ("/elsewhere", 401),
        ("/elsewhere", 404),
    ]
