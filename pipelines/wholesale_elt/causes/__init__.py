"""Causes: the difference of a metric between two attached databases, split by cause without a rest.

In:  a question about figures, and marts of two moments; or a moment, to make them.
Out: the figure in both, and their difference by cause, each with its orders.
Knows nothing of what is published.
Begin with `split`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_elt.causes.effects import AFTER, BEFORE
    from wholesale_elt.causes.itemised import Entry, entries, has_moved
    from wholesale_elt.causes.rules import CAUSES
    from wholesale_elt.causes.sides import Both
    from wholesale_elt.causes.split import Cause, Difference, Part, difference, tables_read
    from wholesale_elt.causes.then import Then, build_as_of, folder_for, made_as_of, remove_left
else:
    __getattr__ = lazy_names(__name__)

__all__ = [
    "AFTER",
    "BEFORE",
    "CAUSES",
    "Both",
    "Cause",
    "Difference",
    "Entry",
    "Part",
    "Then",
    "build_as_of",
    "difference",
    "entries",
    "folder_for",
    "has_moved",
    "made_as_of",
    "remove_left",
    "tables_read",
]
