"""Verification: whether what somebody holds is what was stored or published.

In:  a warehouse, a kept version, a copy of its DuckDB file, an answer of `figures`; two to compare.
Out: the files, tables, resources and rows that differ.
Knows nothing of how a version is built or published.
Begin with `findings`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_elt.verification.compared import Compared, TableDifference, compare_sides
    from wholesale_elt.verification.findings import Finding, Verified
    from wholesale_elt.verification.published import verify
    from wholesale_elt.verification.stored import verify_warehouse
else:
    __getattr__ = lazy_names(__name__)

__all__ = [
    "Compared",
    "Finding",
    "TableDifference",
    "Verified",
    "compare_sides",
    "verify",
    "verify_warehouse",
]
