"""Fault schedule: the faults of each request, drawn by seed, URL and attempt."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Annotated

import msgspec
from msgspec import Meta

from wholesale.api import ENDPOINTS
from wholesale_sandbox.contract import RESOURCE
from wholesale_sandbox.faults.fault import ActiveFault, Case, ResponseFault, SentFault
from wholesale_sandbox.faults.registry import FAULT


class FaultRule(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A fault, and the reads that it applies to; requests that write are left alone.

    - `share`: the share of these reads, or of the records where it is a fault of sent ones, 0 to 1.
    - `resources`, `endpoints`: to which reads it applies; to all, where none is named.
    - `first`: only the first attempt of each URL.
    - `steady`: every attempt of a URL alike.
    - `after`: not before so many reads were answered.
    - `times`: so often at most.
    - `lasts`: for so many seconds after it first applied.
    - `seconds`: how long a slow fault takes, how far a lagging one lies behind, or what Retry-After
      asks for.
    - `number`: the size, limit or difference that the fault is about.
    """

    fault: str
    share: Annotated[float, Meta(ge=0, le=1)] = 1.0
    resources: list[str] = msgspec.field(default_factory=list)
    endpoints: list[str] = msgspec.field(default_factory=list)
    first: bool = False
    steady: bool = False
    after: Annotated[int, Meta(ge=0)] = 0
    times: Annotated[int, Meta(ge=1)] | None = None
    lasts: Annotated[float, Meta(ge=0)] | None = None
    seconds: Annotated[float, Meta(ge=0)] = 1.0
    number: Annotated[int, Meta(ge=1)] | None = None


@dataclass(frozen=True, slots=True)
class Read:
    """A GET: the name of its endpoint, path and query, and the host as the client names it."""

    endpoint: str
    url: str
    host: str = ""


def _resource(path: str) -> str:
    return next((part for part in reversed(path.split("/")) if part in RESOURCE), "")


RESOURCE_OF = {endpoint.name: _resource(endpoint.path) for endpoint in ENDPOINTS}


class FaultSchedule:
    """Draws for each read which of the rules' faults apply to it.

    The same seed draws the same for the n-th attempt of a URL, whatever other requests arrive.
    """

    def __init__(self, rules: Sequence[FaultRule], seed: int) -> None:
        self._rules = rules
        self._seed = seed
        self._reads = 0
        self._attempts: Counter[str] = Counter()
        self._drawn: Counter[int] = Counter()
        self._begun: dict[int, datetime] = {}

    def draw(self, read: Read, now: datetime) -> list[ActiveFault]:
        self._reads += 1
        self._attempts[read.url] += 1
        return list(self._active(read, now))

    def _active(self, read: Read, now: datetime) -> Iterator[ActiveFault]:
        attempt = self._attempts[read.url]
        for place, rule in enumerate(self._rules):
            fault = FAULT[rule.fault]
            is_of_records = isinstance(fault, SentFault)
            is_possible = (
                isinstance(fault, ResponseFault)
                or read.endpoint.startswith("list_")
                or (is_of_records and read.endpoint.startswith("get_"))
            )
            if not is_possible or not self._is_meant(place, rule, read, now):
                continue
            chance = Random(f"{self._seed}/{place}/{read.url}/{0 if rule.steady else attempt}")
            if is_of_records or chance.random() < rule.share:
                self._drawn[place] += 1
                self._begun.setdefault(place, now)
                case = Case(
                    chance, now, read.host, rule.seconds, rule.number, self._picks(place, rule)
                )
                yield ActiveFault(fault, case)

    def _picks(self, place: int, rule: FaultRule) -> Callable[[str], bool]:
        return lambda record_id: Random(f"{self._seed}/{place}/{record_id}").random() < rule.share

    def _is_meant(self, place: int, rule: FaultRule, read: Read, now: datetime) -> bool:
        begun = self._begun.get(place, now)
        return (
            (not rule.resources or RESOURCE_OF.get(read.endpoint) in rule.resources)
            and (not rule.endpoints or read.endpoint in rule.endpoints)
            and not (rule.first and self._attempts[read.url] > 1)
            and self._reads > rule.after
            and (rule.times is None or self._drawn[place] < rule.times)
            and (rule.lasts is None or (now - begun).total_seconds() < rule.lasts)
        )
