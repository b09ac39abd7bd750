"""Facts: orders and lines as the page counts them, and what first views ask of them, counted.

In:  marts and reports of a version.
Out: data files of the site, by month; and answers that need none of these.
Knows nothing of pages.
Begin with `measures`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_elt.dashboard.facts.measures import is_counted
    from wholesale_elt.dashboard.facts.prepared import (
        describe_prepared,
        place_prepared,
        write_prepared,
    )
    from wholesale_elt.dashboard.facts.writing import (
        FOLDER,
        PLACED,
        TABLES,
        decided_by,
        write_facts,
    )
else:
    __getattr__ = lazy_names(__name__)

__all__ = [
    "FOLDER",
    "PLACED",
    "TABLES",
    "decided_by",
    "describe_prepared",
    "is_counted",
    "place_prepared",
    "write_facts",
    "write_prepared",
]
