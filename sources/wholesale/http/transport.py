"""Transport: connections to the service, each kept for the next request, with a total deadline.

httpx and httpcore time each read by itself, so a response that comes a byte a second never times
out. Here every read, write and handshake may take only what is left until the deadline.
"""

import time
from collections.abc import Iterable, Iterator
from typing import Any

from wholesale.http.libraries import httpcore, httpx
from wholesale.http.way import Way

ONE = httpx.Limits(max_connections=1, max_keepalive_connections=1)


def timeouts(silence: float, total: float) -> dict[str, float]:
    """The timeouts of one request, in seconds, as its extension `timeout` carries them; `total`
    bounds the whole response."""
    return {"connect": silence, "read": silence, "write": silence, "pool": silence, "total": total}


class Transport(httpx.BaseTransport):
    """A connection for each request under way; the one used last is taken first.

    They are kept here, and not in one pool of httpcore, which looks at all its connections before
    and after each request: with many of them that took a third of a run's processor time.
    """

    def __init__(self, way: Way) -> None:
        trusted = way.trusted()
        self._options: dict[str, Any] = {"verify": trusted, "limits": ONE}
        if way.proxy:
            tls = trusted if way.proxy.url.scheme == "https" else None
            self._options["proxy"] = httpx.Proxy(way.proxy.url, ssl_context=tls)
        self._all: list[_Connection] = []
        self._idle: list[_Connection] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = _Connection(**self._options)
            self._all.append(connection)
        try:
            response = connection.handle_request(request)
        except BaseException:
            self._idle.append(connection)
            raise
        assert isinstance(response.stream, httpx.SyncByteStream)
        response.stream = _Body(response.stream, connection, self._idle)
        return response

    def close(self) -> None:
        for connection in self._all:
            connection.close()


class _Body(httpx.SyncByteStream):
    """A body, whose connection is idle again once it is closed."""

    def __init__(
        self, body: httpx.SyncByteStream, connection: "_Connection", idle: list["_Connection"]
    ) -> None:
        self._body = body
        self._used = [connection]
        self._idle = idle

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._body)

    def close(self) -> None:
        self._body.close()
        while self._used:
            self._idle.append(self._used.pop())


class _Connection(httpx.HTTPTransport):
    """One connection, which keeps `total` of a request's timeouts."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._deadline = _Deadline()
        # httpcore's pool takes a network backend, and httpx has no argument to pass it on.
        self._pool._network_backend = _Network(self._pool._network_backend, self._deadline)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self._deadline.at = time.monotonic() + request.extensions["timeout"]["total"]
        response = super().handle_request(request)
        stream = response.extensions["network_stream"]
        if not stream.has_read:
            # It came unasked behind the response before it (RFC 9112 §9.2), and h11 kept it.
            response.close()
            raise httpx.RemoteProtocolError("a response came before it was asked for")
        return response


class _Deadline:
    """When the response must be there, by the monotonic clock."""

    at = 0.0

    def clip(self, seconds: float | None, late: type[httpcore.TimeoutException]) -> float:
        """`seconds`, or what is left until the deadline. Raises: `late` when nothing is left."""
        left = self.at - time.monotonic()
        if left <= 0:
            raise late("the whole response took too long")
        return left if seconds is None else min(seconds, left)


class _Network(httpcore.NetworkBackend):
    def __init__(self, network: httpcore.NetworkBackend, deadline: _Deadline) -> None:
        self._network = network
        self._deadline = deadline

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        seconds = self._deadline.clip(timeout, httpcore.ConnectTimeout)
        stream = self._network.connect_tcp(host, port, seconds, local_address, socket_options)
        return _Stream(stream, self._deadline)


class _Stream(httpcore.NetworkStream):
    """What a connection reads and writes; `has_read` tells whether anything came in since the last
    request went out."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: _Deadline) -> None:
        self.has_read = False
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        data = self._stream.read(max_bytes, self._deadline.clip(timeout, httpcore.ReadTimeout))
        self.has_read = True
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self.has_read = False
        self._stream.write(buffer, self._deadline.clip(timeout, httpcore.WriteTimeout))

    def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        seconds = self._deadline.clip(timeout, httpcore.ConnectTimeout)
        stream = self._stream.start_tls(ssl_context, server_hostname, seconds)
        return _Stream(stream, self._deadline)

    def close(self) -> None:
        self._stream.close()

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
