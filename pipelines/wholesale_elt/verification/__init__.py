"""Verification: whether what somebody holds is what was published.

In:  a version that is kept, a copy of its DuckDB file, or an answer of `figures`.
Out: the files, tables and rows that differ.
Knows nothing of how a version is built or published.
Begin with `verify`.
"""

from wholesale_elt.verification.verify import verify

__all__ = ["verify"]
