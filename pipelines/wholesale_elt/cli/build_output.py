"""Output of a build and a publication: what each came to."""

from datetime import datetime

from rich.console import Console

from wholesale_elt.cli.output import minute, say
from wholesale_elt.models import Built
from wholesale_elt.publish import Published
from wholesale_elt.warehouse import Compacted, Warehouse


def print_built(console: Console, built: Built, warehouse: Warehouse) -> None:
    """The verdict in a line, and a line for each test that warns."""
    for warning in built.warnings:
        say(console, f"warning: {warning.test}: {warning}")
    doubts = f"{len(built.warnings):,} of them warn" if built.warnings else "none warns"
    say(
        console,
        f"{built.models:,} models built, {built.tests:,} tests passed ({doubts}): published in"
        f" {warehouse.name}, schemas wholesale_marts and wholesale_bi",
    )


def print_published(console: Console, published: Published) -> None:
    """What came of it in a line, and another one for each thing that is not as it should be."""
    in_force = published.in_force
    if in_force and published.result != "withheld":
        rows = sum(table.rows for table in in_force.tables)
        as_of = in_force.as_of and f"{minute(datetime.fromisoformat(in_force.as_of))} UTC"
        say(
            console,
            f"{published.result} in {published.place}: version {in_force.version},"
            f" {len(in_force.tables):,} tables, {rows:,} rows, {in_force.verdict} as of"
            f" {as_of or 'no complete sync'}",
        )
        if published.left_out:
            say(
                console,
                f"left out, because they can identify a person: {len(published.left_out):,} columns"
                " (setting privacy.published)",
            )
        if in_force.personal:
            say(
                console,
                f"{len(in_force.personal):,} columns can identify a person: for your eyes alone",
            )
        for reason in in_force.reasons:
            say(console, f"not certified complete: {reason}")
    for version in published.pruned.read:
        say(console, f"version {version} is kept because somebody reads it")


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
        say(console, f"{warehouse.name} compacted: {before:,.0f} MB before, {after:,.0f} MB now")
