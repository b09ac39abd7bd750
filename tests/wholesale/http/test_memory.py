"""An error that somebody keeps holds none of the bodies that it passed on its way."""

import gc
import gzip
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx
import pytest

from support.services.script import KEY, Pieces, Script, get
from support.services.wire import Answer, Wire, endless, resetting
from wholesale.errors import ContentError, ServiceError
from wholesale.http.client import Client
from wholesale.settings import ApiSettings

MOST = 4 * 2**20
BLOCK = 2**16
OK = b"HTTP/1.1 200 OK\r\n"


@contextmanager
def without_collector() -> Iterator[None]:
    """Only what nobody refers to is freed; Python looks for no cycles meanwhile."""
    gc.collect()
    gc.disable()
    tracemalloc.start()
    try:
        yield
    finally:
        tracemalloc.stop()
        gc.enable()


def blanks(size: int) -> Iterator[bytes]:
    """Made one by one, so that nobody but the client can keep them."""
    return (bytes(BLOCK) for _ in range(size // BLOCK))


def broken_off(size: int) -> Iterator[bytes]:
    yield from blanks(size)
    raise httpx.ReadError("reset by peer")


def bomb(size: int) -> Iterator[bytes]:
    yield gzip.compress(bytes(size))


def refuse(body: bytes) -> None:
    """As the decoders do: from an error of their own, in a frame that knows the body."""
    try:
        raise ValueError(f"no JSON in {len(body)} bytes")
    except ValueError as error:
        reason = error
        raise ContentError("body is no JSON") from reason


def asking_for_less(client: Client, limit: int, read: Callable[[bytes], object]) -> ServiceError:
    """As callers do: the error stays in a name of a frame that it has passed."""
    kept: list[ServiceError] = []

    def ask() -> None:
        try:
            get(client, limit=limit, read=read)
        except ServiceError as error:
            refusal = error
            kept.append(refusal)
            raise refusal from None

    with pytest.raises(ServiceError):
        ask()
    return kept[0]


@pytest.mark.parametrize(
    ("encoding", "pieces", "read"),
    [
        ("identity", lambda: blanks(2 * MOST), len),
        ("gzip", lambda: bomb(2 * MOST), len),
        ("identity", lambda: blanks(MOST), refuse),
        ("gzip", lambda: bomb(MOST), refuse),
        ("identity", lambda: broken_off(MOST // 2), len),
    ],
    ids=["too large", "bomb", "no JSON", "no JSON in gzip", "broken off"],
)
def test_errors_that_are_kept_hold_no_body(
    encoding: str,
    pieces: Callable[[], Iterator[bytes]],
    read: Callable[[bytes], object],
) -> None:
    head = {"Content-Encoding": encoding}
    script = Script(
        before=lambda request: httpx.Response(200, headers=head, stream=Pieces(pieces()))
    )
    kept = []
    with without_collector(), script.client(max_body_bytes=MOST, attempts=2) as client:
        for limit in (1000, 500, 250):
            kept.append(asking_for_less(client, limit, read))
        held, _ = tracemalloc.get_traced_memory()

    assert len(kept) == 3
    assert held < 2**20


@pytest.mark.parametrize(
    "answer",
    [
        endless(OK + b"\r\n", b" " * BLOCK),
        resetting(OK + b"Content-Length: 9999999\r\n\r\n" + b" " * (MOST // 2)),
    ],
    ids=["without end", "broken off"],
)
def test_errors_of_connections_hold_no_body(answer: Answer) -> None:
    kept = []
    with Wire([[answer]] * 3) as wire:
        settings = ApiSettings.of(base_url=wire.url(), api_key=KEY, max_body_bytes=MOST, attempts=1)
        with Client(settings) as client, without_collector():
            for limit in (1000, 500, 250):
                kept.append(asking_for_less(client, limit, len))
            held, _ = tracemalloc.get_traced_memory()

    assert len(kept) == 3
    assert held < 2**20
