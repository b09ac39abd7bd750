"""Verify: whether a warehouse, a version, a copy of its file or an answer is what it was."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from wholesale_elt.cli.boundary import fail, warehouse_boundary
from wholesale_elt.cli.options import MOMENT, json_option, published_option
from wholesale_elt.cli.output import Output, say

if TYPE_CHECKING:
    from wholesale_elt.verification import Finding, Verified
    from wholesale_elt.warehouse import Warehouse


@click.command(short_help="Is a warehouse, a version, a copy or an answer what it was?")
@click.argument("held", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--version",
    default=None,
    metavar=MOMENT,
    help="Of which version: `previous`, a name or the beginning of it, or a moment.",
)
@click.option(
    *("--warehouse", "is_of_warehouse"),
    is_flag=True,
    help="Look at the warehouse: does it have what its last sync left?",
)
@published_option
@json_option
@warehouse_boundary
def verify(
    output: Output,
    warehouse: "Warehouse",
    held: Path | None,
    version: str | None,
    is_of_warehouse: bool,
    published: Path,
) -> None:
    """Is a version what was published? Its files are compared with their hashes.

    HELD is a copy of its DuckDB file elsewhere, whose tables are compared by their digests, or an
    answer of `figures --json`, which names its version. With --warehouse it is the warehouse that
    is looked at; with --version too, whether it had then what that version was made of.

    Exit code 1 if anything differs, 3 if of something nobody noted how it should be.
    """
    from wholesale.errors import one_line
    from wholesale_elt.answers import Published

    if held and is_of_warehouse:
        raise click.UsageError("name HELD or --warehouse, not both")
    asked = Published(published, warehouse.database, warehouse.destination)
    answer = asked.verify(held, version=version, is_of_warehouse=is_of_warehouse)
    output.answer(answer.document)
    found = answer.detail
    _print(output, found)
    version = one_line(found.version)
    if found.findings:
        fail(output, f"not what there was in {version}", 1)
    if found.unproved:
        unproved = one_line(", ".join(found.unproved), None)
        fail(output, f"no digest is noted of {unproved}: the next sync does", 3)
    say(output.console(), f"{found.count:,} {found.looked_at} are those of {version}")


def _print(output: Output, found: "Verified") -> None:
    from wholesale.errors import one_line

    console = output.console()
    for each in found.findings:
        say(console, _told(each))
        for row in each.rows:
            values = ("unknown" if value is None else value for value in row.values())
            told = ", ".join(map(" ".join, zip(row, map(str, values), strict=True)))
            say(console, f"  {one_line(told, None)}")


def _told(each: "Finding") -> str:
    from wholesale.errors import counted, one_line

    buckets = f" ({', '.join(map(str, each.buckets))})" if each.buckets else ""
    rows = f": {counted(each.row_count, 'row')}" if each.row_count else ""
    return one_line(f"{each.what}: {each.reason}{buckets}{rows}", None)
