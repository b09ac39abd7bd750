"""Children: records with one list per parent (§4.12).

In:  the parents as their own list shows them, and a `Reading` of their children.
Out: the parents whose lists are to be read; those lists, read and held against what is stored.
Knows nothing of a run.
Begin with `lists`.
"""

from wholesale.sync.children.lists import ChildLists
from wholesale.sync.children.parents import ChildCounts, ParentIds, without_childless

__all__ = ["ChildCounts", "ChildLists", "ParentIds", "without_childless"]
