"""Tables: those of the warehouse, in the files of a version or in views of a lake's.

In:  the attached warehouse, and which columns may be published.
Out: a DuckDB file, and a Parquet file of each table that does not stay in the lake.
Knows nothing of what the tables mean.
Begin with `sources`.
"""

from wholesale_elt.publish.tables.sources import Source, read_sources
from wholesale_elt.publish.tables.stored import (
    are_there,
    pin_stored,
    release_stored,
    stored_in,
)
from wholesale_elt.publish.tables.writing import LastVersion, Observe, attach_new, write_tables

__all__ = [
    "LastVersion",
    "Observe",
    "Source",
    "are_there",
    "attach_new",
    "pin_stored",
    "read_sources",
    "release_stored",
    "stored_in",
    "write_tables",
]
