"""Sync: one resource, one run: what to read, what has changed, who is gone, what may be certified.

In:  a client, and what the destination holds.
Out: `Batch`es to whoever merges them, ids that are gone, and a `Report`.
Knows nothing of the destination; it is told what is stored and hands on what to merge.
Begin with `run`.
"""

from wholesale.sync.batches import Batch, Merge
from wholesale.sync.plan import Plan, minutes, plan_resource
from wholesale.sync.proof import ProofKind
from wholesale.sync.report import EARLY_STOP, FULL_READ, Observe, Report
from wholesale.sync.run import Run

__all__ = [
    "EARLY_STOP",
    "FULL_READ",
    "Batch",
    "Merge",
    "Observe",
    "Plan",
    "ProofKind",
    "Report",
    "Run",
    "minutes",
    "plan_resource",
]
