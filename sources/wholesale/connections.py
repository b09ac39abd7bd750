"""Kept-alive connections to one host: HTTP as the standard library reads it, behind httpx's types.

What is fetched are few headers and large bodies. For those the state machine and the pool below
httpx take several times the processor time, which grows further with the threads that share it.
"""

import contextlib
import http.client
import select
from collections import deque
from collections.abc import Iterator
from urllib.request import getproxies, proxy_bypass

import httpx

PIECE_BYTES = 2**18
"""Read from the network at once, so that a deadline is looked at in between."""
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


def connect(base_url: str, *, connections: int) -> httpx.BaseTransport:
    """So many connections to this host, by the proxy that the environment names for it if any."""
    url = httpx.URL(base_url)
    if proxy := _proxy_for(url):
        limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)
        return httpx.HTTPTransport(proxy=proxy, limits=limits)
    return Connections(url)


def _proxy_for(url: httpx.URL) -> str | None:
    """A proxy of the environment cannot reach this machine."""
    if url.host in LOOPBACK or proxy_bypass(url.host):
        return None
    proxies = getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all")
    return f"http://{proxy}" if proxy and "://" not in proxy else proxy


class Connections(httpx.BaseTransport):
    """As many connections as are in use at once; each is kept for the next request.

    Raises: the errors of httpx, also while a body is read. An answer whose head leaves in doubt
    where it ends is refused as one that breaks the protocol.
    """

    def __init__(self, url: httpx.URL) -> None:
        self._url = url
        self._tls = httpx.create_ssl_context() if url.scheme == "https" else None
        self._idle: deque[http.client.HTTPConnection] = deque()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        seconds: float = request.extensions["timeout"]["read"]
        connection = self._take() or self._open(seconds)
        try:
            answer = _ask(connection, request, seconds)
        except BaseException:
            connection.close()
            raise
        return httpx.Response(
            answer.status,
            headers=[(_raw(name), _raw(value)) for name, value in answer.headers.items()],
            stream=_Body(connection, answer, self._idle),
            extensions={"reason_phrase": _raw(answer.reason)},
        )

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


class _Body(httpx.SyncByteStream):
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


def _ask(
    connection: http.client.HTTPConnection, request: httpx.Request, seconds: float
) -> http.client.HTTPResponse:
    """The answer to a request, up to its body."""
    try:
        connection.sock.settimeout(seconds)
        target = request.url.raw_path.decode("ascii")
        connection.putrequest(request.method, target, skip_host=True, skip_accept_encoding=True)
        for name, value in request.headers.raw:
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


def _raw(text: str) -> bytes:
    """Part of a head as it was sent."""
    return text.encode("latin-1")


def _is_silent(connection: http.client.HTTPConnection) -> bool:
    poll = select.poll()
    poll.register(connection.sock, select.POLLIN)
    return not poll.poll(0)
