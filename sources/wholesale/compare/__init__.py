"""Compare: what came against what is stored: ids and versions, in flat memory.

In:  ids, versions and rows as Arrow columns.
Out: which of them are new, changed, repeated or due for an audit.
Knows nothing of the network and the database; all of it is values in, values out.
Begin with `stored`.
"""

from wholesale.compare.audit import PARTS, is_in_part, part_due
from wholesale.compare.deduplicator import Deduplicator
from wholesale.compare.stored import IS_DELETED, NOTHING, Missing, Stored
from wholesale.compare.summaries import Summaries, found_columns, summary_shape, with_found
from wholesale.compare.versions import NO_VERSION, Versions, versions_of

__all__ = [
    "IS_DELETED",
    "NOTHING",
    "NO_VERSION",
    "PARTS",
    "Deduplicator",
    "Missing",
    "Stored",
    "Summaries",
    "Versions",
    "found_columns",
    "is_in_part",
    "part_due",
    "summary_shape",
    "versions_of",
    "with_found",
]
