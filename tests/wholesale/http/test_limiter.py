"""What one request learns of a service holds for all: slots, silences, and when it is dead."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
import respx

from support.services.script import BASE, KEY, Answer, Script, answer, get, read_strictly
from wholesale.errors import ServiceError, Unavailable
from wholesale.http.client import Client
from wholesale.http.traffic import Traffic
from wholesale.settings import ApiSettings


def test_all_requests_keep_the_silence_that_one_was_asked_for() -> None:
    script = Script([answer(429, Retry_After="50"), answer(200, b"[1]")])

    with script.client(attempts=1) as client:
        with pytest.raises(Unavailable):
            get(client)
        assert get(client) == [1]

    assert script.slept == [50]
    assert script.asked_at == [1000, 1050]


def test_a_silence_beyond_the_deadline_is_tried_once_and_slept_through_by_no_other_request() -> (
    None
):
    script = Script([answer(429, Retry_After="86400")])

    with script.client() as client:
        with pytest.raises(Unavailable):
            get(client)
        with pytest.raises(Unavailable) as failure:
            get(client, "/vendors", page=3)

    assert str(failure.value).startswith("GET /vendors?page=3 was not sent: ")
    assert "429" in str(failure.value)
    assert "86400 s" in str(failure.value)
    assert (script.asked_at, script.slept) == ([1000, 1090], [90])


def test_429_without_retry_after_silences_all_requests_for_our_own_wait() -> None:
    script = Script([answer(429), answer(200, b"[1]")])

    with script.client(attempts=1) as client:
        with pytest.raises(Unavailable):
            get(client)
        assert get(client, "/vendors") == [1]

    assert script.asked_at == [1000, 1001]


def test_a_failure_of_one_request_silences_no_other() -> None:
    script = Script([answer(500), answer(200, b"[1]")])

    with script.client(attempts=1) as client:
        with pytest.raises(Unavailable):
            get(client)
        assert get(client, "/vendors") == [1]

    assert script.asked_at == [1000, 1000]


@pytest.mark.parametrize(
    ("failure", "seconds", "reason"),
    [
        (httpx.ConnectError("refused"), 0.0, "ConnectError: refused"),
        (httpx.ConnectTimeout("silent"), 30.0, "ConnectTimeout: silent"),
        (httpx.ReadTimeout("silent"), 30.0, "ReadTimeout: silent"),
        (answer(503), 1.0, "it answered 503"),
        (answer(200, b"<html>We will be back soon</html>"), 0.2, "body is no JSON"),
    ],
    ids=["refused", "no connection", "no answer", "503", "html"],
)
def test_a_dead_service_is_left_alone_for_the_rest_of_the_run(
    failure: Answer, seconds: float, reason: str
) -> None:
    def take(request: httpx.Request) -> None:
        script.now += min(seconds, request.extensions["timeout"]["read"])

    script = Script([failure], before=take)
    messages = []
    with script.client() as client:
        for number in range(12):
            with pytest.raises(ServiceError) as failed:
                get(client, f"/kind-{number}", read=read_strictly)
            messages.append(str(failed.value))

    assert len(script.asked) <= 24
    assert script.now - 1000 <= 120
    assert messages[-1].startswith("GET /kind-11 was not sent: ")
    assert f"({reason})" in messages[-1]


def test_a_service_that_never_answered_a_probe_either_is_sent_one_request_more() -> None:
    script = Script([httpx.ConnectError("refused")] * 4 + [answer(200, b"[1]")])
    with script.client(attempts=2) as client:
        with pytest.raises(Unavailable):
            get(client)
        assert not client.is_answering("/", {}, Traffic())
        with pytest.raises(Unavailable, match=r"in 1 attempt, .* refused;"):
            get(client)
        with pytest.raises(Unavailable, match=r"was not sent: .* \(ConnectError: refused\)"):
            get(client)
        assert len(script.asked) == 4
        assert client.is_answering("/", {}, Traffic())
        assert get(client) == [1]


def test_lists_that_fail_for_good_keep_no_other_from_being_read() -> None:
    broken = {"/brands", "/prices", "/price_lists"}
    faults = respx.Router(base_url=BASE)
    for path in broken:
        faults.get(path).respond(500)
    faults.get().respond(json=[1])
    script = Script(before=faults.handler)

    outcomes = {}
    with script.client() as client:
        for path in ("/orders", "/brands", "/prices", "/price_lists", "/vendors", "/buyers"):
            try:
                outcomes[path] = get(client, path)
            except Unavailable:
                outcomes[path] = None

    assert outcomes == {path: None if path in broken else [1] for path in outcomes}
    assert len(script.asked) == 3 + 3 * 6


def test_so_many_requests_are_under_way_as_the_limit_allows() -> None:
    arrived = threading.Barrier(4, timeout=120)
    most, under_way, lock = 0, 0, threading.Lock()

    def meet(request: httpx.Request) -> None:
        nonlocal most, under_way
        with lock:
            under_way += 1
            most = max(most, under_way)
        arrived.wait()
        with lock:
            under_way -= 1

    script = Script([answer(200, b"[1]")], before=meet)
    with script.client() as client, ThreadPoolExecutor(12) as pool:
        found = list(pool.map(lambda number: get(client, page=number), range(12)))

    assert found == [[1]] * 12
    assert most == client.limiter.limit == 4


def test_answers_that_time_out_lower_the_limit() -> None:
    script = Script([httpx.ReadTimeout("silent"), answer(200, b"[1]")])

    with script.client() as client:
        assert get(client) == [1]
        assert client.limiter.limit == 2


def broken_exchange(request: httpx.Request) -> httpx.Response:
    raise httpx.ReadError("reset by peer")


@pytest.mark.parametrize(
    "fail",
    [lambda _: answer(429, Retry_After="1"), lambda _: answer(503), broken_exchange],
    ids=["429", "503", "reset"],
)
def test_a_blow_to_all_requests_under_way_is_not_the_death_of_the_service(
    fail: Callable[[httpx.Request], httpx.Response],
) -> None:
    arrived = threading.Barrier(4, timeout=120)
    lock = threading.Lock()
    asked = 0

    def strike(request: httpx.Request) -> httpx.Response:
        nonlocal asked
        with lock:
            asked += 1
            turn = (asked - 1) // 4
        if turn >= 8:
            return answer(200, b"[1]")
        arrived.wait()
        return fail(request)

    settings = ApiSettings.of(base_url=BASE, api_key=KEY, attempts=20, concurrency=4)
    client = Client(settings, transport=httpx.MockTransport(strike), sleep=lambda _: None)
    with client, ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda number: get(client, page=number), range(4)))

    assert (found, asked) == ([[1]] * 4, 8 * 4 + 4)
