"""Pages: one list of the service, page by page, to its proved end.

In:  a resource, and the parent whose list is wanted where it has one.
Out: `RawPage`s in order, and a `Paginator` that tells what came.
Knows nothing of tables or of what is stored; HTTP only as `Client`.
Begin with `fetcher`.
"""

from wholesale.pages.child_lists import ChildList, Tally
from wholesale.pages.fetcher import Fetcher
from wholesale.pages.pagination import Paginator
from wholesale.pages.profile import Order, Profile, Totals
from wholesale.pages.service import Service
from wholesale.pages.single_records import Record

__all__ = [
    "ChildList",
    "Fetcher",
    "Order",
    "Paginator",
    "Profile",
    "Record",
    "Service",
    "Tally",
    "Totals",
]
