"""Output of inspections: checks, plans, statuses and explanations."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime
from decimal import Context, Decimal

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from wholesale.api import SERVICE_SECTION, ServiceFacts, ServiceProfile, ground_of
from wholesale.errors import counted, legible, one_line
from wholesale_elt.cli.output.consoles import minute, run_lines, say
from wholesale_elt.cli.output.jobs import local_times_line
from wholesale_elt.inspect import (
    MART,
    Change,
    Changes,
    Estimate,
    Explanation,
    ListCheck,
    OrderState,
    Overview,
    ServiceCheck,
)
from wholesale_elt.runs import how_to_set

EXACT = Context(prec=38)
"""As many digits as an amount can have."""
MOST_CHANGES = 40
"""Changes at a terminal; programs get all."""
WIDE = 100
"""Columns of a terminal that shows the whole table of `status`."""


def finding_table(findings: Sequence[ListCheck]) -> Table:
    """One row for each list of the service, as `wholesale check` saw it."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("list", "answer", "shape"):
        table.add_column(name)
    table.add_column("records", justify="right")
    table.add_column("sorted by")
    table.add_column("fields not in the description")
    for finding in findings:
        table.add_row(
            finding.resource,
            Text(finding.answer, style="bold red" if finding.is_fault else ""),
            finding.shape or "",
            "" if finding.total is None else f"{finding.total:,}",
            finding.order or "",
            Text(", ".join(map(legible, finding.unknown))),
        )
    return table


def fact_table(profile: ServiceProfile) -> Table:
    """One row for each fact of the service: what it is, and where that comes from."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("what the service does", "value", "origin", "§"):
        table.add_column(name)
    for name, field in ServiceFacts.model_fields.items():
        value = getattr(profile, name)
        is_usual = value == field.get_default(call_default_factory=True)
        shown = ", ".join(sorted(value)) if isinstance(value, frozenset) else str(value)
        if value is None or isinstance(value, bool):
            shown = shown.lower()
        table.add_row(
            name,
            Text(shown, style="" if is_usual else "bold"),
            profile.origin_of(name),
            ground_of(name).section,
        )
    return table


def print_check(console: Console, found: ServiceCheck) -> None:
    """Each list, then what deviates from the description, then every fact of the service."""
    console.print(finding_table(found.lists))
    for finding in found.lists:
        for names, what in (
            (finding.missing, "does not send what the description shows"),
            (finding.misfits, "sends values of another type than the description shows"),
        ):
            if names:
                say(console, f"{finding.resource} {what}: {', '.join(names)}")
    if local_times := [column for finding in found.lists for column in finding.local_times]:
        say(console, local_times_line(local_times))
    console.print(fact_table(found.profile))
    say(
        console,
        f"found in {counted(found.requests, 'request')}; [{SERVICE_SECTION}] in"
        " .dlt/config.toml sets any of these",
    )


def print_plan(console: Console, estimate: Estimate) -> None:
    """One row for each resource: how it would be read, and the work of that."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("resource", no_wrap=True)
    for name in ("requests", "MB"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("how")
    for plan in estimate.plans:
        size = "" if plan.bytes is None else f"{plan.bytes / 1e6:,.1f}"
        table.add_row(plan.resource, f"{plan.requests:,}", size, plan.strategy)
    console.print(table)
    requests = sum(plan.requests for plan in estimate.plans)
    say(console, f"{counted(requests, 'request')}, about {max(1, round(estimate.minutes))} min")


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


def print_explanation(console: Console, explanation: Explanation) -> None:
    """Both sides of an order, and what the next sync does."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("", "stored", "at the service"):
        table.add_column(name, no_wrap=True)
    sides = (explanation.stored, explanation.service)
    for field in fields(OrderState):
        values = [getattr(side, field.name) if side else None for side in sides]
        if any(value is not None for value in values):
            table.add_row(field.name, *map(Text, map(_shown, values)))
    say(console, f"order {explanation.order_id}")
    if any(sides):
        console.print(table)
    say(console, explanation.verdict())
    if explanation.in_mart is not None:
        where = "is in" if explanation.in_mart else "is not in"
        say(console, f"it {where} {MART}")


def print_changes(console: Console, found: Changes) -> None:
    """How many changes of each kind, then each in a line, with what it was and is."""
    kinds = Counter((change.resource, change.kind) for change in found.changes)
    for (resource, kind), count in kinds.items():
        say(console, f"{resource}: {count:,} {kind}")
    for change in found.changes[:MOST_CHANGES]:
        name = legible(change.order_number or change.id)
        of = f"{change.resource} {change.number} of" if change.number else change.resource
        say(console, f"{change.kind}: {of} {name}{_told(change)}")
    if (more := len(found.changes) - MOST_CHANGES) > 0:
        say(console, f"and {more:,} changes more: --json has all of them")
    moments = f"{_shown(found.since)} and {_shown(found.until)}"
    say(console, f"{counted(len(found.changes), 'change')} between {moments}")


def _told(change: Change) -> str:
    """The fields that differ, as they were and are; when the record says so is not told."""
    told = [
        f"{name} {_shown(before)} → {_shown(after)}"
        for name, (before, after) in change.fields.items()
        if name != "updated_at" and change.kind not in ("new", "deleted")
    ]
    return f": {', '.join(told)}" if told else ""


def _shown(value: object) -> str:
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
