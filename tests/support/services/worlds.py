"""Orders services in memory that change while they are read, and know what stood still."""

import json
import threading
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any, Literal
from uuid import UUID

import httpx

from wholesale.api.profile import ServiceProfile
from wholesale.http.client import Client
from wholesale.pages.service import Service
from wholesale.settings import ApiSettings

ListOrder = Literal["oldest", "newest", "updated-desc", "updated-asc", "stable-random"]
ListShape = Literal["envelope", "partial envelope", "bare array"]
Total = Literal["right", "missing", "null"]
PastTheEnd = Literal["empty", "last page"]
Mutation = Literal["insert", "delete", "bump", "swap", "silent edit"]
Mix = tuple[Mutation, ...]
Outage = Literal["empty", "empty array", "401", "404", "html"]
Fault = Literal["500", "502", "503", "429", "cut body", "no JSON", "no connection"]
Record = dict[str, Any]

BASE_PATH = "/api/external/v1"
SUMMARY = (  # §2.4
    "id",
    "order_number",
    "status",
    "sub_total",
    "total",
    "vendor_id",
    "vendor_name",
    "vendor_minimum_order_value",
    "buyer_id",
    "buyer_user_id",
    "buyer_company_name",
    "invoice_status",
    "created_at",
    "updated_at",
)
SUMMARY_ONLY = SUMMARY[5:12]
"""Fields that the basic form of a single order does not carry (§2.4)."""
OPTIONAL_NUMBERS = ("current", "previous", "next", "limit", "total_pages")  # §2.3
USUAL: Mix = ("insert",) * 2 + ("delete",) + ("bump",) * 4
SWAPS: Mix = ("swap",)
SILENT: Mix = ("silent edit",)
FAULTS: Sequence[Fault] = ("500", "502", "503", "429", "cut body", "no JSON", "no connection")
SHORT = timedelta(seconds=1)
"""The clock moves on by this with every mutation."""
DAWN = datetime(2026, 6, 1, 12, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Habits:
    """How a service answers, for as long as it lives.

    `cap` is the largest page, `page_size` what the client asks for. `grain` is the step of the
    clock that stamps `updated_at`: when it is longer than the time between two edits, both may
    carry the same stamp. `fault_share` of first attempts fail, and the second one does not.
    """

    order: ListOrder
    cap: int
    page_size: int
    shape: ListShape
    omitted: frozenset[str]
    total: Total
    past_the_end: PastTheEnd
    grain: timedelta
    fault_share: float
    edits_silently: bool
    concurrency: int

    @property
    def limit(self) -> int:
        return min(self.cap, self.page_size)

    @property
    def has_coarse_clock(self) -> bool:
        return self.grain > SHORT

    @classmethod
    def draw(cls, random: Random) -> "Habits":
        cap = random.randint(3, 25)
        return cls(
            order=random.choice(
                ("oldest", "newest", "updated-desc", "updated-asc", "stable-random")
            ),
            cap=cap,
            page_size=random.choice((cap, cap, 100, max(3, cap - 2))),
            shape=random.choice(("envelope", "envelope", "partial envelope", "bare array")),
            omitted=frozenset(random.sample(OPTIONAL_NUMBERS, random.randint(1, 5))),
            total=random.choice(("right", "right", "missing", "null")),
            past_the_end=random.choice(("empty", "last page")),
            grain=timedelta(minutes=10) if random.random() < 0.25 else SHORT,
            fault_share=random.choice((0.0, 0.0, 0.05, 0.3)),
            edits_silently=random.random() < 0.3,
            concurrency=random.choice((1, 1, 1, 4)),
        )


@dataclass(frozen=True, slots=True)
class Drift:
    """With this chance one mutation of the mix comes before a request is answered."""

    chance: float = 0.0
    mix: Mix = USUAL


QUIET = Drift()


Content = tuple[Record, list[Record], list[Record]]
"""The fields of an order, its lines and its comments."""


@dataclass(frozen=True, slots=True)
class Past:
    """What an order was from a moment on, by the clock of the test; None: gone."""

    since: datetime
    content: Content | None


@dataclass(slots=True)
class Order:
    """An order as it is: values as they are meant, not as they are sent.

    `place` is its rank in a list that is sorted by nothing we know. `touched` is the number of
    the last mutation that changed it.
    """

    fields: Record
    lines: list[Record]
    comments: list[Record]
    place: float
    touched: int = 0
    _sent: dict[str, str] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return str(self.fields["id"])

    def change(self, moment: int, **fields: Any) -> None:
        self.fields |= fields
        self.touched = moment
        self._sent.clear()

    def content(self) -> Content:
        return dict(self.fields), list(map(dict, self.lines)), list(map(dict, self.comments))

    def sent(self, form: Literal["summary", "basic", "verbose"]) -> str:
        """The order as JSON text in one of the three forms of §2.4."""
        if form not in self._sent:
            if form == "summary":
                record = {name: self.fields[name] for name in SUMMARY}
            else:
                record = self.fields | {
                    "order_line_items": self.lines,
                    "order_comments": self.comments,
                }
                if form == "basic":
                    record = {k: v for k, v in record.items() if k not in SUMMARY_ONLY}
            self._sent[form] = json.dumps(record, default=_sent)
        return self._sent[form]


def _sent(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


@dataclass(slots=True)
class Asked:
    """Requests that were answered as they should be; faults are not among them."""

    summaries: int = 0
    verbose_pages: int = 0
    records: int = 0

    @property
    def requests(self) -> int:
        return self.summaries + self.verbose_pages + self.records

    @property
    def bodies(self) -> int:
        return self.verbose_pages + self.records


class CutBody(httpx.SyncByteStream):
    """A body whose connection breaks in the middle."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    def __iter__(self) -> Iterator[bytes]:
        yield self._body[: len(self._body) // 2]
        raise httpx.ReadError("the peer closed the connection")


class Clock:
    """The clock of a client that never waits: what it would wait for is skipped."""

    def __init__(self) -> None:
        self._skipped = 0.0
        self._lock = threading.Lock()

    def skip(self, seconds: float) -> None:
        with self._lock:
            self._skipped += seconds

    def seconds(self) -> float:
        return time.monotonic() + self._skipped


class World:
    """One service: habits, orders, and the drift under which it lives at present.

    All choices follow from the seed; with several requests under way also from their timing.
    Every answer is consistent in itself (reliability A1, A4), ids are never used again (A3), and
    a change of content changes `updated_at` or another summary field (A2), except for a second
    edit within one tick of a coarse clock.
    """

    def __init__(self, seed: int, *, orders: int | None = None, **habits: Any) -> None:
        self.seed = seed
        self._random = Random(seed)
        self._fault_random = Random(~seed)
        self.habits = replace(Habits.draw(self._random), **habits)
        self.now = DAWN
        self.moment = 0
        self.orders: dict[str, Order] = {}
        self.deleted: set[str] = set()
        self.drift = QUIET
        self.outage: Outage | None = None
        self.answers_before_outage = 0
        self.asked = Asked()
        self.mutations: Counter[Mutation] = Counter()
        self._lock = threading.Lock()
        self._failing: set[str] = set()
        self._clock = Clock()
        self._listed: list[Order] | None = None
        self.past: dict[str, list[Past]] = {}
        many = self._random.choice((2, 10, 30, 60, 120))
        for _ in range(self._random.randint(0, many) if orders is None else orders):
            self._add(self._past_stamps())

    def service(self, known: ServiceProfile | None = None) -> Service:
        return Service.of(
            Client(
                ApiSettings.of(
                    base_url=f"http://127.0.0.1{BASE_PATH}",
                    api_key="world",
                    page_size=self.habits.page_size,
                    concurrency=self.habits.concurrency,
                    attempts=3,
                ),
                transport=self.transport(),
                sleep=self._clock.skip,
                clock=self._clock.seconds,
            ),
            known,
        )

    def transport(self) -> httpx.MockTransport:
        """The service itself, for any client; the key is "world"."""
        return httpx.MockTransport(self._handle)

    def begin_count(self) -> None:
        self.asked = Asked()

    @property
    def counts(self) -> bool:
        """Whether the list tells how many orders it has."""
        return self.habits.total == "right" and self.habits.shape != "bare array"

    def pages(self) -> int:
        """How many pages the list has now."""
        return max(1, -(-len(self.orders) // self.habits.limit))

    def stood_still_since(self, moment: int) -> set[str]:
        """Ids of orders that are there and were neither made nor changed after `moment`."""
        return {order.id for order in self.orders.values() if order.touched <= moment}

    def contents_since(self, moment: datetime, key: str) -> list[Content | None]:
        """All that an order was, from the moment on; None where it was not there."""
        past = self.past.get(key, [])
        before = bisect_right([entry.since for entry in past], moment)
        at_first = [past[before - 1].content] if before else [None]
        return [*at_first, *(entry.content for entry in past[before:])]

    def draw_drift(self) -> Drift:
        mix: Mix = self._random.choice((USUAL, USUAL, SWAPS, (*USUAL, *SWAPS * 2)))
        if self.habits.edits_silently:
            mix = (*mix, *SILENT * max(1, len(mix) // 3))
        return Drift(self._random.choice((0.05, 0.1, 0.3, 0.3)), mix)

    def mutate(self, mutation: Mutation) -> None:
        """Change something; nothing where there is no order to change."""
        self.moment += 1
        self.now += SHORT
        self.mutations[mutation] += 1
        self._listed = None
        if mutation in ("delete", "swap") and self.orders:
            self._delete(self._pick())
        if mutation in ("insert", "swap"):
            self._add((self._stamp(), self._stamp()))
        if mutation == "bump" and self.orders:
            self._bump(self._pick())
        if mutation == "silent edit" and self.orders:
            order = self._pick()
            order.change(self.moment, status=f"edited {self.moment}")
            self._remember(order)

    def mutate_at_rest(self, times: int) -> None:
        """Changes between two runs, with a day before and after them."""
        self.now += timedelta(days=1)
        kinds = (*USUAL, *SWAPS, *(SILENT if self.habits.edits_silently else ()))
        for _ in range(times):
            self.mutate(self._random.choice(kinds))
        self.now += timedelta(days=1)

    def _stamp(self) -> datetime:
        """The time as the clock of the service tells it."""
        past = (self.now - DAWN) % self.habits.grain
        return self.now - past

    def _past_stamps(self) -> tuple[datetime, datetime | None]:
        """Times of an order from before: many alike, some updates unknown."""
        created = DAWN - timedelta(days=self._random.randint(2, 30))
        updated = created + timedelta(hours=self._random.choice((0, 0, 1, 7)))
        return created, None if self._random.random() < 0.05 else updated

    def _delete(self, order: Order) -> None:
        del self.orders[order.id]
        self.deleted.add(order.id)
        self.past[order.id].append(Past(datetime.now(UTC), None))

    def _remember(self, order: Order) -> None:
        """Note what the order is from now on."""
        self.past.setdefault(order.id, []).append(Past(datetime.now(UTC), order.content()))

    def _pick(self) -> Order:
        return self._random.choice(list(self.orders.values()))

    def _add(self, stamps: tuple[datetime, datetime | None]) -> None:
        random = self._random
        key = str(UUID(int=random.getrandbits(128), version=4))
        created_at, updated_at = stamps
        order = Order(
            {
                "id": key,
                "order_number": f"N-{len(self.orders) + len(self.deleted) + 1}",
                "status": random.choice(("received", "shipped", "geprüft ✓")),
                "sub_total": random.choice((0, 12, 19.99)),
                "total": random.choice((Decimal("0"), Decimal("12.50"), Decimal("19.990"))),
                "vendor_id": f"vendor-{random.randint(1, 4)}",
                "vendor_name": random.choice(("Nord", "Süd", None)),
                "vendor_minimum_order_value": random.choice((100, 99.5, None)),
                "buyer_id": f"buyer-{random.randint(1, 9)}",
                "buyer_user_id": None,
                "buyer_company_name": "Maison",
                "invoice_status": random.choice((None, "open")),
                "created_at": created_at,
                "updated_at": updated_at,
                "payment_status": "unpaid",
                "po_number": random.choice((None, "0042")),
            },
            self._draw_lines(),
            self._draw_comments(),
            place=random.random(),
            touched=self.moment,
        )
        self.orders[key] = order
        self._remember(order)

    def _bump(self, order: Order) -> None:
        """A new version: other lines, comments and payment; the status stays as often as not."""
        order.lines, order.comments = self._draw_lines(), self._draw_comments()
        fields: Record = {
            "updated_at": self._stamp(),
            "payment_status": f"paid {self.moment}",
        }
        if self._random.random() < 0.5:
            fields["status"] = f"moved {self.moment}"
        order.change(self.moment, **fields)
        self._remember(order)

    def _draw_lines(self) -> list[Record]:
        return [
            {
                "sku": f"SKU-{self._random.randint(1, 99):03}",
                "quantity": self._random.randint(1, 9),
                "unit_price": self._random.choice((2, 2.5, 0.01)),
                "discount_amount": self._random.choice((Decimal("0.10"), None)),
            }
            for _ in range(self._random.choice((0, 1, 1, 3)))
        ]

    def _draw_comments(self) -> list[Record]:
        return [
            {"author": "Ada", "text": f"said {self._random.randint(1, 999)}"}
            for _ in range(self._random.choice((0, 0, 0, 1, 2)))
        ]

    def _handle(self, request: httpx.Request) -> httpx.Response:
        assert request.method == "GET"
        assert request.headers["X-API-Key"] == "world"
        with self._lock:
            if self._random.random() < self.drift.chance:
                self.mutate(self._random.choice(self.drift.mix))
            fault = self._draw_fault(str(request.url))
            if fault == "no connection":
                raise httpx.ConnectError("connection refused")
            if fault in ("500", "502", "503", "429"):
                return _answer(b"<html>later</html>", int(fault), {"Retry-After": "0"})
            status, body = self._respond(request)
        if fault == "cut body":
            return httpx.Response(200, stream=CutBody(body))
        if fault == "no JSON":
            return _answer(body[: len(body) // 2])
        return _answer(body, status)

    def _draw_fault(self, url: str) -> Fault | None:
        if url in self._failing:
            self._failing.remove(url)
            return None
        if self._fault_random.random() >= self.habits.fault_share:
            return None
        self._failing.add(url)
        return self._fault_random.choice(FAULTS)

    def _respond(self, request: httpx.Request) -> tuple[int, bytes]:
        if not request.url.path.startswith(f"{BASE_PATH}/orders"):
            return 404, b'{"error": "Resource not found", "details": ""}'
        path = request.url.path.removeprefix(f"{BASE_PATH}/orders")
        query = request.url.params
        is_verbose = query["verbose"] == "true"
        is_out = self.outage and self.asked.requests >= self.answers_before_outage
        if self.outage and is_out and (not path or self.outage in ("401", "html")):
            return OUTAGES[self.outage]
        if path:
            self.asked.records += 1
            order = self.orders.get(path.removeprefix("/"))
            if order is None:
                return 404, b'{"error": "Resource not found", "details": ""}'
            return 200, order.sent("verbose" if is_verbose else "basic").encode()
        if is_verbose:
            self.asked.verbose_pages += 1
        else:
            self.asked.summaries += 1
        number, limit = (int(query[name]) for name in ("page", "limit"))
        return 200, self._page(number, min(limit, self.habits.cap), is_verbose).encode()

    def _page(self, number: int, limit: int, is_verbose: bool) -> str:
        orders = self._in_order()
        last = max(1, -(-len(orders) // limit))
        shown = min(number, last) if self.habits.past_the_end == "last page" else number
        records = ", ".join(
            order.sent("verbose" if is_verbose else "summary")
            for order in orders[(shown - 1) * limit : shown * limit]
        )
        if self.habits.shape == "bare array":
            return f"[{records}]"
        pagination: dict[str, int | None] = {
            "current": shown,
            "previous": shown - 1 or None,
            "next": shown + 1 if shown < last else None,
            "limit": limit,
            "total_pages": last,
        }
        if self.habits.shape == "partial envelope":
            pagination = {k: v for k, v in pagination.items() if k not in self.habits.omitted}
        if self.habits.total != "missing":
            pagination["total_count"] = len(orders) if self.habits.total == "right" else None
        return f'{{"pagination": {json.dumps(pagination)}, "data": [{records}]}}'

    def _in_order(self) -> list[Order]:
        if self._listed is None:
            key, reverse = SORTED_BY[self.habits.order]
            self._listed = sorted(self.orders.values(), key=key, reverse=reverse)
        return self._listed


def _created(order: Order) -> tuple[datetime, str]:
    return order.fields["created_at"], order.id


def _updated(order: Order) -> tuple[datetime, str]:
    """Orders without the stamp count as the oldest, as a database may put them."""
    return order.fields["updated_at"] or datetime.min.replace(tzinfo=UTC), order.id


def _place(order: Order) -> tuple[float, str]:
    return order.place, order.id


SORTED_BY: Mapping[ListOrder, tuple[Callable[[Order], Any], bool]] = {
    "oldest": (_created, False),
    "newest": (_created, True),
    "updated-asc": (_updated, False),
    "updated-desc": (_updated, True),
    "stable-random": (_place, False),
}
OUTAGES: Mapping[Outage, tuple[int, bytes]] = {
    "empty": (200, b'{"pagination": {"total_pages": 0, "total_count": 0}, "data": []}'),
    "empty array": (200, b"[]"),
    "401": (401, b'{"error": "Invalid Credentials", "details": ""}'),
    "404": (404, b'{"error": "Resource not found", "details": ""}'),
    "html": (200, b"<html><body>We will be back soon</body></html>"),
}


def _answer(
    body: bytes, status: int = 200, headers: Mapping[str, str] | None = None
) -> httpx.Response:
    return httpx.Response(status, headers=headers, stream=httpx.ByteStream(body))
