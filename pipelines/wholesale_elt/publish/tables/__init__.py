"""Tables: the published part of each table of the warehouse, as DuckDB and Parquet files.

In:  the attached warehouse, and the files of the version in force.
Out: the files of the next version, and which data files of the dashboard have changed cells.
Knows nothing of where versions are kept.
Begin with `writing`.
"""

from wholesale_elt.publish.tables.database import STORAGE_VERSION
from wholesale_elt.publish.tables.sources import Source, read_sources
from wholesale_elt.publish.tables.writing import Observe, write_tables

__all__ = ["STORAGE_VERSION", "Observe", "Source", "read_sources", "write_tables"]
