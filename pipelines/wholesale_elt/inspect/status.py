"""Status: what the warehouse holds and how far it may be trusted, by its own certificates."""

from dataclasses import dataclass
from datetime import UTC, datetime

from wholesale.api import RESOURCES
from wholesale_elt.warehouse import (
    Raw,
    Warehouse,
    read_complete_as_of,
    read_history,
    read_last_run,
)


@dataclass(frozen=True, slots=True)
class Status:
    """One resource: rows that are alive, the last run and its verdict, the last proved moment.

    Times are UTC; `lag_seconds` is the age of `complete_as_of`, None when there is none; a moment
    that lies ahead of the clock proves nothing.
    `silent` of `audited` records had been edited without a trace in what tells a change; over all
    runs, None where nothing was audited yet.
    """

    resource: str
    rows: int
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
        """Whether a resource that was ever synced was not proved complete so lately."""
        lag = self.lag_seconds
        return self.last_run_at is not None and (lag is None or lag > hours * 3600)


def read_status(warehouse: Warehouse, *, now: datetime | None = None) -> list[Status]:
    """A row a resource; those that were never synced are in it, without times."""
    with warehouse.open(is_read_only=True) as raw:
        return [_status(raw, row.name, now or datetime.now(UTC)) for row in RESOURCES]


def _status(raw: Raw, resource: str, now: datetime) -> Status:
    last = read_last_run(raw, resource, now)
    past = read_history(raw, resource)
    complete = read_complete_as_of(raw, resource, now)
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
        audited=past.audited,
        silent=past.silent,
    )
