"""Verify: whether a version, a copy of its file or an answer is what was published."""

from pathlib import Path

import click

from wholesale_elt.cli.boundary import error_boundary, fail
from wholesale_elt.cli.options import json_option, published_option
from wholesale_elt.cli.output import Output, say


@click.command(short_help="Is a version, a copy or an answer what was published?")
@click.argument("held", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--version",
    default="current",
    show_default=True,
    metavar="VERSION",
    help="`previous`, a name or the beginning of it, or a moment.",
)
@published_option
@json_option
@error_boundary
def verify(output: Output, held: Path | None, version: str, published: Path) -> None:
    """Is a version what was published? Its files are compared with their hashes.

    HELD is a copy of its DuckDB file elsewhere, of which each row is compared, or an answer of
    `figures --json`, which names its version. Exit code 1 if anything differs.
    """
    from wholesale.errors import counted
    from wholesale_elt.verification import verify as verified

    found = verified(published, version, held)
    output.answer(
        {
            "version": found.version,
            "looked_at": found.looked_at,
            "count": found.count,
            "findings": [
                {
                    "what": each.what,
                    "reason": each.reason,
                    "row_count": each.row_count,
                    "rows": each.rows,
                }
                for each in found.findings
            ],
        }
    )
    console = output.console()
    for each in found.findings:
        rows = f": {counted(each.row_count, 'row')}" if each.row_count else ""
        say(console, f"{each.what}: {each.reason}{rows}")
        for row in each.rows:
            say(console, "  " + ", ".join(f"{name} {value}" for name, value in row.items()))
    if found.findings:
        fail(output, f"not what was published as {found.version}", 1)
    say(console, f"{found.count:,} {found.looked_at} are those of {found.version}")
