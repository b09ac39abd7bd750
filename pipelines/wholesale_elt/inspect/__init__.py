"""Inspect: queries the service and the warehouse, and writes to neither.

In:  settings and a warehouse.
Out: answers as values: check, plan, status, explain, changes.
Knows nothing of terminals; the command line prints.
Begin with `status`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_elt.inspect.changes import Change, Changes, Fields, each_change, find_changes
    from wholesale_elt.inspect.check import ListCheck, ServiceCheck, check_service
    from wholesale_elt.inspect.estimate import Estimate, plan_sync
    from wholesale_elt.inspect.explain import MART, Explanation, OrderState, explain_order
    from wholesale_elt.inspect.status import (
        Overview,
        Status,
        keep_overview,
        read_overview,
        staleness,
    )
else:
    __getattr__ = lazy_names(__name__)

__all__ = [
    "MART",
    "Change",
    "Changes",
    "Estimate",
    "Explanation",
    "Fields",
    "ListCheck",
    "OrderState",
    "Overview",
    "ServiceCheck",
    "Status",
    "check_service",
    "each_change",
    "explain_order",
    "find_changes",
    "keep_overview",
    "plan_sync",
    "read_overview",
    "staleness",
]
