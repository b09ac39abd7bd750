"""Traffic: what was sent and received, counted."""

import threading
from dataclasses import dataclass, field
from typing import Self


@dataclass(slots=True)
class Traffic:
    """Counts of requests (retries included), decoded bytes, retries, and responses with 429.

    `oldest_seconds`: for how long a cache had held the oldest response, as far as responses say.
    """

    requests: int = 0
    bytes: int = 0
    retries: int = 0
    throttled: int = 0
    oldest_seconds: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    def add(
        self, *, requests: int = 0, bytes: int = 0, retries: int = 0, throttled: int = 0
    ) -> None:
        with self._lock:
            self.requests += requests
            self.bytes += bytes
            self.retries += retries
            self.throttled += throttled

    def add_all(self, other: Self) -> None:
        """Count the requests of another one too."""
        self.add(
            requests=other.requests,
            bytes=other.bytes,
            retries=other.retries,
            throttled=other.throttled,
        )
        self.see_age(other.oldest_seconds)

    def see_age(self, seconds: int) -> None:
        """Take note of a response that a cache held for so long."""
        with self._lock:
            self.oldest_seconds = max(self.oldest_seconds, seconds)
