"""Differences: why a figure is another one in another version, split by cause without a rest.

In:  a question about figures, and two versions of what is published.
Out: the figure in both, and their difference by cause, each with its orders.
Knows nothing of how a version is built or published.
Begin with `published`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_elt.causes import CAUSES, Cause, Part
    from wholesale_elt.differences.published import PublishedDifference, Side, why_published
else:
    __getattr__ = lazy_names(__name__)

__all__ = [
    "CAUSES",
    "Cause",
    "Part",
    "PublishedDifference",
    "Side",
    "why_published",
]
