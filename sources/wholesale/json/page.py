"""Page: the records of a list answer and what its envelope says, whatever shape the answer has."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, Self, TypeVar

import msgspec
import numpy as np
import pyarrow as pa

from wholesale.errors import ContentError, NoContent
from wholesale.json.envelope import PAGINATION_KEY, read_envelope
from wholesale.json.strict import parse, write

DATA_KEY = "data"  # §2.3
ERROR_KEYS = ("error", "errors")  # §2.9 shows the first
NO_ERROR = (b"null", b"false", b'""', b"[]", b"{}")
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
    """Asks for the same records again; an answer that `read` refuses (ContentError) is retried."""

    def __call__(self, read: "Callable[[RawPage], T]", /) -> T: ...


@dataclass(frozen=True, slots=True)
class RawPage:
    """One page as it came: its records as a JSON array, its number, and the id of its parent."""

    records: bytes
    number: int = 1
    parent: str | None = None
    refetch: Refetch | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a list: its records as JSON text of an array, and what the envelope says.

    `count` is how many records the page holds; the other numbers are those of the envelope, None
    where it lacks one or one cannot be read. `is_null`: there is no list, or `null` in its place.
    """

    records: bytes
    count: int
    current: int | None = None
    next: int | None = None
    limit: int | None = None
    total_pages: int | None = None
    total_count: int | None = None
    has_envelope: bool = False
    is_null: bool = False

    @classmethod
    def of(cls, records: bytes) -> Self:
        """A page without an envelope."""
        return cls(records, len(_entries.decode(records)))

    @property
    def is_empty(self) -> bool:
        return not self.count

    def ids(self) -> frozenset[bytes] | None:
        """The JSON text of the ids; None where a record has none."""
        try:
            return frozenset(bytes(record.id) for record in _identified.decode(self.records))
        except msgspec.DecodeError:
            return None

    def fills(self, limit: int | None) -> bool:
        """Whether it holds as many records as were asked for, or as it says that a page holds:
        more may follow then, whatever it counts."""
        most = [number for number in (limit, self.limit) if number]
        return bool(most) and self.count >= min(most)

    def overlaps(self, other: "Page") -> bool:
        """Whether the two pages have a record in common."""
        ids, others = self.ids(), other.ids()
        if ids is None or others is None:
            return self.records == other.records
        return not ids.isdisjoint(others)


NOTHING = Page(b"[]", 0)
"""A page without records and without an envelope."""
NULL = Page(b"[]", 0, is_null=True)


def read_page(body: bytes, *, may_be_null: bool = False) -> Page:
    """The page in `body`, whatever list shape it has: envelope, bare array, or one list by a key.

    `may_be_null`: `null` alone is a page too, as some services write a list without entries so.

    Raises: ContentError naming what came instead of a list.
    Source: §2.3; the shapes of §4.12 are not shown.
    """
    body = content(body)
    if may_be_null and body.strip() == b"null":
        return NULL
    try:
        _check_text(body)
        return _split(body)
    except (msgspec.DecodeError, pa.ArrowInvalid, RecursionError):
        # The strict reader says what is wrong, or reads what the quick one could not.
        return _split(write(parse(body)).encode())


def content(body: bytes) -> bytes:
    """The body without the mark of its byte order.

    Raises: NoContent.
    """
    body = body.removeprefix(BOM)
    if not body.strip():
        raise NoContent("body is empty")
    return body


def described(body: bytes) -> str:
    """What the body looks like, as an error names it."""
    text = body.strip()
    if text[:1] == b"<":
        return "HTML or XML"
    starts = {b"[": "a list", b'"': "a string", b"n": "null", b"t": "true", b"f": "false"}
    return starts.get(text[:1], "no JSON")


def _check_text(body: bytes) -> None:
    """Raise ArrowInvalid unless the body is UTF-8; to decode it into a `str` costs far more."""
    if body.isascii():
        return
    offsets = pa.py_buffer(np.array([0, len(body)], np.int64))
    pa.LargeStringArray.from_buffers(1, offsets, pa.py_buffer(body)).validate(full=True)


def _split(body: bytes) -> Page:
    opening = body.lstrip()[:1]
    if opening == b"[":
        return Page.of(_unwrapped(body))
    if opening != b"{":
        raise ContentError(f"body is {described(body)}, not a list of records")
    entries = _documented_entries(body)
    if not entries:
        return _split_otherwise(body)
    first, last = _span(body, entries[0], entries[-1])
    start, end = body.rindex(b"[", 0, first), body.index(b"]", last) + 1
    envelope = read_envelope(body[:start] + b"[]" + body[end:])
    return Page(_unwrapped(body[start:end]), len(entries), *envelope)


def _documented_entries(body: bytes) -> list[msgspec.Raw]:
    """The records of a body in the shape of §2.3, in one pass over it; none in any other shape."""
    try:
        return _enveloped.decode(body).data
    except msgspec.ValidationError:
        return []


def _split_otherwise(body: bytes) -> Page:
    """The page of an object whose list is empty, under another key than `data`, or nested."""
    members = _members.decode(body)
    values = {name: bytes(raw) for name, raw in members.items()}
    if [raw for name, raw in values.items() if name != PAGINATION_KEY] in ([], [b"null"]):
        envelope = read_envelope(body)
        if envelope:
            return Page(b"[]", 0, *envelope, is_null=envelope[4] != 0)
        if DATA_KEY in values:
            return NULL
    key = _list_key(values)
    start, end = _span(body, members[key], members[key])
    envelope = read_envelope(body[:start] + b"[]" + body[end:])
    if key == DATA_KEY and envelope and _is_record(values[key]):
        return Page(b"[" + values[key] + b"]", 1, *envelope)
    is_list = values[key][:1] == b"["
    page = Page.of(_unwrapped(values[key])) if is_list else _split(values[key])
    if not is_list and not envelope and not page.has_envelope and not RECORDS.match(page.records):
        seen = ", ".join(sorted(members))[:200]
        raise ContentError(f"body is an object without records; its keys: {seen}")
    return Page(page.records, page.count, *envelope) if envelope else page


def _span(body: bytes, first: msgspec.Raw, last: msgspec.Raw) -> tuple[int, int]:
    """Where `first` begins in the body and `last` ends; both are views of its bytes."""
    begin, start, end = (pa.py_buffer(of).address for of in (body, first, last))
    return start - begin, end - begin + len(last)


def _unwrapped(records: bytes) -> bytes:
    """The bare records, where each is wrapped in an object with one key: `[{"order": {…}}, …]`."""
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
    """The key of the list, or of the only object that can contain it; `data` alone beside an
    error, whose details may be a list too."""
    says_error = any(members.get(name, b"null") not in NO_ERROR for name in ERROR_KEYS)
    usable = {
        name: raw
        for name, raw in members.items()
        if name not in ERROR_KEYS and (name == DATA_KEY or not says_error)
    }
    lists = [name for name, raw in usable.items() if raw[:1] == b"["]
    if DATA_KEY in lists:
        return DATA_KEY
    if len(lists) == 1:
        return lists[0]
    if PAGINATION_KEY in members and _is_record(members.get(DATA_KEY, b"")):
        return DATA_KEY  # a page of one record, without its list
    objects = [name for name, raw in usable.items() if raw[:1] == b"{" and name != PAGINATION_KEY]
    if not lists and len(objects) == 1 and b"[" in members[objects[0]]:
        return objects[0]
    seen = ", ".join(sorted(members))[:200] or "none"
    found = "no list" if not lists else f"{len(lists)} lists"
    raise ContentError(f"body is an object with {found}; its keys: {seen}")


def _is_record(text: bytes) -> bool:
    return text[:1] == b"{" and "id" in _members.decode(text)
