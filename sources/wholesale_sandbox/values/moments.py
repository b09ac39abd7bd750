"""Moments: whole microseconds since the epoch (UTC) inside, ISO 8601 outside (§2)."""

from datetime import UTC, date, datetime, timedelta
from random import Random

SECOND = 1_000_000
HOUR = 3600 * SECOND
DAY = 24 * HOUR

_EPOCH = datetime(1970, 1, 1)


def midnight(day: date) -> int:
    """The beginning of the day."""
    return (day - _EPOCH.date()).days * DAY


def iso(moment: int) -> str:
    """ISO 8601, with microseconds only if there are any."""
    return f"{(_EPOCH + timedelta(microseconds=moment)).isoformat()}Z"


def of(at: datetime) -> int:
    """The moment of an aware datetime."""
    return (at.astimezone(UTC).replace(tzinfo=None) - _EPOCH) // timedelta(microseconds=1)


def between(first: int, last: int, rng: Random) -> int:
    """Any moment of the span; every third one with microseconds."""
    moment = rng.randrange(first, max(last, first + 1))
    return moment if rng.randrange(3) == 0 else max(first, moment - moment % SECOND)
