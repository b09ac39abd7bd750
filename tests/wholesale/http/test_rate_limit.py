"""The rate settles below what a service refuses, and no request breaks a silence."""

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from wholesale.http.rate_limit import LONGEST_INTERVAL, RateLimit

Allow = Callable[[float], bool]
"""Whether a request that arrives at this time is answered and not refused by 429."""


@dataclass
class Bucket:
    """A limiter as services have it: so many requests a second, and a burst."""

    rate: float
    burst: float
    tokens: float = field(init=False)
    at: float = 0.0

    def __post_init__(self) -> None:
        self.tokens = self.burst

    def __call__(self, now: float) -> bool:
        self.tokens = min(self.burst, self.tokens + (now - self.at) * self.rate)
        self.at = now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True


@dataclass
class Run:
    """Four requests at once of 20 ms each, sent as the rate allows; the time is ours."""

    rate: RateLimit
    allow: Allow
    silence: float
    now: float = 0.0
    outcomes: list[tuple[float, bool]] = field(default_factory=list)

    def until(self, end: float) -> "Run":
        events: list[tuple[float, float, bool]] = []  # what is yet to be sent was sent at -1
        while self.now < end:
            while len(events) < 4:
                heapq.heappush(events, (self.now + self.rate.wait(self.now), -1, False))
            self.now, sent_at, is_answered = heapq.heappop(events)
            if sent_at < 0:
                if self.rate.silent_until > self.now:
                    again = self.now + self.rate.wait(self.now)
                    heapq.heappush(events, (again, -1, False))
                else:
                    done_at = self.now + 0.02
                    heapq.heappush(events, (done_at, self.now, self.allow(self.now)))
                continue
            self.outcomes.append((self.now, is_answered))
            if is_answered:
                self.rate.answered()
            else:
                self.rate.refused(sent_at, self.now)
                self.rate.keep_silent(self.now + self.silence)
        return self

    def since(self, start: float) -> list[bool]:
        return [is_answered for at, is_answered in self.outcomes if at >= start]


@pytest.mark.parametrize("rate", [1.0, 5.0, 20.0, 200.0])
@pytest.mark.parametrize("burst", [1.0, 10.0, 100.0])
def test_a_limited_service_is_used_well_and_hardly_ever_refuses(rate: float, burst: float) -> None:
    run = Run(RateLimit(), Bucket(rate, burst), silence=0.5)
    learned, end = 4000 / rate, 10_000 / rate
    outcomes = run.until(end).since(learned)

    refused = outcomes.count(False)
    assert refused <= 0.01 * len(outcomes)
    assert outcomes.count(True) >= 0.65 * rate * (end - learned - refused * 0.5)


@pytest.mark.parametrize("burst", [1.0, 10.0])
def test_a_service_that_asks_for_long_silences_hardly_ever_has_to(burst: float) -> None:
    run = Run(RateLimit(), Bucket(20, burst), silence=5).until(500)

    assert run.since(200).count(False) <= 0.01 * len(run.since(200))
    assert run.since(200).count(True) >= 0.7 * 20 * 300


def test_a_window_that_is_used_up_at_once_is_spread_out() -> None:
    """Sixty requests a minute, and a Retry-After that leads to the next minute."""

    class Minute:
        left, minute = 60, 0

        def __call__(self, now: float) -> bool:
            if now // 60 != self.minute:
                self.left, self.minute = 60, int(now // 60)
            self.left -= 1
            return self.left >= 0

    run = Run(RateLimit(), Minute(), silence=60).until(7200)

    assert run.since(600).count(False) <= 0.01 * len(run.since(600))
    assert run.since(600).count(True) >= 0.8 * 110 * 60


def test_refusals_at_random_do_not_slow_the_requests_down_for_good() -> None:
    """Where a lower rate is refused as often, it is not the rate that is refused."""
    turns = iter(range(10**9))
    run = Run(RateLimit(), lambda now: next(turns) % 3 != 0, silence=0)
    run.until(100)

    assert len(run.since(50)) >= 0.9 * 50 * 4 / 0.02
    assert run.rate.interval == 0


@pytest.mark.parametrize(("silence", "seconds"), [(0.0, 10), (1.0, 60)])
def test_one_refusal_in_nineteen_costs_little_more_than_the_silences(
    silence: float, seconds: float
) -> None:
    """700 answers, with 37 refusals: a small account, behind a gateway that refuses at random."""
    turns = iter(range(10**9))
    run = Run(RateLimit(), lambda now: next(turns) % 19 != 18, silence=silence).until(300)
    answered = [at for at, is_answered in run.outcomes if is_answered]

    assert answered[700] < seconds


def test_requests_whose_turn_came_before_the_rate_was_lowered_do_not_lower_it_again() -> None:
    rate_limit = RateLimit()
    rate_limit.begin(600)
    turns = [rate_limit.wait(0.0) for _ in range(4)]

    rate_limit.refused(sent_at=turns[0], now=0.05)
    lowered = rate_limit.interval
    for sent_at in turns[1:]:
        rate_limit.refused(sent_at, now=sent_at + 0.05)

    assert turns == pytest.approx([0, 0.1, 0.2, 0.3])
    assert lowered == pytest.approx(0.15)
    assert rate_limit.interval == lowered


def test_a_service_that_refuses_all_is_not_asked_more_and_more_slowly() -> None:
    rate_limit = RateLimit()
    intervals = []
    for _ in range(8):
        now = rate_limit.wait(0.0)
        rate_limit.refused(sent_at=now, now=now)
        intervals.append(rate_limit.interval)

    assert max(intervals) <= LONGEST_INTERVAL
    assert intervals[-1] == 0


def test_nothing_is_sent_before_the_longest_silence_has_passed() -> None:
    rate_limit = RateLimit()
    rate_limit.keep_silent(50)
    rate_limit.keep_silent(20)

    assert (rate_limit.wait(10), rate_limit.wait(49.5), rate_limit.wait(50)) == (40, 0.5, 0)


def test_a_rate_that_an_earlier_run_found_is_begun_with_and_no_more() -> None:
    limit = RateLimit()
    limit.begin(600)
    assert (limit.interval, limit.requests_a_minute) == (0.1, 600)

    limit.refused(sent_at=1.0, now=2.0)
    slower = limit.interval
    limit.begin(600)

    assert limit.interval == slower > 0.1
