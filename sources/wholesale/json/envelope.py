"""Envelope: what a list response says besides its records: its pagination (§2.3), or a failure."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from wholesale.errors import ContentError, one_line
from wholesale.json.strict import Json, NumberText, parse, write

PAGINATION_KEY, DATA_KEY = "pagination", "data"  # §2.3
MAX_COUNT_DIGITS = 18
MOST_CACHED_BYTES = 2**9
"""Longer envelopes are parsed each time."""
ERROR_KEYS = ("error", "errors")  # §2.9 shows the first
FIRST_ERROR_STATUS = 400
STATUS_KEYS = ("code", "status", "status_code", "statusCode")
SUCCESS_KEYS = ("success", "ok")
WORDS_OF_FAILURE = frozenset({"error", "fail", "failed", "failure"})
ERROR_CHARACTERS = 80
NUMBERS = ("current", "next", "limit", "total_pages", "total_count")
DOCUMENTED = {
    *((), (DATA_KEY,), (PAGINATION_KEY,)),
    *((PAGINATION_KEY, name) for name in (*NUMBERS, "previous")),
}
"""The paths of what §2.3 shows."""
MOST_MEMBERS = 20
"""An object with more members is keyed by data, and not looked into."""
LEVELS = 4
"""How deep is looked into what stands beside the records."""
WORD = re.compile(r"[A-Za-z][A-Za-z _-]{,29}")


class Envelope(NamedTuple):
    """The numbers of §2.3, None where one is missing, or no count; and all `members` besides, by
    their paths, those that say a word also as `path: word`, so that `result: failure` is another
    one than `result: success`."""

    current: int | None = None
    next: int | None = None
    limit: int | None = None
    total_pages: int | None = None
    total_count: int | None = None
    is_paginated: bool = False
    members: frozenset[str] = frozenset()


def read_envelope(text: bytes) -> Envelope:
    """The envelope in a body whose list was cut out.

    Raises: ContentError, if the response tells of a failure.
    """
    is_short = len(text) <= MOST_CACHED_BYTES
    return _cached(text) if is_short else _parse(text)


def refuse_failure(members: Mapping[str, Json]) -> None:
    """Refuse a response with a status of success whose content tells of a failure: a non-empty
    `error` or `errors`, `success` that is false, a `code` or `status` of 400 or more, or in words.

    Raises: ContentError.
    """
    for name in ERROR_KEYS:
        if members.get(name) not in (None, False, "", [], {}):
            raise ContentError(f"it names an error: {_shown(members[name])}", code="failure")
    for name in SUCCESS_KEYS:
        if members.get(name) is False:
            raise ContentError(f"it says {name}: false", code="failure")
    for name in STATUS_KEYS:
        if _is_failure(members.get(name)):
            raise ContentError(f"it says {name}: {_shown(members[name])}", code="failure")


def _is_failure(value: Json) -> bool:
    if not isinstance(value, str):
        return False
    if not isinstance(value, NumberText) and value.lower() in WORDS_OF_FAILURE:
        return True
    number = _number(value)
    return number is not None and number >= FIRST_ERROR_STATUS


def _shown(value: Json) -> str:
    """What the service says, on one line that is not long."""
    return one_line(", ".join(_texts(value)), ERROR_CHARACTERS) or "no text"


def _texts(value: Json, levels: int = LEVELS) -> Iterator[str]:
    """The texts and numbers in a value, in order."""
    if isinstance(value, str):
        yield value
    elif levels and isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner, levels - 1)


def _members(value: Json, *path: str) -> Iterator[str]:
    """The members of an object, as in `Envelope`; null, or nothing, says no word."""
    are_few = not path or (isinstance(value, dict) and len(value) <= MOST_MEMBERS)
    if isinstance(value, dict) and are_few and len(path) < LEVELS:
        for name, inner in value.items():
            yield from _members(inner, *path, name)
    if path in DOCUMENTED:
        return
    name = ".".join(path)
    yield name
    match value:
        case bool() | NumberText():
            yield f"{name}: {'a number' if isinstance(value, str) else write(value)}"
        case str() if value:
            yield f"{name}: {value if WORD.fullmatch(value) else 'a text'}"
        case [_, *_]:
            yield f"{name}: a list"


def _parse(text: bytes) -> Envelope:
    # The strict reader refuses a key that comes twice, of which the quick one takes the last.
    members = parse(text)
    refuse_failure(members)
    pagination = members.get(PAGINATION_KEY)
    is_paginated = isinstance(pagination, dict)
    said = pagination if is_paginated else {}
    numbers = (_number(said.get(name)) for name in NUMBERS)
    return Envelope._make((*numbers, is_paginated, frozenset(_members(members))))


_cached = lru_cache(2**10)(_parse)
"""Child lists, of which there is one a parent, have few different envelopes."""


def _number(value: Json) -> int | None:
    """A count, sent as a number or as text; None for anything else."""
    is_count = isinstance(value, str) and value.isascii() and value.isdigit()
    return int(value) if is_count and len(value) <= MAX_COUNT_DIGITS else None
