"""History: what the certificates of earlier runs say of each resource."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from secrets import token_bytes
from typing import TYPE_CHECKING, Any

from wholesale.names import EARLY_STOP, FULL_READ, run_id_of
from wholesale_elt.process import latest_believed
from wholesale_elt.runs.noted import (
    ABSENT,
    CHANGES,
    ERASED,
    REFUSED,
    SERVICE,
    SUSPECTS,
    SchemaChange,
)
from wholesale_elt.warehouse import CERTIFICATES

if TYPE_CHECKING:
    from wholesale.api import ServiceProfile
    from wholesale.privacy import Erased, ErasedKind
    from wholesale_elt.warehouse import RawReader

DIRTY_WINDOW = timedelta(minutes=2)
"""Records that changed this shortly before the last run may have changed again within the same
tick of the service's clock, or under a clock that differs from ours by so much."""
ABSENCE_INTERVAL = timedelta(minutes=2)
"""Two runs that miss a record count as two observations only if they are this far apart."""
SALT_BYTES = 16


@dataclass(frozen=True, slots=True)
class History:
    """When runs of a resource began (UTC, None if there was none), and the result of audits.

    `first_at` and `last_at` are the first and last run at all. Each of the others is the last run
    of its kind: `complete_at` was certified, `audited_at` audited, `scanned_at` was certified and
    saw the whole list, `stopped_at` stopped early, `missed_at` found what an early stop had missed,
    `full_at` was certified and ran with --full. `silent` of the `audited` records had been edited
    without a change in their summary; None where nothing was compared.
    """

    first_at: datetime | None = None
    complete_at: datetime | None = None
    audited_at: datetime | None = None
    scanned_at: datetime | None = None
    stopped_at: datetime | None = None
    missed_at: datetime | None = None
    full_at: datetime | None = None
    last_at: datetime | None = None
    audited: int = 0
    silent: int | None = None

    @property
    def dirty_since(self) -> datetime | None:
        """The moment from which records may have changed unseen; None before the first run."""
        since = self.complete_at or self.first_at
        return since - DIRTY_WINDOW if since else None

    @property
    def is_proved(self) -> bool:
        """Whether the last run proved that all records are stored."""
        return self.last_at is not None and self.last_at == self.complete_at

    @property
    def is_restless(self) -> bool:
        """Whether most audited records differed from what was stored."""
        return 2 * (self.silent or 0) > self.audited

    @property
    def read_again_at(self) -> datetime | None:
        """When records were last read again for an audit, or first read."""
        return self.audited_at or self.first_at

    @property
    def is_order_trusted(self) -> bool:
        """False once an early stop missed something, until the next run with --full."""
        return self.missed_at is None or (
            self.full_at is not None and self.full_at > self.missed_at
        )


def read_histories(raw: "RawReader") -> Mapping[str, History]:
    """The history of each resource that was ever read, without runs ahead of the clock."""
    is_complete = "verdict = 'complete'"
    moments = (
        "min(started_at)",
        "max(started_at)",
        _last(is_complete),
        _last("audited > 0"),
        _last(f"{is_complete} and strategy <> '{EARLY_STOP}'"),
        _last(f"strategy = '{EARLY_STOP}'"),
        _last("missed > 0"),
        _last(f"{is_complete} and strategy = '{FULL_READ}'"),
    )
    rows = raw.rows(
        f"select resource, {', '.join(moments)}, coalesce(sum(audited), 0),"
        " sum(case when audited > 0 then silent end)"
        f" from {raw.name(CERTIFICATES)} where started_at <= %s group by resource",
        latest_believed(),
    )
    return {resource: _history(*row) for resource, *row in rows}


def recency(now: datetime | None = None) -> str:
    """An SQL expression that sorts rows of runs by time: their `run_id`, but those of runs that lie
    ahead of the clock come before all others, as a wrong clock dated them."""
    return f"case when run_id <= '{run_id_of(latest_believed(now))}' then run_id else '' end"


def _history(*row: Any) -> History:
    first, last, complete, audit, scan, stop, miss, full, audited, silent = row
    return History(
        first_at=as_utc(first),
        complete_at=as_utc(complete),
        audited_at=as_utc(audit),
        scanned_at=as_utc(scan),
        stopped_at=as_utc(stop),
        missed_at=as_utc(miss),
        full_at=as_utc(full),
        last_at=as_utc(last),
        audited=int(audited),
        silent=None if silent is None else int(silent),
    )


@dataclass(frozen=True, slots=True)
class LastRun:
    """The last run of a resource."""

    started_at: datetime
    verdict: str
    reason: str | None
    proof: str | None
    open_suspects: int


def read_last_runs(raw: "RawReader", now: datetime | None = None) -> Mapping[str, LastRun]:
    """The last run of each resource; one ahead of the clock only if there is no other."""
    known = raw.column_names(CERTIFICATES)
    names = [name if name in known else "null" for name in ("proof", "open_suspects")]
    rows = raw.rows(
        "select * from (select resource, row_number() over (partition by resource"
        f" order by {recency(now)} desc, run_id desc) as recency,"
        f" started_at, verdict, reason, {', '.join(names)} from {raw.name(CERTIFICATES)}) as runs"
        " where recency = 1",
    )
    return {
        resource: LastRun(_utc(started_at), verdict, reason, proof, suspects or 0)
        for resource, _, started_at, verdict, reason, proof, suspects in rows
    }


def read_complete_moments(raw: "RawReader", now: datetime | None = None) -> Mapping[str, datetime]:
    """The last moment (UTC) at which each resource was proved complete."""
    if "complete_as_of" not in raw.column_names(CERTIFICATES):
        return {}
    rows = raw.rows(
        f"select resource, max(complete_as_of) from {raw.name(CERTIFICATES)}"
        " where complete_as_of <= %s group by resource",
        latest_believed(now),
    )
    return {resource: _utc(at) for resource, at in rows}


@dataclass(frozen=True, slots=True)
class CompleteRun:
    """A run in which a resource was proved complete, as of a moment (UTC)."""

    run_id: str
    complete_as_of: datetime


def first_complete_run(
    raw: "RawReader", resource: str, since: datetime, now: datetime | None = None
) -> CompleteRun | None:
    """The first run that began at this moment or later and proved the resource complete."""
    rows = raw.rows(
        f"select run_id, complete_as_of from {raw.name(CERTIFICATES)}"
        " where resource = %s and verdict = 'complete' and complete_as_of is not null"
        " and run_id >= %s and started_at <= %s order by run_id limit 1",
        *(resource, run_id_of(since), latest_believed(now)),
    )
    return CompleteRun(rows[0][0], _utc(rows[0][1])) if rows else None


def has_changed_since(raw: "RawReader", resource: str, since: datetime) -> bool:
    """Whether a run since then found changed records of the resource, or cannot tell."""
    return bool(
        raw.rows(
            f"select 1 from {raw.name(CERTIFICATES)} where resource = %s and started_at >= %s"
            " and coalesce(changed, 1) > 0 limit 1",
            resource,
            since,
        )
    )


def read_suspects(raw: "RawReader", now: datetime | None = None) -> Mapping[str, Sequence[str]]:
    """Ids of records that the last run did not find, by resource; only of runs that ended
    ABSENCE_INTERVAL ago or earlier."""
    return _left_open(raw, ABSENT, (now or datetime.now(UTC)) - ABSENCE_INTERVAL)


def read_refused(raw: "RawReader") -> Mapping[str, Sequence[str]]:
    """Ids of records that came only incomplete in the last run, or contradicting their list, by
    resource: whatever is stored of them is to be read again."""
    return _left_open(raw, REFUSED, latest_believed())


def _left_open(raw: "RawReader", reason: str, before: datetime) -> Mapping[str, Sequence[str]]:
    """Ids of records that the last run which ended before then left open for this reason."""
    if not raw.column_names(SUSPECTS):
        return {}
    rows = raw.rows(
        f"select suspects.resource, suspects.id from {raw.name(SUSPECTS)} as suspects"
        f" join (select resource, max(run_id) as run_id from {raw.name(CERTIFICATES)}"
        " where ended_at < %s group by resource) as runs"
        " on runs.resource = suspects.resource and runs.run_id = suspects.run_id"
        " where suspects.reason = %s",
        before,
        reason,
    )
    found: dict[str, list[str]] = defaultdict(list)
    for resource, key in rows:
        found[resource].append(str(key))
    return found


def read_profile(raw: "RawReader") -> "ServiceProfile | None":
    """What the last run that found something out knew of the service; None: nothing is known."""
    from wholesale.api import ServiceProfile  # whose model takes long to make

    if not raw.column_names(SERVICE):
        return None
    rows = raw.rows(
        f"select fact, value, origin from {raw.name(SERVICE)}"
        f" where run_id = (select run_id from {raw.name(SERVICE)}"
        f" order by {recency()} desc, run_id desc limit 1)"
    )
    known = {
        fact: json.loads(value) for fact, value, _ in rows if fact in ServiceProfile.model_fields
    }
    pinned = {fact for fact, _, origin in rows if origin == "set"} & known.keys()
    return ServiceProfile.model_validate({**known, "pinned": pinned}) if known else None


def read_changes(raw: "RawReader") -> list[SchemaChange]:
    """The changes that runs saw in what the service sends, oldest first."""
    names = ", ".join(field.name for field in fields(SchemaChange))
    rows = raw.rows(f"select {names} from {raw.name(CHANGES)} order by {recency()}, run_id, name")
    return [SchemaChange(*row) for row in rows]


def read_erased(raw: "RawReader") -> "Erased":
    """The erasures of the warehouse; with a new salt if there are none."""
    from wholesale.privacy import Erased  # with Arrow

    hashes: dict[ErasedKind, set[str]] = defaultdict(set)
    salts = set()
    for kind, hash_, salt in raw.rows(f"select kind, hash, salt from {raw.name(ERASED)}"):
        hashes[kind].add(hash_)
        salts.add(bytes.fromhex(salt))
    known = {kind: frozenset(found) for kind, found in hashes.items()}
    return Erased(salts.pop() if salts else token_bytes(SALT_BYTES), known)


def _last(condition: str) -> str:
    return f"max(case when {condition} then started_at end)"


def as_utc(at: datetime | None) -> datetime | None:
    """A time from a destination, or None; one without a zone is UTC."""
    return at and _utc(at)


def _utc(at: datetime) -> datetime:
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
