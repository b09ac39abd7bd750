"""Past: records before their latest changes, for lagging replicas and caches."""

import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(frozen=True, slots=True)
class Former:
    """A record until that moment (UTC); without a body it did not exist."""

    until: datetime
    resource: str
    id: str
    body: bytes | None


class PastRecords:
    """The latest changes undone, as far back as `keep` of them reach."""

    def __init__(
        self, keep: int = 10_000, *, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._lock = threading.Lock()
        self._former: deque[Former] = deque(maxlen=keep)
        self._now = now

    def add(self, resource: str, record_id: str, body: bytes | None) -> None:
        """The record has just changed; `body` is what it was."""
        with self._lock:
            self._former.append(Former(self._now(), resource, record_id, body))

    def at(self, resource: str, moment: datetime) -> Mapping[str, bytes | None]:
        """The records of the resource that have changed since, by id, as they were then."""
        with self._lock:
            former = list(self._former)
        # The earliest change since that moment has the former state, so it wins over later ones.
        return {
            one.id: one.body
            for one in reversed(former)
            if one.resource == resource and one.until > moment
        }
