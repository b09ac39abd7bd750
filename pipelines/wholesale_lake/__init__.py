"""Lake: DuckLake and Iceberg as destinations and for versions, Sail and Spark for their models.

In:  rows that a run writes, the draft of a version, and the rendered models.
Out: tables of a lake or a served DuckDB; a version is in force with all of them, or not at all.
Knows nothing of the service, or of runs.
Begin with `lake`.
"""

__all__ = ["ducklake", "engine", "lake", "publication", "served"]
