"""HttpxTransport: httpx's own connections, with a deadline for the whole answer.

httpx and httpcore time each read by itself, so an answer that comes a byte a second never times
out. Here every read, write and handshake may take only what is left until the deadline.
"""

import time
from collections.abc import Iterable
from contextvars import ContextVar
from typing import Any

import httpcore
import httpx

_deadline: ContextVar[float] = ContextVar("deadline")
"""When the answer to the request of this thread must be there, by the monotonic clock."""


class HttpxTransport(httpx.HTTPTransport):
    """An httpx.HTTPTransport that keeps `total` of a request's timeouts.

    An answer is read on the thread that asked for it.
    """

    def __init__(self, *, connections: int, proxy: str | None = None) -> None:
        limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)
        super().__init__(proxy=proxy, limits=limits)
        # httpcore's pool takes a network backend, and httpx has no argument to pass it on.
        self._pool._network_backend = _Network(self._pool._network_backend)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        _deadline.set(time.monotonic() + request.extensions["timeout"]["total"])
        answer = super().handle_request(request)
        stream = answer.extensions["network_stream"]
        if not stream.has_read:
            # It came unasked behind the answer before it (RFC 9112 §9.2), and h11 kept it.
            answer.close()
            raise httpx.RemoteProtocolError("an answer came before it was asked for")
        return answer


class _Network(httpcore.NetworkBackend):
    def __init__(self, network: httpcore.NetworkBackend) -> None:
        self._network = network

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        seconds = _clipped(timeout, httpcore.ConnectTimeout)
        return _Stream(
            self._network.connect_tcp(host, port, seconds, local_address, socket_options)
        )


class _Stream(httpcore.NetworkStream):
    """A connection; `has_read` tells whether anything came in since the last request went out."""

    def __init__(self, stream: httpcore.NetworkStream) -> None:
        self.has_read = False
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        data = self._stream.read(max_bytes, _clipped(timeout, httpcore.ReadTimeout))
        self.has_read = True
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self.has_read = False
        self._stream.write(buffer, _clipped(timeout, httpcore.WriteTimeout))

    def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        seconds = _clipped(timeout, httpcore.ConnectTimeout)
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, seconds))

    def close(self) -> None:
        self._stream.close()

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _clipped(seconds: float | None, late: type[httpcore.TimeoutException]) -> float:
    """`seconds`, or what is left until the deadline. Raises: `late` when nothing is left."""
    left = _deadline.get() - time.monotonic()
    if left <= 0:
        raise late("the whole answer took too long")
    return left if seconds is None else min(seconds, left)
