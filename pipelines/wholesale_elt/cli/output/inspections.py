"""Output of inspections: checks, plans and explanations."""

from collections.abc import Sequence
from dataclasses import fields

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from wholesale.api import SERVICE_SECTION, ServiceFacts, ServiceProfile, ground_of
from wholesale.errors import counted, legible
from wholesale_elt.cli.output.consoles import say
from wholesale_elt.cli.output.jobs import local_times_line
from wholesale_elt.cli.output.stored import told
from wholesale_elt.inspect import (
    MART,
    Estimate,
    Explanation,
    ListCheck,
    OrderState,
    ServiceCheck,
)


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


def print_explanation(console: Console, explanation: Explanation) -> None:
    """Both sides of an order, and what the next sync does."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("", "stored", "at the service"):
        table.add_column(name, no_wrap=True)
    sides = (explanation.stored, explanation.service)
    for field in fields(OrderState):
        values = [getattr(side, field.name) if side else None for side in sides]
        if any(value is not None for value in values):
            table.add_row(field.name, *map(Text, map(told, values)))
    say(console, f"order {explanation.order_id}")
    if any(sides):
        console.print(table)
    say(console, explanation.verdict())
    if explanation.in_mart is not None:
        where = "is in" if explanation.in_mart else "is not in"
        say(console, f"it {where} {MART}")
