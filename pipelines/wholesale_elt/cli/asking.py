"""Asking: one SQL statement on what is published, and below its rows how far to trust them."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wholesale_elt.cli.boundary import error_boundary
from wholesale_elt.cli.options import json_option, published_option
from wholesale_elt.cli.output import Output, as_text, say

if TYPE_CHECKING:
    from rich.console import Console

    from wholesale_elt.publish import Site

FROM_INPUT = "-"
GAP = 3
NUMBERS = int | float | Decimal
UP_TO = "select max(cast(figures_up_to as text)) from meta.versions"
LIMITS = (
    ("TimeZone", "'UTC'"),
    ("enable_external_access", "false"),  # no other file is read or written
    ("lock_configuration", "true"),
)


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a statement; `up_to` is the last day with an order, which any figure ends at."""

    columns: Sequence[str]
    rows: Sequence[tuple[Any, ...]]
    up_to: str | None


@click.command(short_help="Ask what is published, in SQL.")
@click.argument("statement")
@published_option
@json_option
@error_boundary
def sql(output: Output, statement: str, published: Path) -> None:
    """Ask what is published, by one statement of DuckDB's SQL, which can change nothing.

    STATEMENT may be - to be read from standard input. `show tables` lists what there is, `describe
    orders` a table, and `from meta.columns` what each column means.
    """
    from wholesale.errors import counted
    from wholesale_elt.dashboard import time_text
    from wholesale_elt.publish import find_site

    site = find_site(published)
    text = sys.stdin.read() if statement == FROM_INPUT else statement
    found = _ask(site, text)
    manifest = site.manifest
    output.answer(
        {
            "columns": found.columns,
            "rows": [dict(zip(found.columns, row, strict=True)) for row in found.rows],
            "verdict": manifest.verdict,
            "reasons": manifest.reasons,
            "as_of": manifest.as_of,
            "figures_up_to": found.up_to,
            "version": manifest.version,
        }
    )
    _print(output.console(), found)
    up_to = f", figures up to {found.up_to}" if found.up_to else ""
    doubts = "".join(f"; {reason}" for reason in manifest.reasons)
    as_of = time_text(manifest.as_of)
    verdict = f"{manifest.verdict} as of {as_of}{up_to}{doubts}"
    say(output.console(), f"{counted(len(found.rows), 'row')}: {verdict}")


def _ask(site: "Site", text: str) -> Rows:
    """Raises: WholesaleError for what is not one statement, or DuckDB refuses."""
    import duckdb

    from wholesale.errors import WholesaleError, one_line
    from wholesale_elt.process import budget

    with budget.open_within(site.database) as connection:
        for name, value in LIMITS:
            connection.execute(f"set {name} = {value}")
        try:
            count = len(duckdb.extract_statements(text))
            if count != 1:
                raise WholesaleError(f"one statement is answered, and these are {count}")
            asked = connection.execute(text)
            columns = [column[0] for column in asked.description or ()]
            rows = asked.fetchall()
        except duckdb.Error as error:
            raise WholesaleError(f"the statement cannot be run: {one_line(error)}") from None
        if len(set(columns)) < len(columns):
            raise WholesaleError("two columns have one name: give each its own with `as`")
        ((up_to,),) = connection.execute(UP_TO).fetchall()
    return Rows(columns, rows, up_to)


def _print(console: "Console", found: Rows) -> None:
    """A line a row; where that does not fit, a line a value."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    cells = [["" if value is None else as_text(value) for value in row] for row in found.rows]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, name in enumerate(found.columns):
        is_number = all(isinstance(row[place], NUMBERS | None) for row in found.rows)
        table.add_column(Text(name), justify="right" if is_number else "left", no_wrap=True)
    for row in cells:
        table.add_row(*map(Text, row))
    wide = [max(map(len, column)) for column in zip(found.columns, *cells, strict=True)]
    if sum(wide) + GAP * len(wide) <= console.width:
        console.print(table)
        return
    longest = max(map(len, found.columns))
    for row in cells:
        for name, value in zip(found.columns, row, strict=True):
            say(console, f"{name:<{longest}}  {value}")
        say(console, "")
