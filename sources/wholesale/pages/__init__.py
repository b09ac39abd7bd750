"""Pages: lists of the service, page by page to their end, and single records.

In:  a resource, and the parent whose list is wanted where it has one.
Out: `RawPage`s in order, and a `Paginator` that tells what came.
Knows nothing of tables or of what is stored; HTTP only as `Client`.
Begin with `fetcher`.
"""

from wholesale.pages.fetcher import ChildList, Fetcher
from wholesale.pages.list_reader import ListReader
from wholesale.pages.paginator import Paginator
from wholesale.pages.service import Service
from wholesale.pages.single_records import Key, Record, read_form, read_single

__all__ = [
    "ChildList",
    "Fetcher",
    "Key",
    "ListReader",
    "Paginator",
    "Record",
    "Service",
    "read_form",
    "read_single",
]
