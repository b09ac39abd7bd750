"""Script: a service that answers by heart, and the time of the client that asks it."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

from wholesale.errors import ContentError
from wholesale.http.client import Client
from wholesale.http.traffic import Traffic
from wholesale.settings import ApiSettings

KEY = "a-very-secret-key"
BASE = "https://service.test/api/external/v1"

Answer = httpx.Response | Exception


@dataclass
class Script:
    """Answers in this order, the last one for ever; time passes only while the client sleeps.

    `before` is called with each request, and may answer it in the place of `answers`: a router of
    respx does so.
    """

    answers: Sequence[Answer] = ()
    before: Callable[[httpx.Request], httpx.Response | None] = lambda request: None
    now: float = 1000.0
    asked: list[httpx.Request] = field(default_factory=list)
    asked_at: list[float] = field(default_factory=list)
    slept: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        assert seconds >= 0
        self.slept.append(seconds)
        self.now += seconds

    def client(self, **settings: Any) -> Client:
        left = list(self.answers)

        def handle(request: httpx.Request) -> httpx.Response:
            self.asked.append(request)
            self.asked_at.append(self.now)
            if answer := self.before(request):
                return answer
            found = left.pop(0) if len(left) > 1 else left[0]
            if isinstance(found, Exception):
                raise found
            return found

        return Client(
            ApiSettings.of(base_url=BASE, api_key=KEY, **settings),
            transport=httpx.MockTransport(handle),
            sleep=self.sleep,
            clock=lambda: self.now,
        )


def answer(status: int = 200, body: bytes = b"[]", **headers: str) -> httpx.Response:
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, headers=names, stream=httpx.ByteStream(body))


def get(
    client: Client,
    path: str = "/orders",
    read: Callable[[bytes], Any] = json.loads,
    **params: str | int,
) -> Any:
    with client:
        return client.get(path, params, read=read, traffic=Traffic())


def read_strictly(body: bytes) -> Any:
    """What a body holds, or the error by which it is asked for again."""
    try:
        return json.loads(body)
    except ValueError:
        raise ContentError("body is no JSON") from None


class Pieces(httpx.SyncByteStream):
    """A body that comes in these pieces, with something happening before each."""

    def __init__(self, pieces: Iterator[bytes], before: Callable[[], None] = lambda: None) -> None:
        self.pieces = pieces
        self.before = before

    def __iter__(self) -> Iterator[bytes]:
        for piece in self.pieces:
            self.before()
            yield piece
