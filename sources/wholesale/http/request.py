"""Request: what goes through the seam of httpx: a GET, and how long its answer may take.

Beside httpx's own timeouts, which a byte now and then keeps at bay, it carries `total`: how long
its whole answer may take.
"""

from functools import cached_property
from typing import Any

import httpx

Fields = list[tuple[str, str]]
"""Header fields: name and value."""
NO_BODY = httpx.ByteStream(b"")


class Get(httpx.Request):
    """A GET of `address` with these header `fields`, parsed when somebody asks for them.

    httpx takes longer to parse them than to make all the rest, and pyreqwest parses them anyway.
    """

    def __init__(self, address: str, fields: Fields, extensions: dict[str, Any]) -> None:
        # In the place of httpx's own, which parses; these and two below are all its attributes.
        self.method = "GET"
        self.address = address
        self.fields = fields
        self.extensions = extensions
        self.stream = NO_BODY

    @cached_property
    def url(self) -> httpx.URL:  # type: ignore[override]
        return httpx.URL(self.address)

    @cached_property
    def headers(self) -> httpx.Headers:  # type: ignore[override]
        return httpx.Headers(self.fields)


def timeouts(silence: float, total: float) -> dict[str, float]:
    """The timeouts of one request, in seconds, as its extension `timeout` carries them."""
    return {"connect": silence, "read": silence, "write": silence, "pool": silence, "total": total}
