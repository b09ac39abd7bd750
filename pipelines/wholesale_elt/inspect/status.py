"""Status: what the warehouse holds and how far it may be trusted, by its own certificates."""

from dataclasses import dataclass
from datetime import UTC, datetime

from wholesale.api import RESOURCES
from wholesale_elt.warehouse import TABLE, Raw, Warehouse, as_utc, read_history


@dataclass(frozen=True, slots=True)
class Status:
    """One resource: rows that are alive, the last run and its verdict, the last complete run.

    Times are UTC; `lag_seconds` is the age of the last complete run, None when there is none.
    `silent` of `audited` records had been edited without a trace in what tells a change; over all
    runs, None where nothing was audited yet.
    """

    resource: str
    rows: int
    last_run_at: datetime | None
    verdict: str | None
    reason: str | None
    last_complete_at: datetime | None
    lag_seconds: int | None
    audited: int
    silent: int | None

    def is_older_than(self, hours: float) -> bool:
        """Whether a resource that was ever synced has no certified run so young."""
        lag = self.lag_seconds
        return self.last_run_at is not None and (lag is None or lag > hours * 3600)


def read_status(warehouse: Warehouse, *, now: datetime | None = None) -> list[Status]:
    """A row a resource; those that were never synced are in it, without times."""
    with warehouse.open(is_read_only=True) as raw:
        return [_status(raw, row.name, now or datetime.now(UTC)) for row in RESOURCES]


def _status(raw: Raw, resource: str, now: datetime) -> Status:
    last = raw.rows(
        f"select started_at, verdict, reason from {raw.name(TABLE)}"
        " where resource = %s order by run_id desc limit 1",
        resource,
    )
    last_run_at, verdict, reason = last[0] if last else (None, None, None)
    past = read_history(raw, resource)
    complete = past.complete_at
    return Status(
        resource=resource,
        rows=raw.count_alive(resource),
        last_run_at=as_utc(last_run_at),
        verdict=verdict,
        reason=reason,
        last_complete_at=complete,
        lag_seconds=int((now - complete).total_seconds()) if complete else None,
        audited=past.audited,
        silent=past.silent,
    )
