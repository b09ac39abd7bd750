"""Monitoring: reports the result of a command to programs, people and tools.

In:  what sync, build and publication came to, and the state of the warehouse.
Out: a `Summary`, one POST to a webhook, a file of metrics, events; nothing that is not set.
Knows nothing of how anything was done, and of terminals.
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
    UpgradeSummary,
)

__all__ = [
    "RESULT_OF",
    "BuildSummary",
    "PublishSummary",
    "Result",
    "Summary",
    "SyncSummary",
    "UpgradeSummary",
    "follow",
    "report",
    "report_state",
]
