"""Rows at a terminal: names and values are text, and no commands for it."""

from io import StringIO

import pytest
from rich.console import Console

from wholesale_elt.cli.output.tables import print_rows


@pytest.mark.parametrize("width", [80, 10], ids=["a table", "a line a value"])
def test_no_name_and_no_value_reaches_the_terminal_as_a_command(width: int) -> None:
    shown = StringIO()

    print_rows(Console(file=shown, width=width), ["a\x1b[2J", "b\nc"], [["\x1b[31mred", 12_345]])

    assert "\x1b" not in shown.getvalue()
    lines = [line.split() for line in shown.getvalue().splitlines()]
    told = [word for line in lines for word in line if not set(word) <= {"─"}]
    assert sorted(told) == sorted(["a\\x1b[2J", "b", "c", "\\x1b[31mred", "12,345"])
    assert any("b" in line and "c" in line for line in lines)
