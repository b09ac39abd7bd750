"""Each way of delivery says what it says, and no more, in the messages of ASGI."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.types import Message

from wholesale_sandbox.responses import delivery
from wholesale_sandbox.responses.delivery import DRIPS, ClientConnection, Deliver

HEADERS = [(b"content-type", b"application/json")]
BODY = b'{"data":[1,2,3,4,5,6,7,8]}'
HEAD: Message = {"type": "http.response.start", "status": 200, "headers": HEADERS}


class Transport:
    """What a server has under a connection; notes what was done to it."""

    def __init__(self) -> None:
        self.done: list[object] = []

    def close(self) -> None:
        self.done.append("closed")

    def abort(self) -> None:
        self.done.append("aborted")

    def get_extra_info(self, name: str) -> "Transport":
        assert name == "socket"
        return self

    def setsockopt(self, level: int, option: int, value: bytes) -> None:
        self.done.append("without lingering")


def body(part: bytes, *, more: bool = False) -> Message:
    return {"type": "http.response.body", "body": part, "more_body": more}


def delivered(deliver: Deliver, content: bytes = BODY) -> tuple[list[Message], list[object]]:
    """The messages sent and what was done to the transport; the client leaves when asked twice."""
    sent: list[Message] = []
    transport = Transport()
    events: Iterator[str] = iter(["http.request", "http.disconnect"])

    async def receive() -> Message:
        return {"type": next(events)}

    async def send(message: Message) -> None:
        sent.append(message)

    async def deliver_it() -> None:
        scope: dict[str, Any] = {"type": "http", "state": {"transport": transport}}
        await deliver(ClientConnection(scope, receive, send), 200, HEADERS, content)

    asyncio.run(deliver_it())
    return sent, transport.done


def test_a_whole_answer_is_its_head_and_its_body() -> None:
    assert delivered(delivery.whole) == ([HEAD, body(BODY)], [])


def test_a_cut_answer_stops_in_the_middle_of_its_body_unless_there_is_none() -> None:
    assert delivered(delivery.cut) == ([HEAD, body(BODY[:13], more=True)], [])
    assert delivered(delivery.cut, b"") == ([HEAD, body(b"")], [])


def test_a_reset_inside_comes_after_half_of_the_body() -> None:
    assert delivered(delivery.reset_inside) == (
        [HEAD, body(BODY[:13], more=True)],
        ["without lingering", "aborted"],
    )


@pytest.mark.parametrize(
    ("deliver", "done"),
    [
        (delivery.reset, ["without lingering", "aborted"]),
        (delivery.closed, ["closed"]),
        (delivery.silent, []),
    ],
)
def test_nothing_is_said_where_not_even_a_status_goes_out(
    deliver: Deliver, done: list[object]
) -> None:
    assert delivered(deliver) == ([], done)
    assert deliver in delivery.NOTHING_SAID


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that were made; none of them takes any time."""
    made: list[float] = []

    async def sleep(seconds: float) -> None:
        made.append(seconds)

    monkeypatch.setattr("wholesale_sandbox.responses.delivery.asyncio.sleep", sleep)
    return made


def test_a_late_answer_is_whole_after_its_pause(pauses: list[float]) -> None:
    assert delivered(delivery.late(2.5)) == ([HEAD, body(BODY)], [])
    assert pauses == [2.5]


def test_a_dripping_answer_comes_in_pieces_with_a_pause_before_each(pauses: list[float]) -> None:
    content = bytes(range(200))

    (head, *pieces, end), _ = delivered(delivery.dripping(0.5), content)

    assert (head, end) == (HEAD, body(b""))
    assert b"".join(piece["body"] for piece in pieces) == content
    assert all(piece["more_body"] for piece in pieces)
    assert len(pauses) == len(pieces) <= DRIPS
    assert set(pauses) == {0.5}
