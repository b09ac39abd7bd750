"""Kept-alive connections to one host: HTTP as the standard library reads it, in the fewest steps.

What is fetched are few headers and large bodies. For those the state machine, the pool and the
types of httpx take several times the processor time, which grows further with the threads that
share it. Its errors name what goes wrong, and a proxy is left to it.
"""

import contextlib
import http.client
import select
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol
from urllib.request import getproxies, proxy_bypass

import httpx

PIECE_BYTES = 2**18
"""Read from the network at once, so that a deadline is looked at in between."""
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


class Head(Protocol):
    """The header fields of an answer, by name in any case."""

    def get(self, name: str, default: str, /) -> str: ...


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer, to be closed: `pieces` is its body as it was sent, while it comes in."""

    status: int
    reason: str
    headers: Head
    pieces: Iterable[bytes]
    close: Callable[[], None]


class Transport(Protocol):
    """GETs targets below one base URL.

    Raises: the errors of httpx, also while a body is read; `seconds` of silence are one.
    """

    def get(self, target: str, seconds: float) -> Answer: ...

    def close(self) -> None: ...


class Connect(Protocol):
    """Makes a Transport of at most so many connections, which sends these headers."""

    def __call__(
        self, base_url: str, headers: Mapping[str, str], *, connections: int
    ) -> Transport: ...


def connect(base_url: str, headers: Mapping[str, str], *, connections: int) -> Transport:
    """Connections to this host, by the proxy that the environment names for it if any."""
    url = httpx.URL(base_url)
    if proxy := _proxy_for(url):
        limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)
        return Through(httpx.HTTPTransport(proxy=proxy, limits=limits), base_url, headers)
    return Connections(base_url, headers)


def _proxy_for(url: httpx.URL) -> str | None:
    """A proxy of the environment cannot reach this machine."""
    if url.host in LOOPBACK or proxy_bypass(url.host):
        return None
    proxies = getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all")
    return f"http://{proxy}" if proxy and "://" not in proxy else proxy


class Through:
    """A Transport through one of httpx."""

    def __init__(
        self, transport: httpx.BaseTransport, base_url: str, headers: Mapping[str, str]
    ) -> None:
        self._transport = transport
        self._base_url = base_url
        self._headers = httpx.Headers(headers)

    def get(self, target: str, seconds: float) -> Answer:
        # No httpx.Client: its redirects would carry the key to another host.
        request = httpx.Request(
            "GET",
            self._base_url + target,
            headers=self._headers,
            extensions={"timeout": dict.fromkeys(("connect", "read", "write", "pool"), seconds)},
        )
        answer = self._transport.handle_request(request)
        return Answer(
            answer.status_code,
            answer.reason_phrase,
            answer.headers,
            answer.iter_raw(),
            answer.close,
        )

    def close(self) -> None:
        self._transport.close()


class Connections:
    """A Transport with as many connections as are in use at once, each kept for the next request.

    An answer whose head leaves in doubt where it ends is refused as one that breaks the protocol.
    """

    def __init__(self, base_url: str, headers: Mapping[str, str]) -> None:
        self._url = httpx.URL(base_url)
        self._path = self._url.raw_path.decode("ascii").rstrip("/")
        self._headers = {"Host": self._url.netloc.decode("ascii"), **headers}
        self._tls = httpx.create_ssl_context() if self._url.scheme == "https" else None
        self._idle: deque[http.client.HTTPConnection] = deque()

    def get(self, target: str, seconds: float) -> Answer:
        connection = self._take() or self._open(seconds)
        try:
            answer = self._ask(connection, self._path + target, seconds)
        except BaseException:
            connection.close()
            raise
        body = _Body(connection, answer, self._idle)
        return Answer(answer.status, answer.reason, answer.headers, body, body.close)

    def close(self) -> None:
        while self._idle:
            self._idle.pop().close()

    def _take(self) -> http.client.HTTPConnection | None:
        """A connection that was kept, and that the other side has not closed meanwhile."""
        with contextlib.suppress(IndexError):
            while True:
                connection = self._idle.pop()
                if _is_silent(connection):
                    return connection
                connection.close()
        return None

    def _open(self, seconds: float) -> http.client.HTTPConnection:
        host, port = self._url.host, self._url.port
        connection = (
            http.client.HTTPSConnection(host, port, timeout=seconds, context=self._tls)
            if self._tls
            else http.client.HTTPConnection(host, port, timeout=seconds)
        )
        try:
            connection.connect()
        except TimeoutError as error:
            raise httpx.ConnectTimeout(str(error)) from error
        except (OSError, UnicodeError) as error:
            raise httpx.ConnectError(str(error)) from error
        return connection

    def _ask(
        self, connection: http.client.HTTPConnection, target: str, seconds: float
    ) -> http.client.HTTPResponse:
        """The answer up to its body."""
        try:
            connection.sock.settimeout(seconds)
            connection.putrequest("GET", target, skip_host=True, skip_accept_encoding=True)
            for name, value in self._headers.items():
                connection.putheader(name, value)
            connection.endheaders()
            answer = connection.getresponse()
        except TimeoutError as error:
            raise httpx.ReadTimeout(str(error)) from error
        except http.client.HTTPException as error:
            raise httpx.RemoteProtocolError(str(error)) from error
        except OSError as error:
            raise httpx.ReadError(str(error)) from error
        if fault := _fault(answer):
            raise httpx.RemoteProtocolError(fault)
        return answer


class _Body:
    """The body of an answer as it comes in; its connection is kept once it was read to its end."""

    def __init__(
        self,
        connection: http.client.HTTPConnection,
        answer: http.client.HTTPResponse,
        idle: deque[http.client.HTTPConnection],
    ) -> None:
        self._connection = connection
        self._answer = answer
        self._idle = idle
        self._is_whole = False

    def __iter__(self) -> Iterator[bytes]:
        try:
            while piece := self._answer.read1(PIECE_BYTES):
                yield piece
        except TimeoutError as error:
            raise httpx.ReadTimeout(str(error)) from error
        except OSError as error:
            raise httpx.ReadError(str(error)) from error
        except (http.client.HTTPException, ValueError) as error:
            raise httpx.RemoteProtocolError(repr(error)) from error
        if self._answer.length:
            raise httpx.RemoteProtocolError(f"the body lacks its last {self._answer.length} bytes")
        self._is_whole = True

    def close(self) -> None:
        is_kept = self._is_whole and not self._answer.will_close
        self._answer.close()
        if is_kept:
            self._idle.append(self._connection)
        else:
            self._connection.close()


def _fault(answer: http.client.HTTPResponse) -> str | None:
    """What keeps an answer from saying where it ends; the standard library would guess."""
    if answer.headers.defects:
        return "the head of the answer is broken"
    if len(set(answer.headers.get_all("Content-Length", ()))) > 1:
        return "the answer has two lengths"
    if "Transfer-Encoding" in answer.headers and not answer.chunked:
        return "the answer comes in a transfer encoding that was not asked for"
    if "Content-Length" in answer.headers and answer.length is None and not answer.chunked:
        return "the length of the answer is no number"
    return None


def _is_silent(connection: http.client.HTTPConnection) -> bool:
    poll = select.poll()
    poll.register(connection.sock, select.POLLIN)
    return not poll.poll(0)
