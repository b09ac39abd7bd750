"""The client asks patiently, within bounds, and tells its key to nobody but the service."""

import gzip
import json
import logging
import random
import socket
import struct
import threading
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import httpx
import pytest

from support.wires import over
from wholesale.errors import (
    ContentError,
    NotFound,
    ServiceError,
    Unauthorized,
    Unavailable,
    Unprocessable,
)
from wholesale.http.client import CHATTY, Client
from wholesale.http.traffic import Traffic
from wholesale.settings import ApiSettings

KEY = "a-very-secret-key"
BASE = "https://service.test/api/external/v1"
Answer = httpx.Response | Exception


class Pieces(httpx.SyncByteStream):
    """A body that comes in these pieces, with something happening before each."""

    def __init__(self, pieces: Iterator[bytes], before: Callable[[], None] = lambda: None) -> None:
        self.pieces = pieces
        self.before = before

    def __iter__(self) -> Iterator[bytes]:
        for piece in self.pieces:
            self.before()
            yield piece


def answer(status: int = 200, body: bytes = b"[]", **headers: str) -> httpx.Response:
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, headers=names, stream=httpx.ByteStream(body))


@dataclass
class Service:
    """Answers in this order, the last one for ever; time passes only while the client sleeps."""

    answers: list[Answer]
    now: float = 1000.0
    asked: list[httpx.Request] = field(default_factory=list)
    asked_at: list[float] = field(default_factory=list)
    asked_timeouts: list[dict[str, float]] = field(default_factory=list)
    slept: list[float] = field(default_factory=list)

    def handle(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        self.asked_at.append(self.now)
        found = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(found, Exception):
            raise found
        return httpx.Response(
            found.status_code,
            headers=found.headers,
            stream=found.stream,
            extensions=found.extensions,
        )

    def sleep(self, seconds: float) -> None:
        assert seconds >= 0
        self.slept.append(seconds)
        self.now += seconds

    def client(self, **settings: Any) -> Client:
        return Client(
            ApiSettings.of(base_url=BASE, api_key=KEY, **settings),
            connect=over(httpx.MockTransport(lambda request: self.handle(request))),
            sleep=self.sleep,
            clock=lambda: self.now,
        )


def get(
    client: Client,
    path: str = "/orders",
    read: Callable[[bytes], Any] = json.loads,
    **params: str | int,
) -> Any:
    with client:
        return client.get(path, params, read=read, traffic=Traffic())


@pytest.fixture(autouse=True)
def jitter(monkeypatch: pytest.MonkeyPatch) -> list[tuple[float, float]]:
    """Jitter always takes its upper bound, and the bounds are kept."""
    bounds: list[tuple[float, float]] = []

    def uniform(low: float, high: float) -> float:
        bounds.append((low, high))
        return high

    monkeypatch.setattr(random, "uniform", uniform)
    return bounds


def test_the_key_goes_with_every_request() -> None:
    service = Service([answer(503), answer(200, b"[1]")])

    assert get(service.client(), page=2, verbose="true") == [1]
    assert [str(request.url) for request in service.asked] == [
        "https://service.test/api/external/v1/orders?page=2&verbose=true"
    ] * 2
    assert [request.headers["X-API-Key"] for request in service.asked] == [KEY, KEY]
    assert [request.method for request in service.asked] == ["GET", "GET"]


def test_traffic_counts_requests_retries_and_decoded_bytes() -> None:
    body = gzip.compress(b"[1,2]")
    service = Service([answer(500), answer(200, body, Content_Encoding="gzip")])
    traffic = Traffic()

    with service.client() as client:
        client.get("/orders", {}, read=json.loads, traffic=traffic)

    assert traffic == Traffic(requests=2, bytes=5, retries=1)


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504])
def test_a_passing_trouble_is_tried_again_and_then_given_up(status: int) -> None:
    service = Service([answer(status, b"<html>trouble</html>")])

    with pytest.raises(Unavailable) as failure:
        get(service.client(attempts=3), page=7)

    assert str(failure.value) == (
        f"GET /orders?page=7 got no usable answer in 3 attempts, 3 s: it answered {status};"
        " check that the service is up, then run again"
    )
    assert len(service.asked) == 3


def test_retries_wait_a_bounded_random_while(jitter: list[tuple[float, float]]) -> None:
    service = Service([answer(503)])

    with pytest.raises(Unavailable):
        get(service.client(attempts=8, deadline_seconds=1000))

    assert jitter[:7] == [(0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (0, 20), (0, 20)]
    assert service.slept == [1, 2, 4, 8, 16, 20, 20]


def test_a_dead_service_is_given_up_within_the_deadline() -> None:
    service = Service([httpx.ConnectError("connection refused")])

    with pytest.raises(Unavailable, match="ConnectError: connection refused"):
        get(service.client(attempts=100))

    assert service.now - 1000 <= 120
    assert len(service.asked) <= 30


@pytest.mark.parametrize(
    "failure",
    [
        httpx.ConnectError("refused"),
        httpx.ConnectTimeout("slow"),
        httpx.ReadTimeout("silent"),
        httpx.ReadError("reset by peer"),
        httpx.RemoteProtocolError("closed without an answer"),
        httpx.PoolTimeout("busy"),
    ],
)
def test_a_broken_exchange_is_tried_again(failure: Exception) -> None:
    service = Service([failure, failure, answer(200, b"[1]")])

    assert get(service.client()) == [1]
    assert len(service.asked) == 3


@pytest.mark.parametrize(
    ("status", "kind", "message"),
    [
        (
            401,
            Unauthorized,
            "GET /orders?page=1 answered 401 Invalid Credentials:"
            " check the API key and that it belongs to this base URL",
        ),
        (
            403,
            Unauthorized,
            "GET /orders?page=1 answered 403 Invalid Credentials:"
            " check the API key and that it belongs to this base URL",
        ),
        (
            404,
            NotFound,
            "GET /orders?page=1 answered 404 Invalid Credentials:"
            " check that the base URL is that of the service",
        ),
        (
            422,
            Unprocessable,
            "GET /orders?page=1 answered 422 Invalid Credentials:"
            " the service refuses a parameter: try another page size",
        ),
        (
            418,
            ServiceError,
            "GET /orders?page=1 answered 418 Invalid Credentials:"
            " see the documentation of the service",
        ),
    ],
)
def test_a_clear_refusal_is_not_tried_again(
    status: int, kind: type[ServiceError], message: str
) -> None:
    service = Service([answer(status, b'{"error":"Invalid Credentials","details":"..."}')])

    with pytest.raises(ServiceError) as failure:
        get(service.client(), page=1)

    assert (type(failure.value), str(failure.value)) == (kind, message)
    assert (len(service.asked), service.slept) == (1, [])


@pytest.mark.parametrize(
    "body",
    [b"", b"<html>", b"null", b"[]", b'{"error":5}', b"\xff", b"[" * 20_000, b"x" * 2**20],
)
def test_an_error_body_of_any_kind_gives_the_phrase_of_the_status(body: bytes) -> None:
    with pytest.raises(NotFound, match=r"^GET /orders answered 404 Not Found: "):
        get(Service([answer(404, body)]).client())


def test_the_text_of_an_error_is_shortened_to_one_line() -> None:
    body = json.dumps({"error": "so\nmany\twords " * 30}).encode()

    with pytest.raises(NotFound) as failure:
        get(Service([answer(404, body)]).client())

    assert str(failure.value) == (
        "GET /orders answered 404 " + ("so many words " * 30)[:80] + ": check that the base URL is"
        " that of the service"
    )


@pytest.mark.parametrize("wait", ["7", " 7 "])
def test_retry_after_in_seconds_is_kept(wait: str) -> None:
    service = Service([answer(429, Retry_After=wait), answer(200, b"[1]")])

    assert get(service.client()) == [1]
    assert service.slept == [7]


@pytest.mark.parametrize(
    "wait", ["0", "Wed, 21 Oct 2015 07:28:00 GMT", "Wed, 21 Oct 2015 07:28:00"]
)
def test_retry_after_that_is_over_asks_for_no_wait(wait: str) -> None:
    service = Service([answer(429, Retry_After=wait), answer(200, b"[1]")])

    assert get(service.client()) == [1]
    assert service.slept == [0]


@pytest.mark.parametrize(
    "wait",
    [
        "",
        "-5",
        "soon",
        "1.5",
        "٣",
        "Wed, 99 Oct 2015 07:28:00 GMT",
        "Mon, 01 Jan 99999999999999999999 00:00:00 GMT",
        "Mon, 01 Jan 2020 00:00:00 +99999999999999",
    ],
)
def test_retry_after_that_means_nothing_leaves_our_own_wait(wait: str) -> None:
    refusal = httpx.Response(
        429, headers={b"Retry-After": wait.encode()}, stream=httpx.ByteStream(b"")
    )
    service = Service([refusal, answer(200, b"[1]")])

    assert get(service.client()) == [1]
    assert service.slept == [1]


@pytest.mark.parametrize("wait", ["86400", "9" * 400, "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_retry_after_beyond_the_deadline_is_not_slept_through(wait: str) -> None:
    service = Service([answer(429, Retry_After=wait)])

    with pytest.raises(Unavailable, match="in 1 attempts, 0 s: it answered 429 and asks to wait"):
        get(service.client())

    assert (len(service.asked), service.slept) == (1, [])


def test_all_requests_keep_the_silence_that_one_was_asked_for() -> None:
    service = Service([answer(429, Retry_After="50"), answer(200, b"[1]")])

    with service.client(attempts=1) as client:
        with pytest.raises(Unavailable):
            get(client)
        assert get(client) == [1]

    assert service.slept == [50]
    assert service.asked_at == [1000, 1050]


def test_no_request_sleeps_through_a_silence_beyond_its_deadline() -> None:
    service = Service([answer(429, Retry_After="86400")])

    with service.client() as client:
        with pytest.raises(Unavailable):
            get(client)
        with pytest.raises(Unavailable) as failure:
            get(client, "/vendors", page=3)

    assert str(failure.value) == (
        "GET /vendors?page=3 was not sent: the service asks to wait another 86400 s, longer than"
        " one request may take; run again after that"
    )
    assert (len(service.asked), service.slept) == (1, [])


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(status: int) -> None:
    service = Service([answer(status, b"", Location="https://elsewhere.test/")])

    with pytest.raises(ServiceError, match=f"answered {status}, a redirect, which is not followed"):
        get(service.client())

    assert [request.url.host for request in service.asked] == ["service.test"]


def test_a_body_that_cannot_be_read_is_asked_for_again() -> None:
    def read(body: bytes) -> bytes:
        if body == b"bad":
            raise ContentError("body is bad")
        return body

    service = Service([answer(200, b"bad"), answer(200, b"good")])

    assert get(service.client(), read=read) == b"good"
    with pytest.raises(ContentError) as failure:
        get(Service([answer(200, b"bad")]).client(attempts=2), "/brands", read, page=4)
    assert str(failure.value) == "GET /brands?page=4: body is bad; see what answers there"


@pytest.mark.parametrize("size", [1024, 1025])
def test_a_body_may_be_as_large_as_the_limit(size: int) -> None:
    client = Service([answer(200, b"x" * size)]).client(max_body_bytes=1024)

    if size == 1024:
        assert get(client, read=len) == 1024
    else:
        with pytest.raises(ServiceError, match="answered with more than 1,024 bytes"):
            get(client, read=len)


def test_a_body_in_gzip_is_read() -> None:
    body = json.dumps(["x" * 100_000, "y"]).encode()
    for packed, encoding in (
        (gzip.compress(body), "gzip"),
        (gzip.compress(body), "X-GZIP"),
        (zlib.compress(body), "deflate"),
        (body, "identity"),
    ):
        service = Service([answer(200, packed, Content_Encoding=encoding)])
        assert get(service.client()) == ["x" * 100_000, "y"]
        assert service.asked[0].headers["Accept-Encoding"] == "gzip"


@pytest.mark.parametrize(
    ("body", "encoding", "reason"),
    [
        (b"[]", "gzip", "its body is no gzip"),
        (gzip.compress(b"[1]")[:-9], "gzip", "its compressed body does not end where it should"),
        (
            gzip.compress(b"[1]") + b"more",
            "gzip",
            "its compressed body does not end where it should",
        ),
        (b"[]", "br", "its body is encoded as 'br', which was not asked for"),
    ],
)
def test_a_body_that_cannot_be_unpacked_is_asked_for_again(
    body: bytes, encoding: str, reason: str
) -> None:
    service = Service([answer(200, body, Content_Encoding=encoding), answer(200, b"[1]")])
    broken = Service([answer(200, body, Content_Encoding=encoding)])

    assert get(service.client()) == [1]
    with pytest.raises(Unavailable, match=reason):
        get(broken.client(attempts=1))


@cache
def bomb(size: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    block = bytes(2**20)
    return b"".join(packer.compress(block) for _ in range(size // 2**20)) + packer.flush()


@pytest.mark.parametrize("status", [200, 404])
def test_a_gzip_bomb_costs_no_more_memory_than_the_limit(status: int) -> None:
    packed = bomb(200 * 2**20)
    client = Service([answer(status, packed, Content_Encoding="gzip")]).client(
        max_body_bytes=4 * 2**20
    )
    tracemalloc.start()
    try:
        with pytest.raises(ServiceError) as failure:
            get(client)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    said = {200: "answered with more than 4,194,304 bytes", 404: "answered 404 Not Found"}
    assert said[status] in str(failure.value)
    assert peak < 8 * 2**20


@pytest.mark.parametrize("status", [200, 404])
@pytest.mark.parametrize("encoding", ["identity", "gzip"])
def test_a_slow_drip_is_given_up_at_the_deadline(status: int, encoding: str) -> None:
    service = Service([])

    def drip() -> None:
        service.now += 10

    body = Pieces(iter(lambda: b"\x1f\x8b\x08" if encoding == "gzip" else b" ", None), drip)
    service.answers = [httpx.Response(status, headers={"Content-Encoding": encoding}, stream=body)]
    if encoding == "gzip":
        packed = gzip.compress(bytes(range(256)) * 256, compresslevel=0)
        body.pieces = (packed[n : n + 1] for n in range(len(packed)))

    with pytest.raises(ServiceError) as failure:
        get(service.client())

    expected = {200: "the answer came too slowly to finish", 404: "answered 404 Not Found"}
    assert expected[status] in str(failure.value)
    assert service.now == 1000 + 130
    assert len(service.asked) == 1


def test_the_deadline_counts_all_attempts_together() -> None:
    service = Service([])

    def drip() -> None:
        service.now += 10

    dripping = httpx.Response(200, stream=Pieces(iter(lambda: b" ", None), drip))
    service.answers = [answer(429, Retry_After="100"), dripping]

    with pytest.raises(Unavailable, match="in 2 attempts, 130 s: the answer came too slowly"):
        get(service.client())


def test_the_key_stands_in_no_message_and_no_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    echo = json.dumps({"error": f"key {KEY} is unknown", KEY: KEY}).encode()

    def read(body: bytes) -> Any:
        raise ContentError(f"its keys: {KEY}")

    messages = []
    for status, reader in ((401, json.loads), (500, json.loads), (200, read), (418, json.loads)):
        service = Service([answer(status, echo)])
        with pytest.raises(ServiceError) as failure:
            get(service.client(attempts=2), read=reader)
        messages.append(f"{failure.value} {failure.value.__cause__}")

    assert messages[0].startswith("GET /orders answered 401 key *** is unknown")
    assert len(caplog.records) == 2
    assert KEY not in caplog.text
    assert KEY not in repr(Service([answer()]).client().settings)
    for message in messages:
        assert KEY not in message
        assert "\n" not in message


def test_the_key_in_the_phrase_of_a_status_is_masked() -> None:
    phrase = {"reason_phrase": KEY.encode()}
    refusal = httpx.Response(404, extensions=phrase, stream=httpx.ByteStream(b""))

    with pytest.raises(NotFound, match=r"^GET /orders answered 404 \*\*\*: check"):
        get(Service([refusal]).client())


def test_a_client_is_used_inside_its_with_block_only() -> None:
    client = Service([answer()]).client()

    with pytest.raises(RuntimeError, match="outside of its with block"):
        client.get("/orders", {}, read=json.loads, traffic=Traffic())


def test_a_client_stays_open_until_its_last_user_leaves() -> None:
    with Service([answer()]).client() as client:
        assert get(client) == []
        assert get(client) == []


@dataclass
class Wire:
    """A server on this machine that answers raw bytes, one connection each, and closes it."""

    answers: list[bytes]
    is_reset: bool = False
    received: list[bytes] = field(default_factory=list)

    def __enter__(self) -> "Wire":
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.thread.join()
        self.socket.close()

    def serve(self) -> None:
        for sent in self.answers:
            connection, _ = self.socket.accept()
            with connection:
                self.received.append(connection.recv(2**16))
                connection.sendall(sent)
                if self.is_reset:
                    linger = struct.pack("ii", 1, 0)
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)

    def client(self, attempts: int) -> Client:
        address = f"http://127.0.0.1:{self.socket.getsockname()[1]}/api/external/v1"
        settings = ApiSettings.of(base_url=address, api_key=KEY, attempts=attempts)
        return Client(settings, sleep=lambda _: None)


WHOLE = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\n[1]"


@pytest.mark.parametrize(
    "broken",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Le",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[1]",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n[1]\r\n",
        b"SSH-2.0-OpenSSH\r\n\r\n",
    ],
    ids=["nothing", "half a head", "short body", "no last chunk", "no HTTP"],
)
@pytest.mark.parametrize("is_reset", [False, True], ids=["closed", "reset"])
def test_an_answer_cut_short_on_the_wire_is_asked_for_again(
    broken: bytes, is_reset: bool, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with Wire([broken, broken] if is_reset else [broken, WHOLE], is_reset) as wire:
        client = wire.client(attempts=2)
        if is_reset:
            with pytest.raises(Unavailable, match=r"^GET /orders got no usable answer in 2 "):
                get(client)
        else:
            assert get(client) == [1]

    assert all(KEY.encode() in request for request in wire.received)
    assert KEY not in caplog.text


def test_429_without_retry_after_silences_all_requests_for_our_own_wait() -> None:
    service = Service([answer(429), answer(200, b"[1]")])

    with service.client(attempts=1) as client:
        with pytest.raises(Unavailable):
            get(client)
        assert get(client, "/vendors") == [1]

    assert service.asked_at == [1000, 1001]


def test_a_failure_of_one_request_silences_no_other() -> None:
    service = Service([answer(500), answer(200, b"[1]")])

    with service.client(attempts=1) as client:
        with pytest.raises(Unavailable):
            get(client)
        assert get(client, "/vendors") == [1]

    assert service.asked_at == [1000, 1000]


@pytest.mark.parametrize(
    ("failure", "seconds"),
    [
        (httpx.ConnectError("refused"), 0.0),
        (httpx.ConnectTimeout("silent"), 30.0),
        (httpx.ReadTimeout("silent"), 30.0),
        (answer(503), 1.0),
        (answer(200, b"<html>We will be back soon</html>"), 0.2),
    ],
    ids=["refused", "no connection", "no answer", "503", "html"],
)
def test_a_dead_service_is_left_alone_for_the_rest_of_the_run(
    failure: Answer, seconds: float
) -> None:
    service = Service([failure])
    answers = service.handle

    def handle(request: httpx.Request) -> httpx.Response:
        service.asked_timeouts.append(request.extensions["timeout"])
        service.now += min(seconds, request.extensions["timeout"]["read"])
        return answers(request)

    service.handle = handle  # type: ignore[method-assign]
    messages = []
    with service.client() as client:
        for number in range(12):
            with pytest.raises(ServiceError) as failed:
                get(client, f"/kind-{number}", read=strictly)
            messages.append(str(failed.value))

    assert len(service.asked) <= 24
    assert service.now - 1000 <= 120
    assert messages[-1] == (
        "GET /kind-11 was not sent: the service gave no usable answer for too long;"
        " check that it is up, then run again"
    )
    assert all(KEY not in message for message in messages)


def strictly(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        raise ContentError("body is no JSON") from None


def test_kinds_that_fail_for_good_keep_no_other_from_being_read() -> None:
    service = Service([answer(200, b"[1]")])
    broken = {"/brands", "/prices", "/price_lists"}
    answers = service.handle

    def handle(request: httpx.Request) -> httpx.Response:
        found = answers(request)
        path = request.url.path.removeprefix("/api/external/v1")
        return answer(500) if path in broken else found

    service.handle = handle  # type: ignore[method-assign]
    outcomes = {}
    with service.client() as client:
        for path in ("/orders", "/brands", "/prices", "/price_lists", "/vendors", "/buyers"):
            try:
                outcomes[path] = get(client, path)
            except Unavailable:
                outcomes[path] = None

    assert outcomes == {path: None if path in broken else [1] for path in outcomes}
    assert len(service.asked) == 3 + 3 * 6


def test_a_storm_is_outlasted_with_one_more_request_for_each_failure() -> None:
    """Every third URL fails when it is asked for first, in one of seven ways."""
    failures: list[Answer] = [
        answer(500),
        answer(502, b"<html>"),
        answer(503, Retry_After="1"),
        answer(429, Retry_After="1"),
        answer(200, b'[{"id":'),
        answer(200, gzip.compress(b"[1]")[:-9], Content_Encoding="gzip"),
        httpx.ReadError("reset by peer"),
    ]
    service = Service([])
    seen: set[int] = set()
    silent_until = 0.0

    def handle(request: httpx.Request) -> httpx.Response:
        nonlocal silent_until
        service.asked.append(request)
        assert service.now >= silent_until, "asked before the silence was over"
        number = int(request.url.params["page"])
        if number % 3 or number in seen:
            return answer(200, f"[{number}]".encode())
        seen.add(number)
        failure = failures[number // 3 % len(failures)]
        if isinstance(failure, Exception):
            raise failure
        if failure.headers.get("Retry-After"):
            silent_until = service.now + 1
        return httpx.Response(failure.status_code, headers=failure.headers, stream=failure.stream)

    service.handle = handle  # type: ignore[method-assign]
    traffic = Traffic()
    with service.client() as client:
        found = [
            client.get("/orders", {"page": page}, read=strictly, traffic=traffic)
            for page in range(600)
        ]

    assert found == [[page] for page in range(600)]
    assert (traffic.requests, traffic.retries) == (800, 200)


def test_no_attempt_may_last_longer_than_its_request_may() -> None:
    service = Service([answer(500)])
    answers = service.handle

    def handle(request: httpx.Request) -> httpx.Response:
        service.asked_timeouts.append(request.extensions["timeout"])
        service.now += 30
        return answers(request)

    service.handle = handle  # type: ignore[method-assign]
    with pytest.raises(Unavailable):
        get(service.client(timeout_seconds=40, deadline_seconds=100))

    assert [set(timeout.values()) for timeout in service.asked_timeouts] == [{40}, {40}, {37}, {3}]


def test_so_many_requests_are_under_way_as_the_limit_allows() -> None:
    arrived = threading.Barrier(4, timeout=10)
    most, under_way, lock = 0, 0, threading.Lock()

    def handle(request: httpx.Request) -> httpx.Response:
        nonlocal most, under_way
        with lock:
            under_way += 1
            most = max(most, under_way)
        arrived.wait()
        with lock:
            under_way -= 1
        return answer(200, b"[1]")

    service = Service([])
    service.handle = handle  # type: ignore[method-assign]
    with service.client() as client, ThreadPoolExecutor(12) as pool:
        found = list(pool.map(lambda number: get(client, page=number), range(12)))

    assert found == [[1]] * 12
    assert most == client.limit == 4


def test_answers_that_time_out_lower_the_limit() -> None:
    service = Service([httpx.ReadTimeout("silent"), answer(200, b"[1]")])

    with service.client() as client:
        assert get(client) == [1]
        assert client.limit == 2


def test_no_library_below_logs_the_key_that_a_service_behind_a_proxy_repeats(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    said = f"HTTP/1.1 200 {KEY}\r\nX-Echo: {KEY}\r\nContent-Length: 3\r\n\r\n[1]".encode()
    with Wire([said]) as proxy:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.socket.getsockname()[1]}")
        monkeypatch.setenv("no_proxy", "elsewhere.test")
        settings = ApiSettings.of(base_url="http://service.test/api/external/v1", api_key=KEY)
        assert get(Client(settings)) == [1]

    assert proxy.received[0].startswith(b"GET http://service.test/api/external/v1/orders HTTP/1.1")
    assert {record.name.partition(".")[0] for record in caplog.records} >= {"httpcore"}
    assert "***" in caplog.text
    assert KEY not in caplog.text
    assert all(not logging.getLogger(name).filters for name in CHATTY)


@pytest.mark.parametrize("failure", [answer(429, Retry_After="1"), answer(503), "broken"])
def test_a_blow_to_all_requests_under_way_is_not_the_death_of_the_service(failure: Any) -> None:
    arrived = threading.Barrier(4, timeout=10)
    lock = threading.Lock()
    asked = 0

    def handle(request: httpx.Request) -> httpx.Response:
        nonlocal asked
        with lock:
            asked += 1
            turn = (asked - 1) // 4
        if turn >= 8:
            return answer(200, b"[1]")
        arrived.wait()
        if failure == "broken":
            raise httpx.ReadError("reset by peer")
        return httpx.Response(failure.status_code, headers=failure.headers, content=b"")

    service = Service([])
    service.handle = handle  # type: ignore[method-assign]
    settings = ApiSettings.of(base_url=BASE, api_key=KEY, attempts=20, concurrency=4)
    client = Client(settings, connect=over(httpx.MockTransport(handle)), sleep=lambda _: None)
    with client, ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda number: get(client, page=number), range(4)))

    assert (found, asked) == ([[1]] * 4, 8 * 4 + 4)
