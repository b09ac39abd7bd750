"""A command that is asked to stop ends in its time, by itself or not, and says what stopped it."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from wholesale_elt.process import stopping
from wholesale_elt.process.journal import Journal

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGALRM)
LONG = 600


class Ended(BaseException):
    """The process has ended, with this exit code."""


@pytest.fixture(autouse=True)
def _as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def end(code: int) -> NoReturn:
        raise Ended(code)

    monkeypatch.setattr(os, "_exit", end)
    for name in ("_reason", "_say", "_then"):
        monkeypatch.setattr(stopping, name, getattr(stopping, name))
    monkeypatch.setattr(stopping, "REASONS", dict(stopping.REASONS))
    handlers = [signal.getsignal(number) for number in SIGNALS]
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    for number, handler in zip(SIGNALS, handlers, strict=True):
        signal.signal(number, handler)


@pytest.mark.parametrize(("number", "is_named"), [(signal.SIGTERM, True), (signal.SIGINT, False)])
def test_a_signal_stops_it_once_and_is_named(number: signal.Signals, is_named: bool) -> None:
    stopping.obey()

    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(number)
    for again in (signal.SIGTERM, signal.SIGINT):
        signal.raise_signal(again)

    assert ("SIGTERM" in stopping.how_it_stopped()) == is_named


def test_only_a_command_that_has_something_to_tell_of_its_work_tells_it() -> None:
    stopping.say_at_the_end(print, "")
    assert stopping.how_it_stopped() == "stopped"

    stopping.say_at_the_end(print, "run again")
    assert stopping.how_it_stopped() == "stopped; run again"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_stopped_ends_well(number: signal.Signals) -> None:
    left: list[bool] = []
    stopping.obey()
    stopping.serve(lambda: left.append(True))

    with pytest.raises(Ended) as ended:
        signal.raise_signal(number)

    assert (ended.value.args, left) == ((0,), [True])


def test_a_command_that_has_so_much_time_ends_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(stopping.MOST_SECONDS, "0.06")
    stopping.obey()

    with pytest.raises(KeyboardInterrupt):
        time.sleep(LONG)

    assert "0.001 minutes" in stopping.how_it_stopped()
    assert stopping.MOST_SECONDS not in os.environ, "what it starts is not under that limit"


def _be_stopped_and_wait() -> None:
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGTERM)
    time.sleep(LONG)


def test_one_that_has_no_last_words_ends_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopping, "GRACE", 0.05)
    monkeypatch.setattr(stopping, "_say", None)
    stopping.obey()

    with pytest.raises(Ended):
        _be_stopped_and_wait()


@pytest.mark.parametrize("fails", [False, True])
def test_one_that_goes_on_waiting_is_ended_with_a_journal_that_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    said: list[str] = []

    def say(message: str) -> None:
        said.append(message)
        if fails:
            raise OSError

    monkeypatch.setattr(stopping, "GRACE", 0.05)
    stopping.obey()
    stopping.say_at_the_end(say, "")
    with Journal(tmp_path).note("sync"), pytest.raises(Ended) as ended:
        _be_stopped_and_wait()

    (entry,) = Journal(tmp_path).entries()
    assert (entry.state, entry.exit_code, [entry.message]) == ("ended", 1, said)
    assert (ended.value.args, "SIGTERM" in said[0]) == ((1,), True)


def test_one_that_waits_for_processes_of_its_own_takes_its_time() -> None:
    stopping.obey()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGTERM)

    stopping.wait_for_others()

    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_a_system_without_a_timer_stops_at_once_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopping, "HAS_TIMER", False)
    monkeypatch.setenv(stopping.MOST_SECONDS, "0.01")
    stopping.obey()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGTERM)
    stopping.wait_for_others()

    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert stopping.MOST_SECONDS not in os.environ
