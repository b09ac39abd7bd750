"""Dials: settings of how the service behaves where the description is silent, and of faults."""

import random
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, Literal, Self, get_type_hints

from wholesale.api import ENDPOINT
from wholesale_sandbox.contract import (
    DEFAULT_LIMIT,
    FIRST_PAGE,
    LIMIT_ABOVE_CAP,
    LIMIT_CAP,
    LIST_ORDER,
    LIST_SHAPE,
    TOO_MANY_REQUESTS,
    AboveCap,
)
from wholesale_sandbox.faults.dial_values import (
    Amount,
    Count,
    DialError,
    DriftKind,
    EnvelopeField,
    FailureStatus,
    Seconds,
    Share,
    check,
    check_known,
    convert,
)
from wholesale_sandbox.faults.fault import ActiveFault
from wholesale_sandbox.faults.schedule import FaultRule, FaultSchedule, Read
from wholesale_sandbox.responses import Entries, ListShape, PaginationPlace
from wholesale_sandbox.storage import ListOrder

BANNED = 403
"""Status for a client that ignores a 429."""


@dataclass(frozen=True, slots=True)
class NextFailure:
    """The failure of one request: its status, or (status None) a body cut in the middle."""

    status: int | None
    retry_after: int | None = None


@dataclass
class Dials:
    """The dials of one sandbox; set an attribute, or call `change`, from any thread.

    What is set applies from the next request on. `faults` and `seed` need `change`, which resets
    the draws. Shares are of all requests, writes too, 0 to 1. Lists are named by resource
    ("orders"); "*" is all others.

    - `drift`: the chance that one of `drift_resources` changes before each request for its list.
    - `faults`: which faults of the registry apply to which reads.
    - `throttle_above`: requests a second beyond which 429 is answered; 0 is no limit.
    - `throttle_retry_after`: seconds in Retry-After; None leaves the header out.
    - `ban_seconds`: how long a client that asks before Retry-After is over gets 403; 0 is never.
    - `fault_endpoints`: names of the endpoints that throttling, errors and cuts apply to; empty is
      all.
    - `seed`: of the draws, so that a test sees the same faults and the same drift each time.
    """

    limit_cap: Count = LIMIT_CAP.value
    default_limit: Count = DEFAULT_LIMIT.value
    limit_above_cap: AboveCap = LIMIT_ABOVE_CAP.value
    first_page: Literal[0, 1] = FIRST_PAGE.value
    list_shape: dict[str, ListShape] = field(default_factory=dict)
    list_order: dict[str, ListOrder] = field(default_factory=dict)
    list_pagination: dict[str, PaginationPlace] = field(default_factory=dict)
    list_entries: dict[str, Entries] = field(default_factory=dict)
    envelope_without: list[EnvelopeField] = field(default_factory=list)
    drift: Share = 0.0
    drift_kind: DriftKind = "mixed"
    drift_resources: list[str] = field(default_factory=lambda: ["orders"])
    faults: list[FaultRule] = field(default_factory=list)
    latency_seconds: Amount = 0.0
    throttle_share: Share = 0.0
    throttle_above: Amount = 0.0
    throttle_retry_after: Seconds | None = 1
    ban_seconds: Amount = 0.0
    error_share: Share = 0.0
    error_status: FailureStatus = 500
    cut_share: Share = 0.0
    fault_endpoints: list[str] = field(default_factory=list)
    seed: int = 0

    def __post_init__(self) -> None:
        self._lock = threading.RLock()
        self.clock: Callable[[], float] = time.monotonic
        self.change(self.values())
        self._start = self.values()

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """Raises: DialError."""
        return cls(**{name: cls._checked(name, value) for name, value in values.items()})

    def values(self) -> dict[str, Any]:
        with self._lock:
            return {dial.name: getattr(self, dial.name) for dial in fields(self)}

    def change(self, values: Mapping[str, object]) -> None:
        """Set several dials at once, or none of them.

        Raises: DialError.
        """
        checked = {name: self._checked(name, value) for name, value in values.items()}
        with self._lock:
            for name, value in checked.items():
                setattr(self, name, value)
            if "seed" in checked:
                self._random = random.Random(self.seed)
                self._planned: list[tuple[str | None, NextFailure]] = []
                self._recent: deque[float] = deque()
                self._silent_until = self._banned_until = 0.0
            if "seed" in checked or "faults" in checked:
                self._schedule = FaultSchedule(self.faults, self.seed)

    def reset(self) -> None:
        """Reset all dials to their state at the start, without planned faults."""
        self.change(self._start)

    def pagination_place_of(self, resource: str) -> PaginationPlace:
        return self.list_pagination.get(resource) or self.list_pagination.get("*") or "body"

    def entries_of(self, resource: str) -> Entries:
        return self.list_entries.get(resource) or self.list_entries.get("*") or "plain"

    def shape_of(self, resource: str) -> ListShape:
        return self.list_shape.get(resource) or self.list_shape.get("*") or LIST_SHAPE.value

    def order_of(self, resource: str) -> ListOrder:
        return self.list_order.get(resource) or self.list_order.get("*") or LIST_ORDER.value

    def fail_next(
        self,
        count: int,
        status: int = 500,
        *,
        endpoint: str | None = None,
        retry_after: int | None = None,
    ) -> None:
        """The next `count` requests (to `endpoint`, by its name) are answered with `status`."""
        self._plan(count, endpoint, NextFailure(convert(status, FailureStatus), retry_after))

    def cut_next(self, count: int, *, endpoint: str | None = None) -> None:
        """The bodies of the next `count` responses (of `endpoint`, by its name) are cut."""
        self._plan(count, endpoint, NextFailure(None))

    def active_faults(self, read: Read, now: datetime) -> Sequence[ActiveFault]:
        """The faults of the registry that apply to this read; each call counts as an attempt."""
        if not self.faults:
            return ()
        with self._lock:
            return self._schedule.draw(read, now)

    def failure(self, endpoint: str) -> NextFailure | None:
        """The failure of a request to `endpoint` now; planned failures come first."""
        with self._lock:
            for place, (name, planned) in enumerate(self._planned):
                if name in (None, endpoint):
                    del self._planned[place]
                    return planned
            if self.fault_endpoints and endpoint not in self.fault_endpoints:
                return None
            if self._is_banned():
                return NextFailure(BANNED)
            if self._is_above_rate() or self._is_drawn(self.throttle_share):
                self._silent_until = self.clock() + (self.throttle_retry_after or 0)
                return NextFailure(TOO_MANY_REQUESTS.value, self.throttle_retry_after)
            if self._is_drawn(self.error_share):
                return NextFailure(self.error_status)
            return NextFailure(None) if self._is_drawn(self.cut_share) else None

    def _plan(self, count: int, endpoint: str | None, fault: NextFailure) -> None:
        if endpoint is not None:
            check_known("endpoint", [endpoint], ENDPOINT)
        with self._lock:
            self._planned += [(endpoint, fault)] * convert(count, Count)

    def _is_drawn(self, share: float) -> bool:
        return share > 0 and self._random.random() < share

    def _is_banned(self) -> bool:
        now = self.clock()
        if self.ban_seconds and now < self._silent_until:
            self._banned_until = now + self.ban_seconds
            self._silent_until = now
        return now < self._banned_until

    def _is_above_rate(self) -> bool:
        if self.throttle_above <= 0:
            return False
        now = self.clock()
        while self._recent and self._recent[0] <= now - 1:
            self._recent.popleft()
        if len(self._recent) >= self.throttle_above:
            return True
        self._recent.append(now)
        return False

    @classmethod
    def _checked(cls, name: str, value: object) -> Any:
        if name not in _TYPES:
            raise DialError(f"dial {name}: there is none of that name; there are {_NAMES}")
        try:
            converted = convert(value, _TYPES[name])
        except DialError as error:
            raise DialError(f"dial {name}: {error}") from None
        check(name, converted)
        return converted


_TYPES = get_type_hints(Dials, include_extras=True)
_NAMES = ", ".join(_TYPES)
