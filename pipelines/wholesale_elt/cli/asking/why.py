"""Why: what made a figure another one since an earlier version, by cause."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wholesale_elt.cli.asking.figures import MOST_SHOWN, keys_shown, members_in
from wholesale_elt.cli.boundary import warehouse_boundary
from wholesale_elt.cli.options import MOMENT, json_option, published_option
from wholesale_elt.cli.output import Output, say

if TYPE_CHECKING:
    from wholesale_elt.differences import PublishedDifference
    from wholesale_elt.warehouse import Warehouse


@click.command(short_help="Why is a figure another one than it was?")
@click.argument("metric")
@click.option(
    *("--from", "before"),
    default="previous",
    show_default=True,
    metavar=MOMENT,
    help="The earlier version: its name, a moment, or a file of `build --as-of`.",
)
@click.option(
    *("--to", "after"),
    default="current",
    show_default=True,
    metavar=MOMENT,
    help="The later one, named alike.",
)
@click.option("--by", multiple=True, metavar="DIMENSION", help="Tell apart by this; repeatable.")
@click.option(
    *("--where", "conditions"),
    multiple=True,
    metavar="DIMENSION=MEMBER",
    help="Count only these, by id or name; repeatable. Nothing after = is what is missing.",
)
@click.option(
    "--period", default="all_time", show_default=True, help="2026-05, this_year, last_28_days, …"
)
@click.option(
    *("--orders", "cause"), metavar="CAUSE", help="The orders of a cause, each with its amount."
)
@click.option(*("--csv", "as_csv"), is_flag=True, help="Print the rows as CSV.")
@published_option
@json_option
@warehouse_boundary
def why(
    output: Output,
    warehouse: "Warehouse",
    metric: str,
    before: str,
    after: str,
    by: Sequence[str],
    conditions: Sequence[str],
    period: str,
    cause: str | None,
    as_csv: bool,
    published: Path,
) -> None:
    """Why a figure is another one than in an earlier version: what was new, found late, edited,
    cancelled, deleted and so on, each with its orders. The amounts add up to the difference.

    A version is named by its name or the beginning of it, by `previous` or `current`, by a moment
    such as 2026-11-28T08:00:00Z (the one in force then), or is a file that `wholesale build
    --as-of` made. Of a moment before the versions that are kept, what was so then is made of the
    past of the warehouse.
    """
    from wholesale_elt.answers import Published

    asked = Published(published, warehouse.database, warehouse.destination)
    found = asked.why(
        metric,
        before,
        after,
        by=by,
        where=members_in(conditions),
        period=period,
        orders=cause,
        with_orders=output.as_json,
    )
    output.answer(found.document)
    if as_csv:
        from wholesale_elt.cli.output.tables import print_csv

        rows = ([row.get(name) for name in found.columns] for row in found.rows)
        print_csv(found.columns, rows)
    else:
        _print(output, found.detail, found.columns, found.rows)


def _print(
    output: Output,
    found: "PublishedDifference",
    columns: Sequence[str],
    rows: Sequence[Mapping[str, Any]],
) -> None:
    """Names in place of ids: a terminal is narrow."""
    from wholesale_elt.cli.output.tables import print_rows, shown
    from wholesale_elt.differences import CAUSES

    console, total = output.console(), found.difference.total
    name = found.difference.metric.name
    values = [shown(value) or "nothing" for value in (total.before, total.after, total.difference)]
    say(console, f"{name} {values[0]} became {values[1]}: {values[2]}")
    if rows:
        told = [name for name in columns if f"{name}_name" not in columns]
        some = keys_shown(rows, told)[:MOST_SHOWN]
        print_rows(console, [name.removesuffix("_name") for name in told], some)
    if len(rows) > MOST_SHOWN:
        say(console, f"and {len(rows) - MOST_SHOWN:,} rows more: --csv or --json has all of them")
    for cause in dict.fromkeys(str(row["cause"]) for row in rows):
        say(console, f"{cause}: {CAUSES[cause]}")
    say(console, found.summary())
