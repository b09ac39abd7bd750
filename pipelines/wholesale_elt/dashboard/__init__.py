"""Dashboard: a static site of what is published.

In:  the reports of a version.
Out: HTML, JavaScript and data files that open from a disk.
Knows nothing of the warehouse or the service.
Begin with `writing`.
"""

from wholesale_elt.dashboard.entry import time_text
from wholesale_elt.dashboard.fleet import write_fleet_page
from wholesale_elt.dashboard.writing import ENTRIES, read_headline, write_dashboard, write_entries

__all__ = [
    "ENTRIES",
    "read_headline",
    "time_text",
    "write_dashboard",
    "write_entries",
    "write_fleet_page",
]
