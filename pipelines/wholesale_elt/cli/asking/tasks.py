"""Tasks: what there is to do, for whom, why, and for how much money, as published."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wholesale_elt.cli.boundary import error_boundary
from wholesale_elt.cli.options import as_of_option, json_option, published_option
from wholesale_elt.cli.output import Output, say

if TYPE_CHECKING:
    from wholesale_elt.publish import Site

KINDS = (
    *("unknown_state", "silent", "overdue", "unconfirmed", "old", "near_misses", "below_list"),
)
"""The kinds of tasks, as the page sorts them."""
SHOWN_OF_EACH = 5
Task = Mapping[str, Any]
NOTHING = "Nothing waits: no silent buyer, no order that waits too long, no old bill"
STATELESS = "No task is known, and of {} without a state it is not known whether they wait"

CALLS = (
    "what to say in a call: the page Calls of `wholesale dashboard`, or"
    ' `wholesale sql "from wholesale_bi.rpt_call_sheet"`'
)


@click.command(short_help="What is there to do, for whom, and why?")
@click.option(
    *("--kind", "kinds"),
    type=click.Choice(KINDS),
    multiple=True,
    help="Only tasks of this kind; may be repeated.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    metavar="N",
    help=f"So many of each kind at most. Without it a table shows {SHOWN_OF_EACH}.",
)
@as_of_option
@published_option
@json_option
@error_boundary
def tasks(
    output: Output, kinds: Sequence[str], limit: int | None, as_of: str | None, published: Path
) -> None:
    """What there is to do, as the first page has it: from `wholesale_bi.rpt_tasks`."""
    from wholesale_elt.publish import site_as_of

    site = site_as_of(published, as_of)
    found, stateless = _read(site, [kind for kind in KINDS if kind in kinds or not kinds])
    totals = [
        {"kind": kind, "tasks": len(rows), "amount": _total(rows)} for kind, rows in found.items()
    ]
    if output.as_json:
        manifest = site.manifest
        rows = [row for of_kind in found.values() for row in of_kind[:limit]]
        output.answer(
            {
                "tasks": [
                    {name: row[name] for name in row if row[name] is not None} for row in rows
                ],
                "totals": totals,
                "unknown_states": [asdict(each) for each in manifest.unknown_states],
                "orders_without_state": stateless,
                **{"verdict": manifest.verdict, "as_of": manifest.as_of},
                "version": manifest.version,
            }
        )
        return
    _print(output, site, found, stateless, SHOWN_OF_EACH if limit is None else limit)


def _read(site: "Site", kinds: Sequence[str]) -> tuple[Mapping[str, Sequence[Task]], int]:
    """The tasks of each of these kinds that has any, the most urgent first, and how many orders
    tell no state.

    Raises: WholesaleError if they are not published.
    """
    from wholesale_elt.dashboard import count_stateless, tasks_of
    from wholesale_elt.warehouse import open_file

    with open_file(site.database) as connection:
        found = {kind: tasks_of(connection, kind) for kind in kinds}
        stateless = count_stateless(connection)
    return {kind: rows for kind, rows in found.items() if rows}, stateless


def _print(
    output: Output,
    site: "Site",
    found: Mapping[str, Sequence[Task]],
    stateless: int,
    most: int,
) -> None:
    from wholesale.errors import counted
    from wholesale_elt.cli.output.tables import print_rows
    from wholesale_elt.dashboard import time_text

    console, manifest = output.console(), site.manifest
    rows = [row for kind, of_kind in found.items() for row in _rows(kind, of_kind, most)]
    if rows:
        print_rows(console, ("to do", "whom", "why", "amount"), rows)
    count = sum(map(len, found.values()))
    doubts = "".join(f"; {each}" for each in manifest.doubts)
    verdict = f"{manifest.verdict} as of {time_text(manifest.as_of)}{doubts}"
    nothing = STATELESS.format(counted(stateless, "order")) if stateless else NOTHING
    say(console, f"{counted(count, 'task') if count else nothing}: {verdict}")
    if "silent" in found:
        say(console, CALLS)


def _rows(kind: str, found: Sequence[Task], most: int) -> Iterator[Sequence[Any]]:
    """The first of a kind, and in one row what the others come to."""
    from wholesale_elt.dashboard import SENTENCES

    what, why = SENTENCES[kind]
    for task in found[:most]:
        yield (
            what,
            task["state"] or task["buyer_name"] or task["buyer_id"],
            why(task),
            task["amount"],
        )
    if rest := found[most:]:
        yield what, f"{len(rest):,} more", "", _total(rest)


def _total(rows: Sequence[Task]) -> Decimal | None:
    """What is known of the money; None if nothing is."""
    known = [row["amount"] for row in rows if row["amount"] is not None]
    return sum(known, Decimal(0)) if known else None
