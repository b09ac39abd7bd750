"""A storm is outlasted and a dead service is left alone, whatever asks for what."""

import random

import httpx
import pytest
import respx

from support.services.script import BASE, Answer, Script, answer, get, read_strictly
from wholesale.errors import Forbidden, Unavailable
from wholesale.http.limiter import CONSEQUENCE_SECONDS
from wholesale.http.retries import (
    BAN_SECONDS,
    PATIENCE_AT_AN_OUTAGE,
    RETRY_BUDGET,
    RetryBudget,
)
from wholesale.http.traffic import Traffic


def test_a_service_without_an_answer_is_allowed_so_many_failures_and_no_more() -> None:
    budget = RetryBudget(120)
    allowed = 0
    while not budget.is_spent(0):
        budget.spend(0, 0)
        allowed += 1

    assert allowed == RETRY_BUDGET


def test_a_service_without_an_answer_has_so_much_time_and_no_more() -> None:
    budget = RetryBudget(120)
    budget.spend(began_at=1000, now=1030)
    budget.spend(began_at=1030, now=1060)

    assert [budget.is_spent(now) for now in (1000, 1119.9, 1120)] == [False, False, True]
    assert budget.end(1050) == 1120, "a request that starts late has only what is left"


def test_an_answer_gives_the_whole_time_back_and_one_failure() -> None:
    budget = RetryBudget(120)
    for _ in range(RETRY_BUDGET - 1):
        budget.spend(began_at=1000, now=1000)
    budget.earn()

    assert not budget.is_spent(5000)
    assert (budget.left, budget.end(5000)) == (2, 5120)


def test_answers_in_good_times_are_not_saved_up() -> None:
    budget = RetryBudget(120)
    for _ in range(1000):
        budget.earn()

    assert budget.left == RETRY_BUDGET


@pytest.mark.parametrize("seed", range(20))
def test_a_storm_in_which_a_third_fails_is_never_taken_for_a_dead_service(seed: int) -> None:
    budget, chance = RetryBudget(120), random.Random(seed)
    for _ in range(20_000):
        if chance.random() < 0.33:
            budget.spend(0, 0)
        else:
            budget.earn()
        assert not budget.is_spent(0)


def test_a_service_that_mostly_fails_is_given_up() -> None:
    budget, chance = RetryBudget(120), random.Random(1)
    asked = 0
    while not budget.is_spent(0):
        asked += 1
        budget.spend(0, 0) if chance.random() < 0.75 else budget.earn()

    assert asked < 200


def test_requests_that_fail_together_count_as_one_failure() -> None:
    """A service that restarts breaks all connections at once, and is back a moment later."""
    budget = RetryBudget(120)
    for number in range(64):
        budget.spend(began_at=1000 + number / 1000, now=1001 + number / 1000)
    assert budget.left == RETRY_BUDGET - 1

    budget.spend(began_at=1001, now=1002)
    assert budget.left == RETRY_BUDGET - 2


@pytest.fixture
def faults() -> respx.Router:
    """What goes wrong on the way to the service, by the routes that a test adds."""
    return respx.Router(base_url=BASE)


PASSING = [408, 420, 425, 429, 430, 499, 500, 502, 504, 507, 508, 509, 520, 529, 599]


@pytest.mark.parametrize("status", PASSING)
def test_a_passing_trouble_is_tried_again_and_then_given_up(
    faults: respx.Router, status: int
) -> None:
    route = faults.get("/orders").respond(status, html="<html>trouble</html>")

    with pytest.raises(Unavailable) as failure:
        get(Script(before=faults.handler).client(attempts=3), page=7)

    assert str(failure.value) == (
        f"GET /orders?page=7 got no usable response in 3 attempts, 3 s: it answered {status};"
        " check that the service at service.test:443 is up, then run again"
    )
    assert route.call_count == 3


def test_retries_wait_a_bounded_random_while(
    faults: respx.Router, jitter: list[tuple[float, float]]
) -> None:
    faults.get("/orders").respond(502)
    script = Script(before=faults.handler)

    with pytest.raises(Unavailable):
        get(script.client(attempts=8, deadline_seconds=1000))

    assert jitter[:7] == [(0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (0, 20), (0, 20)]
    assert script.slept == [1, 2, 4, 8, 16, 20, 20]


@pytest.mark.parametrize("status", [503, 511])
def test_a_service_that_is_maintained_is_waited_for_by_all_requests_together(status: int) -> None:
    back_at = 1000.0 + 100
    script = Script()
    script.before = lambda request: answer(status if script.now < back_at else 200)

    with script.client(attempts=6) as client:
        assert get(client) == []

    assert script.now >= back_at
    assert len(script.asked) <= 6 * PATIENCE_AT_AN_OUTAGE


def test_who_is_shut_out_after_asking_too_fast_waits_until_it_is_over() -> None:
    answers = iter([answer(429), *[answer(403)] * 3, answer(200)])
    script = Script(before=lambda request: next(answers))

    with script.client(attempts=6) as client:
        assert get(client) == []

    assert script.slept[1:] == [BAN_SECONDS] * 3


def test_a_refusal_long_after_a_throttling_is_one() -> None:
    answers = iter([answer(429), answer(200), *[answer(403)] * 2])
    script = Script(before=lambda request: next(answers))

    with script.client() as client:
        get(client)
        script.now += CONSEQUENCE_SECONDS
        with pytest.raises(Forbidden):
            get(client)


def test_a_dead_service_is_given_up_within_the_deadline(faults: respx.Router) -> None:
    def refuse(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("connection refused")

    route = faults.get("/orders").mock(side_effect=refuse)
    script = Script(before=faults.handler)

    with pytest.raises(Unavailable, match="ConnectError: connection refused"):
        get(script.client(attempts=100))

    assert script.now - 1000 <= 120
    assert route.call_count <= 30


@pytest.mark.parametrize(
    "failure",
    [
        httpx.ConnectError("refused"),
        httpx.ConnectTimeout("slow"),
        httpx.ReadTimeout("silent"),
        httpx.ReadError("reset by peer"),
        httpx.RemoteProtocolError("closed without an answer"),
        httpx.PoolTimeout("busy"),
    ],
)
def test_a_broken_exchange_is_tried_again(faults: respx.Router, failure: Exception) -> None:
    answers: list[Answer] = [failure, failure, httpx.Response(200, json=[1])]
    route = faults.get("/orders").mock(side_effect=iter(answers))

    assert get(Script(before=faults.handler).client()) == [1]
    assert route.call_count == 3


@pytest.mark.parametrize("wait", ["7", " 7 "])
@pytest.mark.parametrize("status", [*PASSING, 503, 511, 203, 207])
def test_retry_after_in_seconds_is_kept(status: int, wait: str) -> None:
    script = Script([answer(status, Retry_After=wait), answer(200, b"[1]")])

    assert get(script.client()) == [1]
    assert script.slept == [7]


@pytest.mark.parametrize(
    "wait", ["0", "Wed, 21 Oct 2015 07:28:00 GMT", "Wed, 21 Oct 2015 07:28:00"]
)
def test_retry_after_that_is_over_asks_for_no_wait(wait: str) -> None:
    script = Script([answer(429, Retry_After=wait), answer(200, b"[1]")])

    assert get(script.client()) == [1]
    assert script.slept == [0]


@pytest.mark.parametrize(
    "wait",
    [
        "",
        "-5",
        "soon",
        "1.5",
        "٣",
        "Wed, 99 Oct 2015 07:28:00 GMT",
        "Mon, 01 Jan 99999999999999999999 00:00:00 GMT",
        "Mon, 01 Jan 2020 00:00:00 +99999999999999",
    ],
)
def test_retry_after_that_means_nothing_leaves_our_own_wait(wait: str) -> None:
    refusal = httpx.Response(
        429, headers={b"Retry-After": wait.encode()}, stream=httpx.ByteStream(b"")
    )
    script = Script([refusal, answer(200, b"[1]")])

    assert get(script.client()) == [1]
    assert script.slept == [1]


@pytest.mark.parametrize(
    "clock", ["Wed, 21 Oct 2015 07:28:00 GMT", "Fri, 31 Dec 9999 23:58:00 GMT"]
)
def test_retry_after_as_a_date_counts_by_the_clock_of_the_service(clock: str) -> None:
    later = clock.replace(":00 GMT", ":03 GMT")
    script = Script([answer(429, Date=clock, Retry_After=later), answer(200, b"[1]")])

    assert get(script.client()) == [1]
    assert script.slept == [3]


@pytest.mark.parametrize("status", [420, 429, 430, 509])
def test_all_that_mean_too_many_requests_slow_all_requests_down(status: int) -> None:
    script = Script([*[answer(status, Retry_After="1")] * 4, answer(200)])
    traffic = Traffic()

    with script.client() as client:
        client.get("/orders", {}, read=read_strictly, traffic=traffic)

        assert client.limiter.requests_a_minute
    assert traffic.throttled == 4


def test_403_that_asks_to_wait_is_a_throttling() -> None:
    script = Script([answer(403, Retry_After="3"), answer(200, b"[1]")])

    assert get(script.client()) == [1]
    assert script.slept == [3]


@pytest.mark.parametrize("wait", ["86400", "9" * 400, "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_retry_after_beyond_the_deadline_is_cut_and_tried_once_more(wait: str) -> None:
    refused = Script([answer(429, Retry_After=wait)])
    forgiven = Script([answer(429, Retry_After=wait), answer(200, b"[1]")])

    with pytest.raises(Unavailable, match="in 2 attempts, 90 s: it answered 429 and asks to wait"):
        get(refused.client())
    assert get(forgiven.client()) == [1]

    assert (refused.slept, forgiven.slept) == ([90], [90])


def test_a_storm_is_outlasted_with_one_more_request_for_each_failure(
    faults: respx.Router,
) -> None:
    """Every third page fails when it is asked for first, in one of seven ways."""
    failures: list[Answer] = [
        answer(500),
        answer(502, b"<html>"),
        answer(503, Retry_After="1"),
        answer(429, Retry_After="1"),
        answer(200, b'[{"id":'),
        answer(200, b""),
        httpx.ReadError("reset by peer"),
    ]
    seen: set[int] = set()
    silent_until = 0.0

    def fail_first(request: httpx.Request) -> httpx.Response:
        nonlocal silent_until
        assert script.now >= silent_until, "asked before the silence was over"
        number = int(request.url.params["page"])
        if number % 3 or number in seen:
            return httpx.Response(200, json=[number])
        seen.add(number)
        failure = failures[number // 3 % len(failures)]
        if isinstance(failure, Exception):
            raise failure
        if failure.headers.get("Retry-After"):
            silent_until = script.now + 1
        return failure

    faults.get("/orders").mock(side_effect=fail_first)
    script = Script(before=faults.handler)
    traffic = Traffic()
    with script.client() as client:
        found = [
            client.get("/orders", {"page": page}, read=read_strictly, traffic=traffic)
            for page in range(600)
        ]

    assert found == [[page] for page in range(600)]
    assert (traffic.requests, traffic.retries) == (800, 200)
