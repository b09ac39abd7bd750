"""Certificate: what a run found of each resource, and whether that is proved complete."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import pyarrow as pa

from wholesale.errors import counted
from wholesale.names import EARLY_STOP, moment_of
from wholesale.prove import ProofKind
from wholesale.sync import Doubts, Tally
from wholesale_elt.runs.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class Certificate:
    """One row of `sync_runs`: one resource in one run.

    Times are UTC; `bytes` are of decoded bodies; a count is None where it is not known.

    - `service`: the base URL without its scheme, or the name of a sandbox.
    - `ids_seen`: distinct ids; only those at the head of the list if the strategy is `early stop`.
    - `new`: ids that were not stored before; `changed`: those stored in another state; `deleted`:
      those proved to be gone.
    - `audited`: records read again although nothing said that they changed; `silent` of them had.
    - `missed`: changes that an early stop of an earlier run should have found.
    - `complete_as_of`: the moment at which no record was missing and none too many, by this kind of
      `proof`; both are None where that was not proved.
    - `open_suspects`: stored records whose absence is not settled.
    - `digest`: of all that is stored of the resource at the end of the run; None once something
      other than a sync had to change that.
    - `alive`: stored records that are not deleted; None where the reading did not come to its end.
    """

    run_id: str
    resource: str
    service: str
    destination: str
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
    complete_as_of: datetime | None
    proof: ProofKind | None
    open_suspects: int
    alive: int | None
    reason: str | None
    digest: str | None

    @property
    def records(self) -> int:
        """How many records the resource has according to this run."""
        return (self.last_total_count or 0) if self.strategy == EARLY_STOP else self.ids_seen


SCHEMA = pa.schema(
    [
        pa.field("run_id", pa.string(), nullable=False),
        pa.field("resource", pa.string(), nullable=False),
        pa.field("service", pa.string(), nullable=False),
        pa.field("destination", pa.string()),
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
        pa.field("complete_as_of", pa.timestamp("us", "UTC")),
        pa.field("proof", pa.string()),
        pa.field("open_suspects", pa.int64()),
        pa.field("alive", pa.int64()),
        pa.field("reason", pa.string()),
        pa.field("digest", pa.string()),
    ]
)
MAX_REASON = 500
DIGEST = "digest"


def certify(
    tally: Tally,
    doubts: Doubts,
    *,
    run_id: str,
    service: str,
    destination: str,
    deleted: int,
    stored: int,
    damaged: int = 0,
    digest: str | None = None,
) -> Certificate:
    """The certificate of one resource: what its reading came to, checked against its tables.

    `stored` counts the rows that are not marked as deleted; after a finished reading it must equal
    `tally.alive`. `damaged` counts records that are stored twice or in part. No moment is before
    the run began: its id puts it in order among others, and the clock may be set back meanwhile.
    """
    began_at = moment_of(run_id)
    reasons = doubts.sentences()
    if damaged:
        reasons.append(f"{counted(damaged, 'record')} stored twice or in part: run again")
    if doubts.is_finished and stored != tally.alive:
        reasons.append(f"{counted(stored, 'record')} stored where there must be {tally.alive:,}")
    proof = None if reasons else doubts.proof
    return Certificate(
        run_id=run_id,
        resource=tally.resource,
        service=service,
        destination=destination,
        started_at=max(began_at, tally.started_at),
        ended_at=max(began_at, doubts.ended_at or tally.started_at),
        strategy=tally.strategy,
        pages=tally.pages,
        requests=tally.traffic.requests,
        bytes=tally.traffic.bytes,
        sweeps=tally.full_scans,
        ids_seen=tally.ids_seen,
        first_total_count=tally.first_total,
        last_total_count=tally.last_total,
        duplicates=tally.duplicates,
        new=tally.new,
        changed=tally.changed,
        deleted=deleted,
        unreadable=tally.unreadable,
        audited=tally.audited,
        silent=tally.silent,
        missed=tally.missed,
        verdict="incomplete" if reasons else "complete",
        complete_as_of=max(began_at, proof.complete_as_of) if proof else None,
        proof=proof.kind if proof else None,
        open_suspects=len(doubts.suspects),
        alive=tally.alive if doubts.is_finished else None,
        reason="; ".join(reasons)[:MAX_REASON] or None,
        digest=digest,
    )


def is_complete(certificates: Sequence[Certificate]) -> bool:
    return all(certificate.verdict == "complete" for certificate in certificates)
