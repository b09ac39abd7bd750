"""`wholesale statement`: what is open as of a day, and what was paid before it, on paper."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wholesale_elt.cli import Exit, Failure, Output, json_option, say, warehouse_boundary

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wholesale_books.statements.making import Made
    from wholesale_books.statements.rows import Kind
    from wholesale_elt.warehouse import Warehouse

ALL_FORMATS = ("csv", "xlsx", "pdf")
DAY = click.DateTime(["%Y-%m-%d"])


def _formats(_: click.Context, __: click.Parameter, value: str) -> tuple[str, ...]:
    """Raises: BadParameter."""
    named = tuple(dict.fromkeys(name.strip().lower() for name in value.split(",")))
    if unknown := [name for name in named if name not in ALL_FORMATS]:
        raise click.BadParameter(f"{unknown[0]!r} is none of {', '.join(ALL_FORMATS)}")
    return named


@click.command(short_help="Make statements of what is open as of a day.")
@click.option("--buyer", metavar="ID", help="What this buyer owes, and has paid.")
@click.option("--vendor", metavar="ID", help="What orders of this vendor came to.")
@click.option(
    "--each",
    type=click.Choice(["buyer", "vendor"]),
    help="One for each that has something open or paid.",
)
@click.option(
    *("--as-of", "day"), type=DAY, required=True, metavar="DAY", help="The last day, which is over."
)
@click.option(
    *("--from", "first"),
    type=DAY,
    metavar="DAY",
    help="The first day of what was paid.  [default: the first of the month of --as-of]",
)
@click.option(
    *("--to", "folder"),
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    metavar="FOLDER",
    help="Where the files go; those of the same statement are replaced.",
)
@click.option(
    *("--format", "formats"),
    default=",".join(ALL_FORMATS),
    show_default=True,
    callback=_formats,
    help="Which files, separated by commas.",
)
@click.option("--by", metavar="NAME", help="Who makes them, for the book.  [default: your user]")
@json_option
@warehouse_boundary
def statement(
    output: Output,
    warehouse: "Warehouse",
    buyer: str | None,
    vendor: str | None,
    each: "Kind | None",
    day: datetime,
    first: datetime | None,
    folder: Path,
    formats: tuple[str, ...],
    by: str | None,
) -> Failure | None:
    """Make the statement of a buyer or vendor as of the end of a day, in the account's time zone:
    its open orders by due day and age, and what was paid in the period.

    It is read from the past, as of the first complete reading of all orders after that day, so that
    it is the same bytes whenever it is made; but for what was erased. Each has a proof id, which
    `wholesale verify ID` computes anew from the warehouse.

    Exit code 3 if the day is not over, or no such reading is certified.
    """
    from getpass import getuser

    from wholesale.api import typed_id
    from wholesale_books.statements.making import make
    from wholesale_books.statements.moment import NotYet, Period

    if sum(named is not None for named in (buyer, vendor, each)) != 1:
        raise click.UsageError("name one of --buyer ID, --vendor ID and --each buyer|vendor")
    of: Kind = each or ("buyer" if buyer is not None else "vendor")
    key = buyer if buyer is not None else vendor
    period = Period.until(day.date(), first.date() if first else None)
    told: list[Mapping[str, object]] = []
    doubts: set[str] = set()
    try:
        for made in make(
            *(warehouse, of, None if key is None else typed_id(key), period),
            *(folder, formats, by or getuser(), lambda line: say(output.console(), line)),
        ):
            told.append(_document(made))
            doubts |= set(made.statement.uncertified)
            say(output.console(), _line(made))
    except NotYet as error:
        return Failure(str(error), Exit.INCOMPLETE)
    output.answer({"folder": folder.absolute(), "statements": told})
    if not told:
        say(output.console(), f"no {of} has anything open, or paid from {period.first} on")
    if doubts:
        lists = " and ".join(sorted(doubts))
        return Failure(
            f"the list of {lists} was not certified complete then, so that names or due days may be"
            " others: the statements say so",
            Exit.INCOMPLETE,
        )
    return None


def _document(made: "Made") -> "Mapping[str, object]":
    """For `--json`: amounts are decimal text."""
    statement, noted = made.statement, made.noted
    return {
        "proof": statement.proof,
        "of": statement.of,
        "id": statement.party,
        "from": noted.first,
        "as_of": noted.day,
        "read_at": statement.reading.complete_as_of,
        "totals": {
            name: {"orders": total.count, "amount": total.amount, "unknown": total.without_amount}
            for name, total in statement.totals.items()
        },
        "notes": [*statement.notes],
        "files": noted.files,
    }


def _line(made: "Made") -> str:
    statement = made.statement
    told = (
        f"{total.text} {statement.words(name)[0].lower()} ({total.count:,})"
        for name, total in statement.totals.items()
        if name in ("owed", "settled")
    )
    return f"{statement.proof}  {statement.of} {statement.party}: {', '.join(told)}"
