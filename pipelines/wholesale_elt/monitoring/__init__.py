"""Monitoring: reports the result of a command to programs, people and tools.

In:  the results of sync, build and publication, and the state of the warehouse.
Out: a `Summary`, one POST to a webhook, a file of metrics; sinks of plug-ins; only those set.
Knows nothing of how anything is done, or of terminals.
Begin with `summary`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_elt.monitoring.alerts import Alert, number
    from wholesale_elt.monitoring.items import items_of
    from wholesale_elt.monitoring.mail import WORKBOOK, NotSent, make_message, send
    from wholesale_elt.monitoring.reporting import follow, report, report_state
    from wholesale_elt.monitoring.settings import (
        MailServer,
        Page,
        read_mail_server,
        read_sink_settings,
    )
    from wholesale_elt.monitoring.summary import (
        PHASES,
        RESULT_OF,
        BuildSummary,
        Phase,
        PhaseName,
        PublishSummary,
        RereadSummary,
        Result,
        Summary,
        SyncSummary,
    )
    from wholesale_elt.monitoring.webhook import NotTaken, post
else:
    __getattr__ = lazy_names(__name__)

__all__ = [
    "PHASES",
    "RESULT_OF",
    "WORKBOOK",
    "Alert",
    "BuildSummary",
    "MailServer",
    "NotSent",
    "NotTaken",
    "Page",
    "Phase",
    "PhaseName",
    "PublishSummary",
    "RereadSummary",
    "Result",
    "Summary",
    "SyncSummary",
    "follow",
    "items_of",
    "make_message",
    "number",
    "post",
    "read_mail_server",
    "read_sink_settings",
    "report",
    "report_state",
    "send",
]
