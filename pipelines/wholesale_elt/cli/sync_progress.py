"""Progress of a run: bars on a terminal, a line a kind elsewhere."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)

from wholesale.sync import Observe, Report


@contextmanager
def shown(console: Console, *, quiet: bool = False) -> Iterator[Observe]:
    """What to call with each report as it grows; the share and the time left are true ones,
    from the number of records that the service says there are."""
    if quiet:
        yield lambda report: None
    elif console.is_terminal:
        with _bars(console) as progress:
            yield _Bars(progress)
    else:
        yield _Lines(console)


def _bars(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description:<20}"),
        BarColumn(bar_width=32),
        TaskProgressColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )


class _Bars:
    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._tasks: dict[str, TaskID] = {}

    def __call__(self, report: Report) -> None:
        if not report.progress:
            return
        name = f"{report.resource} {report.progress.step}"
        if name not in self._tasks:
            self._tasks[name] = self._progress.add_task(name, total=None)
        self._progress.update(
            self._tasks[name], completed=report.progress.done, total=report.progress.of or None
        )


class _Lines:
    """A line whenever a kind has come another tenth further."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._lock = threading.Lock()
        self._tenths: dict[str, int] = {}

    def __call__(self, report: Report) -> None:
        if not report.progress or not report.progress.of:
            return
        name = f"{report.resource} {report.progress.step}"
        tenth = 10 * report.progress.done // report.progress.of
        with self._lock:
            if self._tenths.get(name) == tenth:
                return
            self._tenths[name] = tenth
        self._console.print(
            f"{name}: {report.progress.done:,} of {report.progress.of:,}", highlight=False
        )
