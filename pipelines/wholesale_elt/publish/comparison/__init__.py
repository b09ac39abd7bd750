"""Comparison: a version tells what changed since earlier ones, and why its figures moved.

In:  the DuckDB file of a version with its tables, earlier versions, and the past of the raw tables.
Out: the same file, with the tables of changes and of causes.
Knows nothing of how a version is put in force.
Begin with `compared`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_elt.publish.comparison.added import Comparison, read_comparisons
    from wholesale_elt.publish.comparison.compared import Compared, compare
else:
    __getattr__ = lazy_names(__name__)

__all__ = ["Compared", "Comparison", "compare", "read_comparisons"]
