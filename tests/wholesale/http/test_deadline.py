"""A request has so much time with all its attempts, whatever comes in meanwhile."""

import gzip

import httpx
import pytest

from support.services.script import Pieces, Script, answer, get
from wholesale.errors import ServiceError, Unavailable


def dripping(script: Script, status: int = 200, encoding: str = "identity") -> httpx.Response:
    """An answer that never ends, and of which a byte comes every ten seconds."""

    def pass_time() -> None:
        script.now += 10

    pieces = iter(lambda: b" ", None)
    if encoding == "gzip":
        packed = gzip.compress(bytes(range(256)) * 256, compresslevel=0)
        pieces = (packed[place : place + 1] for place in range(len(packed)))
    body = Pieces(pieces, pass_time)
    return httpx.Response(status, headers={"Content-Encoding": encoding}, stream=body)


@pytest.mark.parametrize("status", [200, 404])
@pytest.mark.parametrize("encoding", ["identity", "gzip"])
def test_a_slow_drip_is_given_up_at_the_deadline(status: int, encoding: str) -> None:
    script = Script(before=lambda request: dripping(script, status, encoding))

    with pytest.raises(ServiceError) as failure:
        get(script.client())

    expected = {200: "the response came too slowly to finish", 404: "answered 404 Not Found"}
    assert expected[status] in str(failure.value)
    assert script.now == 1000 + 130
    assert len(script.asked) == 1


def test_the_deadline_counts_all_attempts_together() -> None:
    answers = iter([answer(429, Retry_After="100")])
    script = Script(before=lambda request: next(answers, None) or dripping(script))

    with pytest.raises(Unavailable, match="in 2 attempts, 130 s: the response came too slowly"):
        get(script.client())


def test_no_attempt_may_last_longer_than_its_request_may() -> None:
    def take_long(request: httpx.Request) -> None:
        script.now += 30

    script = Script([answer(500)], before=take_long)
    with pytest.raises(Unavailable):
        get(script.client(timeout_seconds=40, deadline_seconds=100))

    silences = [(40, 100), (40, 69), (37, 37), (3, 3)]
    timeouts = [request.extensions["timeout"] for request in script.asked]
    assert timeouts == [
        dict.fromkeys(("connect", "read", "write", "pool"), silence) | {"total": total}
        for silence, total in silences
    ]
