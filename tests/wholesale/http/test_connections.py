"""Connections are kept as long as they are good, and an answer without a sure end is refused."""

import re
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
import trustme

from wholesale.http.connections import MAX_HEAD_BYTES, PIECE_BYTES, Connections
from wholesale.http.proxies import Through, connect
from wholesale.http.transport import Transport

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
            try:
                connection, _ = listening.accept()
            except ssl.SSLError:  # the certificate was refused
                continue
            with connection:
                for answer in answers:
                    self.asked.append((number, connection.recv(2**16)))
                    with suppress(ConnectionError):  # it was closed before all was said
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


def test_a_connection_is_not_kept_when_its_answer_did_not_come_to_its_end() -> None:
    length = 8 * PIECE_BYTES
    long = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % length + b" " * length
    line = Line([[long], [ONE]])

    with serving(line) as transport:
        transport.get("/", 10).close()
        assert ask(transport) == b"[1]"

    assert [number for number, _ in line.asked] == [0, 1]


def test_of_an_answer_that_nobody_read_nothing_is_left_for_the_next_request() -> None:
    with serving(Line([[ONE, TWO]])) as transport:
        transport.get("/", 10).close()
        assert ask(transport) == b"[2]"


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (b"Content-Length: 3\r\nContent-Length: 4\r\n\r\n[1]", "Duplicate Content-Length"),
        (b"Content-Length: three\r\n\r\n[1]", "Invalid character in Content-Length"),
        (b"Content-Length: -3\r\n\r\n[1]", "Invalid character in Content-Length"),
        (b"Transfer-Encoding: gzip, chunked\r\n\r\n3\r\n[1]\r\n0\r\n\r\n", "not asked for"),
        (b"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n[1]", "can't be present"),
        (b"Content-Length 3\r\n\r\n[1]", "Invalid header field char"),
        (b"Content-Length: 4\r\n\r\n[1]", "closed within the answer"),
        (b"Content-Length: 4\r\nConnection: close\r\n\r\n[1]", "closed within the answer"),
        (b"Transfer-Encoding: chunked\r\n\r\n3\r\n[1]\r\n", "closed within the answer"),
        (
            b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\n[1]\r\n",
            "closed within the answer",
        ),
        (b"Transfer-Encoding: chunked\r\n\r\n[1]", "Invalid character in chunk size"),
        (b"Content-Length: 3", "closed within the answer"),
        (b"Content-Length: 3\r\n\r\n[1]" + ONE, "more came than one answer"),
        (b"Content-Length: 3\r\n\r\n[1] and more", "breaks the protocol"),
        (b"X: " + b"x" * MAX_HEAD_BYTES, "the head has more than"),
    ],
)
def test_an_answer_that_leaves_in_doubt_where_it_ends_is_refused(answer: bytes, fault: str) -> None:
    with (
        serving(Line([[b"HTTP/1.1 200 OK\r\n" + answer]])) as transport,
        pytest.raises(httpx.RemoteProtocolError, match=fault),
    ):
        ask(transport)


def test_what_comes_before_the_answer_itself_is_passed_over() -> None:
    early = b"HTTP/1.1 103 Early Hints\r\nContent-Length: 9\r\nX-Hint: early\r\n\r\n"

    go_on = b"HTTP/1.1 100 Continue\r\n\r\n"

    for said, expected in ((early + ONE, b"[1]"), (go_on + early + TWO, b"[2]")):
        with serving(Line([[said, ONE]])) as transport:
            with closing(transport.get("/", 10)) as answer:
                body = b"".join(answer.pieces)
            assert (answer.status, body) == (200, expected)
            assert answer.headers.get("X-Hint", "") == ""
            assert ask(transport) == b"[1]"


def test_the_offer_of_another_protocol_is_passed_over_and_a_change_of_it_refused() -> None:
    """Apache offers HTTP/2 with every answer."""
    offer = b"Upgrade: h2,h2c\r\nConnection: Upgrade, Keep-Alive\r\n"
    offered = ONE.replace(b"Content-Length", offer + b"Content-Length")
    changed = b"HTTP/1.1 101 Switching Protocols\r\n" + offer + b"\r\n"

    with serving(Line([[offered, ONE, changed]])) as transport:
        assert [ask(transport) for _ in range(2)] == [b"[1]", b"[1]"]
        with pytest.raises(httpx.RemoteProtocolError, match="breaks the protocol"):
            ask(transport)


def test_an_answer_that_comes_byte_by_byte_is_the_same() -> None:
    for said, body in ((ONE, b"[1]"), (TWO, b"[2]"), (LAST, b"[3]")):
        with socket.create_server(("127.0.0.1", 0)) as listening:
            transport = Connections(f"http://127.0.0.1:{listening.getsockname()[1]}", HEADERS)
            with listening_to(listening, *(said[n : n + 1] for n in range(len(said)))):
                with closing(transport.get("/", 10)) as answer:
                    assert b"".join(answer.pieces) == body
                assert answer.reason in ("OK", "Fine")
            transport.close()


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
def listening_to(listening: socket.socket, *parts: bytes) -> Iterator[None]:
    """Say this much to one connection, part by part, and no more until it is left alone."""
    done = threading.Event()

    def serve() -> None:
        connection, _ = listening.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with connection:
            connection.recv(2**16)
            for part in parts:
                connection.sendall(part)
                time.sleep(0.0005)
            if len(parts) == 1:
                done.wait(10)

    thread = threading.Thread(target=serve)
    thread.start()
    yield
    done.set()
    thread.join()


def test_a_certificate_is_checked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "authority.pem")
    served = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("localhost").configure_cert(served)
    line = Line([[], [], [ONE, TWO]])

    with (
        socket.create_server(("127.0.0.1", 0)) as plain,
        served.wrap_socket(plain, server_side=True) as listening,
    ):
        port = listening.getsockname()[1]
        thread = threading.Thread(target=line.serve, args=[listening])
        thread.start()
        with pytest.raises(httpx.ConnectError, match="certificate verify failed"):
            ask(Connections(f"https://localhost:{port}/v1", HEADERS))
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
        with pytest.raises(httpx.ConnectError, match="is not valid for"):
            ask(Connections(f"https://127.0.0.1:{port}/v1", HEADERS))
        with closing(Connections(f"https://localhost:{port}/v1", HEADERS)) as transport:
            assert [ask(transport) for _ in range(2)] == [b"[1]", b"[2]"]
        thread.join()

    assert [asked.split(b" HTTP")[0] for _, asked in line.asked] == [b"GET /v1/"] * 2


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
