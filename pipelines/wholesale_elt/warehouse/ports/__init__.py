"""Ports: the destinations; each moves rows and excludes a second run in its own way.

In:  settings of a destination, and the path of a file or folder.
Out: `Raw` over an open connection, a lock, marts that DuckDB can read.
Knows nothing of other ports, or of what the rows mean.
Begin with `duckdb_file`.
"""
