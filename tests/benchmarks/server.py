"""Serves a store over HTTP (§4.2, §4.3) from a process of its own, as fast as sockets take it.

Run as `python -m benchmarks.server`; what it counted is printed as JSON when its standard input
ends. Its pages per second are part of every result, so that nobody has to believe the claim.
"""

import argparse
import json
import resource
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from http import HTTPStatus
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer
from urllib.parse import parse_qs, urlsplit

from benchmarks.store import Store

API_KEY = "benchmark"
BASE = "/api/external/v1"
TESTS = Path(__file__).parents[1]
UNAUTHORIZED = {
    "error": "Invalid Credentials",
    "details": "the credentials presented are not valid to access this resource",
}
NOT_FOUND = {"error": "Resource not found", "details": ""}

Body = list[bytes | memoryview]


@dataclass
class Counters:
    """What was served: `bytes` of bodies, `cpu` seconds that serving took."""

    requests: int = 0
    bytes: int = 0
    cpu: float = 0.0


class Server(ThreadingTCPServer):
    """A thread a connection, so that a latency is a sleep."""

    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, store: Store, *, port: int, latency: float) -> None:
        super().__init__(("127.0.0.1", port), Connection)
        self.store = store
        self.latency = latency
        self.counters = Counters()
        self.lock = threading.Lock()


class Connection(StreamRequestHandler):
    """One kept-alive connection."""

    disable_nagle_algorithm = True
    server: Server

    def handle(self) -> None:
        try:
            while line := self.rfile.readline():
                method, target, _ = line.decode("latin-1").split()
                headers = dict(self._headers())
                if self.server.latency:
                    time.sleep(self.server.latency)
                status, body = self._answer(method, target, headers.get("x-api-key"))
                self._send(status, body)
                if headers.get("connection", "").lower() == "close":
                    return
        except ConnectionError:
            return

    def _headers(self) -> Iterator[tuple[str, str]]:
        while (line := self.rfile.readline()) not in (b"\r\n", b""):
            name, _, value = line.decode("latin-1").partition(":")
            yield name.lower(), value.strip()

    def _answer(self, method: str, target: str, key: str | None) -> tuple[HTTPStatus, Body]:
        if key != API_KEY:
            return HTTPStatus.UNAUTHORIZED, [json.dumps(UNAUTHORIZED).encode()]
        parts = urlsplit(target)
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        verbose = query.get("verbose", "false").lower() == "true"
        store = self.server.store
        if method == "GET" and parts.path == f"{BASE}/orders":
            number, limit = int(query.get("page", 1)), int(query.get("limit", 100))
            return HTTPStatus.OK, store.page(number, limit, verbose=verbose)
        if method == "GET" and parts.path.startswith(f"{BASE}/orders/"):
            body = store.order(parts.path.rpartition("/")[2], verbose=verbose)
            if body is not None:
                return HTTPStatus.OK, [body]
        return HTTPStatus.NOT_FOUND, [json.dumps(NOT_FOUND).encode()]

    def _send(self, status: HTTPStatus, body: Body) -> None:
        length = sum(map(len, body))
        head = (
            f"HTTP/1.1 {status.value} {status.phrase}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        )
        with self.server.lock:  # before it is sent: who has it may end the server
            self.server.counters.requests += 1
            self.server.counters.bytes += length
        for piece in (head.encode(), *body[:-1]):
            self.connection.sendall(piece, socket.MSG_MORE)
        self.connection.sendall(body[-1])


@dataclass
class Service:
    """A server that runs, and what it counted once it has ended."""

    base_url: str
    counters: Counters


@contextmanager
def serving(
    folder: Path, count: int, *, port: int, latency: float = 0.0, changed: float = 0.0
) -> Iterator[Service]:
    """The first `count` orders of a store, on this port, the share `changed` of them edited.

    `latency` is in seconds, before each answer.
    """
    options = [str(folder), str(count), f"--port={port}", f"--latency={latency}"]
    with subprocess.Popen(
        [sys.executable, "-m", "benchmarks.server", *options, f"--changed={changed}"],
        cwd=TESTS,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        service = Service(process.stdout.readline().strip(), Counters())
        if not service.base_url:
            raise RuntimeError(f"the server of {folder} did not start on port {port}")
        try:
            yield service
        finally:
            process.stdin.close()
            service.counters = Counters(**json.loads(process.stdout.read()))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("count", type=int)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds")
    parser.add_argument("--changed", type=float, default=0.0, help="share of the orders")
    chosen = parser.parse_args()
    store = Store(chosen.folder, chosen.count, changed=chosen.changed)
    with Server(store, port=chosen.port, latency=chosen.latency) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print(f"http://127.0.0.1:{server.server_address[1]}{BASE}", flush=True)
        sys.stdin.read()
        used = resource.getrusage(resource.RUSAGE_SELF)
        server.counters.cpu = used.ru_utime + used.ru_stime
        print(json.dumps(asdict(server.counters)), flush=True)
        server.shutdown()


if __name__ == "__main__":
    main()
