"""SQL: one statement on what is published, and how far to trust it."""

import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wholesale_elt.cli.boundary import error_boundary
from wholesale_elt.cli.options import json_option, published_option
from wholesale_elt.cli.output import Output, say

if TYPE_CHECKING:
    from wholesale_elt.publish import Site

FROM_INPUT = "-"
UP_TO = """
    select cast(figures_up_to as text),
        strftime(orders_up_to at time zone 'UTC', '%Y-%m-%dT%H:%M:%SZ')
    from meta.versions
"""
LIMITS = (
    ("TimeZone", "'UTC'"),
    ("enable_external_access", "false"),  # no other file is read or written
    ("lock_configuration", "true"),
)


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a statement; `up_to` is the moment to which the orders were read, which tables
    reach to, and `figures_up_to` the last day that was over then."""

    columns: Sequence[str]
    rows: Sequence[tuple[Any, ...]]
    figures_up_to: str | None
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
    from wholesale_elt.cli.output.tables import print_rows
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
            "findings": [asdict(each) for each in manifest.findings],
            "as_of": manifest.as_of,
            "figures_up_to": found.figures_up_to,
            "orders_up_to": found.up_to,
            "version": manifest.version,
        }
    )
    print_rows(output.console(), found.columns, found.rows)
    up_to = f", orders up to {time_text(found.up_to)}" if found.up_to else ""
    doubts = "".join(f"; {each}" for each in manifest.doubts)
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
        [ends] = connection.execute(UP_TO).fetchall()
    return Rows(columns, rows, *ends)
