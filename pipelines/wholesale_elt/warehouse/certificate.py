"""Certificate: what a run found of each resource, and whether that is proved complete."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Literal

import pyarrow as pa

from wholesale.sync import EARLY_STOP, Report

Verdict = Literal["complete", "incomplete"]

TABLE = "sync_runs"


@dataclass(frozen=True, slots=True)
class Certificate:
    """One row of `sync_runs`: one resource in one run. Times are UTC; bytes are decoded bodies.

    `new` counts ids that were not stored before, `changed` those stored otherwise (None where
    that is not known), `deleted` those proved to be gone, `audited` those read again although
    nothing said that they had changed, and `silent` those of them that had changed all the same
    (None where that is not known), `missed` those that an early stop before should have found.
    `ids_seen` are those of the last pass, the head of the list alone where the strategy is
    `early stop`. `service` is the base URL without its scheme, or what a sandbox calls itself.
    """

    run_id: str
    resource: str
    service: str
    started_at: datetime
    ended_at: datetime
    strategy: str
    pages: int
    requests: int
    bytes: int
    sweeps: int
    ids_seen: int
    first_total_count: int | None
    last_total_count: int | None
    duplicates: int
    new: int
    changed: int | None
    deleted: int
    unreadable: int
    audited: int
    silent: int | None
    missed: int
    verdict: Verdict
    reason: str | None

    @property
    def records(self) -> int:
        """How many records the resource has by this run."""
        return (self.last_total_count or 0) if self.strategy == EARLY_STOP else self.ids_seen


SCHEMA = pa.schema(
    [
        pa.field("run_id", pa.string(), nullable=False),
        pa.field("resource", pa.string(), nullable=False),
        pa.field("service", pa.string(), nullable=False),
        pa.field("started_at", pa.timestamp("us", "UTC"), nullable=False),
        pa.field("ended_at", pa.timestamp("us", "UTC"), nullable=False),
        pa.field("strategy", pa.string(), nullable=False),
        *(
            pa.field(name, pa.int64())
            for name in (
                "pages",
                "requests",
                "bytes",
                "sweeps",
                "ids_seen",
                "first_total_count",
                "last_total_count",
                "duplicates",
                "new",
                "changed",
                "deleted",
                "unreadable",
                "audited",
                "silent",
                "missed",
            )
        ),
        pa.field("verdict", pa.string(), nullable=False),
        pa.field("reason", pa.string()),
    ]
)


def table_of(certificates: Sequence[Certificate]) -> pa.Table:
    """The certificates as rows of `sync_runs`."""
    rows = [asdict(certificate) for certificate in certificates]
    return pa.Table.from_pylist(rows, schema=SCHEMA)


def certify(report: Report, *, run_id: str, service: str, deleted: int, stored: int) -> Certificate:
    """The certificate of one resource: the account of its reading, checked against its table.

    `stored` counts the rows that are not marked as deleted; they must be those that were listed.
    """
    doubts = report.doubts()
    if stored != report.listed:
        doubts.append(f"{report.listed or 0:,} records were listed and {stored:,} are stored")
    return Certificate(
        run_id=run_id,
        resource=report.resource,
        service=service,
        started_at=report.started_at,
        ended_at=report.ended_at or report.started_at,
        strategy=report.strategy,
        pages=report.pages,
        requests=report.traffic.requests,
        bytes=report.traffic.bytes,
        sweeps=report.passes,
        ids_seen=report.ids_seen,
        first_total_count=report.first_total,
        last_total_count=report.last_total,
        duplicates=report.duplicates,
        new=report.new,
        changed=report.changed,
        deleted=deleted,
        unreadable=report.unreadable,
        audited=report.audited,
        silent=report.silent,
        missed=report.missed,
        verdict="incomplete" if doubts else "complete",
        reason="; ".join(doubts) or None,
    )


def is_complete(certificates: Sequence[Certificate]) -> bool:
    return all(certificate.verdict == "complete" for certificate in certificates)
