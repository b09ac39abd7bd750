"""Receiver: a server that takes whatever JSON is posted to it."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Receiver:
    """`status` is what it answers with, after `silence` seconds; `got` is what was posted."""

    url: str = ""
    status: int = 200
    silence: threading.Event | None = None
    got: list[dict[str, Any]] = field(default_factory=list)


@contextmanager
def receiving() -> Iterator[Receiver]:
    """One that listens until the block ends."""
    receiver = Receiver()

    def take(path: str, body: bytes) -> int:
        receiver.got.append(json.loads(body))
        if receiver.silence:
            receiver.silence.wait()
        return receiver.status

    with taking(take) as address:
        receiver.url = f"{address}/hooks/S3CR3T"
        try:
            yield receiver
        finally:
            if receiver.silence:
                receiver.silence.set()


@contextmanager
def taking(take: Callable[[str, bytes], int]) -> Iterator[str]:
    """The address of a server that gives each path and body posted to it to `take`, and answers
    with the status that this returns, as a redirect to itself where it is one."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            status = take(self.path, self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(status)
            self.send_header("Location", self.path)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
