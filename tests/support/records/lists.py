"""A service in memory, whose lists answer as a test wants, and what is stored of its records."""

import json
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import httpx
import pyarrow as pa

from wholesale.api.profile import ServiceFacts, ServiceProfile
from wholesale.api.resources import ORDER_SUMMARY, RESOURCE
from wholesale.compare.past import Past
from wholesale.compare.stored import IS_DELETED, NOTHING, Stored
from wholesale.compare.summaries import found_columns
from wholesale.http.client import Client
from wholesale.http.traffic import Traffic
from wholesale.json.page import RawPage
from wholesale.pages.fetcher import Fetcher
from wholesale.pages.service import Service
from wholesale.privacy import STORE_ALL, Masking
from wholesale.settings import ApiSettings
from wholesale.sync.changes import Batch
from wholesale.sync.reader import Reader
from wholesale.sync.reading import Reading
from wholesale.tables.decoded import Decoded
from wholesale.tables.decoder import decode
from wholesale.tables.ids import in_order
from wholesale.tables.shapes import shape_of

Record = dict[str, Any]
Answer = Callable[[str, int], httpx.Response | None]

LOOKED_AT = ServiceProfile(
    observed=frozenset({"first_page", "page_size"}), lists_seen=frozenset(RESOURCE)
)
"""A service that does everything as it is documented, and was looked at."""
NO_ENTRIES: Record = {"order_line_items": [], "order_comments": []}
"""The lists of an order that has no entries."""


def numbered(count: int, **more: Any) -> list[Record]:
    return [{"id": f"id-{n:04}", **more} for n in range(count)]


def orders(count: int, day: int = 1) -> list[Record]:
    """Orders that changed last on this day, each a second after the one before."""
    records = numbered(count, status="received", po_number="P", **NO_ENTRIES)
    return [record | {"updated_at": on(day, number)} for number, record in enumerate(records)]


def changed(records: Sequence[Record], count: int, **fields: str) -> list[Record]:
    """The same records, of which the first few have other fields."""
    return [record | fields if number < count else record for number, record in enumerate(records)]


def on(day: int, second: int = 0) -> str:
    return f"2024-01-{day:02}T00:{second // 60:02}:{second % 60:02}Z"


def answer(body: Any, status: int = 200) -> httpx.Response:
    return httpx.Response(status, stream=httpx.ByteStream(json.dumps(body).encode()))


def paged(
    records: Sequence[Any], number: int, limit: int = 10, **counts: int | None
) -> httpx.Response:
    """One page in the envelope of the description; `counts` says otherwise than the truth."""
    truth = {"total_pages": max(1, -(-len(records) // limit)), "total_count": len(records)}
    data = list(records[(number - 1) * limit : number * limit])
    return answer({"pagination": truth | counts, "data": data})


@dataclass
class Lists:
    """Lists by path; a record of one is also answered singly, and so is a `hidden` one.

    `page` may answer a page otherwise; it is told the path and the number of the page.
    `asked` counts requests by path and number of the page, 0 for a single record.
    """

    lists: Mapping[str, Sequence[Any]]
    page: Answer = lambda path, number: None
    hidden: Mapping[str, Record] = field(default_factory=dict)
    asked: Counter[tuple[str, int]] = field(default_factory=Counter)
    queries: list[dict[str, str]] = field(default_factory=list)
    under_way: int = 0
    most_under_way: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def handle(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.removeprefix("/api/external/v1")
        query = dict(request.url.params)
        number = int(query.get("page", 0))
        with self.lock:
            self.asked[path, number] += 1
            self.queries.append(query)
            self.under_way += 1
            self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            if number:
                return self.page(path, number) or self.slice(path, number, query)
            return self.single(path)
        finally:
            with self.lock:
                self.under_way -= 1

    def slice(self, path: str, number: int, query: Mapping[str, str]) -> httpx.Response:
        records = self.lists.get(path)
        if records is None:
            return not_found()
        if query.get("verbose") == "false":
            records = [
                {name: value for name, value in record.items() if name in ORDER_SUMMARY}
                for record in records
            ]
        return paged(records, number, int(query["limit"]))

    def single(self, path: str) -> httpx.Response:
        parent, _, record_id = path.rpartition("/")
        for record in (*self.lists.get(parent, ()), *self.hidden.values()):
            if record.get("id") == record_id and (parent in self.lists or path in self.hidden):
                return answer(record)
        return not_found()

    @property
    def singles(self) -> list[str]:
        """Paths of the records that were asked for one by one, sorted, each as often as asked."""
        asked = (path for path, number in self.asked.elements() if not number)
        return sorted(path for path in asked if path not in self.lists)

    def service(self, known: ServiceProfile | None = None, **settings: Any) -> Service:
        values = {"page_size": 10, "attempts": 2} | settings
        client = Client(
            ApiSettings.of(base_url="http://127.0.0.1/api/external/v1", api_key="a-key", **values),
            transport=httpx.MockTransport(self.handle),
            sleep=lambda _: None,
        )
        return Service.of(client, known)

    def reader(
        self,
        resource: str,
        stored: Stored | None = None,
        *,
        known: ServiceProfile | None = None,
        is_full: bool = False,
        observe: Any = None,
        masking: Masking = STORE_ALL,
        **settings: Any,
    ) -> Reader:
        """A reader of this resource, which knows so much of the service and looks at no more."""
        row = RESOURCE[resource]
        reading = Reading.begin(
            self.service(known, **settings),
            row,
            shape_of(row),
            stored=NOTHING if stored is None else stored,
            is_full=is_full,
            observe=observe,
            masking=masking,
        )
        return Reader(reading)


def not_found() -> httpx.Response:
    return answer({"error": "Resource not found", "details": ""}, 404)


def decoded(resource: str, records: Sequence[Any], parent: str | None = None) -> Decoded:
    page = RawPage(json.dumps(records).encode(), parent=parent)
    return decode([page], shape_of(RESOURCE[resource]))


def stored(
    resource: str,
    records: Sequence[Record],
    *,
    parent: str | None = None,
    deleted: Collection[str] = (),
    dirty_since: datetime | None = None,
    audit_part: int | None = None,
    absent: Collection[str] = (),
) -> Stored:
    """A destination that holds these records, as an earlier run left them there."""
    row = RESOURCE[resource]
    version, parent_column = row.version.value, row.parent.column if row.parent else None
    columns = dict.fromkeys([*row.summary, version, parent_column])
    tables = decoded(resource, records, parent)
    root = tables.root
    marks = pa.array([key in deleted for key in root["id"].to_pylist()], pa.bool_())
    return Stored.of(
        [root.append_column(IS_DELETED, marks)],
        columns=[name for name in columns if name and name != "id"],
        found=found_columns(tables.shape) if row.summary else (),
        version=version,
        parent=parent_column,
    ).after(Past(dirty_since, audit_part, absent=in_order(absent)))


def read(reader: Reader) -> list[Batch]:
    """What has to be merged of a resource that has one list."""
    batches: list[Batch] = []
    reader.read(batches.append)
    return batches


def read_lists(
    reader: Reader, parents: Sequence[str], counts: Mapping[str, int | None] | None = None
) -> list[Batch]:
    """What has to be merged of the lists of these parents, which count so many children."""
    batches: list[Batch] = []
    reader.read_lists(parents, counts or {}, batches.append)
    return batches


def rows(batch: Batch) -> list[Record]:
    """The rows of the root table."""
    found: list[Record] = batch.decoded.root.to_pylist()
    return found


def ids(batches: Iterable[Batch]) -> list[str]:
    return [key for batch in batches for key in batch.decoded.root["id"].to_pylist()]


def outcome(reader: Reader) -> tuple[int, int, list[str]]:
    """How many full scans and pages a reading took, and what speaks against it."""
    return reader.tally.full_scans, reader.tally.pages, reader.doubts.sentences()


def named_settings(reader: Reader) -> set[str]:
    """The facts of the service whose settings the sentences of the report name."""
    doubts = " ".join(reader.doubts.sentences())
    return {name for name in ServiceFacts.model_fields if f"(set {name} = " in doubts}


def fetcher(
    service: Lists, resource: str, known: ServiceProfile | None = None, **settings: Any
) -> Fetcher:
    """Fetches from this service with these settings, within its `with` block."""
    return Fetcher(service.service(known, **settings), RESOURCE[resource], Traffic())


def fetchers() -> list[str]:
    """Names of the threads that are fetching now."""
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("fetch")]


def variants(names: str, **more: Any) -> list[Record]:
    return [{"id": name, "title": name, "options": [], **more} for name in names]


def users(names: str, **more: Any) -> list[Record]:
    return [{"id": name, "first_name": name, **more} for name in names]


def parents_of(batches: list[Batch]) -> dict[str, str]:
    """The parent of each child that was passed on."""
    rows = [row for batch in batches for row in batch.decoded.root.to_pylist()]
    return {row["id"]: row["parent_id"] for row in rows}
