"""Status: what the warehouse holds, and whether its certificates say that it is complete.

A DuckDB file cannot be read while a sync writes to it, so the last overview is kept beside it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import msgspec

from wholesale.api import RESOURCES
from wholesale_elt.process import JournalEntry, private
from wholesale_elt.process import replace as replace_file
from wholesale_elt.runs import (
    History,
    LastRun,
    SchemaChange,
    UnknownState,
    read_changes,
    read_complete_moments,
    read_histories,
    read_last_runs,
    read_unknown_states,
)
from wholesale_elt.warehouse import RawReader, Warehouse, is_in_use

RUNS_SHOWN = 10
CHANGES_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Status:
    """One resource: its rows without deleted ones, the last run, and the last proved moment.

    Times are UTC; `rows` is None if the tables could not be read yet. `lag_seconds` is the age of
    `complete_as_of`. In all audits, `silent` of `audited` records had been edited without a sign of
    it; None before the first audit.
    """

    resource: str
    rows: int | None
    last_run_at: datetime | None
    verdict: str | None
    reason: str | None
    complete_as_of: datetime | None
    proof: str | None
    open_suspects: int
    lag_seconds: int | None
    audited: int
    silent: int | None

    def is_older_than(self, hours: float) -> bool:
        """Whether it was synced before, and not proved complete within so many hours."""
        lag = self.lag_seconds
        return self.last_run_at is not None and (lag is None or lag > hours * 3600)


@dataclass(frozen=True, slots=True)
class Overview:
    """A warehouse at a glance: its resources, and the last commands of this machine on it.

    `observed_at` (UTC) is when the resources were read: earlier than now while another process
    writes to a DuckDB file, and None if they never could be. No setting says what `unknown_states`
    mean. `runs`, and `changes` in what the
    service sends, are sorted newest first.
    """

    warehouse: str
    observed_at: datetime | None
    runs: Sequence[JournalEntry]
    resources: Sequence[Status]
    changes: Sequence[SchemaChange] = ()
    unknown_states: Sequence[UnknownState] = ()

    def older_than(self, hours: float) -> list[str]:
        """The resources that were synced before, and not proved complete within so many hours;
        all resources if none was ever synced."""
        if all(row.last_run_at is None for row in self.resources):
            return [row.resource for row in self.resources]
        return [row.resource for row in self.resources if row.is_older_than(hours)]


def staleness(names: Sequence[str], hours: float) -> str:
    """The message for resources or accounts that are older than so many hours."""
    were = "was" if len(names) == 1 else "were"
    span = "an hour" if hours == 1 else f"{hours:g} hours"
    return f"{', '.join(names)} {were} not proved complete within {span}"


@dataclass(frozen=True, slots=True)
class _Kept:
    """The part of an overview that is kept in a file."""

    observed_at: datetime
    resources: Sequence[Status]
    changes: Sequence[SchemaChange]
    unknown_states: Sequence[UnknownState] = ()


def read_overview(warehouse: Warehouse, *, now: datetime | None = None) -> Overview:
    """The state of the warehouse; also before the first sync, and while one writes."""
    now = now or datetime.now(UTC)
    if not warehouse.may_exist:
        return Overview(
            warehouse.name, now, _runs(warehouse), [_never_synced(row.name, 0) for row in RESOURCES]
        )
    try:
        with warehouse.open(is_read_only=True) as raw:
            resources = _statuses(raw, now)
            changes = read_changes(raw)[: -CHANGES_SHOWN - 1 : -1]
            unknown = read_unknown_states(raw)
    except Exception as error:
        if not is_in_use(error):
            raise
        return _kept_overview(warehouse, warehouse.name, now)
    return Overview(warehouse.name, now, _runs(warehouse), resources, changes, unknown)


def keep_overview(warehouse: Warehouse) -> Overview:
    """Read the overview and keep it in a file; if it cannot be read, return the kept one."""
    now = datetime.now(UTC)
    try:
        overview = read_overview(warehouse, now=now)
    except Exception:  # the command that has just ended reports what is wrong
        return _kept_overview(warehouse, warehouse.destination, now)
    if overview.observed_at and warehouse.may_exist:
        text = msgspec.json.encode(
            _Kept(
                *(overview.observed_at, overview.resources),
                *(overview.changes, overview.unknown_states),
            )
        )
        with private():
            replace_file(_status_file(warehouse), lambda path: path.write_bytes(text))
    return overview


def _runs(warehouse: Warehouse) -> Sequence[JournalEntry]:
    return warehouse.journal.entries(RUNS_SHOWN)


def _kept_overview(warehouse: Warehouse, name: str, now: datetime) -> Overview:
    kept = _read_kept(_status_file(warehouse))
    resources = kept.resources if kept else [_never_synced(row.name, None) for row in RESOURCES]
    aged = [_aged(row, now) for row in resources]
    changes, unknown = (kept.changes, kept.unknown_states) if kept else ((), ())
    observed_at = kept.observed_at if kept else None
    return Overview(name, observed_at, _runs(warehouse), aged, changes, unknown)


def _status_file(warehouse: Warehouse) -> Path:
    return warehouse.state_folder / "status.json"


def _read_kept(path: Path) -> _Kept | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=_Kept)
    except (OSError, msgspec.DecodeError):
        return None


def _aged(status: Status, now: datetime) -> Status:
    complete = status.complete_as_of
    return replace(status, lag_seconds=int((now - complete).total_seconds()) if complete else None)


_never_synced = partial(
    Status,
    last_run_at=None,
    verdict=None,
    reason=None,
    complete_as_of=None,
    proof=None,
    open_suspects=0,
    lag_seconds=None,
    audited=0,
    silent=None,
)
"""The status of a resource that was never synced, by its name and rows."""


def _statuses(raw: RawReader, now: datetime) -> Sequence[Status]:
    lasts, pasts = read_last_runs(raw, now), read_histories(raw)
    moments = read_complete_moments(raw, now)
    return [
        _status(raw, row.name, now, lasts.get(row.name), pasts.get(row.name), moments.get(row.name))
        for row in RESOURCES
    ]


def _status(
    raw: RawReader,
    resource: str,
    now: datetime,
    last: LastRun | None,
    past: History | None,
    complete: datetime | None,
) -> Status:
    return Status(
        resource=resource,
        rows=raw.count_alive(resource),
        last_run_at=last.started_at if last else None,
        verdict=last.verdict if last else None,
        reason=last.reason if last else None,
        complete_as_of=complete,
        proof=last.proof if last else None,
        open_suspects=last.open_suspects if last else 0,
        lag_seconds=int((now - complete).total_seconds()) if complete else None,
        audited=past.audited if past else 0,
        silent=past.silent if past else None,
    )
