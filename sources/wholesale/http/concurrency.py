"""Concurrency: how many requests may be under way at once, learned from how soon responses come.

An adaptive concurrency limit with additive increase and multiplicative decrease (AIMD), as TCP
governs its window: slow start from a small limit, half of it when the service stalls, one by one
from there.
"""

START = 4
"""Before anything is known of the service."""
WORTH = 0.3
"""Which share of the gain that it promises a higher limit must bring: at twice the limit, 30 % more
responses a second."""
WINDOW_SECONDS = 0.1
"""Shorter windows measure noise: other work of this process takes as long as many a response."""
WINDOWS_BEFORE_NEXT_TRIAL = 32


class Concurrency:
    """A limit that grows while whoever needs the responses waits for them and a higher one pays.

    By Little's law (under way = rate x seconds) `under way / seconds` responses come a second:
    where requests queue, at the service or in this process, their seconds grow as the limit does;
    where fewer are sent than it allows, no more are under way. In both cases a higher one is given
    up again. Times are seconds of one clock; the caller holds the lock.
    """

    def __init__(self, most: int) -> None:
        self.limit = min(START, most)
        self.is_awaited = False
        self._most = most
        self._responses = 0
        self._seconds = 0.0
        self._under_way = 0
        self._best = 0.0
        self._before: tuple[int, float] | None = None
        self._windows_to_wait = 0
        self._may_double = True
        self._stalled_at = float("-inf")

    def answered(self, seconds: float, under_way: int) -> None:
        """Take note of a usable response: how long it took, and how many requests, its own
        included, were under way when it came."""
        self._responses += 1
        if self._responses > 0:
            self._seconds += seconds
            self._under_way += under_way
        if self._responses >= 2 * self.limit and self._seconds >= WINDOW_SECONDS * self.limit:
            self._judge(self._under_way / max(self._seconds, 1e-9))

    def stalled(self, sent_at: float, now: float) -> None:
        """Halve the limit after a request that timed out; from here on it grows by one."""
        if sent_at >= self._stalled_at:
            self._stalled_at = now
            self._may_double = False
            self._before = None
            self._change(max(1, self.limit // 2))

    def _judge(self, responses_a_second: float) -> None:
        """Go back to the limit before this one if it did not pay; try a higher one in time. It is
        compared with the best that the one before brought, as one window tells little."""
        before, self._before = self._before, None
        self._best = max(self._best, responses_a_second)
        limit = self.limit
        self._windows_to_wait -= 1
        if before and responses_a_second < before[1] * (1 + WORTH * (limit / before[0] - 1)):
            self._windows_to_wait = WINDOWS_BEFORE_NEXT_TRIAL
            limit = before[0]
        elif self.is_awaited and limit < self._most and self._windows_to_wait <= 0:
            self._before = limit, self._best
            limit = min(self._most, limit * 2 if self._may_double else limit + 1)
        self.is_awaited = False
        self._change(limit)

    def _change(self, limit: int) -> None:
        # Requests under way began under the other limit and say nothing of this one.
        if limit != self.limit:
            self._best = 0.0
        self._responses = 0 if limit == self.limit else -limit
        self._seconds, self._under_way = 0.0, 0
        self.limit = limit
