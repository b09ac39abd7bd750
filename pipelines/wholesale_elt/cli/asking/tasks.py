"""Tasks: what there is to do, for whom, why, and for how much money, as published."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wholesale_elt.answers import TASK_KINDS
from wholesale_elt.cli.boundary import error_boundary
from wholesale_elt.cli.options import as_of_option, json_option, published_option
from wholesale_elt.cli.output import Output, say

if TYPE_CHECKING:
    from wholesale_elt.answers import Tasks

SHOWN_OF_EACH = 5
Task = Mapping[str, Any]

WHOM = ("state", "buyer_name", "buyer_id", "member_name", "member")
"""Of whom or what a task is, the first that it has."""
OF_MEANS = ("due",)
"""Kinds whose amounts are means of others."""
CALLS = (
    "what to say in a call: the page Calls of `wholesale dashboard`, or"
    ' `wholesale sql "from wholesale_bi.rpt_call_sheet"`'
)


@click.command(short_help="What is there to do, for whom, and why?")
@click.option(
    *("--kind", "kinds"),
    type=click.Choice(TASK_KINDS),
    metavar="KIND",
    multiple=True,
    help=f"Only tasks of this kind, of {', '.join(TASK_KINDS)}; repeatable.",
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
    from wholesale_elt.answers import Published

    found = Published(published, as_of=as_of).tasks(kinds, limit=limit)
    output.answer(found.document)
    _print(output, found.detail, SHOWN_OF_EACH if limit is None else limit)


def _print(output: Output, found: "Tasks", most: int) -> None:
    from wholesale_elt.cli.output.tables import print_rows

    console = output.console()
    rows = [row for kind, of_kind in found.of_kinds.items() for row in _rows(kind, of_kind, most)]
    if rows:
        print_rows(console, ("to do", "whom", "why", "amount"), rows)
    say(console, found.summary())
    for task in found.of_kinds.get("unusual", ())[:most]:
        say(console, f"why: `{task['why']}`")
    if "silent" in found.of_kinds:
        say(console, CALLS)


def _rows(kind: str, found: Sequence[Task], most: int) -> Iterator[Sequence[Any]]:
    """The first of a kind, and in one row what the others come to."""
    from wholesale_elt.answers import amount_of
    from wholesale_elt.dashboard import SENTENCES

    what, why = SENTENCES[kind]
    for task in found[:most]:
        yield (
            what,
            next((task[name] for name in WHOM if task[name]), None),
            why(task),
            _amount(kind, task["amount"]),
        )
    if rest := found[most:]:
        yield what, f"{len(rest):,} more", "", _amount(kind, amount_of(kind, rest))


def _amount(kind: str, amount: Decimal | None) -> Decimal | None:
    """To the cent where it is a mean of others; `--json` has all its digits."""
    return round(amount, 2) if amount is not None and kind in OF_MEANS else amount
