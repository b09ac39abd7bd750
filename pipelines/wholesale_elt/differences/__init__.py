"""Differences: why a figure is another one in another version, split by cause without a rest.

In:  a question about figures, and a connection to which two versions are attached.
Out: the figure in both, and their difference by cause, each with its orders.
Knows nothing of where versions are kept, or how they were published.
Begin with `difference`.
"""

from wholesale_elt.differences.causes import CAUSES
from wholesale_elt.differences.difference import Cause, Difference, Part, difference
from wholesale_elt.differences.effects import AFTER, BEFORE

__all__ = ["AFTER", "BEFORE", "CAUSES", "Cause", "Difference", "Part", "difference"]
