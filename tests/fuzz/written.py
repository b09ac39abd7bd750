"""Written: whole services written at random, each synced by a process of its own: `poe written`.

A service has records with odd numbers and texts, and answers of some of its lists deviate: other
envelopes, statuses, bodies that are failures, ids that come twice. Whatever it is, a run ends with
an exit code of ours and no traceback, within its memory; and what is certified is what the service
holds: no record less, none too much, no amount that is another one.
"""

import argparse
import json
import logging
import os
import re
import resource
import select
import signal
import sys
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import parse_qs, urlsplit

import duckdb

import wholesale_elt.runs.history as history
from support.records.samples import guid
from wholesale.errors import WholesaleError
from wholesale.settings import ApiSettings
from wholesale_elt.load.sync import sync_resources
from wholesale_elt.runs import Certificate
from wholesale_elt.warehouse.destination import Warehouse

PREFIX = "/api/external/v1"
KEY = "a-very-secret-key"
KINDS = ("orders", "vendors", "buyers", "items", "brands", "categories", "custom_fields", "prices")
UNASKED = ("categories", "custom_fields")
"""Kinds that cannot be asked for by id (§4.12)."""
AMOUNTS = {"orders": ("sub_total", "total"), "items": ("msrp", "unit_price")}
VERSIONED = ("orders", "vendors", "buyers")
LIMIT = 20
MOST_BYTES = 1 << 30
MOST_SECONDS = 300
"""So long the runs of one service may take, also on a machine that is busy."""
SECONDS_BETWEEN_LINES = 60
LARGEST = Decimal(10) ** 29
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
FAILURES: Sequence[bytes] = (
    b"null",
    b"[]",
    b"{}",
    b'""',
    b"0",
    b"not json",
    b"<html><body>Service Unavailable</body></html>",
    b'{"data": null}',
    b'{"data": []}',
    b'{"data": [], "pagination": null}',
    b'{"data": [], "fault": {"code": 1}}',
    b'{"data": [], "detail": "Not authenticated"}',
    b'{"data": [], "meta": {"error": "no"}}',
    b'{"data": [], "code": "INTERNAL_ERROR", "pagination": {"total_count": 0}}',
    b'{"data": [], "error_message": "down", "pagination": {"total_count": 0}}',
    b'{"data": [], "warnings": ["partial"], "partial": true, "pagination": {"total_count": 0}}',
    b'{"data": [], "result": "failure", "pagination": {"total_count": 0, "current": 1}}',
    b'{"errors": ["x"], "data": []}',
    b'{"status": "degraded", "data": [], "pagination": {"total_count": 0}}',
    b'{"exception": "NullPointerException", "data": [], "pagination": {"total_count": 0}}',
    b'{"data": [], "pagination": {"total_count": 0, "total_pages": 3}}',
    b'{"data": [], "pagination": {"total_count": 0, "current": 1, "next": 2}}',
    b'{"data": [], "pagination": {"total_count": %d, "total_pages": 1}}' % LIMIT,
)
EMPTY = (
    b'{"pagination": {"current": 1, "previous": null, "next": null, "limit": %d,'
    b' "total_pages": 0, "total_count": 0}, "data": []}'
)
STATUSES = (
    200,
    200,
    200,
    200,
    203,
    206,
    207,
    204,
    301,
    400,
    403,
    404,
    410,
    420,
    429,
    500,
    502,
    503,
    511,
)


@dataclass
class Service:
    """What a service holds, as JSON texts by id, and how its lists deviate from the description
    from the page `odd_from` on: the status and the body of each response, or None for its own body.
    """

    held: dict[str, dict[str, str]]
    deviations: dict[str, tuple[int, bytes | None]] = field(default_factory=dict)
    odd_from: int = 1
    twice: dict[str, list[str]] = field(default_factory=dict)
    """More rows of a kind's list: other contents of ids that it has."""
    counts_rows: bool = True

    def answer(self, target: str) -> tuple[int, bytes]:
        parts = urlsplit(target)
        names = parts.path.removeprefix(PREFIX).strip("/").split("/")
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        if len(names) == 1 and names[0] in self.held:
            page, limit = int(query.get("page", 1)), min(int(query.get("limit", LIMIT)), LIMIT)
            status, body = 200, self._page(names[0], page, limit)
            if page >= self.odd_from and (deviation := self.deviations.get(names[0])):
                status, said = deviation
                return status, body if said is None else said
            return status, body
        if len(names) == 2 and names[0] in self.held and names[0] not in UNASKED:
            found = self.held[names[0]].get(names[1])
            return (200, found.encode()) if found else (404, b'{"error": "Resource not found"}')
        if len(names) == 3:
            return 200, EMPTY % LIMIT
        if len(names) == 1:
            return 200, EMPTY % LIMIT
        return 404, b'{"error": "Resource not found"}'

    def _page(self, kind: str, page: int, limit: int) -> bytes:
        rows = [*self.held[kind].values(), *self.twice.get(kind, ())]
        total = len(rows) if self.counts_rows else len(self.held[kind])
        pages = -(-len(rows) // limit)
        pagination = {
            "current": page,
            "previous": page - 1 if page > 1 else None,
            "next": page + 1 if page < pages else None,
            "limit": limit,
            "total_pages": pages,
            "total_count": total,
        }
        of_page = ",".join(rows[(page - 1) * limit : page * limit])
        return f'{{"pagination": {json.dumps(pagination)}, "data": [{of_page}]}}'.encode()


def number(random: Random) -> str:
    """A JSON number or text that stands for an amount, or nearly."""
    digits = "".join(random.choices("0123456789", k=random.choice((1, 2, 5, 29, 30, 38, 200))))
    text = (digits.lstrip("0") or "0") if random.random() < 0.8 else digits
    if random.random() < 0.5:
        text += "." + "".join(random.choices("0123456789", k=random.choice((1, 2, 9, 10, 100))))
    if random.random() < 0.4:
        exponent = random.choice(
            (0, 1, 5, 20, 28, 29, 30, 39, 76, 77, 400, 99999, 999999999, 2**63)
        )
        text += random.choice("eE") + random.choice(("", "+", "-")) + str(exponent)
    if random.random() < 0.3:
        text = "-" + text
    if random.random() < 0.5:
        odd = ("", " ", "\u00a0", "+", "0x", "\u0661", "1,", "$", "")
        return json.dumps(random.choice(odd) + text + random.choice(("", "", "", " ", "%")))
    return text if not re.match(r"-?0\d", text) else json.dumps(text)


def text(random: Random) -> str:
    alphabet = (
        'ab \u0000\u00e9\ud800\u202e\U0001f600"\\\n\t;=+-@' if random.random() < 0.3 else "abc 1"
    )
    return "".join(random.choices(alphabet, k=random.choice((0, 1, 5, 40, 3000))))


def record(random: Random, kind: str, name: str, version: int) -> str:
    stamp = f"2026-01-{1 + version:02}T10:00:00Z"
    fields: dict[str, Any] = {"id": guid(f"{kind}/{name}"), "created_at": stamp}
    if kind in VERSIONED:
        fields["updated_at"] = stamp
    title = {"vendors": "name", "buyers": "company_name", "orders": "order_number"}
    fields[title.get(kind, "title")] = f"{name} {version} {text(random)}"
    if kind == "items":
        fields |= {"variants_count": 0, "product_code": name, "category_id": guid("c")}
    if kind == "orders":
        fields |= {"status": "received", "order_line_items": [], "order_comments": []}
    texts = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in fields.items()]
    texts += [f"{json.dumps(name)}: {number(random)}" for name in AMOUNTS.get(kind, ())]
    return f"{{{', '.join(texts)}}}"


def written(random: Random) -> Service:
    held = {
        kind: {
            guid(f"{kind}/{n}"): record(random, kind, str(n), 0)
            for n in range(random.choice((0, 1, 2, 8, 25)))
        }
        for kind in KINDS
    }
    return Service(held)


def moved_on(random: Random, service: Service, *, is_first: bool) -> None:
    """Let business go on, and lists of some kinds deviate."""
    for kind, rows in service.held.items():
        for key in list(rows):
            if random.random() < 0.1:
                name = json.loads(rows[key]).get("id")
                rows[key] = record(random, kind, f"x{name}", random.randrange(1, 9)).replace(
                    guid(f"{kind}/x{name}"), key
                )
    service.deviations, service.twice = {}, {}
    service.odd_from = random.choice((1, 1, 2))
    service.counts_rows = random.random() < 0.5
    for kind in random.sample(KINDS, random.randrange(0, 4)):
        failure, status = random.choice(FAILURES), random.choice(STATUSES)
        rows = service.held[kind]
        match random.randrange(4):
            case 0:
                service.deviations[kind] = status, failure
            case 1:
                service.deviations[kind] = status, None
            case 2 if not is_first and rows:
                service.deviations[kind] = 200, EMPTY % LIMIT
            case _ if rows:
                key = random.choice(list(rows))
                spelled = random.choice((key, key.upper(), key.replace("-", "")))
                other = record(random, kind, "twice", 0)
                service.twice[kind] = [other.replace(guid(f"{kind}/twice"), spelled)]


@contextmanager
def serving(service: Service) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            status, body = service.answer(self.path)
            self.send_response_only(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(0 if status == 204 else len(body)))
            self.end_headers()
            self.wfile.write(b"" if status == 204 else body)

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """A client may leave before it has read all."""

    with Server(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}{PREFIX}"
        server.shutdown()


def run_one(seed: int) -> None:
    """Three runs of one service; an AssertionError where something does not hold."""
    logging.disable()
    history.ABSENCE_INTERVAL *= 0
    random = Random(seed)
    service = written(random)
    with TemporaryDirectory() as folder, serving(service) as base_url:
        warehouse = Warehouse(Path(folder, "written.duckdb"))
        settings = ApiSettings.of(
            base_url=base_url,
            api_key=KEY,
            attempts=1,
            timeout_seconds=5,
            deadline_seconds=2,
        )
        for turn in range(random.choice((1, 3, 4))):
            if turn or random.random() < 0.5:
                moved_on(random, service, is_first=turn == 0)
            said, certificates = "", tuple[Certificate, ...]()
            try:
                certificates = sync_resources(settings, warehouse, KINDS).certificates
            except WholesaleError as error:
                said = str(error)
            for told in (said, *(each.reason or "" for each in certificates)):
                assert "\n" not in told, told
                assert KEY not in told
            for certificate in certificates:
                if certificate.verdict == "complete":
                    _require(service, warehouse.database, certificate.resource, turn)
                else:
                    assert certificate.reason, certificate


def _require(service: Service, database: Path, kind: str, turn: int) -> None:
    """What is certified is stored as it is held."""
    amounts = AMOUNTS.get(kind, ())
    columns = ", ".join(["id", *amounts])
    with duckdb.connect(str(database), read_only=True) as connection:
        found = connection.execute(
            f"select {columns} from wholesale_raw.{kind} where _deleted_at is null order by id"
        ).fetchall()
    held = service.held[kind]
    assert [key for key, *_ in found] == sorted(held), (kind, turn, len(found), len(held))
    versions = {key: json.loads(text, parse_float=str, parse_int=str) for key, text in held.items()}
    contents = service.twice.get(kind, ())
    for other in contents:
        of_same = json.loads(other)["id"].lower().replace("-", "")
        is_newer = kind in VERSIONED and any(
            key.replace("-", "") == of_same and versions[key]["updated_at"] > "2026-01-01T10"
            for key in versions
        )
        assert is_newer, (kind, turn, "one id has two contents")
    for key, *stored in found:
        for name, value in zip(amounts, stored, strict=True):
            said = versions[key][name].strip()
            assert value in _exact(said), (kind, name, said, value)


def _exact(said: str) -> Collection[Decimal | None]:
    """The amount that a text is, to nine decimals; None where the column cannot hold it. What is
    nearly nothing may be either 0 or None."""
    if not NUMBER.fullmatch(said):
        return {None}
    digits, _, exponent = said.lower().partition("e")
    with localcontext(prec=1000):
        value, power = Decimal(digits), int(exponent or 0)
        if not value:
            return {Decimal(0)}
        if value.adjusted() + power < -10:
            return {Decimal(0), None}
        if value.adjusted() + power >= 29:
            return {None}
        rounded = value.scaleb(power).quantize(Decimal("1e-9"), ROUND_HALF_EVEN)
        return {None if abs(rounded) >= LARGEST else rounded}


def in_a_process(seed: int) -> str:
    """What went wrong with a service, whose runs are a process of their own; nothing if it held."""
    reading, writing = os.pipe()
    if not (child := os.fork()):
        os.close(reading)
        code = 0
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (120, 120))
            run_one(seed)
        except BaseException as error:
            os.write(writing, f"{type(error).__name__}: {error}"[:4000].encode("utf-8", "replace"))
            code = 1
        os._exit(code)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        if not select.select([pipe], [], [], MOST_SECONDS)[0]:
            os.kill(child, signal.SIGKILL)
        said = pipe.read().decode("utf-8", "replace")
    _, status, usage = os.wait4(child, 0)
    if os.WIFSIGNALED(status):
        return f"ended by signal {os.WTERMSIG(status)}"
    if usage.ru_maxrss * 1024 > MOST_BYTES:
        return f"took {usage.ru_maxrss / 1024:.0f} MB"
    return said


def main() -> None:
    parser = argparse.ArgumentParser(prog="poe written", description=__doc__)
    parser.add_argument(
        "--minutes", type=float, default=10.0, help="no service is begun after; one takes seconds"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the first service")
    options = parser.parse_args()
    started, seed, failed = time.monotonic(), options.seed, 0
    until, lines = started + options.minutes * 60, 1
    while (now := time.monotonic()) < until:
        if now > started + lines * SECONDS_BETWEEN_LINES:
            print(f"{seed - options.seed:,} services so far", file=sys.stderr, flush=True)
            lines += 1
        if said := in_a_process(seed):
            failed += 1
            print(f"service {seed}: {said}", file=sys.stderr, flush=True)
        seed += 1
    print(f"{seed - options.seed:,} services, {failed} of which did not hold")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
