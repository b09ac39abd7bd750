"""Limiter: how many requests, how soon, and for how long a service is still asked.

It owns what all requests to a service share, under one lock: slots, whose number is an adaptive
concurrency limit, the rate and the silence that the service asked for, and the retry budget.
"""

import threading
from collections.abc import Callable

from wholesale.errors import Unavailable
from wholesale.http.concurrency import Concurrency
from wholesale.http.rate_limit import RateLimit
from wholesale.http.retries import Retry, RetryBudget, backoff_seconds

THROTTLING_IS_LATE = 180.0
"""Seconds after which a refusal has nothing to do with the rate of requests any more."""


class Limiter:
    """Shared between the threads that send; each is in its `with` block while a request is under
    way. Times are seconds of `clock`, which is monotonic."""

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

    @property
    def limit(self) -> int:
        """How many requests may be under way at once for now."""
        return self._concurrency.limit

    @property
    def was_throttled(self) -> bool:
        """Whether the service refused a request for coming too soon, in the last minutes."""
        with self._lock:
            at = self._rate.refused_at
            return at is not None and self._clock() - at < THROTTLING_IS_LATE

    @property
    def requests_a_minute(self) -> int | None:
        """The rate that is kept, None where the service refused none."""
        with self._lock:
            return self._rate.requests_a_minute

    def begin(self, requests_a_minute: int) -> None:
        """Keep a rate from the start, where nothing was learned yet."""
        with self._lock:
            self._rate.begin(requests_a_minute)

    def signal_demand(self) -> None:
        """Tell that somebody waits for an answer: more requests at once would be of use."""
        self._concurrency.is_awaited = True

    def __enter__(self) -> None:
        """Wait until one more request may be under way; it is, until the block is left."""
        with self._lock:
            while self._under_way >= self._concurrency.limit:
                self._slot.wait()
            self._under_way += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._under_way -= 1
            self._slot.notify(max(1, self._concurrency.limit - self._under_way))

    def wait_for_turn(self, asked: str, start: float) -> float:
        """Wait until a request that began at `start` may be sent; when it has to be done.

        Raises: Unavailable when that is too late for it, or the service is given up.
        """
        while True:
            with self._lock:
                now = self._clock()
                end = self._budget.end(start)
                if self._budget.is_spent(now):
                    raise Unavailable(
                        f"{asked} was not sent: the service gave no usable answer for too long;"
                        " check that it is up, then run again"
                    )
                wait = self._rate.wait(now)
            if now + wait > end:
                raise Unavailable(
                    f"{asked} was not sent: the service asks to wait another {wait:.0f} s,"
                    " longer than one request may take; run again after that"
                )
            if wait:
                self._sleep(wait)
            if self._rate.silent_until <= now + wait:
                return end

    def answered(self, sent_at: float) -> None:
        """Take note of a usable answer."""
        with self._lock:
            self._budget.earn()
            self._rate.answered()
            self._concurrency.answered(self._clock() - sent_at)

    def refused(self) -> None:
        """Take note of a clear refusal: it comes from a service that is alive."""
        with self._lock:
            self._budget.earn()

    def failed(self, failure: Retry, attempt: int, sent_at: float) -> float:
        """Take note of a failure; seconds to the next attempt.

        They are what Retry-After asks for, else full jitter. All requests keep the silence that
        the service asks for, by Retry-After or by 429, and that between attempts at one that says
        that it is out of service.
        """
        asked_for = failure.wait_seconds
        wait = backoff_seconds(attempt) if asked_for is None else asked_for
        with self._lock:
            now = self._clock()
            self._budget.spend(sent_at, now)
            if failure.is_refusal:
                self._rate.refused(sent_at, now)
            if failure.is_stall:
                self._concurrency.stalled(sent_at, now)
            if failure.is_refusal or asked_for is not None or failure.is_outage:
                self._rate.keep_silent(now + wait)
        return wait

    def allows_retry(self, wait: float, end: float) -> bool:
        """Whether an attempt that follows after so many seconds may still be made."""
        now = self._clock()
        return now + wait <= end and not self._budget.is_spent(now)
