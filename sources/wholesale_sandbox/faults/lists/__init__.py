"""Lists: faults of pages, of their order and their ends, and of what is said about them.

In:  the window of a list that a page shows, its pagination, its rows.
Out: another window, another pagination, other rows.
Knows nothing of what the records mean.
Begin with `windows`.
"""

from wholesale_sandbox.faults.lists.ends import END_FAULTS
from wholesale_sandbox.faults.lists.pagination import PAGINATION_FAULTS
from wholesale_sandbox.faults.lists.rows import ROWS_FAULTS
from wholesale_sandbox.faults.lists.windows import WINDOW_FAULTS

__all__ = ["LIST_FAULTS"]

LIST_FAULTS = (*WINDOW_FAULTS, *END_FAULTS, *PAGINATION_FAULTS, *ROWS_FAULTS)
