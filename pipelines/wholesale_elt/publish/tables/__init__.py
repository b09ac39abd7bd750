"""Tables: what is published of each table of the warehouse, written as DuckDB and Parquet files.

In:  the attached warehouse, and what of the version in force stands.
Out: the files of the next one, and in which data files of the dashboard a cell is another.
Knows nothing of where versions are kept, and of what becomes of them.
Begin with `writing`.
"""

from wholesale_elt.publish.tables.database import STORAGE_VERSION
from wholesale_elt.publish.tables.sources import Source, read_sources
from wholesale_elt.publish.tables.writing import Observe, write_tables

__all__ = ["STORAGE_VERSION", "Observe", "Source", "read_sources", "write_tables"]
