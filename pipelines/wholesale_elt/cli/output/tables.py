"""Tables: rows of a query at a terminal, numbers to the right."""

from collections.abc import Sequence
from decimal import Decimal

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from wholesale.errors import legible


def print_rows(console: Console, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """One line each; nothing for a value that is missing."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, name in enumerate(columns):
        are_numbers = any(isinstance(row[place], int | float | Decimal) for row in rows)
        is_right = are_numbers or name.endswith("_growth")
        table.add_column(Text(name), justify="right" if is_right else "left", no_wrap=is_right)
    for row in rows:
        table.add_row(*(Text(shown(value)) for value in row))
    console.print(table)


def shown(value: object) -> str:
    """A number with its thousands apart and no zeros behind that say nothing."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return "" if value is None else legible(str(value))
    text = f"{value:,f}" if isinstance(value, Decimal) else f"{value:,}"
    whole, point, decimals = text.partition(".")
    kept = decimals.rstrip("0")
    return f"{whole}{point}{kept:0<2}" if kept else whole
