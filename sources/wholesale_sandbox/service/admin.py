"""Admin surface: dials, plants, outbox, request log, and the true records.

It needs no key and listens on the loopback address only. A page of another site that a browser on
this machine shows must not reach it: whose `Host` or `Origin` is not this machine is refused.
"""

from collections.abc import Callable, Iterator
from dataclasses import asdict
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import msgspec
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from wholesale_sandbox.contract import document
from wholesale_sandbox.faults import DialError, Dials, Plant, PlantError, plant
from wholesale_sandbox.service.request_log import RequestLog
from wholesale_sandbox.storage import Collection, Storage, digest, only, truth

JSON_LINES = "application/jsonl"

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "::1")
_LINES_A_PART = 500


class FailNext(msgspec.Struct, forbid_unknown_fields=True):
    count: int = 1
    status: int = 500
    endpoint: str | None = None
    retry_after: int | None = None


class CutNext(msgspec.Struct, forbid_unknown_fields=True):
    count: int = 1
    endpoint: str | None = None


class Admin:
    """Handlers over one sandbox's storage, dials and request log."""

    def __init__(self, storage: Storage, dials: Dials, requests: RequestLog) -> None:
        self._storage = storage
        self._dials = dials
        self._requests = requests

    async def health(self, request: Request) -> Response:
        return _json({"status": "ok"})

    async def openapi(self, request: Request) -> Response:
        return _json(document())

    async def dials(self, request: Request) -> Response:
        return _json(self._dials.values())

    async def change_dials(self, request: Request) -> Response:
        values = _read(await request.body(), dict[str, Any])
        return self._dialled(lambda: self._dials.change(values))

    async def reset_dials(self, request: Request) -> Response:
        return self._dialled(self._dials.reset)

    async def fail_next(self, request: Request) -> Response:
        asked = _read(await request.body() or b"{}", FailNext)
        return self._dialled(
            lambda: self._dials.fail_next(
                asked.count, asked.status, endpoint=asked.endpoint, retry_after=asked.retry_after
            )
        )

    async def cut_next(self, request: Request) -> Response:
        asked = _read(await request.body() or b"{}", CutNext)
        return self._dialled(lambda: self._dials.cut_next(asked.count, endpoint=asked.endpoint))

    async def outbox(self, request: Request) -> Response:
        return _json([asdict(mail) for mail in self._storage.outbox.mails()])

    async def clear_outbox(self, request: Request) -> Response:
        self._storage.outbox.clear()
        return Response(status_code=204)

    async def requests(self, request: Request) -> Response:
        return _json(
            {
                "number": self._storage.changes.requests,
                "counts": self._requests.counts(),
                "statuses": self._requests.statuses(),
                "requests": [asdict(entry) for entry in self._requests.entries()],
            }
        )

    async def clear_requests(self, request: Request) -> Response:
        self._requests.clear()
        return Response(status_code=204)

    async def truth(self, request: Request) -> Response:
        """All records of a resource as JSON lines, oldest first; a child with its parent's id.

        `fields` names, with commas, those that are wanted only.
        """
        lines = truth(self._collection(request))
        fields = request.query_params.get("fields")
        if fields is not None:
            lines = (only(line, fields.split(",")) for line in lines)
        return StreamingResponse(_parts(lines), media_type=JSON_LINES)

    async def digest(self, request: Request) -> Response:
        return _json(digest(body for _, body in self._collection(request).records()))

    async def changes(self, request: Request) -> Response:
        """What changed, after request number `since` if that is given; JSON lines, oldest first."""
        since, changes = request.query_params.get("since"), self._storage.changes
        if since is not None and not since.isdecimal():
            raise HTTPException(422, "since must be the number of a request")
        found = changes.all() if since is None else changes.since(int(since))
        lines = (msgspec.json.encode(change) for change in found)
        return StreamingResponse(_parts(lines), media_type=JSON_LINES)

    async def plant(self, request: Request) -> Response:
        asked = _read(await request.body(), Plant)
        try:
            planted = plant(self._storage, [asked], self._dials.seed)
        except PlantError as error:
            raise HTTPException(422, str(error)) from None
        return _json(planted)

    async def put_record(self, request: Request) -> Response:
        """The body is kept literally, even if the API would never make it."""
        collection, body = self._collection(request), await request.body()
        if not body.strip():
            raise HTTPException(422, "the body must be a record")
        record_id = request.path_params["id"]
        parent_id = request.query_params.get("parent_id") or collection.parent_of(record_id)
        collection.put(record_id, body, parent_id=parent_id)
        return Response(status_code=204)

    async def delete_record(self, request: Request) -> Response:
        if not self._collection(request).delete(request.path_params["id"]):
            raise HTTPException(404, "there is no such record")
        return Response(status_code=204)

    def _dialled(self, act: Callable[[], None]) -> Response:
        try:
            act()
        except DialError as error:
            raise HTTPException(422, str(error)) from None
        return _json(self._dials.values())

    def _collection(self, request: Request) -> Collection:
        try:
            return self._storage.collection(request.path_params["resource"])
        except KeyError:
            raise HTTPException(404, "there is no such resource") from None


def admin(storage: Storage, dials: Dials, requests: RequestLog) -> ASGIApp:
    handlers = Admin(storage, dials, requests)
    record = "/records/{resource}/{id}"
    return Starlette(
        routes=[
            Route("/health", handlers.health),
            Route("/openapi.json", handlers.openapi),
            Route("/dials", handlers.dials),
            Route("/dials", handlers.change_dials, methods=["PATCH"]),
            Route("/dials/reset", handlers.reset_dials, methods=["POST"]),
            Route("/dials/fail_next", handlers.fail_next, methods=["POST"]),
            Route("/dials/cut_next", handlers.cut_next, methods=["POST"]),
            Route("/outbox", handlers.outbox),
            Route("/outbox", handlers.clear_outbox, methods=["DELETE"]),
            Route("/requests", handlers.requests),
            Route("/requests", handlers.clear_requests, methods=["DELETE"]),
            Route("/truth/{resource}", handlers.truth),
            Route("/digest/{resource}", handlers.digest),
            Route("/changes", handlers.changes),
            Route("/plants", handlers.plant, methods=["POST"]),
            Route(record, handlers.put_record, methods=["POST", "PUT"]),
            Route(record, handlers.delete_record, methods=["DELETE"]),
        ],
        middleware=[Middleware(_OfThisMachine)],
        exception_handlers={HTTPException: _failed},
    )


class _OfThisMachine:
    """Answers 403 to a request for, or by a page of, another host (RFC 6454; DNS rebinding)."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            asked = [f"//{headers.get('host', '')}", *headers.getlist("origin")]
            if not all(urlsplit(address).hostname in LOOPBACK_NAMES for address in asked):
                refusal = _json({"error": "Forbidden", "details": "for this machine alone"}, 403)
                await refusal(scope, receive, send)
                return
        await self._app(scope, receive, send)


def _parts(lines: Iterator[bytes]) -> Iterator[bytes]:
    part: list[bytes] = []
    for line in lines:
        part.append(line + b"\n")
        if len(part) == _LINES_A_PART:
            yield b"".join(part)
            part = []
    yield b"".join(part)


def _read(body: bytes, type: Any) -> Any:
    try:
        return msgspec.json.decode(body, type=type)
    except (msgspec.DecodeError, RecursionError) as error:
        raise HTTPException(422, f"the body does not fit: {error}") from None


def _json(value: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")


async def _failed(request: Request, failure: Exception) -> Response:
    status = failure.status_code if isinstance(failure, HTTPException) else 500
    details = failure.detail if isinstance(failure, HTTPException) else "the sandbox failed"
    return _json({"error": HTTPStatus(status).phrase, "details": details}, status)
