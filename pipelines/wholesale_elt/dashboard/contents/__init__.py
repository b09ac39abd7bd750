"""Contents: the data files of the site besides facts.

In:  the tables of a version.
Out: what each file hands to the page, and the tables that it is made of.
Knows nothing of the site's own files.
Begin with `contents`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_elt.dashboard.contents.contents import CONTENTS, FOLDERS
    from wholesale_elt.dashboard.contents.pictures import write_pictures
    from wholesale_elt.dashboard.contents.reports import REPORTS_FOLDER, read_index, read_report
else:
    __getattr__ = lazy_names(__name__)

__all__ = [
    "CONTENTS",
    "FOLDERS",
    "REPORTS_FOLDER",
    "read_index",
    "read_report",
    "write_pictures",
]
