"""Tables: rows of a query at a terminal, numbers to the right."""

import sys
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from wholesale.errors import one_line
from wholesale_elt.cli.output.consoles import as_text

GAP = 3
LEAST_APART = 10_000


def print_rows(
    console: Console,
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    null: str = "",
) -> None:
    """A line a row; where that does not fit, a line a value. None is shown as `null`."""
    names = [one_line(name, None) for name in columns]
    cells = [[null if value is None else shown(value) for value in row] for row in rows]
    widest = [max(map(len, column)) for column in zip(names, *cells, strict=True)]
    if sum(widest) + GAP * len(widest) > console.width:
        longest = max(map(len, names))
        for row in cells:
            lines = [f"{name:<{longest}}  {value}" for name, value in zip(names, row, strict=True)]
            console.out("\n".join([*lines, ""]), highlight=False)
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, name in enumerate(names):
        are_texts = any(isinstance(row[place], str) for row in rows)
        is_right = name.endswith("_growth") or not are_texts
        table.add_column(Text(name), justify="right" if is_right else "left", no_wrap=True)
    for row in cells:
        table.add_row(*map(Text, row))
    console.print(table)


def print_csv(columns: Iterable[str], rows: Iterable[Sequence[Any]]) -> None:
    """All rows on standard output, one by one."""
    from wholesale_elt.figures import csv_lines

    sys.stdout.writelines(f"{line}\n" for line in csv_lines(columns, rows))


def shown(value: object) -> str:
    """A value on one line: thousands apart in numbers, and no zeros beyond the second decimal of
    exact ones. A whole number of four digits is shown as it is, as it may be a year."""
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return one_line(as_text(value), None)
    if isinstance(value, int) and abs(value) < LEAST_APART:
        return str(value)
    if isinstance(value, int | float):
        return f"{value:,}"
    text = f"{value:,f}"
    whole, point, decimals = text.partition(".")
    return f"{whole}{point}{decimals[:2]}{decimals[2:].rstrip('0')}"
