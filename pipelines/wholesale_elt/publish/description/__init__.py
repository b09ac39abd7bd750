"""Description: a published DuckDB file explains itself, by comments, views, macros and `meta`.

In:  the DuckDB file of a version with its tables, and what the models declare of these.
Out: the same file, described.
Knows nothing of folders, versions in force, or Parquet.
Begin with `described`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_elt.publish.description.compared import (
        CHANGE_FIELDS,
        CHANGES,
        COMPARED,
        WHY,
        WHY_ORDERS,
        WHY_TOTALS,
    )
    from wholesale_elt.publish.description.described import describe_database
    from wholesale_elt.publish.description.digests import digest_of_table, rows_of_table
    from wholesale_elt.publish.description.meta import DescribedColumn, DescribedTable
else:
    __getattr__ = lazy_names(__name__)

__all__ = [
    "CHANGES",
    "CHANGE_FIELDS",
    "COMPARED",
    "WHY",
    "WHY_ORDERS",
    "WHY_TOTALS",
    "DescribedColumn",
    "DescribedTable",
    "describe_database",
    "digest_of_table",
    "rows_of_table",
]
