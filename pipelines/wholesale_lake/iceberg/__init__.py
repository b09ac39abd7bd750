"""Iceberg: versions of several tables in a catalogue, put in force together or not at all.

In:  the name of a catalogue that pyiceberg knows, and rows from DuckDB.
Out: the ids of snapshots; files that no snapshot names are removed.
Knows nothing of what the rows mean.
Begin with `versions`.
"""

from wholesale_lake.iceberg.catalog import open_catalog, translated_errors
from wholesale_lake.iceberg.files import Part, files_below, folder_of, remove
from wholesale_lake.iceberg.lease import CatalogNote
from wholesale_lake.iceberg.staging import PART, VERSION, is_whole, read_rows, register, stage
from wholesale_lake.iceberg.versions import (
    COLUMNS,
    CatalogHint,
    Row,
    Versions,
    kept_for,
    version_after,
)

__all__ = [
    "COLUMNS",
    "PART",
    "VERSION",
    "CatalogHint",
    "CatalogNote",
    "Part",
    "Row",
    "Versions",
    "files_below",
    "folder_of",
    "is_whole",
    "kept_for",
    "open_catalog",
    "read_rows",
    "register",
    "remove",
    "stage",
    "translated_errors",
    "version_after",
]
