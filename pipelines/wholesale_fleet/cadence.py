"""Cadence: which accounts are due, by their certificates, and which are being worked on."""

from datetime import datetime, timedelta

from wholesale.api import RESOURCE
from wholesale_elt.inspect import Overview, Status
from wholesale_elt.process import JournalEntry
from wholesale_fleet.accounts import Account

EARLY = 0.9
"""The share of a cadence after which an account is due: else an hourly schedule that is a second
early would skip every other hour."""


FIRST_PAUSE = timedelta(minutes=15)
LONGEST_PAUSE = timedelta(days=1)


def next_due(account: Account, overview: Overview, child_hours: float) -> datetime | None:
    """When it is due again; None if it is due at any time: it was never loaded, is not certified
    complete, or its last command failed. After further failures it pauses, each time for longer: a
    service that lies is never certified, and costs as many requests each time.

    `child_hours` is the setting `child_lists_every_hours`, by which a sync leaves out child lists.
    """
    last = max((run for run in overview.runs if run.state != "running"), key=_end, default=None)
    if last and (last.state == "killed" or last.exit_code):
        again = failures(overview) - 2
        pause = min(FIRST_PAUSE * 2**again, LONGEST_PAUSE) if again >= 0 else None
        return _end(last) + pause if pause else None
    moments = []
    for status in overview.resources:
        if account.resources and status.resource not in account.resources:
            continue
        if status.verdict != "complete" or not (status.last_run_at and status.complete_as_of):
            return None  # never loaded, not complete, or under a clock that was ahead
        moments.append(status.last_run_at + _age(status, account.every_hours, child_hours))
    return min(moments)


def failures(overview: Overview) -> int:
    """How many commands of this machine failed in a row, up to the last one; one that was killed
    has not failed by itself, and one that found another at work has not begun."""
    count = 0
    for run in sorted(overview.runs, key=_end, reverse=True):
        if run.state == "running" or run.is_in_use:
            continue
        if run.state == "killed" or not run.exit_code:
            break
        count += 1
    return count


def is_unpublished(overview: Overview) -> bool:
    """Whether a `sync` of this machine has ended well, and was not built or not published since."""
    missing: set[str] = set()
    for run in sorted(overview.runs, key=_end):
        if run.state == "ended" and not run.exit_code:
            if run.command == "sync":
                missing = {"build", "publish"}
            elif run.command in ("run", "build") or "build" not in missing:
                missing -= {"build", "publish"} if run.command == "run" else {run.command}
    return bool(missing)


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
