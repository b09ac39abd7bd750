"""Page: the records of a list answer and what its envelope says, whatever shape the answer has."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, Self, TypeVar

import msgspec
import numpy as np
import pyarrow as pa

from wholesale.errors import ContentError, NoContent
from wholesale.pages.strict_json import Json, parse, write

DATA_KEY = "data"  # §2.3
PAGINATION_KEY = "pagination"  # §2.3
ENVELOPE_NUMBERS = ("current", "next", "limit", "total_pages", "total_count")  # §2.3
MAX_COUNT_DIGITS = 18
BOM = b"\xef\xbb\xbf"
WRAPPED_ENTRY = re.compile(rb'\s*\[\s*\{\s*"[^"]*"\s*:\s*\{')
RECORDS = re.compile(rb"\s*\[\s*\{")

_members = msgspec.json.Decoder(dict[str, msgspec.Raw])
_entries = msgspec.json.Decoder(list[msgspec.Raw])
_wrapped_entries = msgspec.json.Decoder(list[dict[str, msgspec.Raw]])


class _Enveloped(msgspec.Struct):
    data: list[msgspec.Raw]  # §2.3


class _Identified(msgspec.Struct):
    id: msgspec.Raw


_enveloped = msgspec.json.Decoder(_Enveloped)
_identified = msgspec.json.Decoder(list[_Identified])


T = TypeVar("T")


class Refetch(Protocol):
    """Asks for the same records again; an attempt that `read` refuses by ContentError failed."""

    def __call__(self, read: "Callable[[RawPage], T]", /) -> T: ...


@dataclass(frozen=True, slots=True)
class RawPage:
    """One page as it came: its records as a JSON array, its number, and whose list it is of."""

    records: bytes
    number: int = 1
    parent: str | None = None
    refetch: Refetch | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a list: its records as JSON text of an array, and what the envelope says.

    `count` is how many records the page holds; the other numbers are those of the envelope, None
    where it lacks one or one cannot be read.
    """

    records: bytes
    count: int
    current: int | None = None
    next: int | None = None
    limit: int | None = None
    total_pages: int | None = None
    total_count: int | None = None
    has_envelope: bool = False

    @classmethod
    def of(cls, records: bytes) -> Self:
        """A page without an envelope."""
        return cls(records, len(_entries.decode(records)))

    @property
    def is_empty(self) -> bool:
        return not self.count

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
    body = _content(body)
    try:
        _check_text(body)
        return _split(body)
    except (msgspec.DecodeError, pa.ArrowInvalid, RecursionError):
        # The strict reader says what is wrong, or reads what the quick one could not.
        return _split(write(parse(body)).encode())


def read_record(body: bytes, record_id: str | None = None) -> bytes:
    """The JSON text of the one record in `body`, also when a single key wraps it.

    One whose id is written in other cases than `record_id` is the same.

    Raises: ContentError naming what came instead of a record, or of the one with that id.
    Source: §4.3, §4.6, §4.11; the shapes of §4.12 are not shown.
    """
    body = _content(body)
    if body.lstrip()[:1] != b"{":
        raise ContentError(f"body is {_described(body)}, not a record")
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
    if record_id is not None and found.lower() not in (record_id.lower(), "null"):
        raise ContentError("body is another record than the one asked for")
    return body


def _content(body: bytes) -> bytes:
    """Raises: NoContent."""
    body = body.removeprefix(BOM)
    if not body.strip():
        raise NoContent("body is empty")
    return body


def _check_text(body: bytes) -> None:
    """Raise ArrowInvalid unless the body is UTF-8; no text of it is made, which costs far more."""
    offsets = pa.py_buffer(np.array([0, len(body)], np.int64))
    pa.LargeStringArray.from_buffers(1, offsets, pa.py_buffer(body)).validate(full=True)


def _split(body: bytes) -> Page:
    opening = body.lstrip()[:1]
    if opening == b"[":
        return Page.of(_unwrapped(body))
    if opening != b"{":
        raise ContentError(f"body is {_described(body)}, not a list of records")
    entries = _documented_entries(body)
    if entries:
        start = body.rindex(b"[", 0, _span(entries[0], body)[0])
        end = body.index(b"]", _span(entries[-1], body)[1]) + 1
        page = Page(_unwrapped(body[start:end]), len(entries))
    else:
        page, (start, end) = _split_otherwise(body)
    # The strict reader refuses a key that comes twice, of which the quick one takes the last.
    envelope = parse(body[:start] + b"[]" + body[end:]).get(PAGINATION_KEY)
    if not isinstance(envelope, dict):
        return page
    numbers = {name: _number(envelope.get(name)) for name in ENVELOPE_NUMBERS}
    return Page(page.records, page.count, **numbers, has_envelope=True)


def _documented_entries(body: bytes) -> list[msgspec.Raw]:
    """The records of a body in the shape of §2.3, in one pass over it; none in any other shape."""
    try:
        return _enveloped.decode(body).data
    except msgspec.ValidationError:
        return []


def _split_otherwise(body: bytes) -> tuple[Page, tuple[int, int]]:
    """The page of an object whose list stands under any key or a level deeper, and where."""
    members = _members.decode(body)
    values = {name: bytes(raw) for name, raw in members.items()}
    key = _list_key(values)
    where = _span(members[key], body)
    if values[key][:1] == b"[":
        return Page.of(_unwrapped(values[key])), where
    page = _split(values[key])
    has_envelope = page.has_envelope or values.get(PAGINATION_KEY, b"")[:1] == b"{"
    if not has_envelope and not RECORDS.match(page.records):
        seen = ", ".join(sorted(members))[:200]
        raise ContentError(f"body is an object without records; its keys: {seen}")
    return page, where


def _span(part: msgspec.Raw, body: bytes) -> tuple[int, int]:
    """Where in the body a part begins and ends: it is a view of the bytes it was decoded from."""
    begin, start = (pa.py_buffer(of).address for of in (body, part))
    return start - begin, start - begin + len(part)


def _unwrapped(records: bytes) -> bytes:
    """The records themselves, where each stands alone in an object under one and the same key."""
    if not WRAPPED_ENTRY.match(records):
        return records
    try:
        entries = _wrapped_entries.decode(records)
    except msgspec.ValidationError:
        return records
    keys = {key for entry in entries for key in entry}
    if len(keys) != 1 or not all(entries) or "id" in keys:
        return records
    inner = [bytes(raw) for entry in entries for raw in entry.values()]
    return b"[" + b",".join(inner) + b"]" if all(b'"id"' in raw for raw in inner) else records


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


def _described(body: bytes) -> str:
    text = body.strip()
    if text[:1] == b"<":
        return "HTML or XML"
    starts = {b"[": "a list", b'"': "a string", b"n": "null", b"t": "true", b"f": "false"}
    return starts.get(text[:1], "no JSON")
