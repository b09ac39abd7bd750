"""Sync: one resource, one run: what to read, what has changed, what is gone, what is certified.

In:  settings of the service, and what the destination holds (`Stored`).
Out: `Batch`es to merge, ids of deleted records, a `Tally` and the `Doubts` of each reading.
Knows nothing of the destination itself: it gets what is stored, and passes on what to merge.
Begin with `run`.
"""

from wholesale.sync.again import read_again, updated_since
from wholesale.sync.changes import Batch, Merge
from wholesale.sync.doubts import Doubts
from wholesale.sync.full_records import BYTES_A_RECORD_HAS, is_cheaper_by_page
from wholesale.sync.reader import Reader
from wholesale.sync.reading import Reading
from wholesale.sync.run import Run
from wholesale.sync.tally import Observe, Tally

__all__ = [
    "BYTES_A_RECORD_HAS",
    "Batch",
    "Doubts",
    "Merge",
    "Observe",
    "Reader",
    "Reading",
    "Run",
    "Tally",
    "is_cheaper_by_page",
    "read_again",
    "updated_since",
]
