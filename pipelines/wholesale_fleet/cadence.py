"""Cadence: which accounts are due, by their certificates, and which are being worked on."""

from datetime import datetime, timedelta

from wholesale.api import RESOURCE
from wholesale_elt.inspect import Overview, Status
from wholesale_elt.process import JournalEntry
from wholesale_fleet.accounts import Account

EARLY = 0.9
"""The share of a cadence after which an account is due: else an hourly schedule that is a second
early would skip every other hour."""


def next_due(account: Account, overview: Overview, child_hours: float) -> datetime | None:
    """When it is due again; None if it is due at any time: it was never loaded, is not certified
    complete, or its last command failed.

    `child_hours` is the setting `child_lists_every_hours`, by which a sync leaves out child lists.
    """
    last = max((run for run in overview.runs if run.state != "running"), key=_end, default=None)
    if last and (last.state == "killed" or last.exit_code):
        return None
    moments = []
    for status in overview.resources:
        if account.resources and status.resource not in account.resources:
            continue
        if status.verdict != "complete" or status.last_run_at is None:
            return None
        moments.append(status.last_run_at + _age(status, account.every_hours, child_hours))
    return min(moments)


def _age(status: Status, every_hours: float, child_hours: float) -> timedelta:
    is_child = RESOURCE[status.resource].parent is not None
    return timedelta(hours=max(EARLY * every_hours, child_hours if is_child else 0.0))


def seen_to(overview: Overview, command: str, since: datetime) -> JournalEntry | None:
    """The command of another worker of this machine on it, now or since then."""
    if running := next((run for run in overview.runs if run.state == "running"), None):
        return running
    done = [
        run
        for run in overview.runs
        if run.state == "ended" and run.command == command and run.started_at >= since
    ]
    return max(done, key=_end, default=None)


def _end(entry: JournalEntry) -> datetime:
    """When a command ended; one that found another at work began later and ended sooner."""
    return entry.ended_at or entry.started_at
