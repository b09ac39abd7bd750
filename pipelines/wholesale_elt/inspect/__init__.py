"""Inspect: questions to service and warehouse; nothing is written.

In:  settings and a warehouse.
Out: answers as values: check, plan, status, explain.
Knows nothing of terminals; the command line prints.
Begin with `status`.
"""

from wholesale_elt.inspect.check import Finding, check
from wholesale_elt.inspect.explain import MART, Explanation, Version, explain
from wholesale_elt.inspect.plan import Estimate, plan
from wholesale_elt.inspect.status import Status, read_status

__all__ = [
    "MART",
    "Estimate",
    "Explanation",
    "Finding",
    "Status",
    "Version",
    "check",
    "explain",
    "plan",
    "read_status",
]
