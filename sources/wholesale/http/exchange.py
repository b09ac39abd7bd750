"""Exchange: requests and answers of httpx that parse addresses and header fields on demand.

Parsing takes httpx longer than all the rest of a request, and most of what is parsed is never read.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Protocol

import httpx

Fields = list[tuple[str, str]]
"""Header fields: name and value."""
NO_BODY = httpx.ByteStream(b"")


class Get(httpx.Request):
    """A GET of `address` with these header `fields`."""

    def __init__(self, address: str, fields: Fields, extensions: dict[str, Any]) -> None:
        # httpx.Request.__init__, which parses, is not called: its other attributes are set here or
        # are the properties below.
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


class Head(Protocol):
    """Header fields by their names, in any case of letters."""

    def __iter__(self) -> Iterator[str]: ...
    def getall(self, name: str, /) -> list[str]:
        """All values of a field. Raises: ValueError where one is not ASCII."""


class Answer(httpx.Response):
    """An answer with this `head`, but for the fields that are not ASCII."""

    def __init__(self, status: int, head: Head, stream: httpx.SyncByteStream) -> None:
        super().__init__(status, stream=stream)
        del self.headers  # httpx's own, in which there are none
        self._head = head

    @cached_property
    def headers(self) -> httpx.Headers:  # type: ignore[override]
        names = dict.fromkeys(self._head)
        return httpx.Headers([(name, value) for name in names for value in self.values_of(name)])

    def values_of(self, name: str) -> list[str]:
        """All values of one header field, of which no more than that is parsed."""
        try:
            return self._head.getall(name)
        except ValueError:
            return []


def field_of(answer: httpx.Response, name: str) -> str | None:
    """A header field, its values joined (RFC 9110 §5.3); None where the answer has none."""
    values = answer.values_of(name) if isinstance(answer, Answer) else answer.headers.get_list(name)
    return ", ".join(values) if values else None


def timeouts(silence: float, total: float) -> dict[str, float]:
    """The timeouts of one request, in seconds, as its extension `timeout` carries them.

    httpx's own timeouts begin anew with each byte that comes; `total` bounds the whole answer.
    """
    return {"connect": silence, "read": silence, "write": silence, "pool": silence, "total": total}
