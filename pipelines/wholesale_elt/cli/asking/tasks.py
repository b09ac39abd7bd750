"""Tasks: what there is to do, for whom, why, and for how much money, as published."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wholesale_elt.cli.boundary import error_boundary
from wholesale_elt.cli.options import json_option, published_option
from wholesale_elt.cli.output import Output, say

if TYPE_CHECKING:
    from wholesale_elt.publish import Site

SHOWN_OF_EACH = 5
Task = Mapping[str, Any]
NOTHING = "Nothing waits: no silent buyer, no order that waits too long, no old bill"
STATELESS = "No task is known, and of {} without a state it is not known whether they wait"


def _days(count: int) -> str:
    return f"{count:,} day{'' if count == 1 else 's'}"


def _waiting(task: Task) -> str:
    usual = task["usual_days"]
    told = "" if usual is None else f", usually {usual:,}"
    return f"order {_order(task)} waits {_days(task['waiting_days'])}{told}"


def _short(task: Task) -> str:
    if task["value_shortfall"]:
        below = f"{_money(task['value_shortfall'])} below {_money(task['minimum_order_value'])}"
    else:
        below = f"{task['quantity_shortfall']:,} below {task['minimum_order_quantity']:,} pieces"
    carton = f"a carton of {_product(task)} is {_money(task['carton_amount'])}"
    return f"order {_order(task)} is {below}; {carton}"


SENTENCES: Mapping[str, tuple[str, Callable[[Task], str]]] = {
    "unknown_state": (
        "Say what it means",
        lambda task: f"{task['order_count']:,} with this {task['field_name']}, set in [build]",
    ),
    "silent": (
        "Call",
        lambda task: (
            f"buys every {_days(task['median_days_between_orders'])},"
            f" silent for {task['days_since_last_order']:,}"
        ),
    ),
    "overdue": (
        "Remind of the bill",
        lambda task: (
            f"order {_order(task)}, "
            + ("undated" if task["waiting_days"] is None else f"{_days(task['waiting_days'])} old")
        ),
    ),
    "unconfirmed": ("Confirm", _waiting),
    "old": (
        "Decide on",
        lambda task: f"order {_order(task)} waits {_days(task['waiting_days'])}",
    ),
    "near_misses": ("Offer one more carton", _short),
    "below_list": (
        "Check the price",
        lambda task: (
            f"{_product(task)} in order {_order(task)},"
            f" {_money(task['unit_price'])} for {_money(task['list_price'])}"
        ),
    ),
}
"""What to do in each kind, as the page sorts them, and why."""


@click.command(short_help="What is there to do, for whom, and why?")
@click.option(
    *("--kind", "kinds"),
    type=click.Choice(list(SENTENCES)),
    multiple=True,
    help="Only tasks of this kind; may be repeated.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    metavar="N",
    help=f"So many of each kind at most. Without it a table shows {SHOWN_OF_EACH}.",
)
@published_option
@json_option
@error_boundary
def tasks(output: Output, kinds: Sequence[str], limit: int | None, published: Path) -> None:
    """What there is to do, as the first page has it: from `wholesale_bi.rpt_tasks`."""
    from wholesale_elt.publish import find_site

    site = find_site(published)
    found, stateless = _read(site, [kind for kind in SENTENCES if kind in kinds or not kinds])
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


def _rows(kind: str, found: Sequence[Task], most: int) -> Iterator[Sequence[Any]]:
    """The first of a kind, and in one row what the others come to."""
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


def _order(task: Task) -> str:
    return str(task["order_number"] or task["order_id"])


def _product(task: Task) -> str:
    names = (task["item_title"], task["variant_title"])
    return " ".join(name for name in names if name) or str(task["sku"] or task["product_id"])


def _money(amount: Decimal) -> str:
    return f"{amount:,.2f}"


def _total(rows: Sequence[Task]) -> Decimal | None:
    """What is known of the money; None if nothing is."""
    known = [row["amount"] for row in rows if row["amount"] is not None]
    return sum(known, Decimal(0)) if known else None
