"""Envelope: what a list answer says of itself, besides its records (§2.3)."""

from functools import lru_cache

from wholesale.json.strict import Json, parse

PAGINATION_KEY = "pagination"  # §2.3
NUMBERS = ("current", "next", "limit", "total_pages", "total_count")  # §2.3
MAX_COUNT_DIGITS = 18
MOST_CACHED_BYTES = 2**9
"""Longer envelopes are parsed each time."""

Envelope = tuple[int | None, int | None, int | None, int | None, int | None, bool]
"""The fields of `Page` after `count`."""


def read_envelope(text: bytes) -> Envelope | tuple[()]:
    """The envelope in a body whose list was cut out; an empty tuple where there is none."""
    is_short = len(text) <= MOST_CACHED_BYTES
    return _cached(text) if is_short else _parse(text)


def _parse(text: bytes) -> Envelope | tuple[()]:
    # The strict reader refuses a key that comes twice, of which the quick one takes the last.
    envelope = parse(text).get(PAGINATION_KEY)
    if not isinstance(envelope, dict):
        return ()
    current, following, limit, pages, count = (_number(envelope.get(name)) for name in NUMBERS)
    return current, following, limit, pages, count, True


_cached = lru_cache(2**10)(_parse)
"""Child lists, of which there is one a parent, have few different envelopes."""


def _number(value: Json) -> int | None:
    """A count, sent as a number or as text; None for anything else."""
    is_count = isinstance(value, str) and value.isascii() and value.isdigit()
    return int(value) if is_count and len(value) <= MAX_COUNT_DIGITS else None
