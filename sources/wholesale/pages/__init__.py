"""Pages: one list of the service, page by page, to its proved end.

In:  a resource, and the parent whose list is wanted where it has one.
Out: `RawPage`s in order, and a `Paginator` that tells what came.
Knows nothing of tables or of what is stored; HTTP only as `Client`.
Begin with `fetcher`.
"""

from wholesale.pages.child_lists import ChildList, Tally
from wholesale.pages.fetcher import Fetcher, Record
from wholesale.pages.guids import DIGITS_WITH_DASHES, GUID
from wholesale.pages.page import Page, RawPage, read_page
from wholesale.pages.pagination import Paginator
from wholesale.pages.profile import Order, Profile, Totals
from wholesale.pages.service import Service
from wholesale.pages.strict_json import (
    Json,
    NumberText,
    Refused,
    encodable,
    parse,
    parse_each,
    write,
)

__all__ = [
    "DIGITS_WITH_DASHES",
    "GUID",
    "ChildList",
    "Fetcher",
    "Json",
    "NumberText",
    "Order",
    "Page",
    "Paginator",
    "Profile",
    "RawPage",
    "Record",
    "Refused",
    "Service",
    "Tally",
    "Totals",
    "encodable",
    "parse",
    "parse_each",
    "read_page",
    "write",
]
