"""App: the API as an ASGI application, 56 endpoints under the path prefix (§4, §9)."""

import asyncio
import hmac
import logging
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from urllib.parse import parse_qsl

from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from wholesale.api import ENDPOINTS, PATH_PREFIX, Endpoint
from wholesale_sandbox.contract import BRAND_LOGO_FILE, FAILURE, UNKNOWN_PATH, WRONG_METHOD
from wholesale_sandbox.faults import (
    ActiveFault,
    Dials,
    Drift,
    NextFailure,
    Read,
    ResponseFault,
    apply_faults,
)
from wholesale_sandbox.responses import (
    NOTHING_SAID,
    ClientConnection,
    Headers,
    Refused,
    Response,
    cut,
    error,
    not_found,
    whole,
)
from wholesale_sandbox.routes import HANDLERS, Call
from wholesale_sandbox.service.request_log import LoggedRequest, RequestLog
from wholesale_sandbox.storage import Storage

COMPRESSED_FROM = 1024  # bytes

_log = logging.getLogger(__name__)


class Service:
    """The key, the dials and the log around the handlers; handles one request at a time."""

    def __init__(
        self,
        storage: Storage,
        dials: Dials,
        requests: RequestLog,
        *,
        api_key: str,
    ) -> None:
        self._storage = storage
        self._dials = dials
        self._drift = Drift(storage, dials)
        self._requests = requests
        self._api_key = api_key.encode()

    async def serve(
        self,
        endpoints: Mapping[str, Endpoint],
        scope: Scope,
        receive: Receive,
        send: Send,
    ) -> None:
        """Respond at a path that has these endpoints, by method."""
        number = self._storage.changes.count_request()
        endpoint = endpoints.get(scope["method"])
        name = endpoint.name if endpoint else ""
        failure = self._dials.failure(name)
        if self._dials.latency_seconds:
            await asyncio.sleep(self._dials.latency_seconds)
        headers = {key: value for key, value in scope["headers"]}
        body = await _body(receive) if scope["method"] in ("POST", "PUT") else b""
        faults = self._active_faults(name, scope, headers)
        if failure and failure.status:
            response = _failed(failure)
        elif not hmac.compare_digest(headers.get(b"x-api-key", b""), self._api_key):
            response = error(401)
        elif endpoint is None:
            response = _not_here(endpoints)
        else:
            if self._dials.drift and name.startswith("list_"):
                self._drift.before_list(name.removeprefix("list_"), number, datetime.now(UTC))
            response = self._handled(endpoint, scope, headers, body, faults)
        response = apply_faults(ResponseFault, response, faults)
        if failure and failure.status is None:
            response = replace(response, deliver=cut)
        response_headers, sent = _encoded(response, headers.get(b"accept-encoding", b""))
        query = scope["query_string"].decode("latin-1")
        status = 0 if response.deliver in NOTHING_SAID else response.status
        names = tuple(active.fault.name for active in faults)
        self._requests.add(
            LoggedRequest(scope["method"], scope["path"], query, name, status, len(sent), names)
        )
        await response.deliver(
            ClientConnection(scope, receive, send), response.status, response_headers, sent
        )

    async def serve_upload(self, scope: Scope, receive: Receive, send: Send) -> None:
        upload = self._storage.uploads.get(scope["path"])
        response = (
            not_found().response
            if upload is None
            else Response(200, upload.content, upload.content_type)
        )
        await whole(
            ClientConnection(scope, receive, send), response.status, *_encoded(response, b"")
        )

    def _active_faults(
        self, endpoint: str, scope: Scope, headers: Mapping[bytes, bytes]
    ) -> Sequence[ActiveFault]:
        if not self._dials.faults or scope["method"] != "GET":
            return ()
        url = f"{scope['path']}?{scope['query_string'].decode('latin-1')}"
        host = headers.get(b"host", b"").decode("latin-1")
        return self._dials.active_faults(Read(endpoint, url, host), datetime.now(UTC))

    def _handled(
        self,
        endpoint: Endpoint,
        scope: Scope,
        headers: Mapping[bytes, bytes],
        body: bytes,
        faults: Sequence[ActiveFault],
    ) -> Response:
        call = Call(
            self._storage,
            self._dials,
            datetime.now(UTC),
            scope["path_params"],
            dict(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)),
            headers.get(b"content-type", b"").decode("latin-1"),
            body,
            faults,
        )
        try:
            return HANDLERS[endpoint.name](call)
        except Refused as refused:
            return refused.response
        except Exception:
            _log.exception("%s %s failed", endpoint.method, endpoint.path)
            return error(FAILURE.value)


class Path:
    """The endpoints at one path, as an ASGI application."""

    def __init__(self, service: Service, endpoints: Mapping[str, Endpoint]) -> None:
        self._service = service
        self._endpoints = endpoints

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._service.serve(self._endpoints, scope, receive, send)


def api(service: Service) -> ASGIApp:
    """Routes for every endpoint; any other path answers with the error object of 404."""
    at_path: dict[str, dict[str, Endpoint]] = {}
    for endpoint in ENDPOINTS:
        at_path.setdefault(PATH_PREFIX + endpoint.path, {})[endpoint.method] = endpoint
    at_path[PATH_PREFIX] = at_path[PATH_PREFIX + "/"]
    often_first = sorted(at_path, key=lambda path: "/orders" not in path)
    uploads = BRAND_LOGO_FILE.value.replace("{name}", "{name:path}")
    return Router(
        [
            *(Route(path, Path(service, at_path[path])) for path in often_first),
            Route(uploads, _Upload(service)),
        ],
        redirect_slashes=False,
        default=Path(service, {}),
    )


class _Upload:
    def __init__(self, service: Service) -> None:
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._service.serve_upload(scope, receive, send)


def _not_here(endpoints: Mapping[str, Endpoint]) -> Response:
    if not endpoints:
        return error(UNKNOWN_PATH.value)
    return error(WRONG_METHOD.value, headers={"Allow": ", ".join(sorted(endpoints))})


def _failed(failure: NextFailure) -> Response:
    wait = {} if failure.retry_after is None else {"Retry-After": str(failure.retry_after)}
    return error(failure.status or FAILURE.value, headers=wait)


async def _body(receive: Receive) -> bytes:
    parts = []
    while True:
        message = await receive()
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(parts)


def _encoded(response: Response, encodings: bytes) -> tuple[Headers, bytes]:
    """Headers and body as sent, compressed if the client accepts it."""
    body = response.body
    headers = [(name.lower().encode(), value.encode()) for name, value in response.headers.items()]
    if response.status in (204, 304):
        return headers, b""
    headers.append((b"content-type", response.content_type.encode()))
    if len(body) > COMPRESSED_FROM and "Content-Encoding" not in response.headers:
        headers.append((b"vary", b"Accept-Encoding"))
        if b"gzip" in encodings:
            headers.append((b"content-encoding", b"gzip"))
            body = _gzipped(body)
    headers.append((b"content-length", str(len(body)).encode()))
    return headers, body


def _gzipped(body: bytes) -> bytes:
    """Compress at level 1, so that compression takes little of the time."""
    compressor = zlib.compressobj(1, zlib.DEFLATED, 31)
    return compressor.compress(body) + compressor.flush()
