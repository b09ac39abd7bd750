"""Figures: any metric by any dimension, of what is published."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wholesale_elt.cli.boundary import error_boundary
from wholesale_elt.cli.options import as_of_option, json_option, published_option
from wholesale_elt.cli.output import Output, say

if TYPE_CHECKING:
    from wholesale_elt.answers import Answer
    from wholesale_elt.publish import PublishedFigures

UNFINISHED, SEEN_DAYS = "is_unfinished", "seen_day_count"
BY = "by"
"""Between metrics and dimensions, as people write it."""
NOT_KNOWN = "not known"
"""What a terminal shows of a sum that is NULL."""
MOST_SHOWN = 40
"""Figures at a terminal; programs get all."""


@click.command(short_help="Any metric by any dimension, of what is published.")
@click.argument("metrics", nargs=-1, metavar="[METRIC ... [by DIMENSION ...]]")
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
@click.option("--grain", metavar="GRAIN", help="A row a day, week, month, quarter or year.")
@click.option(
    "--compare",
    default="none",
    show_default=True,
    metavar="WITH",
    help="The days before (period), or those a year before (year).",
)
@click.option(*("--csv", "as_csv"), is_flag=True, help="Print the rows as CSV.")
@click.option(
    "--to",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write the rows there, as CSV for a spreadsheet, into a file named by what it is of.",
)
@click.option(*("--statement", "is_statement"), is_flag=True, help="Print the SQL of the rows.")
@as_of_option
@published_option
@json_option
@error_boundary
def figures(
    output: Output,
    metrics: Sequence[str],
    by: Sequence[str],
    conditions: Sequence[str],
    period: str,
    grain: str | None,
    compare: str,
    as_csv: bool,
    to: Path | None,
    is_statement: bool,
    as_of: str | None,
    published: Path,
) -> None:
    """Any metric by any dimension, for any days, of what is published.

    Without a METRIC it lists the metrics, and the dimensions of each. What people call one, such as
    revenue or customer, is answered by its own name.
    """
    if not metrics:
        _list(output)
        return
    from wholesale_elt.answers import Published

    where = members_in(conditions)
    if BY in metrics:
        place = metrics.index(BY)
        metrics, by = metrics[:place], (*metrics[place + 1 :], *by)
    found = Published(published, as_of=as_of).figures(
        metrics, by=by, where=where, period=period, grain=grain, compare=compare
    )
    output.answer(found.document)
    if is_statement:
        say(output.console(), str(found.statement))
    elif to:
        _write_file(output, to, found)
    elif as_csv:
        from wholesale_elt.cli.output.tables import print_csv

        print_csv(found.columns, (list(row.values()) for row in found.rows))
    else:
        _print(output, found.detail)


def members_in(conditions: Sequence[str]) -> dict[str, list[str | None]]:
    """The members that count of each dimension, as `--where` names them.

    Raises: Unanswerable for a condition without `=`.
    """
    from wholesale.errors import Unanswerable

    where: dict[str, list[str | None]] = {}
    for condition in conditions:
        name, sign, member = condition.partition("=")
        if not sign:
            raise Unanswerable(f"--where {name[:80]!r} names no member: write DIMENSION=MEMBER")
        where.setdefault(name, []).append(member or None)
    return where


def _list(output: Output) -> None:
    from wholesale_elt.cli.output.tables import print_rows
    from wholesale_elt.figures import read_facts, read_metrics

    metrics, facts = read_metrics().values(), read_facts()
    output.answer(
        {
            "metrics": [
                {
                    "metric": metric.name,
                    "label": metric.label,
                    "meaning": metric.meaning,
                    "kind": metric.kind,
                    "called": metric.synonyms,
                    "dimensions": list(facts[metric.model].dimensions),
                }
                for metric in metrics
            ]
        }
    )
    console = output.console()
    for model, fact in facts.items():
        rows = [(each.name, each.label) for each in metrics if each.model == model]
        print_rows(console, ("metric", "called"), rows)
        say(console, f"by {', '.join(fact.dimensions)}\n")
    say(console, "what is expected to be sold: `wholesale next --sales`")
    say(console, "--json tells what each means")


def _print(output: Output, found: "PublishedFigures") -> None:
    """Names in place of ids, but where two have one name, and growth in place of differences: a
    terminal is narrow."""
    from wholesale_elt.cli.output.tables import print_rows
    from wholesale_elt.figures import read_metrics

    console, answer = output.console(), found.figures
    of_total = list(answer.total)
    columns = list(answer.rows[0]) if answer.rows else of_total
    keys = columns[: len(columns) - len(of_total)]
    told = [
        name for name in keys if f"{name}_name" not in keys and name not in (UNFINISHED, SEEN_DAYS)
    ]
    values = [name for name in of_total if not name.endswith("_difference")]
    rows = keys_shown(answer.rows, told)[:MOST_SHOWN]
    for told_row, cells in zip(answer.rows, rows, strict=False):
        if told_row.get(UNFINISHED):
            cells[0] = f"{cells[0]} ({told_row[SEEN_DAYS]} days)"
        cells += [told_row[name] for name in values]
    if keys:
        total = ["total"] + [None] * (len(told) - 1)
        rows.append([*total, *(answer.total[name] for name in values)])
    summed = {name for name, metric in read_metrics().items() if not metric.parts}
    for place, name in enumerate(values, len(told)):
        if name.removesuffix("_before") in summed:
            for row in rows:
                row[place] = NOT_KNOWN if row[place] is None else row[place]
        elif name.endswith("_growth"):
            for row in rows:
                row[place] = None if row[place] is None else f"{row[place]:+.1%}"
    headings = [name.removesuffix("_name") for name in told]
    print_rows(console, [*headings, *values], rows)
    more = len(answer.rows) - MOST_SHOWN
    if more > 0:
        say(console, f"and {more:,} rows more: --csv or --json has all of them")
    for line in (*found.why(), *found.reached()):
        say(console, line)
    say(console, found.summary())


def keys_shown(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> list[list[Any]]:
    """What a terminal shows of these columns: a name, with its key if others have that name."""
    keys = {name: name.removesuffix("_name") for name in names}
    shared = {
        name: Counter(title for _, title in {(row.get(key), row.get(name)) for row in rows})
        for name, key in keys.items()
    }
    return [
        [
            row.get(key)
            if row.get(name) is None
            else f"{row[name]} ({row[key]})"
            if key != name and shared[name][row[name]] > 1
            else row[name]
            for name, key in keys.items()
        ]
        for row in rows
    ]


def _write_file(output: Output, folder: Path, found: "Answer[PublishedFigures]") -> None:
    from wholesale_elt.figures import heading_of, write_csv
    from wholesale_elt.process import replace

    headings = list(map(heading_of, found.columns))
    rows = (list(row.values()) for row in found.rows)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{found.detail.question.file_name}.csv"
    replace(path, lambda new: write_csv(new, headings, rows))
    say(output.console(), f"{path}: {found.summary}")
