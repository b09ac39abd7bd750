"""Compare: what came against what is stored, by packed ids, versions and hashes.

In:  ids, versions and rows as Arrow columns.
Out: which of them are new, changed or due for an audit; a `Ledger` of what a run saw, and when.
Knows nothing of the network or the database: values in, values out.
Begin with `ledger`.

`Stored` has, of each record that the destination holds, its key, its version and one hash: of the
columns that a list row shows too, or of the whole record (`is_whole`). `Compared` says of records
that come whether they are stored (`is_known`), and alive there (`was_alive`); whether they differ;
and whether they may have changed all the same (`is_dirty`).
"""

from wholesale.compare.audit import PARTS, is_in_part, part_due
from wholesale.compare.digests import Digest, buckets_of, digest_of
from wholesale.compare.ledger import BEFORE, Ledger, Noted, Sightings, Step
from wholesale.compare.past import Past
from wholesale.compare.row_hashes import (
    combine,
    hash_all,
    hash_key,
    hash_records,
    hash_rows,
    hash_values,
)
from wholesale.compare.stored import IS_DELETED, NOTHING, Compared, Stored
from wholesale.compare.summaries import Summaries, found_columns, summary_shape, with_found
from wholesale.compare.versions import (
    NO_VERSION,
    Contents,
    DistinctVersions,
    Versions,
    newest,
    versions_in,
    versions_of,
)

__all__ = [
    "BEFORE",
    "IS_DELETED",
    "NOTHING",
    "NO_VERSION",
    "PARTS",
    "Compared",
    "Contents",
    "Digest",
    "DistinctVersions",
    "Ledger",
    "Noted",
    "Past",
    "Sightings",
    "Step",
    "Stored",
    "Summaries",
    "Versions",
    "buckets_of",
    "combine",
    "digest_of",
    "found_columns",
    "hash_all",
    "hash_key",
    "hash_records",
    "hash_rows",
    "hash_values",
    "is_in_part",
    "newest",
    "part_due",
    "summary_shape",
    "versions_in",
    "versions_of",
    "with_found",
]
