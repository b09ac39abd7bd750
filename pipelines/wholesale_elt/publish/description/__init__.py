"""Description: a published DuckDB file explains itself, by comments, views, macros and `meta`.

In:  the DuckDB file of a version with its tables, and what the models declare of these.
Out: the same file, described.
Knows nothing of folders, versions in force, or Parquet.
Begin with `described`.
"""

from wholesale_elt.publish.description.described import describe_database

__all__ = ["describe_database"]
