"""Rate limit: how soon the next request may be sent, learned from what the service refuses.

Requests are paced: sent one by one, an interval apart (a leaky bucket that holds one). The service
names no rate (§8), so it is probed as TCP probes a path: a refusal (429 Too Many Requests, RFC 6585
§4; 503 with Retry-After, RFC 9110 §15.6.4) cuts it at once, each answer raises it a little.
"""

import math

SLOWDOWN = 0.95
"""Factor by which a rate falls that the service had accepted for long before it refused it."""
SPEEDUP = 0.001
"""How much of the interval between requests each answer takes off."""
ANSWERS_OF_A_GOOD_RATE = 500
"""A rate that is refused after fewer answers was far too high."""
ANSWERS_BEFORE_A_TRIAL = 1_000
"""Until then the rate stays below the one that was refused."""
FEW_ANSWERS = 10
MISSES = 12
"""After so many refusals in a row, each after few answers, something else than the rate is refused:
the limit is dropped."""
FIRST_INTERVAL = 0.005
LONGEST_INTERVAL = 2.0


class RateLimit:
    """The pause that the service asks for, and the interval between two requests to it.

    There is no interval until the service refuses a request. Then it is the one that was accepted
    before, and shrinks with each answer until the service refuses again. Times are seconds of one
    clock; the caller holds the lock.
    """

    def __init__(self) -> None:
        self.silent_until = 0.0
        self.interval = 0.0
        self._next_at = 0.0
        self.refused_at: float | None = None
        self._refused_interval = 0.0
        self._began_at: float | None = None
        self._accepted = 0
        self._misses = 0

    @property
    def requests_a_minute(self) -> int | None:
        """The rate limit to two digits; None while there is none."""
        return int(float(f"{60 / self.interval:.2g}")) if self.interval else None

    def begin(self, requests_a_minute: int) -> None:
        """Start at a rate that an earlier run found, unless this run has learned one already."""
        if self.interval or self.refused_at is not None:
            return
        self.interval = min(LONGEST_INTERVAL, 60 / requests_a_minute)
        self._refused_interval = self.interval

    def wait(self, now: float) -> float:
        """Take the next turn, and return the seconds until it comes."""
        at = max(now, self.silent_until, self._next_at)
        self._next_at = at + self.interval
        if self._began_at is None:
            self._began_at = at
        return at - now

    def keep_silent(self, until: float) -> None:
        self.silent_until = max(self.silent_until, until)

    def answered(self) -> None:
        """Shrink the interval after an answer, the faster the longer no request was refused."""
        self._accepted += 1
        if self.interval:
            haste = max(1.0, self._accepted / ANSWERS_BEFORE_A_TRIAL)
            faster = self.interval * max(0.0, 1 - SPEEDUP * haste)
            is_trial = self._accepted >= ANSWERS_BEFORE_A_TRIAL
            self.interval = faster if is_trial else max(faster, self._refused_interval)

    def refused(self, sent_at: float, now: float) -> None:
        """Slow down after 429 or 503; requests sent before the last slowdown do not count."""
        if self.refused_at is not None and sent_at < self.refused_at:
            return
        self._misses = self._misses + 1 if self._accepted < FEW_ANSWERS else 0
        interval = self._interval_until(now)
        if self._misses >= MISSES:
            self.interval = 0.0
        elif self._accepted < ANSWERS_OF_A_GOOD_RATE:
            self.interval = min(LONGEST_INTERVAL, self._longer(interval, now))
        else:
            self.interval = interval / SLOWDOWN
        # Until a trial it gets no shorter than the geometric mean of the refused and a longer one.
        self._refused_interval = min(self.interval, interval / math.sqrt(SLOWDOWN))
        self._began_at = None
        self.refused_at = now
        self._accepted = 0

    def _interval_until(self, now: float) -> float:
        """The interval at which requests were sent since the last refusal, at the least."""
        if self.interval or not self._accepted or self._began_at is None:
            return self.interval or FIRST_INTERVAL
        return (now - self._began_at) / self._accepted

    def _longer(self, interval: float, now: float) -> float:
        """A longer interval after a rate that was far too high.

        The interval that was refused is too short. The time since the refusal before it, pause
        included, divided by the answers in that time is too long. The new interval is the
        geometric mean of the two.
        """
        if not self._accepted or self.refused_at is None:
            return interval * 2
        with_silence = (now - self.refused_at) / self._accepted
        return max(interval / SLOWDOWN, math.sqrt(interval * with_silence))
