"""History: what the certificates of earlier runs say of one resource."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

from wholesale.sync import EARLY_STOP, FULL_READ
from wholesale_elt.warehouse.certificate import TABLE

DIRTY_WINDOW = timedelta(minutes=2)
"""Records changed so shortly before the last run, or since, may have changed again within the
same tick of the service's clock, or of a clock that differs from ours by so much."""


class Rows(Protocol):
    """A dataset that can be asked."""

    def name(self, table: str) -> str: ...

    def rows(self, sql: str, *parameters: Any) -> Sequence[tuple[Any, ...]]: ...


@dataclass(frozen=True, slots=True)
class History:
    """When runs of a resource began, UTC, None where there was none; and what audits came to.

    `first_at` is the first run at all, `complete_at` the last certified one, `audited_at` the
    last that audited, `swept_at` the last certified one that saw the whole list, `stopped_at` the
    last that stopped early, `missed_at` the last that found what an early stop had missed,
    `full_at` the last certified one with --full. `silent` of the `audited` records were edited
    without a trace; None where nothing was compared.
    """

    first_at: datetime | None = None
    complete_at: datetime | None = None
    audited_at: datetime | None = None
    swept_at: datetime | None = None
    stopped_at: datetime | None = None
    missed_at: datetime | None = None
    full_at: datetime | None = None
    audited: int = 0
    silent: int | None = None

    @property
    def dirty_since(self) -> datetime | None:
        """From when on records may have changed unseen; the first run read everything."""
        since = self.complete_at or self.first_at
        return since - DIRTY_WINDOW if since else None

    @property
    def read_again_at(self) -> datetime | None:
        """When bodies were last read again for an audit, or at first."""
        return self.audited_at or self.first_at

    @property
    def is_order_trusted(self) -> bool:
        """False once an early stop missed something, until a run with --full starts afresh."""
        return self.missed_at is None or (
            self.full_at is not None and self.full_at > self.missed_at
        )


def read_history(dataset: Rows, resource: str, *, since: datetime | None = None) -> History:
    """The history of a resource; `since` then no run had begun, should no certificate say."""
    is_complete = "verdict = 'complete'"
    moments = (
        "min(started_at)",
        _last(is_complete),
        _last("audited > 0"),
        _last(f"{is_complete} and strategy <> '{EARLY_STOP}'"),
        _last(f"strategy = '{EARLY_STOP}'"),
        _last("missed > 0"),
        _last(f"{is_complete} and strategy = '{FULL_READ}'"),
    )
    rows = dataset.rows(
        f"select {', '.join(moments)}, coalesce(sum(audited), 0),"
        " sum(case when audited > 0 then silent end)"
        f" from {dataset.name(TABLE)} where resource = %s",
        resource,
    )
    if not rows:
        return History(first_at=since)
    first, complete, audit, sweep, stop, miss, full, audited, silent = rows[0]
    return History(
        first_at=as_utc(first) or since,
        complete_at=as_utc(complete),
        audited_at=as_utc(audit),
        swept_at=as_utc(sweep),
        stopped_at=as_utc(stop),
        missed_at=as_utc(miss),
        full_at=as_utc(full),
        audited=int(audited),
        silent=None if silent is None else int(silent),
    )


def _last(condition: str) -> str:
    return f"max(case when {condition} then started_at end)"


def as_utc(at: datetime | None) -> datetime | None:
    """A time from a destination; one without a zone is UTC."""
    return at.replace(tzinfo=UTC) if at and at.tzinfo is None else at
