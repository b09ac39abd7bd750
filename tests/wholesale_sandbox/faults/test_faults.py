"""Each fault as a client meets it: over real HTTP, with a plain client or a bare socket."""

import gzip
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, nullcontext
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

import httpx
import pytest

from wholesale_sandbox.faults.answers import LARGE
from wholesale_sandbox.faults.fault import AnswerFault
from wholesale_sandbox.faults.registry import DIALLED, FAULT, FAULTS, table
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

KEY = {"X-API-Key": "sandbox"}
IDS = [f"o{number}" for number in range(10)]


@pytest.fixture(scope="module")
def running() -> Iterator[Sandbox]:
    with Sandbox(SandboxSettings(empty=True)) as sandbox:
        for number, record_id in enumerate(IDS):
            moment = f"2026-01-01T00:00:0{number}Z"
            order = {"id": record_id, "status": "shipped", "total": "9.50", "updated_at": moment}
            sandbox.put("orders", {**order, "sub_total": number + 0.25})
        yield sandbox


@pytest.fixture
def sandbox(running: Sandbox) -> Iterator[Sandbox]:
    yield running
    running.dials.reset()
    running.requests.clear()


@pytest.fixture
def client(sandbox: Sandbox) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=sandbox.base_url, headers=KEY) as connected:
        yield connected


def dial(sandbox: Sandbox, *faults: str, **rule: Any) -> None:
    sandbox.dials.change({"faults": [{"fault": fault, **rule} for fault in faults]})


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


def walk(client: httpx.Client, limit: int = 3, pages: int = 9) -> list[list[str]]:
    """The ids on the pages 1 to `pages`, however many the list says it has."""
    return [
        ids(client.get("/orders", params={"page": page, "limit": limit}))
        for page in range(1, pages + 1)
    ]


RIGHT = [IDS[0:3], IDS[3:6], IDS[6:9], IDS[9:]]


def wait_of(response: httpx.Response) -> timedelta:
    return parsedate_to_datetime(response.headers["retry-after"]) - datetime.now(UTC)


@pytest.mark.parametrize("status", [429, 503])
def test_a_wait_is_asked_for_in_every_form(
    sandbox: Sandbox, client: httpx.Client, status: int
) -> None:
    def asked(form: str, **rule: Any) -> httpx.Response:
        dial(sandbox, f"{status}-after-{form}", **rule)
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


@pytest.mark.parametrize("status", [500, 502, 504])
def test_a_failure_may_come_as_a_page_for_people(
    sandbox: Sandbox, client: httpx.Client, status: int
) -> None:
    dial(sandbox, f"{status}-html")

    response = client.get("/orders")

    assert (response.status_code, response.headers["content-type"]) == (status, "text/html")
    assert response.text.startswith("<!doctype html>")


def test_the_key_is_refused_in_mid_run(sandbox: Sandbox, client: httpx.Client) -> None:
    dial(sandbox, "401", after=2)

    responses = [client.get("/orders", params={"page": page}) for page in range(1, 5)]

    assert [response.status_code for response in responses] == [200, 200, 401, 401]
    assert responses[-1].json()["error"] == "Invalid Credentials"


def test_a_list_is_not_found(sandbox: Sandbox, client: httpx.Client) -> None:
    dial(sandbox, "404", endpoints=["list_orders"])

    assert client.get("/orders").json() == {"error": "Resource not found", "details": ""}
    assert client.get("/orders/o1").status_code == 200


@pytest.mark.parametrize("fault", ["reset", "reset-inside"])
def test_a_connection_is_reset(sandbox: Sandbox, fault: str) -> None:
    dial(sandbox, fault)

    with pytest.raises(ConnectionResetError):
        raw(sandbox)
    with pytest.raises((httpx.ReadError, httpx.RemoteProtocolError)):
        httpx.get(f"{sandbox.base_url}/orders", headers=KEY)

    assert {entry.faults for entry in sandbox.requests.entries()} == {(fault,)}


def test_a_connection_is_closed_without_a_word(sandbox: Sandbox) -> None:
    dial(sandbox, "closed")

    assert raw(sandbox) == b""
    assert [(entry.status, entry.faults) for entry in sandbox.requests.entries()] == [
        (0, ("closed",))
    ]


def test_a_body_is_shorter_than_announced(sandbox: Sandbox, client: httpx.Client) -> None:
    right = client.get("/orders", headers={"Accept-Encoding": "identity"}).content
    dial(sandbox, "cut")

    answer = raw(sandbox)

    assert b"content-length: %d\r\n" % len(right) in answer
    assert body_of(answer) == right[: len(right) // 2]


def test_nothing_is_answered_until_the_client_leaves(sandbox: Sandbox) -> None:
    dial(sandbox, "no-answer")

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


def test_the_first_byte_comes_late(sandbox: Sandbox, client: httpx.Client) -> None:
    dial(sandbox, "late", seconds=0.3)

    with pytest.raises(httpx.ReadTimeout):
        client.get("/orders", timeout=0.1)
    assert ids(client.get("/orders", timeout=5)) == IDS


def test_a_body_drips_with_never_a_long_silence(sandbox: Sandbox, client: httpx.Client) -> None:
    dial(sandbox, "drip", seconds=0.02)

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
    sandbox: Sandbox, client: httpx.Client, fault: str, body: bytes, content_type: str
) -> None:
    dial(sandbox, fault)

    response = client.get("/orders")

    assert (response.status_code, response.content) == (200, body)
    assert response.headers["content-type"] == content_type
    assert response.headers["content-length"] == str(len(body))


def test_success_is_said_of_a_page_for_people_and_of_an_error(
    sandbox: Sandbox, client: httpx.Client
) -> None:
    dial(sandbox, "html")
    page = client.get("/orders")
    dial(sandbox, "error-object")
    failure = client.get("/orders")

    assert (page.status_code, page.headers["content-type"]) == (200, "text/html")
    assert page.content.startswith(b"<!doctype html>")
    assert (failure.status_code, set(failure.json())) == (200, {"error", "details"})


def rewritten(sandbox: Sandbox, client: httpx.Client, fault: str) -> tuple[bytes, bytes]:
    """The right body and what becomes of it, both as they are after unpacking."""
    right = client.get("/orders").content
    dial(sandbox, fault)
    return right, client.get("/orders").content


def test_json_ends_in_the_middle_of_an_answer_that_is_whole(
    sandbox: Sandbox, client: httpx.Client
) -> None:
    right, half = rewritten(sandbox, client, "half-json")

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
    sandbox: Sandbox, client: httpx.Client, fault: str, before: bytes, after: bytes
) -> None:
    right, changed = rewritten(sandbox, client, fault)

    assert changed == before + right + after


def test_json_is_nested_beyond_every_stack(sandbox: Sandbox, client: httpx.Client) -> None:
    dial(sandbox, "nested")

    with pytest.raises(RecursionError):
        client.get("/orders").json()


def test_json_comes_under_another_type(sandbox: Sandbox, client: httpx.Client) -> None:
    right, same = rewritten(sandbox, client, "wrong-content-type")

    assert same == right
    assert client.get("/orders").headers["content-type"] == "text/html"


def test_a_text_is_not_utf_8(sandbox: Sandbox, client: httpx.Client) -> None:
    right, changed = rewritten(sandbox, client, "not-utf8")

    assert changed.replace(b"\xff", b"") == right
    with pytest.raises(UnicodeDecodeError):
        changed.decode()


@pytest.mark.parametrize(
    ("fault", "literal"), [("nan", "NaN"), ("infinity", "-Infinity"), ("overflow", "1e400")]
)
def test_a_number_is_none(sandbox: Sandbox, client: httpx.Client, fault: str, literal: str) -> None:
    right, changed = rewritten(sandbox, client, fault)

    assert changed.count(literal.encode()) == 1
    assert changed.replace(literal.encode(), b"9.25") == right


def test_a_key_stands_twice_in_one_object(sandbox: Sandbox, client: httpx.Client) -> None:
    _, changed = rewritten(sandbox, client, "key-twice")

    objects: list[list[tuple[str, Any]]] = []
    json.loads(changed, object_pairs_hook=objects.append)

    doubled = [[value for key, value in pairs if key == "id"] for pairs in objects if pairs]
    assert [found for found in doubled if len(found) > 1] == [
        ["00000000-0000-4000-8000-000000000000", "o0"]
    ]


def test_gzip_is_announced_and_not_sent(sandbox: Sandbox, client: httpx.Client) -> None:
    dial(sandbox, "not-gzip")

    with pytest.raises(httpx.DecodingError):
        client.get("/orders")
    assert body_of(raw(sandbox)).startswith(b'{"pagination"')


def test_a_small_body_unpacks_to_a_large_one(sandbox: Sandbox) -> None:
    dial(sandbox, "gzip-bomb")

    packed = body_of(raw(sandbox))

    assert len(packed) < 200_000
    assert len(gzip.decompress(packed)) == LARGE + len(b'{"data":[]}')


def test_a_body_is_huge_and_not_packed(sandbox: Sandbox, client: httpx.Client) -> None:
    dial(sandbox, "huge")

    with client.stream("GET", "/orders") as response:
        assert response.headers["content-encoding"] == "identity"
        assert int(response.headers["content-length"]) == LARGE + len(b'{"data":[]}')
        assert next(response.iter_raw()).startswith(b'{"data":[ ')


def test_the_log_tells_who_followed_to_another_host_and_whether_with_the_key(
    sandbox: Sandbox, client: httpx.Client
) -> None:
    dial(sandbox, "redirect", times=1)

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


def test_page_one_comes_whatever_page_is_asked_for(sandbox: Sandbox, client: httpx.Client) -> None:
    dial(sandbox, "page-one-always")

    assert walk(client, pages=3) == [IDS[:3]] * 3
    assert client.get("/orders", params={"page": 3}).json()["pagination"]["current"] == 1


@pytest.mark.parametrize(("fault", "again"), [("past-end-last", 3), ("past-end-first", 0)])
def test_a_page_comes_again_past_the_end(
    sandbox: Sandbox, client: httpx.Client, fault: str, again: int
) -> None:
    dial(sandbox, fault)

    assert walk(client, pages=6) == [*RIGHT, RIGHT[again], RIGHT[again]]


@pytest.mark.parametrize("fault", ["past-end-last", "past-end-first"])
def test_an_empty_list_has_nothing_to_repeat(
    sandbox: Sandbox, client: httpx.Client, fault: str
) -> None:
    dial(sandbox, fault)

    assert client.get("/brands", params={"page": 2}).json()["data"] == []


@pytest.mark.parametrize(
    ("fault", "pages"),
    [
        ("short-pages", [IDS[0:4], IDS[4:6], IDS[6:10], [], []]),
        ("empty-pages", [IDS[0:4], [], IDS[4:8], IDS[8:10], []]),
    ],
)
def test_pages_fall_short_in_the_middle_and_lose_nothing(
    sandbox: Sandbox, client: httpx.Client, fault: str, pages: list[list[str]]
) -> None:
    dial(sandbox, fault)

    assert walk(client, limit=4, pages=5) == pages
    total_pages = client.get("/orders", params={"limit": 4}).json()["pagination"]["total_pages"]
    assert total_pages == max(n for n, page in enumerate(pages, start=1) if page)


MISSING = object()


@pytest.mark.parametrize(
    ("fault", "name", "value"),
    [
        ("next-null", "next", None),
        ("next-missing", "next", MISSING),
        ("next-zero", "next", 0),
        ("next-same", "next", 2),
        ("total-missing", "total_count", MISSING),
        ("total-null", "total_count", None),
        ("total-zero", "total_count", 0),
        ("pages-missing", "total_pages", MISSING),
        ("pages-null", "total_pages", None),
        ("pages-zero", "total_pages", 0),
    ],
)
def test_pagination_says_something_wrong_and_the_rest_stays_right(
    sandbox: Sandbox, client: httpx.Client, fault: str, name: str, value: object
) -> None:
    page = {"page": 2, "limit": 3}
    right = client.get("/orders", params=page).json()
    dial(sandbox, fault)

    wrong = client.get("/orders", params=page).json()

    assert wrong["pagination"].pop(name, MISSING) == value
    assert right["pagination"].pop(name) not in (None, value)
    assert wrong == right


def test_totals_drift_with_nothing_behind_it(sandbox: Sandbox, client: httpx.Client) -> None:
    dial(sandbox, "total-drifts")

    totals = [
        client.get("/orders", params={"page": n}).json()["pagination"]["total_count"]
        for n in range(1, 30)
    ]

    assert set(totals) == {8, 9, 11, 12}


def test_numbers_come_as_texts(sandbox: Sandbox, client: httpx.Client) -> None:
    dial(sandbox, "numbers-as-text")

    assert client.get("/orders", params={"limit": 4}).json()["pagination"] == {
        "current": "1",
        "previous": None,
        "next": "2",
        "limit": "4",
        "total_pages": "3",
        "total_count": "10",
    }


def test_a_record_stands_twice_on_its_page(sandbox: Sandbox, client: httpx.Client) -> None:
    right = client.get("/orders").json()["data"]
    dial(sandbox, "row-twice")

    rows = client.get("/orders").json()["data"]

    (twice,) = [row for row in right if rows.count(row) == 2]
    rows.remove(twice)
    assert sorted(rows, key=right.index) == right


def test_an_older_version_stands_beside_the_newer(sandbox: Sandbox, client: httpx.Client) -> None:
    right = client.get("/orders").json()["data"]
    dial(sandbox, "older-beside")
    orders_seen = set()

    for page in range(1, 30):
        rows = client.get("/orders", params={"limit": 250, "seen": page}).json()["data"]
        (older,) = [row for row in rows if row not in right]
        (place,) = [n for n, row in enumerate(rows) if row == older]
        (newer,) = [row for row in right if row["id"] == older["id"]]
        moment = datetime.fromisoformat(newer["updated_at"]) - timedelta(hours=1)
        assert datetime.fromisoformat(older["updated_at"]) == moment
        assert older == {**newer, "total": "0.01", "updated_at": older["updated_at"]}
        assert [row for row in rows if row != older] == right
        orders_seen.add(rows.index(newer) > place)

    assert orders_seen == {True, False}


def test_the_first_attempt_fails_and_the_second_does_not(
    sandbox: Sandbox, client: httpx.Client
) -> None:
    dial(sandbox, "500-html", share=0.3, first=True)
    urls = [f"/orders?page={page}" for page in range(1, 201)]

    first = {url: client.get(url).status_code for url in urls}
    second = [client.get(url).status_code for url in reversed(urls)]
    sandbox.dials.change({"faults": sandbox.dials.faults})
    again = {url: client.get(url).status_code for url in reversed(urls)}

    assert 40 < list(first.values()).count(500) < 80
    assert second == [200] * 200
    assert again == first


def test_a_fault_applies_to_the_resources_named_so_often_at_most(
    sandbox: Sandbox, client: httpx.Client
) -> None:
    dial(sandbox, "empty", resources=["orders", "variants"], times=2)
    sandbox.put("items", {"id": "i"})

    paths = ["/items", "/orders/o1", "/items/i", "/items/i/variants", "/orders"]
    bodies = [client.get(path).content != b"" for path in paths]

    assert bodies == [True, False, True, False, True]
    sandbox.delete("items", "i")


def test_faults_leave_writes_alone(sandbox: Sandbox, client: httpx.Client) -> None:
    dial(sandbox, "500-html")

    created = client.post("/brands", json={"brand": {"title": "Kiste"}})
    deleted = client.delete(f"/brands/{created.json()['id']}")

    assert (created.status_code, deleted.status_code) == (201, 204)


def test_faults_of_one_request_add_up(sandbox: Sandbox, client: httpx.Client) -> None:
    dial(sandbox, "total-zero", "byte-order-mark")

    body = client.get("/orders").content

    assert json.loads(body.decode("utf-8-sig"))["pagination"]["total_count"] == 0
    assert body.startswith(b"\xef\xbb\xbf")
    assert sandbox.requests.entries()[-1].faults == ("total-zero", "byte-order-mark")


def test_every_fault_has_its_name_and_its_line() -> None:
    assert len(FAULT) == len(FAULTS)
    assert [line.split()[0] for line in table().splitlines()[1:]] == [f.name for f in FAULTS]
    assert all(fault.does and "\n" not in fault.does for fault in FAULTS)


BROKEN = ("reset", "reset-inside", "closed", "cut", "no-answer", "not-gzip")


@pytest.mark.parametrize("name", sorted({*DIALLED} - {"huge", "gzip-bomb"}))
def test_every_fault_applies_to_a_list_and_a_single_record_without_failing_the_sandbox(
    sandbox: Sandbox, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    dial(sandbox, name, seconds=0.001)
    breaks = pytest.raises(httpx.HTTPError) if name in BROKEN else nullcontext()

    for path in ("/orders", "/orders/o1"):
        with breaks:
            httpx.get(sandbox.base_url + path, headers=KEY, timeout=0.2)

    assert caplog.records == []
    assert [entry.faults for entry in sandbox.requests.entries()] == [
        (name,),
        (name,) if isinstance(FAULT[name], AnswerFault) else (),
    ]
