"""Stored at the terminal: the status of a warehouse, and what changed in it."""

from collections import Counter
from datetime import datetime
from decimal import Context, Decimal

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from wholesale.errors import counted, legible, one_line
from wholesale_elt.cli.output.consoles import minute, run_lines, say
from wholesale_elt.inspect import Change, Changes, Overview
from wholesale_elt.runs import how_to_set

EXACT = Context(prec=38)
"""As many digits as an amount can have."""
MOST_CHANGES = 40
"""Changes at a terminal; programs get all."""
WIDE = 100
"""Columns of a terminal that shows the whole table of `status`."""


def print_status(console: Console, overview: Overview) -> None:
    """One row for each resource: its records and how far to trust them; then doubts, and commands
    that run or failed."""
    statuses = overview.resources
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("resource", no_wrap=True)
    table.add_column("rows", justify="right", no_wrap=True)
    for name in ("last run (UTC)", "verdict", "complete as of"):
        table.add_column(name, no_wrap=True)
    is_wide = console.width >= WIDE
    if is_wide:
        table.add_column("lag", no_wrap=True)
        table.add_column("silent edits", justify="right", no_wrap=True)
    for status in statuses:
        more = (_lag(status.lag_seconds), _share(status.silent, status.audited))
        table.add_row(
            status.resource,
            "" if status.rows is None else f"{status.rows:,}",
            minute(status.last_run_at),
            Text(
                status.verdict or ("no sync ended" if status.rows else "never synced"),
                style=_style(status.verdict),
            ),
            minute(status.complete_as_of),
            *(more if is_wide else ()),
        )
    console.print(table)
    for status in statuses:
        if status.reason:
            say(console, f"{status.resource} incomplete: {status.reason}")
    for change in overview.changes:
        say(console, f"since run {change.run_id}: {change}")
    for state in overview.unknown_states:
        say(console, str(state))
    if overview.unknown_states:
        say(console, how_to_set(overview.unknown_states))
    for line in run_lines(overview.runs):
        say(console, line)
    if any(run.state == "running" for run in overview.runs):
        seen = overview.observed_at
        say(console, f"as of {minute(seen)} UTC" if seen else "nobody could look yet")


def print_changes(console: Console, found: Changes) -> None:
    """How many changes of each kind, then each in a line, with what it was and is."""
    kinds = Counter((change.resource, change.kind) for change in found.changes)
    for (resource, kind), count in kinds.items():
        say(console, f"{resource}: {count:,} {kind}")
    for change in found.changes[:MOST_CHANGES]:
        name = legible(change.order_number or change.id)
        of = f"{change.resource} {change.number} of" if change.number else change.resource
        say(console, f"{change.kind}: {of} {name}{_fields(change)}")
    if (more := len(found.changes) - MOST_CHANGES) > 0:
        say(console, f"and {more:,} changes more: --json has all of them")
    moments = f"{told(found.since)} and {told(found.until)}"
    say(console, f"{counted(len(found.changes), 'change')} between {moments}")


def _fields(change: Change) -> str:
    """The fields that differ, as they were and are; when the record says so is not told."""
    differing = [
        f"{name} {told(before)} → {told(after)}"
        for name, (before, after) in change.fields.items()
        if name != "updated_at" and change.kind not in ("new", "deleted")
    ]
    return f": {', '.join(differing)}" if differing else ""


def told(value: object) -> str:
    """A value of an order: amounts with at least two decimals, times to the second."""
    match value:
        case None:
            return ""
        case Decimal():
            places = max(2, -int(value.normalize(EXACT).as_tuple().exponent))
            return f"{value:.{places}f}"
        case datetime():
            return f"{value:%Y-%m-%d %H:%M:%S} UTC"
    return one_line(value)


def _style(verdict: str | None) -> str:
    return {"complete": "green", "incomplete": "bold yellow"}.get(verdict or "", "dim")


def _share(silent: int | None, audited: int) -> str:
    return "" if silent is None else f"{silent:,} of {audited:,}"


def _lag(seconds: int | None) -> str:
    if seconds is None:
        return ""
    hours, minutes = divmod(seconds // 60, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
