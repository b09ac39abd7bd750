"""Connections are kept as long as they are good, and an answer without a sure end is refused."""

import re
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field

import httpx
import pytest

from wholesale.connections import Connections, Through, Transport, connect

HEADERS = {"X-API-Key": "a-key"}

ONE = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n[1]"
TWO = b"HTTP/1.1 200 Fine\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[2\r\n1\r\n]\r\n0\r\n\r\n"
LAST = b"HTTP/1.0 200 OK\r\n\r\n[3]"


@dataclass
class Line:
    """A server of this machine: of each connection in turn the answers, one a request."""

    connections: Sequence[Sequence[bytes]]
    asked: list[tuple[int, bytes]] = field(default_factory=list)
    closed: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))

    def serve(self, listening: socket.socket) -> None:
        for number, answers in enumerate(self.connections):
            connection, _ = listening.accept()
            with connection:
                for answer in answers:
                    self.asked.append((number, connection.recv(2**16)))
                    connection.sendall(answer)
            self.closed.release()


@contextmanager
def serving(line: Line) -> Iterator[Transport]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=line.serve, args=[listening])
        thread.start()
        host, port = listening.getsockname()
        with closing(connect(f"http://{host}:{port}/v1", HEADERS, connections=1)) as transport:
            yield transport
        thread.join()


def ask(transport: Transport, target: str = "/", seconds: float = 10) -> bytes:
    with closing(transport.get(target, seconds)) as answer:
        return b"".join(answer.pieces)


def test_a_connection_is_kept_for_the_next_request() -> None:
    line = Line([[ONE, TWO, ONE]])

    with serving(line) as transport:
        assert [ask(transport, f"/{n}?a=b%20c") for n in range(3)] == [b"[1]", b"[2]", b"[1]"]

    assert [number for number, _ in line.asked] == [0, 0, 0]
    for n, (_, asked) in enumerate(line.asked):
        first, host, *rest = asked.decode().split("\r\n")
        assert first == f"GET /v1/{n}?a=b%20c HTTP/1.1"
        assert re.fullmatch(r"Host: 127\.0\.0\.1:\d+", host)
        assert rest == ["X-API-Key: a-key", "", ""]


def test_a_connection_that_the_service_has_closed_is_not_used_again() -> None:
    line = Line([[ONE], [LAST], [ONE]])

    with serving(line) as transport:
        for answer in (b"[1]", b"[3]", b"[1]"):
            assert ask(transport) == answer
            assert line.closed.acquire(timeout=10)

    assert [number for number, _ in line.asked] == [0, 1, 2]


def test_a_connection_is_not_kept_when_its_answer_was_not_read_to_the_end() -> None:
    line = Line([[ONE], [ONE]])

    with serving(line) as transport:
        transport.get("/", 10).close()
        assert ask(transport) == b"[1]"

    assert [number for number, _ in line.asked] == [0, 1]


@pytest.mark.parametrize(
    ("head", "fault"),
    [
        (b"Content-Length: 3\r\nContent-Length: 4", "two lengths"),
        (b"Content-Length: three", "no number"),
        (b"Content-Length: -3", "no number"),
        (b"Transfer-Encoding: gzip, chunked", "a transfer encoding that was not asked for"),
        (b"Content-Length 3", "the head of the answer is broken"),
        (b"Content-Length: 4", "lacks its last 1 bytes"),
        (b"Transfer-Encoding: chunked", "IncompleteRead"),
    ],
)
def test_an_answer_that_leaves_in_doubt_where_it_ends_is_refused(head: bytes, fault: str) -> None:
    with (
        serving(Line([[b"HTTP/1.1 200 OK\r\n" + head + b"\r\n\r\n[1]"]])) as transport,
        pytest.raises(httpx.RemoteProtocolError, match=fault),
    ):
        ask(transport)


def test_the_status_and_the_head_are_handed_on_as_they_were_sent() -> None:
    said = b"HTTP/1.1 429 Zu fr\xfch\r\nRetry-After: 7\r\nX-Odd: \xff\r\nContent-Length: 0\r\n\r\n"

    with serving(Line([[said]])) as transport, closing(transport.get("/", 10)) as answer:
        fields = [answer.headers.get(name, "") for name in ("retry-after", "X-ODD", "Other")]

    assert (answer.status, answer.reason, fields) == (429, "Zu fr\xfch", ["7", "\xff", ""])


def test_silence_is_a_timeout_before_the_answer_and_within_it() -> None:
    for begun in (b"", ONE[:-1]):
        with socket.create_server(("127.0.0.1", 0)) as listening:
            transport = Connections(f"http://127.0.0.1:{listening.getsockname()[1]}", HEADERS)
            with listening_to(listening, begun), pytest.raises(httpx.ReadTimeout):
                ask(transport, seconds=0.05)


@contextmanager
def listening_to(listening: socket.socket, begun: bytes) -> Iterator[None]:
    """Say this much to one connection, and no more until the block ends."""
    done = threading.Event()

    def serve() -> None:
        connection, _ = listening.accept()
        with connection:
            connection.sendall(begun)
            done.wait(10)

    thread = threading.Thread(target=serve)
    thread.start()
    yield
    done.set()
    thread.join()


def test_nobody_there_is_an_error_of_the_connection() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

    with pytest.raises(httpx.ConnectError, match="refused"):
        ask(Connections(f"http://127.0.0.1:{port}", HEADERS))


def test_the_proxy_of_the_environment_is_used_but_not_for_this_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "near.test")

    kinds = {
        host: type(connect(f"http://{host}/api", HEADERS, connections=1))
        for host in ("far.test", "near.test", "localhost", "127.0.0.1", "[::1]")
    }

    assert kinds.pop("far.test") is Through
    assert set(kinds.values()) == {Connections}
