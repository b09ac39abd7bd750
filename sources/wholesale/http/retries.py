"""Retries: which failures another attempt may heal, how long it waits, and how many are enough."""

import random
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

BASE_SECONDS = 0.5
CAP_SECONDS = 20.0
STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504})
THROTTLED = 429
FORBIDDEN = 403
BAN_SECONDS = 15.0
"""Who was shut out for asking too fast asks again after so long, if nothing else is said."""
RETRY_BUDGET = 24
"""Failures in a row, over all requests, after which a service counts as dead."""

OUT_OF_SERVICE = 503
ATTEMPTS_AT_AN_OUTAGE = 3
"""So many times as often as after another failure is asked again while a service is maintained."""


class Retry(Exception):
    """This attempt failed in a way that another one may heal.

    `wait_seconds`: what the service asked to wait; None where it asked for nothing.
    `is_refusal`: the service is there and wants fewer requests. `is_stall`: it did not keep up.
    `is_outage`: it says that it is out of service, as while it is maintained.
    """

    def __init__(
        self,
        reason: str,
        wait_seconds: float | None = None,
        *,
        is_refusal: bool = False,
        is_stall: bool = False,
        is_outage: bool = False,
    ) -> None:
        super().__init__(reason)
        self.wait_seconds = wait_seconds
        self.is_refusal = is_refusal
        self.is_stall = is_stall
        self.is_outage = is_outage


class RetryBudget:
    """The failures that a service is still allowed, over all requests to it.

    A retry budget, which is a token bucket: a failure takes one token and an answer gives one back,
    so that any storm in which most answers come in the end is outlasted, and a dead service is
    left alone after RETRY_BUDGET requests, or once it has given nothing but failures for so many
    `seconds`. Times are of one clock.
    """

    def __init__(self, seconds: float) -> None:
        self.left = RETRY_BUDGET
        self._seconds = seconds
        self._failing_since: float | None = None
        self._failed_at = float("-inf")

    def earn(self) -> None:
        self.left = min(RETRY_BUDGET, self.left + 1)
        self._failing_since = None

    def spend(self, began_at: float, now: float) -> None:
        """Take note of a failure now; those that were under way together count as one."""
        if began_at >= self._failed_at:
            self._failed_at = now
            self.left -= 1
        if self._failing_since is None:
            self._failing_since = began_at

    def end(self, start: float) -> float:
        """When a request that starts then has had time enough."""
        since = start if self._failing_since is None else min(start, self._failing_since)
        return since + self._seconds

    def is_spent(self, now: float) -> bool:
        return self.left <= 0 or now >= self.end(now)


def backoff_seconds(attempt: int) -> float:
    """Exponential backoff with full jitter: evenly drawn below a limit that doubles, so that
    requests that failed together do not come back together; `attempt` counts from 1."""
    return random.uniform(0, min(CAP_SECONDS, BASE_SECONDS * 2**attempt))


def retry_after_seconds(value: str) -> float | None:
    """Seconds to wait by Retry-After (RFC 9110 §10.2.3): a count or a date; None for neither."""
    value = value.strip()
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        at = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    if at.tzinfo is None:
        at = at.replace(tzinfo=UTC)
    return max(0.0, (at - datetime.now(UTC)).total_seconds())
