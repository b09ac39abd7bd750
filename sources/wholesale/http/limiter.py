"""Limiter: how many requests may be sent at once, how soon, and when to give up on a service.

It holds under one lock what all requests to a service share: the concurrency limit and its slots,
the rate limit, the pause that the service asked for, and the retry budget.
"""

import threading
from collections.abc import Callable

from wholesale.errors import Unavailable
from wholesale.http.concurrency import Concurrency
from wholesale.http.rate_limit import RateLimit
from wholesale.http.retries import Retry, RetryBudget, backoff_seconds

CONSEQUENCE_SECONDS = 180.0
"""A 403 within so many seconds after a 429 is taken for a consequence of it."""

LAST_ATTEMPT = 0.25
"""The part of its time that a request keeps for one more attempt, where the service asks to wait
longer than that."""


class Limiter:
    """Shared by all threads that send; each is in its `with` block while its request is under way.

    Times are seconds of `clock`, which is monotonic.
    """

    def __init__(
        self,
        most: int,
        deadline_seconds: float,
        *,
        sleep: Callable[[float], None],
        clock: Callable[[], float],
    ) -> None:
        self._sleep = sleep
        self._clock = clock
        self._lock = threading.Lock()
        self._slot = threading.Condition(self._lock)
        self._under_way = 0
        self._concurrency = Concurrency(most)
        self._rate = RateLimit()
        self._budget = RetryBudget(deadline_seconds)
        self._last_failure = ""

    @property
    def limit(self) -> int:
        """How many requests may be under way at once for now."""
        return self._concurrency.limit

    @property
    def was_throttled(self) -> bool:
        """Whether the service refused a request for coming too soon, in the last minutes."""
        with self._lock:
            at = self._rate.refused_at
            return at is not None and self._clock() - at < CONSEQUENCE_SECONDS

    @property
    def requests_a_minute(self) -> int | None:
        """The rate limit in force; None where the service has refused no rate."""
        with self._lock:
            return self._rate.requests_a_minute

    @property
    def is_given_up(self) -> bool:
        """Whether only probes are sent, as the service gave no usable response for too long."""
        with self._lock:
            return self._budget.is_spent(self._clock())

    def begin(self, requests_a_minute: int) -> None:
        """Begin with this rate limit, unless one was learned already."""
        with self._lock:
            self._rate.begin(requests_a_minute)

    def signal_demand(self) -> None:
        """Note that somebody waits for a response, so that more requests at once would help."""
        self._concurrency.is_awaited = True

    def __enter__(self) -> None:
        """Wait for a free slot, and hold it until the block is left."""
        with self._lock:
            while self._under_way >= self._concurrency.limit:
                self._slot.wait()
            self._under_way += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._under_way -= 1
            self._slot.notify(max(1, self._concurrency.limit - self._under_way))

    def wait_for_turn(self, asked: str, start: float, *, is_probe: bool = False) -> float:
        """Wait until a request that began at `start` may be sent, and return its deadline.

        `is_probe`: it is sent even if the service was given up.

        Raises: Unavailable, if its turn comes after its deadline, or the service was given up.
        """
        while True:
            with self._lock:
                now = self._clock()
                end = start + self._budget.seconds if is_probe else self._budget.end(start)
                if not is_probe and self._budget.is_spent(now):
                    raise Unavailable(
                        f"{asked} was not sent: the service gave no usable response for too long"
                        f" ({self._last_failure}); check that it is up, then run again"
                    )
                wait = self._rate.wait(now)
            if now + wait > end:
                raise Unavailable(
                    f"{asked} was not sent: the service asks to wait longer than one request may"
                    f" take ({self._last_failure}); run again after that"
                )
            if wait:
                self._sleep(wait)
            if self._rate.silent_until <= now + wait:
                return end

    def expect_nothing(self) -> None:
        """Give up a service that never answered as soon as one more request fails; probes are sent
        even then, as other lists may answer."""
        with self._lock:
            self._budget.left = 1

    def revive(self) -> None:
        """Take note that a probe was answered: the service is no longer given up."""
        with self._lock:
            self._budget.refill()

    def answered(self, sent_at: float) -> None:
        """Take note of a usable response."""
        with self._lock:
            self._budget.earn()
            self._rate.answered()
            self._concurrency.answered(self._clock() - sent_at, self._under_way)

    def refused(self) -> None:
        """Take note of a clear refusal, which shows that the service is alive."""
        with self._lock:
            self._budget.earn()

    def failed(
        self, failure: Retry, reason: str, attempt: int, sent_at: float, end: float
    ) -> float:
        """Take note of a failure, and return the seconds to wait before the next attempt, of which
        the deadline is `end`.

        These are as many as Retry-After asks for, else an exponential backoff with full jitter. A
        wait beyond the deadline is cut so that one more attempt can be made. If the failure
        concerns all requests (429, Retry-After, out of service), all wait as long.
        """
        asked_for = failure.wait_seconds
        wait = backoff_seconds(attempt) if asked_for is None else asked_for
        with self._lock:
            now = self._clock()
            last = self._budget.seconds * LAST_ATTEMPT
            if now + wait > end and now + last < end:
                wait = end - last - now
            if failure.kind == "nothing":
                self._budget.earn()
            else:
                self._budget.spend(sent_at, now)
                self._last_failure = reason
            if failure.tells_of_a_rate:
                self._rate.refused(sent_at, now)
            if failure.kind == "stall":
                self._concurrency.stalled(sent_at, now)
            if failure.concerns_all:
                self._rate.keep_silent(now + min(wait, self._budget.seconds - last))
        return wait

    def allows_retry(self, wait: float, end: float) -> bool:
        """Whether another attempt may be made after `wait` seconds, by the deadline and budget."""
        now = self._clock()
        return now + wait <= end and not self._budget.is_spent(now)
