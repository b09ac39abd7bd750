"""Asking: the commands that answer from what is published, and say how far to trust it.

In:  names of metrics and dimensions, kinds of tasks, versions, or one SQL statement.
Out: rows at a terminal, as CSV or as JSON.
Knows nothing of how an answer is computed.
Begin with `figures`.
"""

from wholesale_elt.cli.asking.diff import diff
from wholesale_elt.cli.asking.figures import figures
from wholesale_elt.cli.asking.next import next_orders
from wholesale_elt.cli.asking.sql import sql
from wholesale_elt.cli.asking.tasks import tasks
from wholesale_elt.cli.asking.verify import verify
from wholesale_elt.cli.asking.why import why

__all__ = ["diff", "figures", "next_orders", "sql", "tasks", "verify", "why"]
