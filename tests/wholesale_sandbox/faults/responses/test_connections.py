"""Connections, as a plain client or a bare socket meets them."""

import json
import socket
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack

import httpx
import pytest

from support.services.clients import IDS, body_of, ids, raw
from support.services.trust import NOBODY
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

Dial = Callable[..., None]
KEY = {"X-API-Key": "sandbox"}


@pytest.mark.parametrize("fault", ["reset", "reset-inside"])
def test_a_connection_is_reset(sandbox: Sandbox, dial: Dial, fault: str) -> None:
    dial(fault)

    with pytest.raises(ConnectionResetError):
        raw(sandbox)
    with pytest.raises((httpx.ReadError, httpx.RemoteProtocolError)):
        httpx.get(f"{sandbox.base_url}/orders", headers=KEY, verify=NOBODY, timeout=None)

    assert {entry.faults for entry in sandbox.requests.entries()} == {(fault,)}


def test_a_connection_is_closed_without_a_word(sandbox: Sandbox, dial: Dial) -> None:
    dial("closed")

    assert raw(sandbox) == b""
    assert [(entry.status, entry.faults) for entry in sandbox.requests.entries()] == [
        (0, ("closed",))
    ]


def test_a_body_is_shorter_than_announced(
    sandbox: Sandbox, dial: Dial, client: httpx.Client
) -> None:
    right = client.get("/orders", headers={"Accept-Encoding": "identity"}).content
    dial("cut")

    answer = raw(sandbox)

    assert b"content-length: %d\r\n" % len(right) in answer
    assert body_of(answer) == right[: len(right) // 2]


def test_nothing_is_answered_until_the_client_leaves(sandbox: Sandbox, dial: Dial) -> None:
    dial("no-answer")

    with pytest.raises(httpx.ReadTimeout):
        httpx.get(f"{sandbox.base_url}/orders", headers=KEY, timeout=0.2, verify=NOBODY)

    sandbox.dials.reset()
    assert (
        httpx.get(
            f"{sandbox.base_url}/orders", headers=KEY, verify=NOBODY, timeout=None
        ).status_code
        == 200
    )


def test_a_sandbox_stops_though_a_client_waits_for_its_answer() -> None:
    threads = threading.enumerate()
    dials = {"faults": [{"fault": "no-answer"}]}
    with ExitStack() as stack:
        sandbox = stack.enter_context(Sandbox(SandboxSettings(empty=True, dials=dials)))
        url = httpx.URL(sandbox.base_url)
        waiting = socket.create_connection((url.host, url.port or 0))
        stack.push(waiting)
        waiting.sendall(b"GET /api/external/v1/orders HTTP/1.1\r\nHost: here\r\n\r\n")
        while not sandbox.requests.entries():
            time.sleep(0.01)
        sandbox.__exit__(None, None, None)

        assert threading.enumerate() == threads


def test_the_first_byte_comes_late(dial: Dial, client: httpx.Client) -> None:
    dial("late", seconds=0.3)

    with pytest.raises(httpx.ReadTimeout):
        client.get("/orders", timeout=0.1)
    assert ids(client.get("/orders", timeout=None)) == IDS


def test_a_body_drips_with_never_a_long_silence(dial: Dial, client: httpx.Client) -> None:
    dial("drip", seconds=0.02)

    with client.stream("GET", "/orders", headers={"Accept-Encoding": "identity"}) as response:
        parts = list(response.iter_raw())

    assert len(parts) >= 10
    assert json.loads(b"".join(parts))["data"][0]["id"] == "o0"
