"""Sync: one resource, one run: what to read, what has changed, what is gone, what is certified.

In:  settings of the service, and what the destination holds (`Stored`).
Out: `Batch`es to merge, ids of deleted records, and a `Report`.
Knows nothing of the destination itself: it gets what is stored, and passes on what to merge.
Begin with `run`.
"""

from wholesale.sync.batches import Batch, Merge
from wholesale.sync.plan import Plan, minutes, plan_resource
from wholesale.sync.reader import Reader
from wholesale.sync.report import EARLY_STOP, FULL_READ, Observe, Report
from wholesale.sync.run import Run, moment_of, run_id_of

__all__ = [
    "EARLY_STOP",
    "FULL_READ",
    "Batch",
    "Merge",
    "Observe",
    "Plan",
    "Reader",
    "Report",
    "Run",
    "minutes",
    "moment_of",
    "plan_resource",
    "run_id_of",
]
