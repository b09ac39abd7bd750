"""Traffic: what was sent and received, counted."""

import threading
from dataclasses import dataclass, field


@dataclass(slots=True)
class Traffic:
    """What was sent and received: requests with every retry, decoded bytes, retries alone, and
    answers by which the service asked for a slower pace (429)."""

    requests: int = 0
    bytes: int = 0
    retries: int = 0
    throttled: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    def add(
        self, *, requests: int = 0, bytes: int = 0, retries: int = 0, throttled: int = 0
    ) -> None:
        with self._lock:
            self.requests += requests
            self.bytes += bytes
            self.retries += retries
            self.throttled += throttled
