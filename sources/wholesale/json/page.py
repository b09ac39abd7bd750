"""Page: the records of a list response, and what its envelope says."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, Self, TypeVar

import msgspec
import numpy as np
import pyarrow as pa

from wholesale.errors import ContentError, NoContent
from wholesale.json.envelope import DATA_KEY, ERROR_KEYS, PAGINATION_KEY, Envelope, read_envelope
from wholesale.json.strict import parse, write

BOM = b"\xef\xbb\xbf"
WRAPPED_ENTRY = re.compile(rb'\s*\[\s*\{\s*"[^"]*"\s*:\s*\{')

BARE, NULL = "[]", "null"
"""Forms of a page: an array, or nothing at all."""
NO_TOTAL = "no total_count"
FURTHER_PAGES = "further pages"

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
    """Asks for the same page again; a response that `read` refuses (ContentError) is retried."""

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
    where it lacks one or one cannot be read. `members` are as in `Envelope`. `form`: BARE,
    NULL, the key DATA_KEY, or what is in the place of a list.
    """

    records: bytes
    count: int
    current: int | None = None
    next: int | None = None
    limit: int | None = None
    total_pages: int | None = None
    total_count: int | None = None
    has_envelope: bool = False
    members: frozenset[str] = field(default=frozenset(), compare=False)
    form: str = field(default=BARE, compare=False)

    @classmethod
    def of(
        cls,
        records: bytes,
        envelope: Envelope | None = None,
        count: int | None = None,
        form: str | None = None,
    ) -> Self:
        """A page of these records."""
        count = len(_entries.decode(records)) if count is None else count
        form = form or (BARE if envelope is None else DATA_KEY)
        return cls(records, count, *(envelope or Envelope()), form)

    @property
    def lacks(self) -> frozenset[str]:
        """What a list of no records has not of one as §2.3 shows it, or has instead, or is."""
        if self.form in (BARE, NULL):
            return frozenset({self.form})
        total = NO_TOTAL if self.has_envelope else "no pagination"
        names_more = (self.total_pages or 0) > 1 or (self.next or 0) > (self.current or 1)
        found = {
            self.form: self.form != DATA_KEY,
            total: self.total_count is None,
            FURTHER_PAGES: names_more and self.total_count == 0,
        }
        return frozenset(name for name, is_lacking in found.items() if is_lacking)

    @property
    def is_empty(self) -> bool:
        return not self.count

    def ids(self) -> frozenset[bytes] | None:
        """The JSON text of the ids; None where a record has none."""
        try:
            return frozenset(bytes(record.id) for record in _identified.decode(self.records))
        except msgspec.DecodeError:
            return None

    def fills(self, limit: int) -> bool:
        """Whether it holds as many records as were asked for, or as it says that a page holds:
        more may follow then, whatever it counts."""
        return self.count >= min(limit, self.limit or limit)


NOTHING = Page(b"[]", 0)
"""A page without records and without an envelope."""


def read_page(body: bytes) -> Page:
    """The page in `body`: an envelope (§2.3), a bare array, or an object with one list.

    `null` in the place of a list is an empty one, and so is an envelope that counts no records and
    has no list.

    Raises: ContentError naming what came instead of a list, also for a failure that it tells of.
    Source: §2.3; the shapes of §4.12 are not shown.
    """
    body = content(body)
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
    if body.strip() == b"null":
        return replace(NOTHING, form=NULL)
    if opening != b"{":
        raise ContentError(f"body is {described(body)}, not a list of records", code="no_list")
    entries = _documented_entries(body)
    if not entries:
        return _split_otherwise(body)
    first, last = _span(body, entries[0], entries[-1])
    start, end = body.rindex(b"[", 0, first), body.index(b"]", last) + 1
    envelope = read_envelope(body[:start] + b"[]" + body[end:])
    return Page.of(_unwrapped(body[start:end]), envelope, len(entries))


def _documented_entries(body: bytes) -> list[msgspec.Raw]:
    """The records of a body in the shape of §2.3, in one pass over it; none in any other shape."""
    try:
        return _enveloped.decode(body).data
    except msgspec.ValidationError:
        return []


def _split_otherwise(body: bytes) -> Page:
    """The page of an object whose list is empty, under another key than `data`, or nested."""
    members = _members.decode(body)
    key = _list_key({name: bytes(raw) for name, raw in members.items()})
    if key is None:
        envelope = read_envelope(body)
        if not envelope.is_paginated or envelope.total_count:
            seen = ", ".join(sorted(members))[:200] or "none"
            raise ContentError(
                f"body is an object without a list; its keys: {seen}", code="no_list"
            )
        return Page.of(b"[]", envelope, 0, "no list")
    start, end = _span(body, members[key], members[key])
    envelope = read_envelope(body[:start] + b"[]" + body[end:])
    held = body[start:end]
    if held[:1] == b"{":
        page = _split(held)
        if envelope.is_paginated:
            page = Page.of(page.records, envelope, page.count, page.form)
        return replace(page, members=page.members | envelope.members)
    if held == b"null":
        return Page.of(b"[]", envelope, 0, "null for a list")
    return Page.of(_unwrapped(held), envelope)


def _list_key(members: Mapping[str, bytes]) -> str | None:
    """The key of the list, of `null` in its place, or of the only object that can contain it."""
    usable = {n: raw for n, raw in members.items() if n not in (*ERROR_KEYS, PAGINATION_KEY)}
    lists = [name for name, raw in usable.items() if raw[:1] == b"["]
    if DATA_KEY in lists or (not lists and usable.get(DATA_KEY) == b"null"):
        return DATA_KEY
    names = lists or [name for name, raw in usable.items() if raw[:1] == b"{" and b"[" in raw]
    if len(names) > 1:
        seen = ", ".join(sorted(members))[:200]
        raise ContentError(
            f"body is an object with {len(names)} lists; its keys: {seen}", code="many_lists"
        )
    return names[0] if names else None


def _span(body: bytes, first: msgspec.Raw, last: msgspec.Raw) -> tuple[int, int]:
    """Where `first` begins in the body and `last` ends; both are views of its bytes."""
    begin, start, end = (pa.py_buffer(of).address for of in (body, first, last))
    return start - begin, end - begin + len(last)


def _unwrapped(records: bytes) -> bytes:
    """The bare records, where each is wrapped in an object with one key: `[{"order": {…}}, …]`, as
    Rails does with `include_root_in_json`."""
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
