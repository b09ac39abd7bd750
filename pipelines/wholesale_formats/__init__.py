"""Formats: the metrics, given out as other tools define theirs.

In:  the metrics and dimensions as they are defined, and which columns are published.
Out: files for Ossie, dbt, Cube, Rill, Evidence and Metabase, which read the published file.
Knows nothing of warehouses, and of any tool but by the format of its files.
Begin with `commands`.
"""

__all__ = ["commands"]
