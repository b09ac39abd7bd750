"""Output of jobs: the results of a sync, a build and a publication, and where to look next."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from wholesale.api import set_to
from wholesale.errors import counted, legible
from wholesale_elt.cli.output.answers import late_order, print_answer, print_answers
from wholesale_elt.cli.output.consoles import minute, say

if TYPE_CHECKING:
    from wholesale_elt.load import Outcome, Reread
    from wholesale_elt.models import Built
    from wholesale_elt.monitoring import Summary
    from wholesale_elt.publish import Published, Site
    from wholesale_elt.warehouse import Compacted, Warehouse

DATABASE = "wholesale.duckdb"
MOST_FIELDS = 10
"""So many fields of a table are named, of which values did not fit."""


def outcome_table(outcome: "Outcome") -> Table:
    """One row for each resource: records, how many of them new, and the verdict."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("resource")
    for name in ("records", "new", "changed", "deleted", "requests"):
        table.add_column(name, justify="right")
    table.add_column("verdict")
    for certificate in outcome.certificates:
        is_complete = certificate.verdict == "complete"
        table.add_row(
            certificate.resource,
            f"{certificate.records:,}",
            f"{certificate.new:,}",
            "" if certificate.changed is None else f"{certificate.changed:,}",
            f"{certificate.deleted:,}",
            f"{certificate.requests:,}",
            Text(certificate.verdict, style="green" if is_complete else "bold yellow"),
        )
    return table


def misfit_lines(misfits: Mapping[tuple[str, str], int]) -> Iterator[str]:
    """A line for each field of which values did not fit; of a table with many, for the first."""
    for table, names in groupby(sorted(misfits), key=itemgetter(0)):
        places = list(names)
        for place in places[:MOST_FIELDS]:
            count, field = misfits[place], legible(place[1])
            yield f"{table}.{field}: {counted(count, 'value')} did not fit: kept in _extra"
        if more := places[MOST_FIELDS:]:
            values = counted(sum(misfits[place] for place in more), "value")
            yield (
                f"{table}: {counted(len(more), 'more field')}, {values} did not fit: kept in _extra"
                " (--json names them)"
            )


def local_times_line(columns: Sequence[str]) -> str:
    """That times of these columns came without an offset, and the setting that settles it."""
    return (
        f"times without an offset, read as UTC, in {', '.join(columns)}:"
        f" {set_to('time_zone', 'UTC')} if they are, or to their zone, such as Europe/London"
    )


def print_outcome(console: Console, outcome: "Outcome", warehouse: "Warehouse") -> None:
    """The result of a sync, with every reason for doubt."""
    console.print(outcome_table(outcome))
    for certificate in outcome.certificates:
        if certificate.reason:
            say(console, f"{certificate.resource} incomplete: {certificate.reason}")
    for line in misfit_lines(outcome.misfits):
        say(console, line)
    if outcome.found:
        tables = Counter(column.partition(".")[0] for column in outcome.found)
        places = ", ".join(f"{table} ({count})" for table, count in tables.items())
        say(console, f"fields not in the API description became columns: {places}")
    if outcome.local_times:
        say(console, local_times_line(outcome.local_times))
    for change in outcome.changes:
        say(console, f"the service has changed: {change}")
    if outcome.not_due:
        say(console, f"not due yet, so not read: {', '.join(outcome.not_due)}")
    total = sum(certificate.records for certificate in outcome.certificates)
    as_of = [found.complete_as_of for found in outcome.certificates if found.complete_as_of]
    is_complete = outcome.is_complete and as_of
    state = (
        f"certified complete as of {minute(min(as_of))} UTC"
        if is_complete
        else "NOT certified complete"
    )
    say(console, f"{counted(total, 'record')} in {warehouse.name}, schema wholesale_raw, {state}")


def print_day(console: Console, summary: "Summary", day: int) -> None:
    """What a demo did on a day, and how long it took."""
    began = next(phase for phase in reversed(summary.phases) if phase.name == "sync").started_at
    seconds = (summary.phases[-1].ended_at - began).total_seconds()
    did = ", ".join(_did(summary))
    say(console, f"  Day {day}  {did:<88} {seconds:>3,.0f} s")


def _did(summary: "Summary") -> Iterator[str]:
    if summary.sync:
        resources = summary.sync.resources
        new, changed, deleted = (
            sum(getattr(found, what) or 0 for found in resources)
            for what in ("new", "changed", "deleted")
        )
        yield f"{counted(new, 'record')} new, {changed:,} changed, {deleted:,} deleted"
        yield "certified complete"
    if summary.build:
        yield f"{summary.build.tests:,} tests passed"
    if summary.publish:
        yield summary.publish.result


def print_invitation(console: Console, site: "Site") -> None:
    """What a demo found out about its business, and what to do next."""
    console.print()
    print_answers(console, site.database)
    console.print()
    page, database = (_from_here(path) for path in (site.page, site.page.parent / DATABASE))
    for label, line in (
        ("Look", f"{page} in a browser, or wholesale dashboard"),
        ("Query", f"{database} in any tool that opens DuckDB"),
        ("Ask", 'wholesale changes, why sales, sql "from receivables"'),
        ("Go on", f"wholesale status, check, plan, explain {late_order(site.database)}"),
        ("Then", "load your own account: see README"),
    ):
        print_answer(console, label, line, "green")


def _from_here(path: Path) -> Path:
    """The path as a person would type it."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def print_built(console: Console, built: "Built", warehouse: "Warehouse") -> None:
    """The verdict in a line, and a line for each test that warns."""
    from wholesale_elt.models import OWN_SCHEMA

    for warning in built.warnings:
        say(console, f"warning: {warning.test}: {warning}")
    schemas = "wholesale_marts and wholesale_bi"
    if built.has_own:
        schemas = f"wholesale_marts, wholesale_bi and {OWN_SCHEMA}"
    doubts = f"{len(built.warnings):,} of them warn" if built.warnings else "none warns"
    say(
        console,
        f"{built.models:,} models built, {built.tests:,} tests passed ({doubts}): in force in"
        f" {warehouse.name}, schemas {schemas}",
    )
    if built.models_standing:
        say(
            console,
            f"{built.models_standing:,} models and {built.tests_standing:,} tests need not run"
            " again: nothing that they depend on has changed",
        )


def print_published(console: Console, published: "Published") -> None:
    """The result in a line, and a line for each problem."""
    in_force = published.in_force
    if in_force and published.result != "withheld":
        rows = sum(table.rows for table in in_force.tables)
        as_of = in_force.as_of and f"{minute(datetime.fromisoformat(in_force.as_of))} UTC"
        say(
            console,
            f"{published.result}: version {in_force.version} in {published.place},"
            f" {len(in_force.tables):,} tables, {rows:,} rows, {in_force.verdict} as of"
            f" {as_of or 'no complete sync'}",
        )
        if in_force.only:
            sold = any(table.rows for table in in_force.tables if table.table == "rpt_orders")
            has = "" if sold else ", which has no sales"
            say(console, f"of {in_force.only} alone{has}; without comments on orders")
        if published.left_out:
            say(
                console,
                "left out, because they can identify a person:"
                f" {counted(len(published.left_out), 'column')} (setting privacy.published)",
            )
        if in_force.personal:
            say(
                console,
                f"{counted(len(in_force.personal), 'column')} can identify a person:"
                " for your eyes alone",
            )
        for reason in in_force.reasons:
            say(console, f"not certified complete: {reason}")
    for version in published.pruned.read:
        say(console, f"version {version} is kept because somebody reads it")
    if pinned := published.pruned.pinned:
        say(console, f"kept because they are pinned: {counted(len(pinned), 'older version')}")


def withheld(published: "Published") -> str:
    """Why nothing was published, what is in force, and what to do."""
    in_force = published.in_force
    stays = f"version {in_force.version} stays in force" if in_force else "nothing is there yet"
    return (
        "not published: what was built is not certified complete"
        f" ({'; '.join(published.build.reasons)}); in {published.place} {stays}; sync again, or"
        " publish with --even-if-incomplete"
    )


def print_compacted(
    console: Console, compacted: "Compacted | None", warehouse: "Warehouse"
) -> None:
    """The disk space that the warehouse freed, if any."""
    if compacted:
        before, after = compacted.before / 1e6, compacted.after / 1e6
        say(console, f"{warehouse.name} compacted: {before:,.0f} MB before, {after:,.0f} MB now")


def print_reread(console: Console, read: "Reread") -> None:
    """The result for records that were read again."""
    tally = read.tally
    told = "their list told which" if read.is_list_read else "no list was scanned"
    say(
        console,
        f"{tally.resource}: {counted(tally.ids_seen, 'record')} read again, {tally.new:,} new,"
        f" {tally.changed or 0:,} changed; {told}, and the certificates stay",
    )
    for line in misfit_lines(tally.misfits):
        say(console, line)
