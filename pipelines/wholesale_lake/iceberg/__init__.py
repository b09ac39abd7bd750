"""Iceberg: versions of several tables in a catalogue, put in force together or not at all.

In:  the name of a catalogue that pyiceberg knows, and rows from DuckDB.
Out: the ids of snapshots; files that no snapshot names are removed.
Knows nothing of what the rows mean.
Begin with `versions`.
"""

from wholesale_lake.iceberg.catalog import open_catalog, translated_errors
from wholesale_lake.iceberg.lease import CatalogNote
from wholesale_lake.iceberg.staging import PART, VERSION, Part, is_whole, read_rows, stage
from wholesale_lake.iceberg.versions import COLUMNS, CatalogHint, Row, Versions

__all__ = [
    "COLUMNS",
    "PART",
    "VERSION",
    "CatalogHint",
    "CatalogNote",
    "Part",
    "Row",
    "Versions",
    "is_whole",
    "open_catalog",
    "read_rows",
    "stage",
    "translated_errors",
]
