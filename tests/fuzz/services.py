"""Services: what has to hold whatever a server says, over real sockets, and in a whole sync."""

import gzip
import http.client
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

import duckdb

from support.records.people import STAMPS
from support.records.samples import line, order
from support.services.script import KEY
from support.services.wire import Wire
from wholesale.errors import ContentError, WholesaleError
from wholesale.http.client import Client
from wholesale.http.traffic import Traffic
from wholesale.json.page import Page, read_page
from wholesale.settings import ApiSettings
from wholesale_elt.load.sync import sync_resources
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

OK = b"HTTP/1.1 200 OK\r\n"
FRAMINGS: Sequence[Callable[[bytes], bytes]] = (
    lambda body: OK + b"Content-Length: %d\r\n\r\n" % len(body) + body,
    lambda body: OK + b"Transfer-Encoding: chunked\r\n\r\n" + _chunks(body) + b"0\r\n\r\n",
    lambda body: FRAMINGS[0](gzip.compress(body, mtime=0)).replace(
        OK, OK + b"Content-Encoding: gzip\r\n", 1
    ),
)
"""How an answer says where it ends; what comes behind these is sent as it is."""
CONNECTIONS = 40
"""More than a client makes for one request, outages among its answers."""
PLAINLY = {"Accept-Encoding": "identity"}
STATUSES = (200, 200, 200, 200, 204, 302, 404, 422, 429, 500)
SEPARATOR = b"\n--\n"
MOST_ANSWERS = 12
MOST_RUNS = 3
"""Until what was believed of a kind by what it was said to be is forgotten."""
RESOURCES = ("orders", "vendors")
WITHOUT = {"valid_from", "_dlt_id", "_dlt_load_id"}
"""Columns that tell when a row came, and not what it is."""
TABLES = ("orders", "orders__order_line_items", "orders__order_comments", "vendors")

Rows = Mapping[str, list[tuple[Any, ...]]]


def sockets(data: bytes) -> None:
    """What a server says, cut short at any place: the page that it holds, or one line."""
    framing, cut, body = data[:1] or b"\0", data[1:2] or b"\0", data[2:]
    is_framed = framing[0] < len(FRAMINGS)
    whole = FRAMINGS[framing[0]](body) if is_framed else body
    found = _page_over_a_socket(whole[: len(whole) - cut[0]] if is_framed else whole)
    if not is_framed:
        return
    try:
        expected = read_page(body)
    except ContentError:
        expected = None
    if cut[0] == 0 or found:
        assert found == expected


def syncs(data: bytes) -> None:
    """A whole sync of a service that says such things among its own answers ends in words of ours,
    and the first after it that is certified leaves every record as it is at the service."""
    with _service() as sandbox, TemporaryDirectory() as folder:
        warehouse = Warehouse(Path(folder, "fuzz.duckdb"))
        with _between(sandbox.base_url, _answers(data)) as base_url:
            try:
                outcome = sync_resources(_settings(base_url), warehouse, RESOURCES)
            except WholesaleError as error:
                is_of_one_line(error)
            else:
                for reason in outcome.failures.values():
                    assert KEY not in reason
        for _ in range(MOST_RUNS):
            after = sync_resources(_settings(sandbox.base_url), warehouse, RESOURCES, is_full=True)
            if after.is_complete:
                break
        assert after.is_complete, [row.reason for row in after.certificates]
        assert _rows(warehouse) == _expected()


def is_of_one_line(error: Exception) -> None:
    """And of no key."""
    text = str(error)
    assert text
    assert text.isprintable() or "\n" not in text, text
    assert KEY not in text


def _page_over_a_socket(said: bytes) -> Page | None:
    with Wire([[said]] * CONNECTIONS) as wire:
        settings = _settings(wire.url())
        with Client(settings, sleep=lambda seconds: None) as client:
            try:
                return client.get("/orders", {"page": 1}, read=read_page, traffic=Traffic())
            except WholesaleError as error:
                is_of_one_line(error)
                return None


def _chunks(body: bytes) -> bytes:
    pieces = (body[at : at + 7] for at in range(0, len(body), 7))
    return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces)


def _settings(base_url: str) -> ApiSettings:
    return ApiSettings.of(
        base_url=base_url,
        api_key=KEY,
        page_size=2,
        attempts=1,
        concurrency=1,  # so that the same bytes are the same answers to the same requests
        timeout_seconds=5,
        deadline_seconds=10,
    )


@contextmanager
def _service() -> Iterator[Sandbox]:
    with Sandbox(SandboxSettings(empty=True, api_key=KEY)) as sandbox:
        for name in "ABCDE":
            sandbox.put("orders", order(name, order_line_items=[line(name), line("x")]))
        sandbox.put("vendors", {"id": "v", "name": "Nord", "zip": "02134", **STAMPS})
        yield sandbox


@cache
def _expected() -> Rows:
    with _service() as sandbox, TemporaryDirectory() as folder:
        warehouse = Warehouse(Path(folder, "expected.duckdb"))
        assert sync_resources(_settings(sandbox.base_url), warehouse, RESOURCES).is_complete
        return _rows(warehouse)


def _rows(warehouse: Warehouse) -> Rows:
    """What is alive of each table, in the columns of which there is anything."""
    with duckdb.connect(str(warehouse.database), read_only=True) as connection:
        connection.execute("set timezone = 'UTC'; set schema = 'wholesale_raw'")
        found = {}
        for table in TABLES:
            of_orders = "order_id in (select id from orders where _deleted_at is null)"
            alive = of_orders if "__" in table else "_deleted_at is null"
            rows = connection.sql(f"select * from {table} where {alive} order by all")
            columns = list(zip(*rows.fetchall(), strict=True))
            kept = [
                (name, column)
                for name, column in zip(rows.columns, columns, strict=bool(columns))
                if name not in WITHOUT and any(value is not None for value in column)
            ]
            found[table] = sorted(kept)
        return found


def _answers(data: bytes) -> Sequence[tuple[int, bytes] | None]:
    """By the number of the request; None is the service's own."""
    pieces = data.split(SEPARATOR)[:MOST_ANSWERS]
    return [(STATUSES[piece[0] % len(STATUSES)], piece[1:]) if piece else None for piece in pieces]


@contextmanager
def _between(base_url: str, answers: Sequence[tuple[int, bytes] | None]) -> Iterator[str]:
    """The address of one that hands requests on to a service, but for those it answers itself."""
    place = urlsplit(base_url)
    waiting = iter(answers)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            connection = http.client.HTTPConnection(place.netloc, timeout=10)
            connection.request("GET", self.path, headers={**self.headers, **PLAINLY})
            answer = connection.getresponse()
            status, body = next(waiting, None) or (answer.status, answer.read())
            connection.close()
            self.send_response_only(status)
            for name in ("Server", "Content-Type"):
                self.send_header(name, answer.headers.get(name, ""))
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}{place.path}"
        finally:
            server.shutdown()
            thread.join()
