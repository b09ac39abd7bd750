"""Progress of a run: bars on a terminal, a line each tenth of the way elsewhere."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from wholesale.sync import Observe, Report
from wholesale_elt.cli.output.consoles import Output

if TYPE_CHECKING:
    from wholesale_elt.models import Step


@contextmanager
def sync_progress(output: Output) -> Iterator[Observe]:
    """What to call with each report as it grows; the share and the time left are true ones,
    from the number of records that the service says there are."""
    console = output.errors()
    if output.is_quiet:
        yield lambda report: None
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

    def observe(report: Report) -> None:
        if not report.progress:
            return
        name = f"{report.resource} {report.progress.step}"
        if name not in tasks:
            tasks[name] = progress.add_task(name, total=None)
        progress.update(
            tasks[name], completed=report.progress.done, total=report.progress.of or None
        )

    return observe


def _lines(output: Output) -> Observe:
    tenths = Tenths(output)

    def observe(report: Report) -> None:
        if report.progress and report.progress.of:
            name = f"{report.resource} {report.progress.step}"
            tenths.show(name, report.progress.done, report.progress.of)

    return observe


@contextmanager
def build_progress(output: Output) -> Iterator[Callable[["Step"], None]]:
    """What to call with each model or test that begins."""
    console = output.errors()
    if output.is_quiet:
        yield lambda step: None
    elif output.has_bars:
        with Progress(
            TextColumn("models and tests"),
            BarColumn(bar_width=32),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.description}"),
            console=console,
            transient=True,
        ) as progress:
            task = progress.add_task("", total=None)
            yield lambda step: progress.update(
                task, completed=step.number, total=step.of, description=step.name
            )
    else:
        tenths = Tenths(output)
        yield lambda step: tenths.show("models and tests", step.number, step.of)


class Tenths:
    """A line whenever something has come another tenth further; threads may share one."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._lock = threading.Lock()
        self._shown: dict[str, int] = {}

    def show(self, name: str, done: int, of: int) -> None:
        tenth = 10 * done // of
        with self._lock:
            if self._shown.get(name) in (tenth, tenth + 1):  # of two threads one may come late
                return
            self._shown[name] = tenth
        self._output.progress(f"{name}: {done:,} of {of:,}", step=name, done=done, of=of)
