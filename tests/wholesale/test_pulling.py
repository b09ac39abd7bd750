"""What a function hands on comes to who asks, in order, and its errors after it."""

import threading
from collections.abc import Callable
from queue import SimpleQueue

import pytest

from wholesale import pulling
from wholesale.pulling import pull


def test_all_is_given_in_order_and_nothing_is_made_long_before_it_is_asked_for() -> None:
    made: list[int] = []

    def count(hand_on: Callable[[int], None]) -> None:
        for number in range(100):
            made.append(number)
            hand_on(number)

    for asked, given in enumerate(pull(count)):
        assert given == asked
        assert len(made) <= asked + 3  # what is asked for, the one ahead, and one that waits

    assert made == list(range(100))


def test_none_is_given_as_any_other() -> None:
    def give(hand_on: Callable[[None], None]) -> None:
        hand_on(None)

    assert list(pull(give)) == [None]


def test_what_was_handed_on_comes_before_the_error() -> None:
    def fail(hand_on: Callable[[str], None]) -> None:
        hand_on("a")
        raise OSError("no answer")

    pulled = pull(fail)
    assert next(pulled) == "a"
    with pytest.raises(OSError, match="no answer"):
        next(pulled)


def test_whoever_leaves_early_ends_the_work_and_its_thread() -> None:
    ended = threading.Event()

    def count(hand_on: Callable[[int], None]) -> None:
        try:
            for number in range(1_000_000):
                hand_on(number)
        finally:
            ended.set()

    pulled = pull(count)
    assert next(pulled) == 0
    pulled.close()  # type: ignore[attr-defined]

    assert ended.is_set()
    assert "read" not in [thread.name for thread in threading.enumerate()]


def test_an_interrupt_does_not_wait_for_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    may_end = threading.Event()

    class Interrupted(SimpleQueue[object]):
        def get(self, *_: object, **__: object) -> object:
            raise KeyboardInterrupt

    monkeypatch.setattr(pulling, "SimpleQueue", Interrupted)

    def wait(hand_on: Callable[[int], None]) -> None:
        may_end.wait(60)

    with pytest.raises(KeyboardInterrupt):
        next(pull(wait))

    (thread,) = (thread for thread in threading.enumerate() if thread.name == "read")
    assert thread.daemon
    may_end.set()
    thread.join()
