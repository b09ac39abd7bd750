"""Alerts: news of a warehouse, sent once when a problem begins, and once when it is over."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Literal

from wholesale_elt.inspect import Overview, staleness
from wholesale_elt.process import JournalEntry

Severity = Literal[
    "failed",
    "incomplete",
    "stale",
    "rule",
    "closed month",
    "schema changed",
    "changed",
    "recovered",
]
SEVERITIES: Mapping[Severity, str] = {
    "failed": "a command failed, was misconfigured, or was killed; not if another run was at work",
    "incomplete": "a sync loaded data that is not certified complete",
    "stale": "a resource is older than `stale_after_hours`",
    "rule": "a figure of the published version is below or above what `rules` say",
    "closed month": "a month that was closed is another one than the version told of last said",
    "schema changed": "the service sends other fields or values than before",
    "changed": "the sales of the published version are others than those told of last (`news`)",
    "recovered": "all problems that were reported are over",
}
"""Severities with their meanings, the worst first."""
COVERED_BY_RUN = frozenset({"run", "sync", "build", "publish"})
INCOMPLETE = 3
KILLED = "it did not end: it was killed, or the machine went down; run again"


@dataclass(frozen=True, slots=True)
class Item:
    """One of what an alert is about; `to` is its place on the page, as `#/order/1001`."""

    text: str
    to: str


@dataclass(frozen=True, slots=True)
class Alert:
    """A problem, or the end of all of them; `since` is UTC.

    `to` is its place on the page. It is about `item_count` orders, buyers or products, of which
    `items` are the first.
    """

    severity: Severity
    subject: str
    message: str
    since: datetime | None = None
    to: str | None = None
    items: Sequence[Item] = ()
    item_count: int = 0

    @property
    def key(self) -> str:
        """The same as long as the problem is the same, however often it is seen."""
        return f"{self.severity}: {self.subject}"

    def __str__(self) -> str:
        return f"{self.severity}: {self.subject}: {self.message}"


def number(value: Decimal | int | None) -> str:
    """With all its digits, and none that is not needed."""
    return "not known" if value is None else f"{Decimal(value).normalize():,f}"


def is_of_rule(key: str) -> bool:
    """Whether an alert of this key tells of a rule on figures."""
    return key.startswith("rule: ")


def open_alerts(overview: Overview, stale_after_hours: float | None) -> list[Alert]:
    """Every present problem, whether it was reported or not."""
    return [*_of_commands(overview.runs), *_of_age(overview, stale_after_hours)]


def news(found: Sequence[Alert], sent: Mapping[str, str], now: datetime) -> list[Alert]:
    """Alerts that were not sent before; when all that were sent are over, one that says so.

    `sent` are the messages that were sent, by key.
    """
    new = [alert for alert in found if alert.key not in sent]
    if sent and not found:
        return [Alert("recovered", "all", "over: " + "; ".join(sent.values()), now)]
    return new


def worst(alerts: Sequence[Alert]) -> Alert:
    """The first of the worst severity."""
    ranks = list(SEVERITIES)
    return min(alerts, key=lambda alert: ranks.index(alert.severity))


def _of_commands(entries: Sequence[JournalEntry]) -> Iterator[Alert]:
    """Alerts by how each command ended last; a later `run` stands for the others. One that found
    another run at work tells nothing: how that one ends does."""
    settled: set[str] = set()
    for entry in entries:
        if entry.state == "running" or entry.is_in_use or entry.command in settled:
            continue
        settled |= COVERED_BY_RUN if entry.command == "run" else {entry.command}
        at = entry.ended_at or entry.started_at
        if entry.state == "killed":
            yield Alert("failed", entry.command, KILLED, at)
        elif entry.exit_code:
            severity: Severity = "incomplete" if entry.exit_code == INCOMPLETE else "failed"
            yield Alert(severity, entry.command, entry.message or "", at)


def _of_age(overview: Overview, hours: float | None) -> Iterator[Alert]:
    if hours is None:
        return
    since = {row.resource: row.complete_as_of for row in overview.resources}
    for resource in overview.older_than(hours):
        yield Alert("stale", resource, staleness([resource], hours), since[resource])
