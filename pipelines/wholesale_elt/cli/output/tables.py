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
from wholesale_elt.cli.output.consoles import as_text, say

GAP = 3


def print_rows(console: Console, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """A line a row; where that does not fit, a line a value."""
    cells = [[shown(value) for value in row] for row in rows]
    widest = [max(map(len, column)) for column in zip(columns, *cells, strict=True)]
    if sum(widest) + GAP * len(widest) > console.width:
        longest = max(map(len, columns))
        for row in cells:
            for name, value in zip(columns, row, strict=True):
                say(console, f"{name:<{longest}}  {value}")
            say(console, "")
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, name in enumerate(columns):
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
    """A value on one line: thousands apart in numbers, and no zeros beyond the second decimal."""
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return one_line(as_text(value), None)
    text = f"{value:,f}" if isinstance(value, Decimal) else f"{value:,}"
    whole, point, decimals = text.partition(".")
    return f"{whole}{point}{decimals[:2]}{decimals[2:].rstrip('0')}"
