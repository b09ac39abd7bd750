"""Trial: an export of orders as records of the API, so that all can be tried on one's own data.

In:  a file of CSV or XLSX, a row an order or a line of one.
Out: which column is which field, and a folder of records that the sandbox serves.
Knows nothing of the sandbox, of warehouses, or of terminals.
Begin with `columns`.
"""

from wholesale_elt.trial.columns import match
from wholesale_elt.trial.records import Told, first_value, write_records
from wholesale_elt.trial.sheets import Sheet, read_sheet
from wholesale_elt.trial.values import DayOrder, Point

__all__ = [
    "DayOrder",
    "Point",
    "Sheet",
    "Told",
    "first_value",
    "match",
    "read_sheet",
    "write_records",
]
