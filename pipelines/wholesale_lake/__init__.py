"""Lake: DuckLake and Iceberg as destinations, and Iceberg as a place of published versions.

In:  rows that a run writes, and the draft of a version.
Out: tables of a lake; a version is in force with all of its tables, or not at all.
Knows nothing of the service, of runs, or of how tables are filled.
Begin with `lake`.
"""

__all__ = ["ducklake", "lake", "publication"]
