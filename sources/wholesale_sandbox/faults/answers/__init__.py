"""Answers: faults of whole answers, whatever was asked for.

In:  the answer as it would be sent.
Out: another status, other bytes, or a connection that breaks.
Knows nothing of lists and records.
Begin with `statuses`.
"""

from wholesale_sandbox.faults.answers.connections import CONNECTION_FAULTS
from wholesale_sandbox.faults.answers.contents import CONTENT_FAULTS
from wholesale_sandbox.faults.answers.statuses import STATUS_FAULTS

__all__ = ["ANSWER_FAULTS"]

ANSWER_FAULTS = (*STATUS_FAULTS, *CONNECTION_FAULTS, *CONTENT_FAULTS)
