"""A listener answers what came before it was asked to stop."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from wholesale_sandbox.service import Listener


def test_what_is_under_way_when_a_listener_stops_is_answered() -> None:
    came = threading.Event()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        came.set()
        await asyncio.sleep(0.1)
        await PlainTextResponse("answered")(scope, receive, send)

    listener = Listener(app, "127.0.0.1", 0, "test")
    listener.start()
    with ThreadPoolExecutor() as pool:
        answer = pool.submit(httpx.get, listener.url)
        came.wait()
        listener.stop()

    assert answer.result().text == "answered"
