"""What a build shows: its steps while it runs, and what it came to."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from wholesale_elt.build import Built, Step
from wholesale_elt.warehouse import Warehouse


@contextmanager
def steps_shown(console: Console, *, quiet: bool = False) -> Iterator[Callable[[Step], None]]:
    """What to call with each step: a bar on a terminal, a line each tenth elsewhere."""
    if quiet:
        yield lambda step: None
    elif console.is_terminal:
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
        yield _lines(console)


def _lines(console: Console) -> Callable[[Step], None]:
    said = 0

    def observe(step: Step) -> None:
        nonlocal said
        tenth = 10 * step.number // step.of
        if tenth > said:
            said = tenth
            console.print(f"models and tests: {step.number:,} of {step.of:,}", highlight=False)

    return observe


def print_built(console: Console, built: Built, warehouse: Warehouse) -> None:
    """The verdict in a line, and a line for each test that warns."""
    for warning in built.warnings:
        _say(console, f"warning: {warning.test}: {warning.rows:,} rows")
    doubts = f"{len(built.warnings):,} of them warn" if built.warnings else "none warns"
    _say(
        console,
        f"{built.models:,} models built, {built.tests:,} tests passed ({doubts}): published in"
        f" {warehouse.name}, schemas wholesale_marts and wholesale_bi",
    )


def _say(console: Console, text: str) -> None:
    console.print(text, highlight=False, markup=False, soft_wrap=True)
