"""Request log: the requests to the service, and its responses."""

import threading
from collections import Counter, deque
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LoggedRequest:
    """`endpoint`: its name in ENDPOINTS, empty for none of them; `status`: 0 where none was sent.

    `bytes`: length of the body, before any cut. `faults`: names of the active ones.
    """

    method: str
    path: str
    query: str
    endpoint: str
    status: int
    bytes: int
    faults: tuple[str, ...] = ()


class RequestLog:
    """The latest requests, and the counts by endpoint and status."""

    def __init__(self, keep: int = 10_000) -> None:
        self._lock = threading.Lock()
        self._entries: deque[LoggedRequest] = deque(maxlen=keep)
        self._counts: Counter[str] = Counter()
        self._statuses: Counter[int] = Counter()

    def add(self, entry: LoggedRequest) -> None:
        with self._lock:
            self._entries.append(entry)
            self._counts[entry.endpoint] += 1
            self._statuses[entry.status] += 1

    def entries(self) -> list[LoggedRequest]:
        with self._lock:
            return list(self._entries)

    def counts(self) -> dict[str, int]:
        """Requests by endpoint name, those no longer kept as entries included."""
        with self._lock:
            return dict(self._counts)

    def statuses(self) -> dict[int, int]:
        with self._lock:
            return dict(self._statuses)

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()
            self._counts.clear()
            self._statuses.clear()
