"""Retries: which failures are tried again, after how long, and how often."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Literal

BASE_SECONDS = 0.5
CAP_SECONDS = 20.0
FORBIDDEN = 403
BAN_SECONDS = 15.0
"""Wait after a 403 that follows a 429, where the service names no time."""
RETRY_BUDGET = 24
"""Failures in a row, over all requests, after which a service counts as dead."""

PATIENCE_AT_AN_OUTAGE = 3
"""Factor by which more attempts than usual are made while a service is out of service."""
ATTEMPTS_AT_NOTHING = 3
"""A response that came empty so often in a row is meant to be empty."""


Kind = Literal["broken", "stall", "error", "refusal", "ban", "outage", "nothing"]
"""How an attempt failed:

- `broken`: the connection or the response is not whole,
- `stall`: the response took too long,
- `error`: the service fails at what it was asked for,
- `refusal`: it wants fewer requests,
- `ban`: it shuts this client out for a time,
- `outage`: it says that it is out of service, as during maintenance,
- `nothing`: it answers that there is nothing, which is no failure if it goes on doing so.
"""


NOT_NOW: Mapping[int, Kind] = {
    **dict.fromkeys((201, 202, 203, *range(205, 300), 304), "broken"),
    **dict.fromkeys((408, 425, 499), "broken"),
    **dict.fromkeys((500, 502, 504, *range(506, 600)), "error"),
    **dict.fromkeys((420, 429, 430, 509), "refusal"),
    **dict.fromkeys((503, 511), "outage"),
}
"""The statuses that are asked for again, and how such an attempt failed.

For reads there is 200 alone (§7), and 204 where there is nothing: any other success, and 304, comes
from what stands before the service, as 202 (no response yet), 203 (changed on the way), 206 (a
part) and 207 (several). Gateways say "not now" by 420, 430 and 509 as by 429, and by 499 where they
hung up; 511 is sent by a network until somebody signs in. Those from 512 on are in no standard, and
mean the same as 500 (RFC 9110 §15): 520 to 530 come from proxies. 501 and 505 would not change."""


class Retry(Exception):
    """This attempt failed, and another one may succeed.

    `wait_seconds`: what the service asked to wait; None where it asked for nothing.
    """

    def __init__(
        self, reason: str, kind: Kind = "broken", *, wait_seconds: float | None = None
    ) -> None:
        super().__init__(reason)
        self.kind = kind
        self.wait_seconds = wait_seconds

    @property
    def tells_of_a_rate(self) -> bool:
        """Whether requests came too soon for the service."""
        is_told_to_wait = self.kind == "outage" and self.wait_seconds is not None
        return self.kind == "refusal" or is_told_to_wait

    @property
    def concerns_all(self) -> bool:
        """Whether other requests would fail too, for now."""
        return self.kind in ("refusal", "ban", "outage")

    def most_attempts(self, attempts: int) -> int:
        """How many attempts a request that fails like this gets, if others get `attempts`."""
        match self.kind:
            case "nothing":
                return min(attempts, ATTEMPTS_AT_NOTHING)
            case "outage":
                return attempts * PATIENCE_AT_AN_OUTAGE
            case _:
                return attempts


@dataclass(slots=True)
class Attempts:
    """The attempts at one request, as a rule `most`; `number` is the one under way, from 1.

    Times are seconds of one clock.
    """

    asked: str
    most: int
    began_at: float
    number: int = 0
    sent_at: float = 0.0
    deadline: float = 0.0


class RetryBudget:
    """The failures that a service is still allowed, over all requests to it.

    A retry budget, which is a token bucket: a failure takes a token and a response gives one back.
    A service that answers most requests in the end is never given up; a dead one is after
    RETRY_BUDGET failures in a row, or after nothing but failures for `seconds`. Times are of one
    clock.
    """

    def __init__(self, seconds: float) -> None:
        self.left = RETRY_BUDGET
        self.seconds = seconds
        self._failing_since: float | None = None
        self._failed_at = float("-inf")

    def earn(self) -> None:
        self.left = min(RETRY_BUDGET, self.left + 1)
        self._failing_since = None

    def refill(self) -> None:
        self.left = RETRY_BUDGET
        self._failing_since = None

    def spend(self, began_at: float, now: float) -> None:
        """Take note of a failure now; those that were under way together count as one."""
        if began_at >= self._failed_at:
            self._failed_at = now
            self.left -= 1
        if self._failing_since is None:
            self._failing_since = began_at

    def end(self, start: float) -> float:
        """The deadline of a request that starts at `start`."""
        since = start if self._failing_since is None else min(start, self._failing_since)
        return since + self.seconds

    def is_spent(self, now: float) -> bool:
        return self.left <= 0 or now >= self.end(now)


def backoff_seconds(attempt: int) -> float:
    """Exponential backoff with full jitter: a random time below a limit that doubles, so that
    requests that failed together are not sent again together; `attempt` counts from 1."""
    return random.uniform(0, min(CAP_SECONDS, BASE_SECONDS * 2**attempt))


def retry_after_seconds(value: str, sent: str) -> float | None:
    """Seconds to wait by Retry-After (RFC 9110 §10.2.3): a count or a date; None for neither.

    A date counts from `sent`, the Date of that response: the clock of the service is not ours.
    """
    value = value.strip()
    if value.isascii() and value.isdigit():
        return float(value)
    at = _moment(value)
    if at is None:
        return None
    return max(0.0, (at - (_moment(sent) or datetime.now(UTC))).total_seconds())


def _moment(date: str) -> datetime | None:
    try:
        at = parsedate_to_datetime(date.strip())
    except (ValueError, OverflowError):
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)
