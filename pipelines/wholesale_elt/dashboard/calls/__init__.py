"""Calls: whom to call, and what there is to say.

In:  the reports of the call sheet, with what the policy publishes of the buyers.
Out: an index of all of them, and files of some buyers each.
Knows nothing of the page that shows them.
Begin with `sheet`.
"""

from wholesale_elt.dashboard.calls.sheet import FOLDER, TABLES, read_calls

__all__ = ["FOLDER", "TABLES", "read_calls"]
