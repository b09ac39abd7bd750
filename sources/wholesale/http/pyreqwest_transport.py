"""PyreqwestTransport: httpx's requests and answers over pyreqwest, an HTTP client in Rust.

In the place of `pyreqwest.compatibility.httpx`, which adds the timeouts up, lets its own errors
through while a body is read, and refuses an answer with a header field that is not ASCII.
"""

from collections.abc import Iterator
from datetime import timedelta

import httpx
from pyreqwest import exceptions
from pyreqwest.client import SyncClientBuilder
from pyreqwest.proxy import ProxyBuilder
from pyreqwest.request import SyncStreamRequest
from pyreqwest.response import SyncResponseBodyReader

from wholesale.http.exchange import Answer, Get

SWITCHING_PROTOCOLS = 101
CONNECTING = "client error (Connect)"
"""Among the causes of an error where there was no connection yet."""


class PyreqwestTransport(httpx.BaseTransport):
    """Kept-alive connections that keep `total` of a request's timeouts.

    `silence_seconds`: the longest silence within any answer; it is the same for all requests.

    Raises: ValueError where no certificate of this machine can be found.
    """

    def __init__(
        self, *, connections: int, silence_seconds: float, proxy: str | None = None
    ) -> None:
        builder = (
            SyncClientBuilder()
            .follow_redirects(False)
            .referer(False)
            .gzip(False)
            .brotli(False)
            .deflate(False)
            .zstd(False)
            .no_proxy()  # none but the one that is given
            .read_timeout(timedelta(seconds=silence_seconds))
            .pool_max_idle_per_host(connections)
        )
        self._client = (builder.proxy(ProxyBuilder.all(proxy)) if proxy else builder).build()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if isinstance(request, Get):
            address, fields = request.address, request.fields
        else:
            address, fields = str(request.url), request.headers.multi_items()
        exchange = (
            self._client.request(request.method, address)
            .headers(fields)
            .timeout(timedelta(seconds=request.extensions["timeout"]["total"]))
            .build_streamed()
        )
        try:
            answer = exchange.__enter__()
        except exceptions.DetailedPyreqwestError as error:
            raise _as_httpx(error) from None
        body = _Body(exchange, answer.body_reader)
        if answer.status == SWITCHING_PROTOCOLS:
            body.close()
            raise httpx.RemoteProtocolError("it changed to a protocol that was not asked for")
        return Answer(answer.status, answer.headers, body)

    def close(self) -> None:
        self._client.close()


class _Body(httpx.SyncByteStream):
    """A body as it was sent, while it comes in."""

    def __init__(self, exchange: SyncStreamRequest, reader: SyncResponseBodyReader) -> None:
        self._exchange = exchange
        self._reader = reader

    def __iter__(self) -> Iterator[bytes]:
        try:
            while (piece := self._reader.read_chunk()) is not None:
                yield piece.to_bytes()
        except exceptions.DetailedPyreqwestError as error:
            raise _as_httpx(error) from None

    def close(self) -> None:
        self._exchange.__exit__(None, None, None)


def _as_httpx(error: exceptions.DetailedPyreqwestError) -> httpx.TransportError:
    """The error of httpx for one of pyreqwest, whose innermost cause says what went wrong."""
    causes = [cause["message"] for cause in error.details["causes"] or ()]
    text = causes[-1] if causes else error.message
    if isinstance(error, exceptions.RequestTimeoutError):
        return httpx.ReadTimeout(text)
    if isinstance(error, exceptions.DecodeError):
        return httpx.RemoteProtocolError(text)
    # pyreqwest calls each end of a connection before the answer a failure to connect.
    return httpx.ConnectError(text) if CONNECTING in causes else httpx.ReadError(text)
