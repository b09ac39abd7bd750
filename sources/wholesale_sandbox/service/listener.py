"""Listener: one ASGI application on one port, served in a thread of its own."""

import asyncio
import socket
import threading
from contextlib import suppress
from itertools import count

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

TICK_SECONDS = 0.1
"""A tenth of the second after which `on_tick` of uvicorn makes the header `Date` anew."""
PAUSE_SECONDS = 0.001


class PortInUse(OSError):
    """The port cannot be listened on."""


class _Server(uvicorn.Server):
    """Stops as soon as it is asked to and nothing is under way; uvicorn's own looks only ten times
    a second whether that is so."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = threading.Event()
        self._asked = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._loop = asyncio.get_running_loop()
        self.ready.set()

    def ask_to_stop(self) -> None:
        self.should_exit = True
        if self._loop:
            with suppress(RuntimeError):  # it has stopped
                self._loop.call_soon_threadsafe(self._asked.set)

    async def main_loop(self) -> None:
        for tick in count():
            if await self.on_tick(tick):
                break
            with suppress(TimeoutError):
                await asyncio.wait_for(self._asked.wait(), TICK_SECONDS)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        for listening in sockets or []:
            listening.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        with suppress(TimeoutError):
            async with asyncio.timeout(self.config.timeout_graceful_shutdown):
                while self.server_state.connections or self.server_state.tasks:
                    await asyncio.sleep(PAUSE_SECONDS)
        for task in self.server_state.tasks:
            task.cancel()


class _Protocol(H11Protocol):
    """Puts the transport into the state that ASGI passes on with each request.

    Faults below HTTP, such as a connection reset, need it.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.app_state = {**self.app_state, "transport": transport}


class Listener:
    """Binds the port in the constructor, so that a second sandbox fails at once.

    `name` is the header `Server` of every response.
    Raises: PortInUse.
    """

    def __init__(self, app: ASGIApp, host: str, port: int, name: str) -> None:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        # The protocol is named because asyncio sets TCP_NODELAY only where it is.
        self._socket = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._socket.bind((host, port))
            self._socket.listen(2048)
        except OSError as error:
            self._socket.close()
            raise PortInUse(f"cannot listen on {host}:{port}: {error.strerror}") from None
        shown = f"[{host}]" if ":" in host else host
        self.url = f"http://{shown}:{self._socket.getsockname()[1]}"
        config = uvicorn.Config(
            app,
            http=_Protocol,
            lifespan="off",
            ws="none",
            access_log=False,
            log_config=None,
            log_level="critical",
            timeout_keep_alive=75,
            timeout_graceful_shutdown=1,
            headers=[("Server", name)],
        )
        self._server = _Server(config)
        self._thread = threading.Thread(
            target=self._server.run, args=([self._socket],), name=self.url, daemon=True
        )

    def start(self) -> None:
        """Returns when requests are answered."""
        self._thread.start()
        self._server.ready.wait()

    def ask_to_stop(self) -> None:
        self._server.ask_to_stop()

    def stop(self) -> None:
        """Returns when the port is free again."""
        self.ask_to_stop()
        if self._thread.ident is not None:
            self._thread.join()
        self._socket.close()
