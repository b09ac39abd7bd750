"""Compare: what came against what is stored, by packed ids, versions and hashes.

In:  ids, versions and rows as Arrow columns.
Out: which of them are new, changed or due for an audit; a `Ledger` of what a run saw, and when.
Knows nothing of the network or the database: values in, values out.
Begin with `stored`.
"""

from wholesale.compare.audit import PARTS, is_in_part, part_due
from wholesale.compare.deletions import say_that_they_are_deleted
from wholesale.compare.forms import (
    UNUSUAL,
    Form,
    is_usual_list,
    usual_columns,
)
from wholesale.compare.ledger import BEFORE, Ledger, Noted, Sightings, Step
from wholesale.compare.past import Past
from wholesale.compare.row_hashes import (
    REFERENCE,
    Hashes,
    combine,
    hash_all,
    hash_records,
    hash_rows,
    hash_said,
)
from wholesale.compare.stored import (
    IS_DELETED,
    NOTHING,
    Compared,
    Stored,
)
from wholesale.compare.summaries import (
    LEAST_SHOWN_OTHERWISE,
    Summaries,
    found_columns,
    shown_columns,
    shown_otherwise,
    summary_shape,
    with_found,
)
from wholesale.compare.versions import (
    NO_VERSION,
    DistinctVersions,
    Sorting,
    Versions,
    newest,
    versions_in,
    versions_of,
)

__all__ = [
    "BEFORE",
    "IS_DELETED",
    "LEAST_SHOWN_OTHERWISE",
    "NOTHING",
    "NO_VERSION",
    "PARTS",
    "REFERENCE",
    "UNUSUAL",
    "Compared",
    "DistinctVersions",
    "Form",
    "Hashes",
    "Ledger",
    "Noted",
    "Past",
    "Sightings",
    "Sorting",
    "Step",
    "Stored",
    "Summaries",
    "Versions",
    "combine",
    "found_columns",
    "hash_all",
    "hash_records",
    "hash_rows",
    "hash_said",
    "is_in_part",
    "is_usual_list",
    "newest",
    "part_due",
    "say_that_they_are_deleted",
    "shown_columns",
    "shown_otherwise",
    "summary_shape",
    "usual_columns",
    "versions_in",
    "versions_of",
    "with_found",
]
