"""Wire: a server on this machine that answers whatever bytes a test wants, and as slowly."""

import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

PATIENCE = 120.0
"""Seconds after which nobody is waited for any more."""
PATH = "/api/external/v1"

Answer = bytes | Callable[[socket.socket], None]
"""What is said to one request, or what is done then."""


@dataclass
class Wire:
    """Of each connection in turn the answers, one a request; then the connection is closed.

    `asked` has what came in, by the number of its connection; `closed` counts connections, and
    `finished` the answers that somebody stayed for to their end.
    """

    connections: Sequence[Sequence[Answer]]
    tls: ssl.SSLContext | None = None
    asked: list[tuple[int, bytes]] = field(default_factory=list)
    closed: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    finished: int = 0

    def __enter__(self) -> "Wire":
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.settimeout(PATIENCE)
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)  # who is not there by now does not come
        self._thread.join()
        self._listening.close()

    @property
    def port(self) -> int:
        port: int = self._listening.getsockname()[1]
        return port

    def url(self, host: str = "127.0.0.1") -> str:
        """A base URL of the API there."""
        return f"{'https' if self.tls else 'http'}://{host}:{self.port}{PATH}"

    @property
    def heads(self) -> list[list[str]]:
        """The lines of each request that came in."""
        return [asked.decode("ascii").strip().split("\r\n") for _, asked in self.asked]

    def _serve(self) -> None:
        for number, answers in enumerate(self.connections):
            with suppress(OSError):  # the other side may leave before all is said, or never come
                self._talk(number, answers)
            self.closed.release()

    def _talk(self, number: int, answers: Iterable[Answer]) -> None:
        connection, _ = self._listening.accept()
        connection.settimeout(PATIENCE)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with connection:
            if self.tls:
                connection = self.tls.wrap_socket(connection, server_side=True)
            with connection:
                for answer in answers:
                    if not (asked := connection.recv(2**16)):
                        return
                    self.asked.append((number, asked))
                    if callable(answer):
                        answer(connection)
                    else:
                        connection.sendall(answer)
                    self.finished += 1


def silent(said: bytes = b"") -> Answer:
    """Says this much and no more, until the other side leaves."""

    def answer(connection: socket.socket) -> None:
        connection.sendall(said)
        connection.recv(1)

    return answer


def pausing(said: bytes, rest: bytes, seconds: float) -> Answer:
    """Says the first part, nothing for so long, and then the rest at once."""

    def answer(connection: socket.socket) -> None:
        connection.sendall(said)
        time.sleep(seconds)
        connection.sendall(rest)

    return answer


def dripping(said: bytes, dripped: bytes, pause: float = 0.02) -> Answer:
    """Says the first part at once and the other byte by byte, with a pause after each."""

    def answer(connection: socket.socket) -> None:
        connection.sendall(said)
        for place in range(len(dripped)):
            connection.sendall(dripped[place : place + 1])
            time.sleep(pause)

    return answer


def endless(said: bytes, block: bytes) -> Answer:
    """Says the first part, and then the other for as long as somebody listens."""

    def answer(connection: socket.socket) -> None:
        connection.sendall(said)
        while True:
            connection.sendall(block)

    return answer


def resetting(said: bytes) -> Answer:
    """Says this much, and resets the connection."""

    def answer(connection: socket.socket) -> None:
        connection.sendall(said)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    return answer
