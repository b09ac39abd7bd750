"""The limit of requests under way grows where that brings more answers, and only there."""

import heapq
from collections.abc import Callable
from itertools import count, pairwise
from random import Random

import pytest

from wholesale.http.concurrency import START, WINDOWS_BEFORE_NEXT_TRIAL, Concurrency


class Run:
    """Requests under way up to the limit, over a time that only we count.

    `seconds` tells how long a request takes that is sent while so many are under way. No more than
    `most_needed` are sent, whatever the limit.
    """

    def __init__(
        self,
        most: int,
        seconds: Callable[[int], float],
        *,
        is_awaited: bool = True,
        most_needed: int = 1000,
    ) -> None:
        self.concurrency = Concurrency(most)
        self.seconds = seconds
        self.is_awaited = is_awaited
        self.most_needed = most_needed
        self.now = 0.0
        self.answered_at: list[float] = []
        self.limits: list[int] = []

    def until(self, end: float) -> "Run":
        under_way: list[tuple[float, float]] = []
        while self.now < end:
            self.concurrency.is_awaited = self.is_awaited
            while len(under_way) < min(self.concurrency.limit, self.most_needed):
                heapq.heappush(under_way, (self.now + self.seconds(len(under_way) + 1), self.now))
            self.now, sent_at = heapq.heappop(under_way)
            self.concurrency.answered(self.now - sent_at, len(under_way) + 1)
            self.answered_at.append(self.now)
            self.limits.append(self.concurrency.limit)
        return self

    @property
    def limit(self) -> int:
        return self.concurrency.limit


def test_the_limit_grows_to_its_most_where_only_the_way_is_long() -> None:
    run = Run(32, lambda under_way: 0.05).until(10)

    assert run.limit == 32
    assert sum(at > 5 for at in run.answered_at) == pytest.approx(5 * 32 / 0.05, rel=0.05)


def test_the_limit_stays_low_where_requests_only_queue() -> None:
    """One processor serves them one by one: more at once take longer in proportion."""
    run = Run(32, lambda under_way: 0.001 * under_way).until(20)

    assert max(run.limits) <= 2 * START
    assert sum(limit > START for limit in run.limits) <= 0.1 * len(run.limits)


def test_the_limit_stops_growing_where_more_requests_bring_no_more_answers() -> None:
    """Up to 12 at once go side by side; beyond that they queue."""
    run = Run(32, lambda under_way: 0.05 * max(1, under_way / 12)).until(60)

    assert 8 <= run.limit <= 16


def test_the_limit_does_not_stay_above_what_is_sent() -> None:
    run = Run(64, lambda under_way: 0.02, most_needed=6).until(60)

    assert sum(limit > 8 for limit in run.limits) <= 0.1 * len(run.limits)


def test_a_window_that_was_short_by_chance_does_not_raise_the_limit() -> None:
    """Of one processor, whose answers take a third more or less time from window to window."""
    draw = Random(7)
    sent = count()
    paces: list[float] = []

    def seconds(under_way: int) -> float:
        if next(sent) % 100 == 0:
            paces.append(draw.uniform(0.7, 1.3))
        return 0.005 * under_way * paces[-1]

    run = Run(64, seconds).until(300)

    assert sum(limit > START for limit in run.limits) <= 0.1 * len(run.limits)


def test_a_pause_of_this_process_is_not_taken_for_a_slow_service() -> None:
    """Of answers that take a millisecond, twelve in a row are late for what else is done here."""
    sent = count()

    def seconds(under_way: int) -> float:
        return 0.02 if next(sent) % 60 < 12 else 0.001

    run = Run(32, seconds).until(2)

    assert run.limit == 32
    assert sum(limit == 32 for limit in run.limits) > 0.9 * len(run.limits)


def test_a_trial_that_did_not_pay_is_not_repeated_soon() -> None:
    concurrency = Concurrency(8)
    limits = []
    for _ in range(2 * START * WINDOWS_BEFORE_NEXT_TRIAL):
        concurrency.is_awaited = True
        concurrency.answered(0.0125 * concurrency.limit, concurrency.limit)
        limits.append(concurrency.limit)

    changes = [after for before, after in pairwise(limits) if before != after]
    assert changes == [8, 4]


def test_the_limit_does_not_grow_while_nobody_waits() -> None:
    run = Run(32, lambda under_way: 0.05, is_awaited=False).until(10)

    assert max(run.limits) == START


def test_the_limit_is_never_above_the_most_that_is_set() -> None:
    assert Concurrency(1).limit == 1
    assert Run(3, lambda under_way: 0.05).until(5).limit == 3
    assert Run(6, lambda under_way: 0.05).until(5).limit == 6


def test_a_service_that_does_not_keep_up_gets_half_as_many_requests_once() -> None:
    concurrency = Concurrency(32)
    concurrency.stalled(sent_at=0, now=30)
    concurrency.stalled(sent_at=1, now=31)
    concurrency.stalled(sent_at=29, now=32)
    assert concurrency.limit == 2

    concurrency.stalled(sent_at=30, now=60)
    concurrency.stalled(sent_at=60, now=90)
    assert concurrency.limit == 1


def test_after_a_stall_the_limit_grows_by_one() -> None:
    concurrency = Concurrency(32)
    concurrency.stalled(sent_at=0, now=30)
    limits = [concurrency.limit]
    for _ in range(60):
        concurrency.is_awaited = True
        concurrency.answered(0.06, concurrency.limit)
        limits.append(concurrency.limit)

    assert sorted(set(limits)) == [2, 3, 4, 5, 6, 7]
    assert limits == sorted(limits)
