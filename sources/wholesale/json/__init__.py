"""Json: the body of a response, read strictly and in whatever shape it has.

In:  the bytes of a body.
Out: a `Page` of records or one record, as JSON text; values, whose numbers keep their digits.
Knows nothing of HTTP, or of what a record means.
Begin with `page`.
"""

from wholesale.json.page import NO_TOTAL, NOTHING, Page, RawPage, read_page
from wholesale.json.record import read_record
from wholesale.json.strict import Json, NumberText, Refused, encodable, parse, parse_each, write

__all__ = [
    "NOTHING",
    "NO_TOTAL",
    "Json",
    "NumberText",
    "Page",
    "RawPage",
    "Refused",
    "encodable",
    "parse",
    "parse_each",
    "read_page",
    "read_record",
    "write",
]
