"""List shapes: where the records of a list and its pagination are (§2.3, §4.12)."""

from collections.abc import Iterable
from typing import Literal

import msgspec

from wholesale_sandbox.contract import RESOURCE
from wholesale_sandbox.responses.paging import Pagination

# envelope: §2.3, records under `data`; plural: under the resource's own name; nested: two levels
# down; bare: the page as an array; whole: all records as an array, page and limit ignored;
# unpaged: the same, page and limit refused
ListShape = Literal["envelope", "plural", "nested", "bare", "whole", "unpaged"]
# body: in the object, where the shape has one; headers: X-Total and its like
PaginationPlace = Literal["body", "headers", "nowhere"]
# wrapped: each record alone in an object under its name in the singular
Entries = Literal["plain", "wrapped"]

_HEADERS = {
    "current": "X-Page",
    "previous": "X-Prev-Page",
    "next": "X-Next-Page",
    "limit": "X-Per-Page",
    "total_pages": "X-Total-Pages",
    "total_count": "X-Total",
}


def array(records: Iterable[bytes]) -> bytes:
    return b"[%b]" % b",".join(records)


def entries(records: list[bytes], resource: str, form: Entries) -> list[bytes]:
    if form == "plain":
        return records
    name = RESOURCE[resource].wrapper.encode()
    return [b'{"%b":%b}' % (name, record) for record in records]


def body(
    records: list[bytes], resource: str, shape: ListShape, pagination: Pagination | None
) -> bytes:
    """Without pagination its key is missing; an array has no place for it."""
    listed = array(records)
    head = b"" if pagination is None else b'"pagination":%b,' % msgspec.json.encode(pagination)
    match shape:
        case "envelope":
            return b'{%b"data":%b}' % (head, listed)
        case "plural":
            return b'{%b"%b":%b}' % (head, resource.encode(), listed)
        case "nested":
            return b'{"result":{%b"items":%b}}' % (head, listed)
        case _:
            return listed


def headers(pagination: Pagination) -> dict[str, str]:
    """A header for each field; null is an empty one."""
    return {
        _HEADERS[name]: "" if value is None else str(value) for name, value in pagination.items()
    }
