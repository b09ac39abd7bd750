"""Readings: small services over HTTP that read the description each in another plausible way.

A service is drawn from a seed. It has all twelve resources, keeps what the description says, and
does what it leaves open in one of the ways in which real services do it.
"""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from typing import Any, Literal
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

Record = dict[str, Any]
BASE = "/api/external/v1"
LISTS = (
    "orders", "vendors", "buyers", "items", "item_images", "price_lists", "prices", "brands",
    "categories", "custom_fields",
)  # fmt: skip
DOCUMENTED_ENVELOPES = ("orders", "vendors")  # §4.2, §4.7
SUMMARY = (
    "id", "order_number", "status", "sub_total", "total", "vendor_id", "vendor_name",
    "vendor_minimum_order_value", "buyer_id", "buyer_user_id", "buyer_company_name",
    "invoice_status", "created_at", "updated_at",
)  # fmt: skip
DAWN = datetime(2026, 3, 1, 9, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Reading:
    """What the description leaves open, as one service does it."""

    first_page: int
    cap: int
    above_cap: Literal["capped", 400, 422]
    totals: bool
    """Whether envelopes tell `total_count` and `total_pages`; `next` is always there."""
    past_end: Literal["empty", 404, 422, "last page"]
    shape: Literal["envelope", "bare", "named"]
    unpaged: frozenset[str]
    refuses_paging: bool
    order: Literal["created", "created-desc", "updated-desc", "id"]
    empty_list: Literal["[]", "null", "missing"]
    nulls: Literal["null", "missing"]
    comments_in: Literal["verbose", "basic"]
    verbose_has_summary_fields: bool
    in_short: frozenset[str]
    ids: Literal["guid", "GUID", "bare", "number"]
    amounts: Literal["number", "text"]
    wraps_single: Literal["no", "data", "name"]
    zone: Literal["Z", "+00:00", ""]

    @classmethod
    def draw(cls, random: Random) -> "Reading":
        optional = LISTS[2:]
        return cls(
            first_page=random.choice((1, 1, 0)),
            cap=random.choice((10, 25, 1000)),
            above_cap=random.choice(("capped", "capped", 400, 422)),
            totals=random.random() < 0.7,
            past_end=random.choice(("empty", "empty", 404, 422, "last page")),
            shape=random.choice(("envelope", "envelope", "bare", "named")),
            unpaged=frozenset(random.sample(optional, random.choice((0, 0, 2, 8)))),
            refuses_paging=random.random() < 0.5,
            order=random.choice(("created", "created-desc", "updated-desc", "id")),
            empty_list=random.choice(("[]", "[]", "null", "missing")),
            nulls=random.choice(("null", "null", "missing")),
            comments_in=random.choice(("verbose", "verbose", "basic")),
            verbose_has_summary_fields=random.random() < 0.7,
            in_short=frozenset(random.sample(optional[:6], random.choice((0, 0, 1, 3)))),
            ids=random.choice(("guid", "guid", "GUID", "bare", "number")),
            amounts=random.choice(("number", "text")),
            wraps_single=random.choice(("no", "no", "data", "name")),
            zone=random.choice(("Z", "+00:00", "")),
        )


@dataclass
class ReadingService:
    """One account: its records by list, children below their parents."""

    seed: int
    reading: Reading = field(init=False)
    records: dict[str, list[Record]] = field(init=False)
    now: datetime = DAWN
    deleted: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._random = Random(self.seed)
        self.reading = Reading.draw(self._random)
        self._number = 0
        self._lock = threading.Lock()
        self.records = {name: [] for name in (*LISTS, "buyer_users", "variants")}
        sizes = {"orders": (0, 40, 60), "items": (2, 12), "buyers": (3, 9), "prices": (5, 60)}
        for name in LISTS:
            if name != "orders":
                for _ in range(self._random.choice(sizes.get(name, (0, 2, 5)))):
                    self.add(name)
        for _ in range(self._random.choice(sizes["orders"])):
            self.add("orders")

    # What happens to the business

    def add(self, name: str) -> None:
        self.now += timedelta(minutes=7)
        record = self._made(name)
        self.records[name].append(record)
        children = {"items": "variants", "buyers": "buyer_users"}.get(name)
        for _ in range(self._random.choice((0, 1, 3)) if children else 0):
            child = self._made(children or "")
            child["parent_id" if children == "variants" else "buyer_id"] = record["id"]
            self.records[children or ""].append(child)
        if children == "variants":
            self._count(record)

    def change(self) -> None:
        """Some records are added, edited and deleted, in a day on which nothing else happens."""
        self.now += timedelta(days=1)
        for name in ("orders", "orders", "vendors", "items", "prices", "brands", "categories"):
            kind = self._random.choice(("add", "edit", "delete", "edit"))
            if kind == "add" or not self.records[name]:
                self.add(name)
                continue
            record = self._random.choice(self.records[name])
            if kind == "delete" and len(self.records[name]) > 1:
                self.records[name].remove(record)
                for children, key in (("variants", "parent_id"), ("buyer_users", "buyer_id")):
                    self.records[children] = [
                        c for c in self.records[children] if c.get(key) != record["id"]
                    ]
            else:
                self._edit(name, record)
        self.now += timedelta(days=1)

    def _edit(self, name: str, record: Record) -> None:
        self.now += timedelta(minutes=3)
        if name == "orders":
            record["order_line_items"] = self._lines()
            record["order_comments"] = self._comments()
            record["payment_status"] = f"paid {self._number}"
        else:
            record["description"] = f"edited at {self.now}"
        if "updated_at" in record:
            record["updated_at"] = self.now

    def _made(self, name: str) -> Record:
        self._number += 1
        number, draw = self._number, self._random
        record: Record = {"id": self._id()}
        if name in ("orders", "vendors", "buyers", "buyer_users"):
            record |= {"created_at": self.now, "updated_at": self.now}
        if name == "orders":
            vendor = self.records["vendors"]
            record |= {
                "order_number": f"N{number:05}", "status": draw.choice(("received", "shipped")),
                "sub_total": 12.5 * number, "total": f"{12.5 * number:.2f}",
                "vendor_id": vendor[0]["id"] if vendor else None, "vendor_name": "Nord",
                "vendor_minimum_order_value": 100, "buyer_id": self.records["buyers"][0]["id"],
                "buyer_user_id": None, "buyer_company_name": "Maison",
                "invoice_status": draw.choice((None, "open")), "payment_status": "unpaid",
                "shipping_name": "Ada", "billing_city": "Bern", "po_number": f"{number:04}",
                "order_line_items": self._lines(), "order_comments": self._comments(),
            }  # fmt: skip
        elif name == "items":
            record |= {
                "title": f"T{number}", "product_code": f"P{number}", "status": "published",
                "description": "d", "unit_price": 9.9, "msrp": 12, "variants_count": 0,
                "options": draw.choice(([], [{"name": "size", "values": ["S", "M"]}])),
            }  # fmt: skip
        elif name == "variants":
            record |= {
                "title": f"V{number}", "sku": f"S{number}", "unit_price": 9.9,
                "sku_status": "active", "description": "d",
                "options": [{"name": "size", "value": "S"}],
            }  # fmt: skip
        elif name in ("vendors", "buyers", "buyer_users"):
            key = {"vendors": "name", "buyers": "company_name"}.get(name, "full_name")
            record |= {key: f"{name} {number}", "email": f"{number}@a.test", "phone": "1"}
        else:
            record |= {"title": f"{name} {number}", "description": "d", "amount": 3.25}
        return record

    def _count(self, item: Record) -> None:
        item["variants_count"] = sum(
            variant["parent_id"] == item["id"] for variant in self.records["variants"]
        )

    def _id(self) -> str | int:
        guid = UUID(int=self._random.getrandbits(128), version=4)
        match self.reading.ids:
            case "guid":
                return str(guid)
            case "GUID":
                return str(guid).upper()
            case "bare":
                return guid.hex
            case "number":
                return self._number

    def _lines(self) -> list[Record]:
        return [
            {"title": "line", "sku": f"S{place}", "quantity": place, "unit_price": 2.5}
            for place in range(1, self._random.choice((1, 2, 4)) + 1)
        ]

    def _comments(self) -> list[Record]:
        return [{"author": "Ada", "text": "hi"}] * self._random.choice((0, 0, 0, 1))

    # What the service answers

    def answer(self, target: str) -> tuple[int, Any]:
        """Status and body of a GET."""
        parts = urlsplit(target)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        path = parts.path.removeprefix(BASE).strip("/").split("/")
        with self._lock:
            return self._answer(path, query)

    def _answer(self, path: list[str], query: Mapping[str, str]) -> tuple[int, Any]:
        name = path[0]
        if name not in LISTS:
            return (200, {}) if name == "" else NOT_FOUND
        if len(path) == 1:
            return self._list(name, self.records[name], query)
        if len(path) == 2:
            if name in ("categories", "custom_fields"):
                return NOT_FOUND
            return self._single(name, self.records[name], path[1], query)
        children = {"items": "variants", "buyers": "buyer_users"}.get(name)
        if path[2] != children or not self._find(self.records[name], path[1]):
            return NOT_FOUND
        key = "parent_id" if children == "variants" else "buyer_id"
        below = [c for c in self.records[children] if str(c[key]) == path[1]]
        if len(path) == 3:
            return self._list(children, below, query)
        return self._single(children, below, path[3], query)

    def _single(
        self, name: str, records: list[Record], key: str, query: Mapping[str, str]
    ) -> tuple[int, Any]:
        record = self._find(records, key)
        if record is None:
            return NOT_FOUND
        form = "full" if query.get("verbose", "true") == "true" else "basic"
        sent = self._sent(name, record, form)
        match self.reading.wraps_single:
            case "data":
                return 200, {"data": sent}
            case "name":
                return 200, {name.removesuffix("s"): sent}
            case "no":
                return 200, sent

    @staticmethod
    def _find(records: list[Record], key: str) -> Record | None:
        return next((record for record in records if str(record["id"]) == key), None)

    def _list(self, name: str, records: list[Record], query: Mapping[str, str]) -> tuple[int, Any]:
        reading = self.reading
        form = "row" if query.get("verbose") == "false" or name in reading.in_short else "full"
        rows = [self._sent(name, record, form) for record in self._in_order(records)]
        is_documented = name in DOCUMENTED_ENVELOPES
        if name in reading.unpaged:
            if reading.refuses_paging and query:
                return UNPROCESSABLE
            return 200, rows if reading.shape != "named" else {name: rows}
        limit, number = int(query.get("limit", 20)), int(query.get("page", reading.first_page))
        if limit > reading.cap:
            if reading.above_cap != "capped":
                return reading.above_cap, {"error": "Unprocessable Entity", "details": "limit"}
            limit = reading.cap
        pages = max(1, -(-len(rows) // limit))
        index = number - reading.first_page
        if index >= pages and reading.past_end == "last page":
            index = pages - 1
        if index < 0 or (index >= pages and reading.past_end in (404, 422)):
            status = 404 if index < 0 else int(reading.past_end)
            return (status, {"error": "Resource not found", "details": ""})
        data = rows[index * limit : (index + 1) * limit]
        if reading.shape == "bare" and not is_documented:
            return 200, data
        numbers: dict[str, Any] = {"current": number, "limit": limit}
        numbers["next"] = number + 1 if index + 1 < pages else None
        if reading.totals or is_documented:
            numbers |= {"total_pages": pages, "total_count": len(rows)}
        key = "data" if is_documented or reading.shape == "envelope" else name
        return 200, {"pagination": numbers, key: data}

    def _in_order(self, records: list[Record]) -> list[Record]:
        match self.reading.order:
            case "created":
                return records
            case "created-desc":
                return records[::-1]
            case "updated-desc":
                return sorted(records[::-1], key=lambda r: r.get("updated_at", DAWN), reverse=True)
            case _:
                return sorted(records, key=lambda r: str(r["id"]))

    def _sent(self, name: str, record: Record, form: str) -> Record:
        reading, sent = self.reading, dict(record)
        if name == "orders":
            if form == "row":
                sent = {key: record[key] for key in SUMMARY}
            elif form == "basic":
                sent = {k: v for k, v in record.items() if k not in SUMMARY[5:12]}
            else:
                if not reading.verbose_has_summary_fields:
                    for key in SUMMARY[6:8]:
                        del sent[key]
                if reading.comments_in == "basic":
                    del sent["order_comments"]
        elif form == "row":
            sent = {k: v for k, v in record.items() if k not in ("description", "email", "options")}
        return {key: self._value(value) for key, value in sent.items() if self._is_sent(value)}

    def _is_sent(self, value: Any) -> bool:
        if value is None:
            return self.reading.nulls == "null"
        return value != [] or self.reading.empty_list != "missing"

    def _value(self, value: Any) -> Any:
        if value == [] and self.reading.empty_list == "null":
            return None
        if isinstance(value, datetime):
            return value.replace(tzinfo=None).isoformat() + self.reading.zone
        if isinstance(value, float) and self.reading.amounts == "text":
            return f"{value:.3f}"
        return value


NOT_FOUND = (404, {"error": "Resource not found", "details": ""})
UNPROCESSABLE = (422, {"error": "Unprocessable Entity", "details": "parameter"})


@contextmanager
def serving(service: ReadingService) -> Iterator[str]:
    """The base URL at which the service answers."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            status, body = service.answer(self.path)
            sent = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, format: str, *args: object) -> None:
            """Nobody reads it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}{BASE}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
