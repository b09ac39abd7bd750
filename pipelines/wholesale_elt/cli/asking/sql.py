"""SQL: one statement on what is published, and how far to trust it."""

import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wholesale_elt.cli.asking.figures import MOST_SHOWN
from wholesale_elt.cli.boundary import error_boundary
from wholesale_elt.cli.options import as_of_option, json_option, published_option
from wholesale_elt.cli.output import Output, say

if TYPE_CHECKING:
    from wholesale_elt.answers import Statement

FROM_INPUT = "-"
MOST_COUNTED = 1_000_000
"""So many rows that are not shown are counted."""
Row = Sequence[Any]


@click.command(short_help="Ask what is published, in SQL.")
@click.argument("statement")
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    metavar="N",
    help=f"So many rows at most. Without it a table shows {MOST_SHOWN}; --csv and --json have all.",
)
@click.option(*("--csv", "as_csv"), is_flag=True, help="Print the rows as CSV.")
@as_of_option
@published_option
@json_option
@error_boundary
def sql(
    output: Output,
    statement: str,
    limit: int | None,
    as_csv: bool,
    as_of: str | None,
    published: Path,
) -> None:
    """Ask what is published, by one statement of DuckDB's SQL, which can change nothing.

    STATEMENT may be - to be read from standard input. `show tables` lists what there is, `describe
    orders` a table, and `from meta.columns` what each column means.
    """
    from wholesale_elt.answers import Statement
    from wholesale_elt.publish import site_as_of

    site = site_as_of(published, as_of)
    with Statement.asked(site, sys.stdin.read() if statement == FROM_INPUT else statement) as asked:
        if output.as_json:
            output.answer(asked.document(list(islice(asked.rows, limit))))
        elif as_csv:
            from wholesale_elt.cli.output.tables import print_csv

            print_csv(asked.columns, islice(asked.rows, limit))
        else:
            shown = list(islice(asked.rows, MOST_SHOWN if limit is None else limit))
            more = sum(1 for _ in islice(asked.rows, MOST_COUNTED))
            _print(output, asked, shown, more)


def _print(output: Output, asked: "Statement", rows: Sequence[Row], more: int) -> None:
    """A table of the rows, how many `more` there are, and how far to trust them."""
    from wholesale_elt.cli.output.tables import print_rows

    console = output.console()
    print_rows(console, asked.columns, rows, null="NULL")
    least = "at least " if more == MOST_COUNTED else ""
    if more:
        say(console, f"and {least}{more:,} rows more: --csv has all, --limit N the first N")
    say(console, asked.summary(len(rows) + more, least))
