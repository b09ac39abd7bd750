"""What carries a request to the service: a target goes out, an answer comes back in pieces."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol


class Head(Protocol):
    """The header fields of an answer, by name in any case."""

    def get(self, name: str, default: str, /) -> str: ...


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer, to be closed: `pieces` is its body as it was sent, while it comes in."""

    status: int
    reason: str
    headers: Head
    pieces: Iterable[bytes]
    close: Callable[[], None]


class Transport(Protocol):
    """GETs targets below one base URL.

    Raises: the errors of httpx, also while a body is read; `seconds` of silence are one.
    """

    def get(self, target: str, seconds: float) -> Answer: ...

    def close(self) -> None: ...


class Connect(Protocol):
    """Makes a Transport of at most so many connections, which sends these headers."""

    def __call__(
        self, base_url: str, headers: Mapping[str, str], *, connections: int
    ) -> Transport: ...
