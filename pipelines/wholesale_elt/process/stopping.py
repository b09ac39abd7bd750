"""Stopping: a command that is asked to stop ends within seconds, and its journal says what did it.

A signal raises KeyboardInterrupt in the main thread, once. What then still waits, as for a thread
that waits for the service, would wait for minutes: after some seconds the process ends as if it had
been killed, which leaves a warehouse whole.
"""

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import NoReturn

from wholesale_elt.process.journal import end_open

MOST_SECONDS = "WHOLESALE_MOST_SECONDS"
"""The environment variable with the time that a command may take, which ends with it also where
nobody watches it any more."""
GRACE = 8.0
"""Seconds in which a command that was stopped ends by itself; less than the ten that containers are
given."""
HAS_TIMER = hasattr(signal, "setitimer")
"""Whether the system has one; Windows, where nothing that works for long is run, has none."""
LONGEST = 1e8
"""Seconds that every system takes for a timer: three years."""
REASONS = {signal.SIGTERM: " by SIGTERM", signal.SIGINT: ""}
TOLD = "stopped{reason}{then}"

_reason = ""
_then = ""
_say: Callable[[str], None] | None = None


def obey() -> None:
    """From now on end when SIGTERM, Ctrl-C or the end of the time that is given says so."""
    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGINT, _stop)
    if (seconds := os.environ.pop(MOST_SECONDS, None)) and HAS_TIMER:
        signal.signal(signal.SIGALRM, _stop)
        signal.setitimer(signal.ITIMER_REAL, min(float(seconds), LONGEST))
        REASONS[signal.SIGALRM] = f", as it took longer than {float(seconds) / 60:g} minutes"


def serve(leave: Callable[[], object]) -> None:
    """From now on end with 0, at once, after a call of `leave`, when SIGTERM or Ctrl-C says so: a
    server that is stopped has done its work, and may wait for questions where nothing stops it."""

    def end(*_: object) -> NoReturn:
        leave()
        os._exit(0)

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)


def how_it_stopped() -> str:
    """What a command that was stopped says: what stopped it, and what to do, if it told that."""
    return TOLD.format(reason=_reason, then=_then)


def say_at_the_end(say: Callable[[str], None], then: str) -> None:
    """Call this with the message if the process does not end by itself after it was stopped. `then`
    is what the message tells of a command that does not leave everything as it was, and of what to
    do."""
    global _say, _then
    _say, _then = say, f"; {then}" if then else ""


def wait_for_others() -> None:
    """Take as long as it needs from now on: it waits for processes that end by themselves."""
    if HAS_TIMER:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _stop(number: int, _: FrameType | None) -> NoReturn:
    """As Ctrl-C, but once: systemd and others send a signal to all processes, and some send two."""
    global _reason
    _reason = REASONS[signal.Signals(number)]
    for other in (signal.SIGTERM, signal.SIGINT):
        signal.signal(other, signal.SIG_IGN)
    if HAS_TIMER:
        signal.signal(signal.SIGALRM, _end)
        signal.setitimer(signal.ITIMER_REAL, GRACE)
    raise KeyboardInterrupt


def _end(number: int, _: FrameType | None) -> NoReturn:
    """End at once, with the last words of the command."""
    message = how_it_stopped()
    end_open(1, message)
    with suppress(Exception):  # the stream may be in use by what is under way
        if _say:
            _say(message)
    os._exit(1)
