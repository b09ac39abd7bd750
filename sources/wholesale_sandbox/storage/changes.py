"""Changes of records, each with the number of the request before it."""

import threading
from collections import deque
from dataclasses import dataclass
from typing import Literal

What = Literal["inserted", "edited", "edited silently", "deleted"]


@dataclass(frozen=True, slots=True)
class Change:
    """`request`: how many requests had come when it happened, the one that brought it included.

    An edit is silent when the record has an `updated_at`, and it stayed as it was.
    """

    request: int
    resource: str
    id: str
    what: What


MOST_KEPT = 1_000_000


class ChangeLog:
    """The latest changes, oldest first, and the count of requests. A change undone stays in it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._changes: deque[Change] = deque(maxlen=MOST_KEPT)
        self.requests = 0

    def count_request(self) -> int:
        """The number of the request that begins, from 1. Called by one thread only."""
        self.requests += 1
        return self.requests

    def add(self, resource: str, record_id: str, what: What) -> None:
        with self._lock:
            self._changes.append(Change(self.requests, resource, record_id, what))

    def all(self) -> list[Change]:
        with self._lock:
            return list(self._changes)

    def since(self, request: int) -> list[Change]:
        """Changes that came with requests after that one."""
        return [change for change in self.all() if change.request > request]
