"""Diff: which tables and rows of two files, versions or warehouses differ."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wholesale_elt.cli.boundary import error_boundary, fail
from wholesale_elt.cli.options import json_option, published_option
from wholesale_elt.cli.output import Output, say

if TYPE_CHECKING:
    from wholesale_elt.verification import Compared, TableDifference

MOST_SHOWN = 3
"""Rows of each table at a terminal; one that is named by --table shows what --json has."""


@click.command(short_help="Which rows of two files, versions or warehouses differ?")
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@click.option(
    *("--table", "tables"),
    multiple=True,
    metavar="TABLE",
    help="Compare this table alone, with more of its rows; repeatable.",
)
@published_option
@json_option
@error_boundary
def diff(output: Output, before: str, after: str, tables: Sequence[str], published: Path) -> None:
    """Which tables, rows and columns of B are others than those of A?

    A and B are each a DuckDB file, a warehouse or one that was published; a published folder; a
    version that is kept, by its name, `previous` or `current`, or a moment; or a destination, such
    as postgres or lake:PATH. Rows are told apart by the key of their table.

    Exit code 0 if they are the same, 1 if anything differs.
    """
    from wholesale.errors import counted
    from wholesale_elt.verification import compare_sides

    found = compare_sides(before, after, published, tables)
    output.answer(_document(found))
    console = output.console()
    for each in found.differing:
        for line in _lines(each, None if tables else MOST_SHOWN):
            say(console, line)
    if left := sorted({name for each in found.tables for name in each.left_out}):
        say(console, f"not compared, as it is not published: {', '.join(left)}")
    if found.is_raw_left_out:
        say(console, "not compared, as it is not published: what is raw")
    count = len(found.tables)
    if found.differing:
        differing = f"{len(found.differing):,} of {counted(count, 'table')}"
        fail(output, f"{found.before} and {found.after} differ in {differing}", 1)
    say(console, f"{counted(count, 'table')} the same in {found.before} and {found.after}")


def _document(found: "Compared") -> Mapping[str, Any]:
    return {
        "a": found.before,
        "b": found.after,
        "is_raw_left_out": found.is_raw_left_out,
        "same": [each.table for each in found.tables if not each.differs],
        "differing": [
            {
                "table": each.table,
                "missing_in": each.missing_in or None,
                "added": each.added,
                "removed": each.removed,
                "changed": each.changed,
                "columns": each.columns,
                "columns_removed": each.columns_removed,
                "columns_added": each.columns_added,
                "columns_of_other_type": each.columns_of_other_type,
                "left_out": each.left_out,
                "rows": each.rows,
            }
            for each in found.differing
        ],
    }


def _lines(found: "TableDifference", most: int | None) -> Sequence[str]:
    """What to say of a table, and of some of its rows."""
    from wholesale.errors import counted, one_line

    if found.missing_in:
        return [f"{found.table}: {found.missing_in} has none"]
    told = [
        f"{counted(count, 'row')} {what}"
        for what, count in (
            ("added", found.added),
            ("removed", found.removed),
            ("changed", found.changed),
        )
        if count
    ]
    columns = ", ".join(f"{name} {count:,}" for name, count in found.columns.items())
    told += [f"{what} {', '.join(names)}" for what, names in _columns(found) if names]
    lines = [f"{found.table}: {', '.join(told)}" + (f" ({columns})" if columns else "")]
    for row in found.rows[:most]:
        values = {name: value for name, value in row.items() if name not in ("side", "fields")}
        named = ", ".join(f"{name} {_text(value)}" for name, value in values.items())
        fields = "; ".join(
            f"{name}: {_text(each['from'])} became {_text(each['to'])}"
            for name, each in row.get("fields", {}).items()
        )
        lines.append(
            f"  {row['side']} {one_line(named)}" + (f": {one_line(fields)}" * bool(fields))
        )
    return lines


def _columns(found: "TableDifference") -> Sequence[tuple[str, Sequence[str]]]:
    return (
        ("without the columns", found.columns_removed),
        ("with the columns", found.columns_added),
        ("of another type", found.columns_of_other_type),
    )


def _text(value: object) -> str:
    from wholesale_elt.cli.output.tables import shown

    return "nothing" if value is None else str(shown(value))
