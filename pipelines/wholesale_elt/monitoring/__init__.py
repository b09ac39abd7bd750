"""Monitoring: reports the result of a command to programs, people and tools.

In:  the results of sync, build and publication, and the state of the warehouse.
Out: a `Summary`, one POST to a webhook, a file of metrics, events; only those that are set.
Knows nothing of how anything is done, or of terminals.
Begin with `summary`.
"""

from wholesale_elt.monitoring.report import follow, report, report_state
from wholesale_elt.monitoring.summary import (
    RESULT_OF,
    BuildSummary,
    PublishSummary,
    Result,
    Summary,
    SyncSummary,
)

__all__ = [
    "RESULT_OF",
    "BuildSummary",
    "PublishSummary",
    "Result",
    "Summary",
    "SyncSummary",
    "follow",
    "report",
    "report_state",
]
