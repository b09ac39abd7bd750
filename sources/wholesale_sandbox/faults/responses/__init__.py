"""Responses: faults of whole responses, whatever was asked for.

In:  the response as it would be sent.
Out: another status, other bytes, or a connection that breaks.
Knows nothing of lists and records.
Begin with `statuses`.
"""

from wholesale_sandbox.faults.responses.connections import CONNECTION_FAULTS
from wholesale_sandbox.faults.responses.contents import CONTENT_FAULTS
from wholesale_sandbox.faults.responses.statuses import STATUS_FAULTS

__all__ = ["RESPONSE_FAULTS"]

RESPONSE_FAULTS = (*STATUS_FAULTS, *CONNECTION_FAULTS, *CONTENT_FAULTS)
