"""Output of a fleet: the result and state of each account, and what to schedule."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from wholesale.errors import counted
from wholesale_elt.cli import Output, minute, run_lines, say, shown
from wholesale_fleet.consolidation import Consolidation
from wholesale_fleet.publishing import Sales
from wholesale_fleet.schedule import FleetPlan
from wholesale_fleet.standing import AccountStanding
from wholesale_fleet.summary import AccountSummary, FleetSummary

STYLES = {"complete": "green", "incomplete": "bold yellow", "in use": "dim", "not due": "dim"}


def say_ended(output: Output, account: AccountSummary) -> None:
    """A line of progress for an account that is done."""
    took = ""
    if account.started_at and account.ended_at:
        took = f" after {(account.ended_at - account.started_at).total_seconds():,.0f} s"
    output.progress(
        f"{account.account}: {account.result}{took}", account=account.account, result=account.result
    )


def print_round(console: Console, summary: FleetSummary) -> None:
    """One row for each account, by name, and a line for each problem."""
    table = _table("account", "result", numbers=("requests", "new", "changed"))
    table.add_column("complete as of (UTC)", no_wrap=True)
    accounts = sorted(summary.accounts, key=lambda account: account.account)
    for account in accounts:
        table.add_row(
            account.account,
            Text(account.result, style=STYLES.get(account.result, "bold red")),
            f"{account.requests:,}",
            f"{account.new:,}",
            f"{account.changed:,}",
            minute(account.complete_as_of),
        )
    console.print(table)
    for account in accounts:
        if account.error:
            say(console, f"{account.account} {account.result}: {account.error}")


def print_consolidation(console: Console, fleet: Consolidation) -> None:
    """Place, news, and what is missing or doubtful, a line each."""
    numbers = len(fleet.changed) + len(fleet.same)
    new = f"; new: {', '.join(fleet.changed)}" if fleet.changed else ""
    gone = f"; gone: {', '.join(fleet.gone)}" if fleet.gone else ""
    say(
        console,
        f"{fleet.result} {numbers:,} of {counted(fleet.accounts, 'account')} in {fleet.place},"
        f" version {fleet.version}{new}{gone}",
    )
    for reason in fleet.reasons:
        say(console, f"not complete: {reason}")


def print_standings(
    console: Console, standings: Sequence[AccountStanding], sales: Sequence[Sales], now: datetime
) -> None:
    """One row for each account: its records, how far to trust them, and when it is due; what they
    sold by currency, and a line for each that is late."""
    table = _table("account", numbers=("rows",))
    for name in ("verdict", "complete as of (UTC)", "due (UTC)"):
        table.add_column(name, no_wrap=True)
    for standing in standings:
        verdict = standing.word
        table.add_row(
            standing.account.name,
            "" if standing.rows is None else f"{standing.rows:,}",
            Text(verdict, style=STYLES.get(verdict, "dim")),
            minute(standing.complete_as_of),
            "now" if standing.is_due(now) else minute(standing.due_at),
        )
    console.print(table)
    if sales:
        print_sales(console, sales)
    for standing in standings:
        if standing.is_late(now):
            as_of = minute(standing.complete_as_of)
            since = f"complete as of {as_of}" if as_of else "never complete"
            every = f"{standing.account.every_hours:g} h"
            say(console, f"{standing.account.name} is late: {since}, and due every {every}")
    for standing in standings:
        for line in run_lines(standing.overview.runs if standing.overview else ()):
            say(console, f"{standing.account.name} {line}")


def print_sales(console: Console, sales: Sequence[Sales]) -> None:
    """One row for all accounts of a currency, as far as their amounts add up."""
    table = _table("currency", numbers=("orders", "sales"))
    table.add_column("as of (UTC)", no_wrap=True)
    table.add_column("accounts")
    for row in sales:
        table.add_row(
            row.currency or "not set",
            f"{row.orders:,}",
            shown(row.amount),
            minute(row.as_of),
            ", ".join(row.accounts),
        )
    console.print(table)


def standings_document(
    standings: Sequence[AccountStanding], sales: Sequence[Sales], now: datetime
) -> Mapping[str, object]:
    """The state of each account, with the last command of this machine on it, and what they
    sold."""
    return {
        "sales": [asdict(row) for row in sales],
        "accounts": [
            {
                "account": standing.account.name,
                "rows": standing.rows,
                "verdict": standing.verdict,
                "complete_as_of": standing.complete_as_of,
                "is_due": standing.is_due(now),
                "due_at": standing.due_at,
                "is_late": standing.is_late(now),
                "error": standing.error,
                "last_run": next(
                    (asdict(run) for run in (standing.overview.runs if standing.overview else ())),
                    None,
                ),
            }
            for standing in standings
        ],
    }


def print_plans(console: Console, plan: FleetPlan) -> None:
    """One row for each account, then what to schedule."""
    table = _table("account", "host", numbers=("requests", "minutes"))
    for name in ("every", "due (UTC)"):
        table.add_column(name, no_wrap=True)
    for account in plan.accounts:
        table.add_row(
            account.account,
            account.host,
            "" if account.requests is None else f"{account.requests:,}",
            "" if account.minutes is None else f"{account.minutes:,.1f}",
            f"{account.every_hours:g} h",
            minute(account.due_at) or "now",
        )
    console.print(table)
    minutes = max(1, round(plan.minutes))
    say(console, f"{counted(plan.requests, 'request')}, about {minutes:,} min one after the other")
    workers = f" --workers {plan.workers}" if plan.workers > 1 else ""
    say(
        console,
        f"schedule `wholesale run --all{workers}` every {counted(plan.every_minutes, 'minute')}:"
        " those that are due are run",
    )
    for host in plan.crowded:
        say(
            console,
            f"{host} cannot keep up with the cadences of its accounts: let more of them run at once"
            " in table [hosts], or each less often",
        )


def _table(*names: str, numbers: Sequence[str]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in names:
        table.add_column(name, no_wrap=True)
    for name in numbers:
        table.add_column(name, justify="right", no_wrap=True)
    return table
