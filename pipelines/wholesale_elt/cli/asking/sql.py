"""SQL: one statement on what is published, and how far to trust it."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from wholesale_elt.cli.asking.figures import MOST_SHOWN
from wholesale_elt.cli.boundary import error_boundary
from wholesale_elt.cli.options import as_of_option, json_option, published_option
from wholesale_elt.cli.output import Output, say

if TYPE_CHECKING:
    import duckdb

    from wholesale_elt.publish import Site

FROM_INPUT = "-"
UP_TO = """
    select cast(figures_up_to as text),
        strftime(orders_up_to at time zone 'UTC', '%Y-%m-%dT%H:%M:%SZ')
    from meta.versions
"""
ROWS_A_BATCH = 1_000
MOST_COUNTED = 1_000_000
"""So many rows that are not shown are counted."""
Row = Sequence[Any]


class UpTo(NamedTuple):
    """The last day that was over when the orders were read, which figures end on, and the moment
    to which they were read, which tables reach to."""

    figures_up_to: str | None
    orders_up_to: str | None


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
    from wholesale_elt.publish import site_as_of

    site = site_as_of(published, as_of)
    with _asked(site, sys.stdin.read() if statement == FROM_INPUT else statement) as (
        columns,
        rows,
        up_to,
    ):
        if output.as_json:
            _answer(output, site, columns, list(islice(rows, limit)), up_to)
        elif as_csv:
            from wholesale_elt.cli.output.tables import print_csv

            print_csv(columns, islice(rows, limit))
        else:
            shown = list(islice(rows, MOST_SHOWN if limit is None else limit))
            more = sum(1 for _ in islice(rows, MOST_COUNTED))
            _print(output, site, columns, shown, more, up_to)


def _answer(
    output: Output, site: "Site", columns: Sequence[str], rows: Sequence[Row], up_to: UpTo
) -> None:
    manifest = site.manifest
    output.answer(
        {
            "columns": columns,
            "rows": [dict(zip(columns, row, strict=True)) for row in rows],
            "verdict": manifest.verdict,
            "reasons": manifest.reasons,
            "findings": [asdict(each) for each in manifest.findings],
            "as_of": manifest.as_of,
            **up_to._asdict(),
            "version": manifest.version,
        }
    )


def _print(
    output: Output,
    site: "Site",
    columns: Sequence[str],
    rows: Sequence[Row],
    more: int,
    up_to: UpTo,
) -> None:
    """A table of the rows, how many `more` there are, and how far to trust them."""
    from wholesale.errors import counted
    from wholesale_elt.cli.output.tables import print_rows
    from wholesale_elt.dashboard import time_text

    console, manifest = output.console(), site.manifest
    print_rows(console, columns, rows, null="NULL")
    least = "at least " if more == MOST_COUNTED else ""
    if more:
        say(console, f"and {least}{more:,} rows more: --csv has all, --limit N the first N")
    told = f", orders up to {time_text(up_to.orders_up_to)}" if up_to.orders_up_to else ""
    doubts = "".join(f"; {each}" for each in manifest.doubts)
    verdict = f"{manifest.verdict} as of {time_text(manifest.as_of)}{told}{doubts}"
    say(console, f"{least}{counted(len(rows) + more, 'row')}: {verdict}")


@contextmanager
def _asked(site: "Site", text: str) -> Iterator[tuple[Sequence[str], Iterator[Row], UpTo]]:
    """The columns of the answer, its rows as they are read, and what they reach to.

    Raises: WholesaleError for what is not one statement that reads, or DuckDB refuses.
    """
    import duckdb

    from wholesale.errors import WholesaleError, one_line
    from wholesale_elt.warehouse import one_select, open_file

    with open_file(site.database) as connection:
        [ends] = connection.execute(UP_TO).fetchall()
        try:
            statement, _ = one_select(connection, text)
            asked = connection.execute(statement)
            columns = [column[0] for column in asked.description or ()]
            if len(set(columns)) < len(columns):
                raise WholesaleError("two columns have one name: give each its own with `as`")
            yield columns, _rows(asked), UpTo(*ends)
        except duckdb.Error as error:
            raise WholesaleError(f"the statement cannot be run: {one_line(error)}") from None


def _rows(asked: "duckdb.DuckDBPyConnection") -> Iterator[Row]:
    while rows := asked.fetchmany(ROWS_A_BATCH):
        yield from rows
