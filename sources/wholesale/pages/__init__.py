"""Pages: one list of the service, page by page, to its proved end.

In:  a resource, and whose list is wanted.
Out: `RawPage`s in order, and a `Paginator` that tells what came.
Knows nothing of tables, and what is stored; HTTP only as `Client`.
Begin with `fetcher`.
"""

from wholesale.pages.fetcher import Fetcher
from wholesale.pages.page import Page, Source, read_page
from wholesale.pages.pagination import Walk
from wholesale.pages.service import Service
from wholesale.pages.strict_json import Json, Literal, encodable, parse, write

__all__ = [
    "Fetcher",
    "Json",
    "Literal",
    "Page",
    "Service",
    "Source",
    "Walk",
    "encodable",
    "parse",
    "read_page",
    "write",
]
