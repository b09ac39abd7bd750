"""Rate limit: how soon the next request may be sent, learned from what the service refuses.

Requests are paced: sent one by one, an interval apart (a leaky bucket that holds one). The service
names no rate (§8), so it is measured: what it lets through between refusals (429 Too Many Requests,
RFC 6585 §4; 503 with Retry-After, RFC 9110 §15.6.4), the silences that it asks for included, is
what it can bear. Where such a pace is refused as often, the pace is not the reason, and is dropped.
"""

import math

REFUSALS_BEFORE_A_PACE = 3
"""Refusals between which is measured what is let through."""
MARGIN = 1.5
"""How much slower than measured the requests are sent at first, and after a pace that was refused
soon."""
SMALL_MARGIN, LARGE_MARGIN = 1.05, 2.0
"""How much slower after a pace that was accepted for long."""
FIRST_SPEEDUP, SPEEDUP = 0.05, 0.002
"""How much of the interval each response takes off, until the pace is first refused, and then."""
FEW_RESPONSES = 30
"""A pace that is refused after fewer responses was not accepted at all."""
RESPONSES_BEFORE_A_TRIAL = 1_000
"""Until then the pace stays slower than the one that was refused."""
MISSES = 3
"""After so many paces in a row that were not accepted, something else than the pace is refused."""
PATIENCE = 4
"""By how much more refusals it takes to try a pace again, each time that it was for nothing."""
FIRST_INTERVAL = 0.01
LONGEST_INTERVAL = 2.0


class RateLimit:
    """The pause that the service asks for, and the interval between two requests to it; 0 is none.

    Times are seconds of one clock; the caller holds the lock.
    """

    def __init__(self) -> None:
        self.silent_until = 0.0
        self.interval = 0.0
        self.refused_at: float | None = None
        self._next_at = self._settled_at = 0.0
        self._floor = 0.0
        self._speedup = FIRST_SPEEDUP
        self._accepted = 0
        self._misses = 0
        self._measure_from(0.0, REFUSALS_BEFORE_A_PACE)

    @property
    def requests_a_minute(self) -> int | None:
        """The rate limit to two digits; None while there is none."""
        return int(float(f"{60 / self.interval:.2g}")) if self.interval else None

    def begin(self, requests_a_minute: int) -> None:
        """Start at a rate that an earlier run found, unless this run has learned one already."""
        if self.interval or self.refused_at is not None:
            return
        self.interval = self._floor = min(LONGEST_INTERVAL, 60 / requests_a_minute)

    def wait(self, now: float) -> float:
        """Take the next turn, and return the seconds until it comes."""
        at = max(now, self.silent_until, self._next_at)
        self._next_at = at + self.interval
        return at - now

    def keep_silent(self, until: float) -> None:
        self.silent_until = max(self.silent_until, until)

    def answered(self) -> None:
        """Shrink the interval after a response, the faster the longer no request was refused."""
        self._accepted += 1
        self._measured += 1
        if self._accepted >= RESPONSES_BEFORE_A_TRIAL:
            self._floor = 0.0
        haste = max(1.0, self._accepted / RESPONSES_BEFORE_A_TRIAL)
        faster = self.interval * max(0.0, 1 - self._speedup * haste)
        self.interval = max(faster, min(self.interval, self._floor))

    def refused(self, sent_at: float, now: float) -> None:
        """Slow down after 429 or 503; requests sent before the last refusal do not count."""
        if sent_at < self._settled_at:
            return
        if self.interval:
            self._refuse_pace(now)
        elif self.refused_at is None:
            self._measure_from(now, REFUSALS_BEFORE_A_PACE)
        else:
            self._refuse_without_pace(now)
        self.refused_at = now
        self._settled_at = max(now, self._next_at)
        self._accepted = 0

    def _refuse_pace(self, now: float) -> None:
        is_miss = self._accepted < FEW_RESPONSES
        self._misses = self._misses + 1 if is_miss else 0
        if self._misses > MISSES:
            self.interval, self._misses = 0.0, 0
            self._measure_from(now, self._refusals_needed * PATIENCE)
            return
        # This interval is too short, and that at which responses came, silence included, may be too
        # long: their geometric mean lies between them.
        each = (now - (self.refused_at or now)) / max(1, self._accepted)
        self._floor = self.interval * SMALL_MARGIN
        mean = min(math.sqrt(self.interval * each), self.interval * LARGE_MARGIN)
        slower = self.interval * MARGIN if is_miss else max(self._floor, mean)
        self.interval = min(LONGEST_INTERVAL, slower)
        self._speedup = SPEEDUP

    def _refuse_without_pace(self, now: float) -> None:
        self._refusals += 1
        if self._refusals >= self._refusals_needed:
            each = (now - self._measured_from) / max(1, self._measured)
            self.interval = min(LONGEST_INTERVAL, max(FIRST_INTERVAL, each * MARGIN))
            self._floor = 0.0
            self._speedup = FIRST_SPEEDUP

    def _measure_from(self, now: float, refusals: int) -> None:
        """Measure from now on what is let through, until so many refusals."""
        self._measured_from = now
        self._measured = 0
        self._refusals = 0
        self._refusals_needed = refusals
