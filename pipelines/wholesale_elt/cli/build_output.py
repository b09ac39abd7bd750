"""What a build and a publication show: steps while it runs, and what it came to."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from wholesale_elt.models import Built, Step
from wholesale_elt.publish import Published
from wholesale_elt.warehouse import Compacted, Warehouse


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


def print_published(console: Console, published: Published) -> None:
    """What came of it in a line, and another one for each thing that is not as it should be."""
    in_force = published.in_force
    if in_force and published.result != "withheld":
        rows = sum(one.rows for one in in_force.tables)
        _say(
            console,
            f"{published.result} in {published.place}: version {in_force.version},"
            f" {len(in_force.tables):,} tables, {rows:,} rows, {in_force.verdict} as of"
            f" {_minute(in_force.as_of)}",
        )
        for reason in in_force.reasons:
            _say(console, f"not certified complete: {reason}")
    for version in published.pruned.read:
        _say(console, f"version {version} is kept because somebody reads it")


def withheld(published: Published) -> str:
    """Why nothing was published, what is in force, and what to do."""
    in_force = published.in_force
    stays = f"version {in_force.version} stays in force" if in_force else "nothing is there yet"
    return (
        "not published: what was built is not certified complete"
        f" ({'; '.join(published.build.reasons)}); in {published.place} {stays}; sync again, or"
        " publish with --even-if-incomplete"
    )


def print_compacted(console: Console, compacted: Compacted | None, warehouse: Warehouse) -> None:
    """How much room the warehouse gave back, if any."""
    if compacted:
        before, after = compacted.before / 1e6, compacted.after / 1e6
        _say(console, f"{warehouse.name} compacted: {before:,.0f} MB before, {after:,.0f} MB now")


def _minute(at: str | None) -> str:
    return f"{datetime.fromisoformat(at):%Y-%m-%d %H:%M} UTC" if at else "no complete sync"


def _say(console: Console, text: str) -> None:
    console.print(text, highlight=False, markup=False, soft_wrap=True)
