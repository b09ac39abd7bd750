"""Delivery: sends a response whole, late, in drips, cut, or not at all."""

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from starlette.types import Receive, Scope, Send

Headers = list[tuple[bytes, bytes]]

DRIPS = 20
"""The number of pieces of a dripping body."""

_NO_LINGER = struct.pack("ii", 1, 0)  # closing a socket then resets the connection


@dataclass(frozen=True, slots=True)
class ClientConnection:
    """The connection of one request: ASGI's channels, and the transport below."""

    scope: Scope
    receive: Receive
    send: Send

    async def head(self, status: int, headers: Headers) -> None:
        await self.send({"type": "http.response.start", "status": status, "headers": headers})

    async def body(self, part: bytes, *, is_last: bool = True) -> None:
        await self.send({"type": "http.response.body", "body": part, "more_body": not is_last})

    async def close(self) -> None:
        self._transport().close()
        await self.until_gone()

    async def reset(self) -> None:
        transport = self._transport()
        transport.get_extra_info("socket").setsockopt(
            socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER
        )
        transport.abort()
        await self.until_gone()

    async def until_gone(self) -> None:
        """Returns when the client has left; the server must not answer in our place."""
        while (await self.receive())["type"] != "http.disconnect":
            pass

    def _transport(self) -> asyncio.Transport:
        transport: asyncio.Transport = self.scope["state"]["transport"]
        return transport


Deliver = Callable[[ClientConnection, int, Headers, bytes], Awaitable[None]]


async def whole(connection: ClientConnection, status: int, headers: Headers, body: bytes) -> None:
    await connection.head(status, headers)
    await connection.body(body)


async def cut(connection: ClientConnection, status: int, headers: Headers, body: bytes) -> None:
    """Half of the announced length, then the connection is closed."""
    await connection.head(status, headers)
    if body:
        # The server closes the connection on an application that stops before the end.
        await connection.body(body[: len(body) // 2], is_last=False)
    else:
        await connection.body(body)


async def reset_inside(
    connection: ClientConnection, status: int, headers: Headers, body: bytes
) -> None:
    await connection.head(status, headers)
    await connection.body(body[: len(body) // 2], is_last=False)
    await connection.reset()


async def reset(connection: ClientConnection, status: int, headers: Headers, body: bytes) -> None:
    await connection.reset()


async def closed(connection: ClientConnection, status: int, headers: Headers, body: bytes) -> None:
    await connection.close()


async def silent(connection: ClientConnection, status: int, headers: Headers, body: bytes) -> None:
    """Nothing, until the client leaves."""
    await connection.until_gone()


def late(seconds: float) -> Deliver:
    async def deliver(
        connection: ClientConnection, status: int, headers: Headers, body: bytes
    ) -> None:
        await asyncio.sleep(seconds)
        await whole(connection, status, headers, body)

    return deliver


def dripping(seconds: float) -> Deliver:
    """In DRIPS pieces, with a pause of that many seconds before each."""

    async def deliver(
        connection: ClientConnection, status: int, headers: Headers, body: bytes
    ) -> None:
        await connection.head(status, headers)
        size = len(body) // DRIPS + 1
        for start in range(0, len(body), size):
            await asyncio.sleep(seconds)
            await connection.body(body[start : start + size], is_last=False)
        await connection.body(b"")

    return deliver


NOTHING_SAID = (reset, closed, silent)
"""Deliveries without even a status."""
