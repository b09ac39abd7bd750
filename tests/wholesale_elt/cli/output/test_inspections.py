"""What is shown of the service is its text, and neither markup nor commands for the terminal."""

from datetime import UTC, date, datetime
from decimal import Decimal
from io import StringIO

from rich.console import Console

from wholesale_elt.cli.output.inspections import finding_table, print_explanation
from wholesale_elt.cli.output.stored import print_status
from wholesale_elt.inspect.check import ListCheck
from wholesale_elt.inspect.explain import Explanation, OrderState
from wholesale_elt.inspect.status import Overview, Status
from wholesale_elt.runs import History, UnknownState


def test_values_of_an_order_are_shown_as_they_came() -> None:
    console = Console(file=StringIO(), record=True, width=100)
    state = OrderState("[/red]", "\x1b[2Jnew\nline", None, None, 0, 0)

    print_explanation(console, Explanation("A", None, state, History(), date(2026, 1, 1), None))

    shown = [line.split(maxsplit=1) for line in console.export_text().splitlines()]
    assert ["order_number", "[/red]"] in [[part.strip() for part in line] for line in shown]
    assert ["status", "\\x1b[2Jnew line"] in [[part.strip() for part in line] for line in shown]


def test_amounts_and_times_of_an_order_are_shown_as_people_write_them() -> None:
    console = Console(file=StringIO(), record=True, width=100)
    at = datetime(2026, 1, 2, 3, 4, 5, 678, UTC)
    total = Decimal("12345678901234567890123456789.500000000")
    stored = OrderState("1", "paid", at, total, 1, 0)
    served = OrderState("1", "paid", at, Decimal("100.000000000"), 1, 0)

    print_explanation(console, Explanation("A", stored, served, History(), date(2026, 1, 1), None))

    shown = [line.split() for line in console.export_text().splitlines()]
    assert ["total", "12345678901234567890123456789.50", "100.00"] in shown
    moment = ["2026-01-02", "03:04:05", "UTC"]
    assert ["updated_at", *moment, *moment] in shown


def test_rows_of_a_first_sync_that_never_ended_are_told_as_such() -> None:
    console = Console(file=StringIO(), record=True, width=120)
    nothing = {"last_run_at": None, "verdict": None, "reason": None, "complete_as_of": None}
    unknown = {"proof": None, "open_suspects": 0, "lag_seconds": None, "audited": 0, "silent": None}
    statuses = [
        Status(name, rows, **nothing, **unknown)  # type: ignore[arg-type]
        for name, rows in (("orders", 12), ("vendors", 0))
    ]

    print_status(console, Overview("a.duckdb", None, (), statuses))

    shown = [" ".join(line.split()) for line in console.export_text().splitlines()]
    assert {"orders 12 no sync ended", "vendors 0 never synced"} <= set(shown)


def test_a_state_without_a_meaning_is_asked_for_with_what_is_in_it() -> None:
    console = Console(file=StringIO(), record=True, width=200)
    unknown = [
        UnknownState("order_status", "on\nhold", 1, None),
        UnknownState("payment_status", "part paid", 1200, "12.5"),
    ]

    print_status(console, Overview("a.duckdb", None, (), (), (), unknown))

    lines = [line.strip() for line in console.export_text().splitlines()]
    assert [line for line in lines if "on hold" in line and "1 order" in line]
    assert [line for line in lines if all(word in line for word in ("part paid", "1,200", "12.5"))]
    names = ("waiting_order_statuses", "open_payment_statuses")
    assert [line for line in lines if all(name in line for name in names)]


def test_names_of_fields_are_shown_as_they_came() -> None:
    console = Console(file=StringIO(), record=True, width=200)

    console.print(finding_table([ListCheck("orders", "/orders", "200", unknown=("[/b]", "a\nb"))]))

    assert "[/b], a b" in console.export_text()
