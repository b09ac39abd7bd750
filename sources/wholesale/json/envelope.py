"""Envelope: what a list response says besides its records: its pagination (§2.3), or a failure."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from wholesale.errors import ContentError, one_line
from wholesale.json.strict import Json, NumberText, parse

PAGINATION_KEY = "pagination"  # §2.3
MAX_COUNT_DIGITS = 18
MOST_CACHED_BYTES = 2**9
"""Longer envelopes are parsed each time."""
ERROR_KEYS = ("error", "errors")  # §2.9 shows the first
FIRST_ERROR_STATUS = 400
STATUS_KEYS = ("code", "status", "status_code", "statusCode")
SUCCESS_KEYS = ("success", "ok")
WORDS_OF_FAILURE = frozenset({"error", "fail", "failed", "failure"})
ERROR_CHARACTERS = 80


class Envelope(NamedTuple):
    """The numbers of §2.3; None where one is missing, or no count."""

    current: int | None = None
    next: int | None = None
    limit: int | None = None
    total_pages: int | None = None
    total_count: int | None = None


def read_envelope(text: bytes) -> Envelope | None:
    """The envelope in a body whose list was cut out; None where there is none.

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
    """A word or number of the service; of anything longer not even the beginning."""
    return one_line(value, ERROR_CHARACTERS) if isinstance(value, str) else "no text"


def _parse(text: bytes) -> Envelope | None:
    # The strict reader refuses a key that comes twice, of which the quick one takes the last.
    members = parse(text)
    refuse_failure(members)
    envelope = members.get(PAGINATION_KEY)
    if not isinstance(envelope, dict):
        return None
    return Envelope(*(_number(envelope.get(name)) for name in Envelope._fields))


_cached = lru_cache(2**10)(_parse)
"""Child lists, of which there is one a parent, have few different envelopes."""


def _number(value: Json) -> int | None:
    """A count, sent as a number or as text; None for anything else."""
    is_count = isinstance(value, str) and value.isascii() and value.isdigit()
    return int(value) if is_count and len(value) <= MAX_COUNT_DIGITS else None
