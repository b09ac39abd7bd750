"""Ports: the destinations, each by its own way to move rows and to keep a second run out.

In:  settings of a destination, and the path of a file or folder.
Out: `Raw` over an open connection, a lock, marts that DuckDB can read.
Knows nothing of the other ones, and of what the rows mean.
Begin with `duckdb_file`.
"""
