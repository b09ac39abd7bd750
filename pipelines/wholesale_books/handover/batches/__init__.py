"""Batches: what became of each order since the last batch, and the files that tell it.

In:  the orders of a published version, and which content a receiver was handed last.
Out: the records of a batch as JSON Lines, CSV or Parquet, its manifest, and the state after it.
Knows nothing of where a batch is kept, or delivered to.
Begin with `content`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_books.handover.batches import state
    from wholesale_books.handover.batches.content import (
        NUMBER_IN_ORDER,
        ORDERS,
        TABLES,
        Content,
        cast_all,
        content_of,
        digests,
        literal,
        names,
        quoted,
    )
    from wholesale_books.handover.batches.formats import OF_RECORD, parquet_of, write_files
    from wholesale_books.handover.batches.kinds import WITHOUT_CONTENT, statements
    from wholesale_books.handover.batches.manifest import MANIFEST, BatchManifest
else:
    __getattr__ = lazy_names(__name__)

__all__ = [
    "MANIFEST",
    "NUMBER_IN_ORDER",
    "OF_RECORD",
    "ORDERS",
    "TABLES",
    "WITHOUT_CONTENT",
    "BatchManifest",
    "Content",
    "cast_all",
    "content_of",
    "digests",
    "literal",
    "names",
    "parquet_of",
    "quoted",
    "state",
    "statements",
    "write_files",
]
