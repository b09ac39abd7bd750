"""What the body of a list answer holds, and where the list ends: values in, values out."""

import re
from dataclasses import dataclass, field

import msgspec
import numpy as np
import pyarrow as pa

from wholesale.assumptions import EMPTY_PAGES_THAT_END_A_LIST, FIRST_PAGE
from wholesale.errors import ContentError
from wholesale.wire import Json, parse, write

DATA_KEY = "data"  # §2.3
PAGINATION_KEY = "pagination"  # §2.3
ENVELOPE_NUMBERS = ("current", "next", "limit", "total_pages", "total_count")  # §2.3
MAX_PAGES = 1_000_000
MAX_COUNT_DIGITS = 18
MARKED_BYTES = 4096  # at either end of a page
BOM = b"\xef\xbb\xbf"
WRAPPED_ENTRY = re.compile(rb'\s*\[\s*\{\s*"[^"]*"\s*:\s*\{')
RECORDS = re.compile(rb"\s*\[\s*\{")
NOTHING = re.compile(rb"\s*\[\s*\]\s*")

_members = msgspec.json.Decoder(dict[str, msgspec.Raw])
_entries = msgspec.json.Decoder(list[msgspec.Raw])
_wrapped_entries = msgspec.json.Decoder(list[dict[str, msgspec.Raw]])


class _Identified(msgspec.Struct):
    id: msgspec.Raw


_identified = msgspec.json.Decoder(list[_Identified])


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a list: its records as JSON text of an array, and what the envelope says.

    A number that the envelope lacks or that cannot be read is None.
    """

    records: bytes
    current: int | None = None
    next: int | None = None
    limit: int | None = None
    total_pages: int | None = None
    total_count: int | None = None
    has_envelope: bool = False

    @property
    def is_empty(self) -> bool:
        return NOTHING.fullmatch(self.records) is not None

    def count(self) -> int:
        """How many records the page holds."""
        return len(_entries.decode(self.records))

    def ids(self) -> frozenset[bytes] | None:
        """The ids of the records as they were sent; None where one has none."""
        try:
            return frozenset(bytes(record.id) for record in _identified.decode(self.records))
        except msgspec.DecodeError:
            return None

    def overlaps(self, other: "Page") -> bool:
        """Whether the two pages have a record in common."""
        ids, others = self.ids(), other.ids()
        if ids is None or others is None:
            return self.records == other.records
        return not ids.isdisjoint(others)


def read_page(body: bytes) -> Page:
    """The page in `body`, whatever list shape it has: envelope, bare array, or one list by a key.

    Raises: ContentError naming what came instead of a list.
    Source: §2.3; the shapes of §4.12 are not shown.
    """
    body = body.removeprefix(BOM)
    try:
        _check_text(body)
        return _split(body)
    except (msgspec.DecodeError, pa.ArrowInvalid, RecursionError):
        # The strict reader says what is wrong, or reads what the quick one could not.
        value = parse(body)
    if isinstance(value, list | dict):
        return _split(write(value).encode())
    raise ContentError(f"body is {_kind(body)}, not a list of records")


def read_record(body: bytes, record_id: str | None = None) -> bytes:
    """The JSON text of the one record in `body`, also when a single key wraps it.

    Raises: ContentError naming what came instead of a record, or of the one with that id.
    Source: §4.3, §4.6, §4.11; the shapes of §4.12 are not shown.
    """
    body = body.removeprefix(BOM)
    if body.lstrip()[:1] != b"{":
        raise ContentError(f"body is {_kind(body)}, not a record")
    try:
        _check_text(body)
        members = _members.decode(body)
    except (msgspec.DecodeError, pa.ArrowInvalid, RecursionError):
        # The strict reader says what is wrong, or reads what the quick one could not.
        body = write(parse(body)).encode()
        members = _members.decode(body)
    wrapped = [bytes(raw) for raw in members.values() if bytes(raw)[:1] == b"{"]
    if len(members) == 1 and len(wrapped) == 1:
        body = wrapped[0]
        members = _members.decode(body)
    found = bytes(members.get("id", b"null")).strip(b'"').decode("utf-8", "replace")
    if record_id is not None and found not in (record_id, "null"):
        raise ContentError("body is another record than the one asked for")
    return body


def _check_text(body: bytes) -> None:
    """Raise ArrowInvalid unless the body is UTF-8; no text of it is made, which costs far more."""
    offsets = pa.py_buffer(np.array([0, len(body)], np.int64))
    pa.LargeStringArray.from_buffers(1, offsets, pa.py_buffer(body)).validate(full=True)


def _split(body: bytes) -> Page:
    opening = body.lstrip()[:1]
    if opening == b"[":
        _entries.decode(body)
        return Page(_unwrapped(body))
    if opening != b"{":
        raise ContentError(f"body is {_kind(body)}, not a list of records")
    members = {name: bytes(raw).strip() for name, raw in _members.decode(body).items()}
    list_key = _list_key(members)
    records = members[list_key]
    # The strict reader refuses a key that comes twice, of which the quick one takes the last.
    frame = parse(_without(records, body))
    inner = _split(records) if records[:1] == b"{" else Page(_unwrapped(records))
    envelope = frame.get(PAGINATION_KEY)
    if isinstance(envelope, dict):
        counts = {name: _number(envelope.get(name)) for name in ENVELOPE_NUMBERS}
        return Page(inner.records, **counts, has_envelope=True)
    if records[:1] == b"{" and not inner.has_envelope and not RECORDS.match(inner.records):
        seen = ", ".join(sorted(members))[:200]
        raise ContentError(f"body is an object without records; its keys: {seen}")
    return inner


def _unwrapped(records: bytes) -> bytes:
    """The records themselves, where each stands alone in an object under one and the same key."""
    if not WRAPPED_ENTRY.match(records):
        return records
    entries = _wrapped_entries.decode(records)
    keys = {key for entry in entries for key in entry}
    if len(keys) != 1 or not all(entries) or "id" in keys:
        return records
    inner = [bytes(raw) for entry in entries for raw in entry.values()]
    return b"[" + b",".join(inner) + b"]" if all(b'"id"' in raw for raw in inner) else records


def _without(records: bytes, body: bytes) -> bytes:
    """The body with an empty list in the place of these records."""
    clue = records[:64]  # a search for so long a text as a whole is slow to start
    at = body.find(clue)
    while not body.startswith(records, at):
        at = body.find(clue, at + 1)
    return body[:at] + b"[]" + body[at + len(records) :]


def _list_key(members: dict[str, bytes]) -> str:
    """The member that is the list, or the one object that can but hold it."""
    lists = [name for name, raw in members.items() if raw[:1] == b"["]
    if DATA_KEY in lists:
        return DATA_KEY
    if len(lists) == 1:
        return lists[0]
    objects = [name for name, raw in members.items() if raw[:1] == b"{" and name != PAGINATION_KEY]
    if not lists and len(objects) == 1 and b"[" in members[objects[0]]:
        return objects[0]
    seen = ", ".join(sorted(members))[:200] or "none"
    found = "no list" if not lists else f"{len(lists)} lists"
    raise ContentError(f"body is an object with {found}; its keys: {seen}")


def _number(value: Json) -> int | None:
    """A count, sent as number or as text."""
    is_count = isinstance(value, str) and value.isascii() and value.isdigit()
    return int(value) if is_count and len(value) <= MAX_COUNT_DIGITS else None


def _kind(body: bytes) -> str:
    text = body.strip()
    if not text:
        return "empty"
    if text[:1] == b"<":
        return "HTML or XML"
    kinds = {b"[": "a list", b'"': "a string", b"n": "null", b"t": "true", b"f": "false"}
    return kinds.get(text[:1], "no JSON")


@dataclass(slots=True)
class Paging:
    """What a client has learned of how the service pages its lists, for all of them.

    `limit` is what is asked for per page. Once `is_first_known`, `first` is the number of a
    list's first page; before that it is what we assume. `blank` are paths of lists that were
    empty at page 0 too.
    """

    limit: int
    first: int = FIRST_PAGE.value
    is_first_known: bool = False
    blank: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Walk:
    """Which page of a list to ask for next, and by which signs its end is proved.

    One sign alone ends nothing: a server may cap the limit, give short or empty pages in the
    middle, miscount, or answer the last page for ever (§2.3 and §8 leave all of it open).
    The end is proved by the last page that the envelope names together with as many records as
    it counts or an empty page behind it, by two empty pages in a row, or by a page that repeats.
    """

    first: int = FIRST_PAGE.value
    pages: int = 0
    records: int = 0
    total_pages: int | None = None
    first_total: int | None = None
    last_total: int | None = None
    fault: str | None = None
    _is_ended: bool = False
    _empty_in_a_row: int = 0
    _seen: dict[int, int] = field(default_factory=dict)
    _last: Page | None = None

    @property
    def is_at_last_page(self) -> bool:
        """Whether the envelope names no further page; then `count` decides if more is asked for."""
        return self.total_pages is not None and self.pages >= self.total_pages

    @property
    def is_ended(self) -> bool:
        counted_out = self.is_at_last_page and self.records == self.last_total
        return self._is_ended or counted_out

    @property
    def wanted(self) -> range:
        """Numbers of the pages known to be needed, in order; empty when the list has ended.

        They may be asked for at once, but must be seen in order.
        """
        if self.is_ended:
            return range(0)
        following = self.first + self.pages
        behind_the_last = self.first + (self.total_pages or 0)
        return range(following, max(following + 1, behind_the_last))

    def begin(self, first: int) -> None:
        """Begin at the first page of a list that has this number, forgetting what was seen."""
        self.first = first
        self.pages = self.records = self._empty_in_a_row = 0
        self.total_pages = self.first_total = self.last_total = self.fault = None
        self._is_ended = False
        self._seen.clear()
        self._last = None

    def see(self, page: Page) -> bool:
        """Take the next page into account; true when its records are to be read."""
        self.pages += 1
        if page.total_pages is not None:
            self.total_pages = page.total_pages
        if page.total_count is not None:
            self.last_total = page.total_count
            if self.first_total is None:
                self.first_total = page.total_count
        return self._see_empty() if page.is_empty else self._see_records(page)

    def count(self, records: int) -> None:
        """Add the number of records that pages seen so far turned out to hold."""
        self.records += records

    def _see_empty(self) -> bool:
        self._empty_in_a_row += 1
        is_behind_the_last = self.total_pages is not None and self.pages > self.total_pages
        is_silence = self._empty_in_a_row >= EMPTY_PAGES_THAT_END_A_LIST.value
        self._is_ended = is_behind_the_last or is_silence
        return False

    def _see_records(self, page: Page) -> bool:
        self._empty_in_a_row = 0
        earlier = self._first_seen(page)
        if earlier != self.pages:
            self._is_ended = True
            if self.total_pages is not None and self.pages <= self.total_pages:
                self.fault = f"page {self.pages} repeats page {earlier}"
            return False
        if self.pages >= MAX_PAGES:
            self._is_ended = True
            self.fault = f"no end within {MAX_PAGES:,} pages"
        return True

    def has_seen(self, page: Page) -> bool:
        """Whether one of the pages so far had the same records."""
        return any(mark in self._seen for mark in (_ends(page), *_fingerprints(page)))

    def _first_seen(self, page: Page) -> int:
        """Number of the first page with these records: this one, or one that it repeats."""
        last, self._last = self._last, page
        if self.total_pages is not None and self.pages <= self.total_pages:
            return self._seen.setdefault(_ends(page), self.pages)
        for mark in _fingerprints(last) if last else ():
            self._seen.setdefault(mark, self.pages - 1)
        marks = _fingerprints(page)
        if self.total_pages is not None:  # of the pages that were named only this is known
            marks.append(_ends(page))
        return min(self._seen.setdefault(mark, self.pages) for mark in marks)


def _ends(page: Page) -> int:
    """A mark that costs no look at every byte. A page that has it by chance is a fault, or leaves
    fewer records than are counted: the list is read again, and never certified for it.
    """
    records = page.records
    return hash((len(records), records[:MARKED_BYTES], records[-MARKED_BYTES:]))


def _fingerprints(page: Page) -> list[int]:
    """Two pages are the same by their bytes, or by their ids where the bytes never repeat."""
    ids = page.ids()
    return [hash(page.records)] if ids is None else [hash(page.records), hash(ids)]
