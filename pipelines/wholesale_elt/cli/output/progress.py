"""Progress of a run: bars on a terminal, else a line for each tenth."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)

from wholesale.sync import Observe, Tally
from wholesale_elt.cli.output.consoles import Output

SHORTEST_SECONDS = 2.0
"""Least time from which a pace is computed."""


@contextmanager
def sync_progress(output: Output) -> Iterator[Observe]:
    """A function to call with the tally of each reading as it grows; the share and the time left
    are computed from the total that the service states."""
    console = output.errors()
    if output.is_quiet:
        yield lambda tally: None
    elif output.has_bars:
        with Progress(
            TextColumn("{task.description:<20}"),
            BarColumn(bar_width=32),
            TaskProgressColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
        ) as progress:
            yield _bars(progress)
    else:
        yield _lines(output)


def _bars(progress: Progress) -> Observe:
    tasks: dict[str, TaskID] = {}

    def observe(tally: Tally) -> None:
        if not tally.progress:
            return
        name = f"{tally.resource} {tally.progress.step}"
        if name not in tasks:
            tasks[name] = progress.add_task(name, total=None)
        progress.update(tasks[name], completed=tally.progress.done, total=tally.progress.of or None)

    return observe


def _lines(output: Output) -> Observe:
    tenths = Tenths(output)

    def observe(tally: Tally) -> None:
        if tally.progress and tally.progress.of:
            name = f"{tally.resource} {tally.progress.step}"
            tenths.show(name, tally.progress.done, tally.progress.of)

    return observe


@contextmanager
def step_progress(output: Output, what: str) -> Iterator[Callable[[int, int, str], None]]:
    """A function to call with each step of `what`: its number, of how many, and its name."""
    if output.is_quiet:
        yield lambda number, of, name: None
    elif output.has_bars:
        with Progress(
            TextColumn(what),
            BarColumn(bar_width=32),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.description}"),
            console=output.errors(),
            transient=True,
        ) as progress:
            task = progress.add_task("", total=None)
            yield lambda number, of, name: progress.update(
                task, completed=number, total=of, description=name
            )
    else:
        tenths = Tenths(output)
        yield lambda number, of, name: tenths.show(what, number, of)


class Tenths:
    """Prints a line for each further tenth of something; threads may share one.

    `clock` is a seam for tests: a monotonic count of seconds.
    """

    def __init__(self, output: Output, clock: Callable[[], float] = time.monotonic) -> None:
        self._output = output
        self._clock = clock
        self._lock = threading.Lock()
        self._shown: dict[str, int] = {}
        self._began: dict[str, tuple[float, int]] = {}

    def show(self, name: str, done: int, of: int) -> None:
        tenth = 10 * done // of
        with self._lock:
            if self._shown.get(name) in (tenth, tenth + 1):  # another thread may have been faster
                return
            self._shown[name] = tenth
            left = self._seconds_left(name, done, of)
        line, fields = f"{name}: {done:,} of {of:,}", {"step": name, "done": done, "of": of}
        if left is None:
            self._output.progress(line, **fields)
        else:
            self._output.progress(f"{line}, about {_span(left)} left", **fields, seconds_left=left)

    def _seconds_left(self, name: str, done: int, of: int) -> int | None:
        """The seconds left at the pace since it was first shown, at least 1; None while there is
        no pace, or if nothing is left."""
        now = self._clock()
        began, at_first = self._began.setdefault(name, (now, done))
        if done <= at_first:  # it begins, or begins again
            self._began[name] = (now, done)
            return None
        if now - began < SHORTEST_SECONDS or done == of:
            return None
        return max(1, round((now - began) * (of - done) / (done - at_first)))


def _span(seconds: int) -> str:
    return f"{seconds} s" if seconds < 90 else f"{round(seconds / 60)} min"
