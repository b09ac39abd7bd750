"""What is shown of the service is its text, and neither markup nor commands for the terminal."""

from datetime import date
from io import StringIO

from rich.console import Console

from wholesale_elt.cli.output.inspections import finding_table, print_explanation
from wholesale_elt.inspect.check import ListCheck
from wholesale_elt.inspect.explain import Explanation, OrderState
from wholesale_elt.runs import History


def test_values_of_an_order_are_shown_as_they_came() -> None:
    console = Console(file=StringIO(), record=True, width=100)
    state = OrderState("[/red]", "\x1b[2Jnew\nline", None, None, 0, 0)

    print_explanation(console, Explanation("A", None, state, History(), date(2026, 1, 1), None))

    shown = [line.split(maxsplit=1) for line in console.export_text().splitlines()]
    assert ["order_number", "[/red]"] in [[part.strip() for part in line] for line in shown]
    assert ["status", "\\x1b[2Jnew line"] in [[part.strip() for part in line] for line in shown]


def test_names_of_fields_are_shown_as_they_came() -> None:
    console = Console(file=StringIO(), record=True, width=200)

    console.print(finding_table([ListCheck("orders", "/orders", "200", unknown=("[/b]", "a\nb"))]))

    assert "[/b], a b" in console.export_text()
