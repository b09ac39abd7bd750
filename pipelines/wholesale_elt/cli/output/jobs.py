"""Output of jobs: the results of a sync, a build and a publication, and where to look next."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from wholesale.errors import counted, legible
from wholesale_elt.cli.output.consoles import minute, say

if TYPE_CHECKING:
    from wholesale_elt.load import Outcome, Upgrade
    from wholesale_elt.models import Built
    from wholesale_elt.publish import Published
    from wholesale_elt.warehouse import Compacted, Warehouse

MOST_FIELDS = 10
"""So many fields of a table are named, of which values did not fit."""

QUERIES: Sequence[tuple[str, str]] = (
    (
        "Sales by month",
        """
select date_trunc('month', date_day)::date as month,
       sum(order_count) as orders, sum(sales_amount) as sales
from wholesale_bi.rpt_daily_sales
group by 1 order by 1""",
    ),
    (
        "What sells best",
        """
select item_title, variant_title, unit_count as units, sales_amount as sales, abc_class
from wholesale_bi.rpt_catalogue
where sales_amount > 0
order by sales desc limit 10""",
    ),
    (
        "Buyers below a vendor's minimum",
        """
select buyer_company_name, count(*) as orders, sum(value_shortfall) as short_by
from wholesale_bi.rpt_minimum_orders
group by 1 order by short_by desc limit 10""",
    ),
)


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


def print_invitation(console: Console, warehouse: "Warehouse", headline: str | None) -> None:
    """What the demo loaded, in one line, and three queries to start with.

    `headline` is that of the dashboard, if there is one.
    """
    with warehouse.open(is_read_only=True) as raw:
        (row,) = raw.rows(
            "select count(*), count(distinct buyer_id), count(distinct vendor_id),"
            f" min(created_at), max(created_at) from {raw.name('orders')}"
        )
        lines = raw.count("orders__order_line_items")
    orders, buyers, vendors, first, last = row
    console.print(
        f"\n[bold]{orders:,} orders[/] of {buyers:,} buyers from {vendors:,} vendors,"
        f" {first:%B %Y} to {last:%B %Y}: [bold]{lines:,} lines[/]",
        highlight=False,
        soft_wrap=True,
    )
    if headline:
        say(console, headline)
    for title, sql in QUERIES:
        console.print(f"\n[bold cyan]{title}")
        say(console, f"{sql.strip()};")
    if open_it := warehouse.port.in_python:
        say(console, f'\nAsk in Python: import duckdb; {open_it}.sql("…")')
        say(console, "Look at all of it in a browser (wholesale dashboard):")


def print_built(console: Console, built: "Built", warehouse: "Warehouse") -> None:
    """The verdict in a line, and a line for each test that warns."""
    for warning in built.warnings:
        say(console, f"warning: {warning.test}: {warning}")
    doubts = f"{len(built.warnings):,} of them warn" if built.warnings else "none warns"
    say(
        console,
        f"{built.models:,} models built, {built.tests:,} tests passed ({doubts}): in force in"
        f" {warehouse.name}, schemas wholesale_marts and wholesale_bi",
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


def print_upgrade(
    console: Console, upgrade: "Upgrade", warehouse: "Warehouse", *, is_to_be_built_anew: bool
) -> None:
    """Which versions wrote, what was added, and what to do next."""
    before = upgrade.before or "a version that did not say which"
    say(console, f"{warehouse.name}: written by {before}, now by {upgrade.version}")
    for kind, names in (("table", upgrade.tables), ("column", upgrade.columns)):
        if names:
            say(console, f"{counted(len(names), kind)} added: {', '.join(names)}")
    if not (upgrade.tables or upgrade.columns):
        say(console, "no table and no column was missing")
    if is_to_be_built_anew:
        say(console, "marts and reports are to be made anew: run `wholesale build`")
