"""How fast the server is for a client that does nothing but receive."""

import socket
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.server import API_KEY, serving

CONNECTIONS = 4
PAGES = 4_000
LIMIT = 100


@dataclass(frozen=True, slots=True)
class Ceiling:
    """Verbose pages of 100 orders a second, and their bytes."""

    pages: float
    bytes: float


def measure_ceiling(folder: Path, count: int, port: int) -> Ceiling:
    with serving(folder, count, port=port) as service:
        started = time.perf_counter()
        with ThreadPoolExecutor(CONNECTIONS) as threads:
            sizes = [
                threads.submit(_receive, service.base_url, start, -(-count // LIMIT))
                for start in range(CONNECTIONS)
            ]
        seconds = time.perf_counter() - started
    return Ceiling(PAGES / seconds, sum(size.result() for size in sizes) / seconds)


def _receive(base_url: str, start: int, pages: int) -> int:
    """Ask for every fourth page, over and over; bytes that came."""
    url = urlsplit(base_url)
    assert url.hostname is not None
    assert url.port is not None
    buffer = bytearray(1 << 20)
    received = 0
    with socket.create_connection((url.hostname, url.port)) as connection:
        for asked in range(start, PAGES, CONNECTIONS):
            target = f"{url.path}/orders?verbose=true&limit={LIMIT}&page={asked % pages + 1}"
            connection.sendall(
                f"GET {target} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {API_KEY}\r\n\r\n".encode()
            )
            size = connection.recv_into(buffer)
            head, _, _ = bytes(buffer[:size]).partition(b"\r\n\r\n")
            length = int(head.rpartition(b"Content-Length: ")[2].split(b"\r\n")[0])
            missing = length - (size - len(head) - 4)
            while missing:
                missing -= connection.recv_into(buffer, min(missing, len(buffer)))
            received += length
    return received
