"""Spreadsheets: the reports that people read, as a workbook and as CSV, beside each version.

In:  the draft of a version.
Out: `wholesale.xlsx` and `csv/<sheet>.csv`, where a setting wants them.
Knows nothing of warehouses, and of how a version is put in force.
Begin with `additions`.
"""

__all__ = ["additions"]
