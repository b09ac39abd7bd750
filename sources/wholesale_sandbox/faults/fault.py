"""Faults: functions that replace what the service would send by something faulty."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import ClassVar, Generic, TypeVar

from wholesale_sandbox.business import Record
from wholesale_sandbox.responses import OrderForm, Pagination, Response, Window

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Case:
    """What a fault may use of the request that it applies to.

    - `chance`: random, by the seed, the URL and the attempt.
    - `host`: the service's name and port, as the client's request names it.
    - `seconds`, `number`: as in its `FaultRule`.
    - `picks`: whether the fault applies to the record of this id, by the seed and the id alone.
    """

    chance: Random
    now: datetime
    host: str = ""
    seconds: float = 1.0
    number: int | None = None
    picks: Callable[[str], bool] = lambda record_id: True


@dataclass(frozen=True, slots=True)
class Fault(Generic[T]):
    """`does` is one line: what the client sees. `applies_to`: what it changes."""

    applies_to: ClassVar[str]

    name: str
    does: str
    apply: Callable[[T, Case], T]


class ResponseFault(Fault[Response]):
    """A fault of a whole response: its status, its bytes, its delivery."""

    applies_to = "any response"


class WindowFault(Fault[Window]):
    """A fault of a list: which records are on which page."""

    applies_to = "page of a list"


class PaginationFault(Fault[Pagination]):
    """A fault of a list: its pagination."""

    applies_to = "pagination of a list"


class RowsFault(Fault[list[bytes]]):
    """A fault of a list: the records on a page."""

    applies_to = "records of a page"


@dataclass(frozen=True, slots=True)
class Sent:
    """A record to be sent, on a page of a list or by itself.

    `form`: that of an order (§2.4), None for other records. `fields`: None if the record is not
    sent. `whole`: the stored record; `before`: the record so many seconds ago.
    """

    resource: str
    id: str
    form: OrderForm | None
    is_listed: bool
    fields: Record | None
    whole: Record
    before: Callable[[float], bytes | None]

    @property
    def is_summary(self) -> bool:
        """Whether it is a summary: an order without its lines, in a list."""
        return self.form == "summary"

    @property
    def is_body(self) -> bool:
        """Whether it is a whole body, not what its list shows."""
        return self.form == "verbose" or not self.is_listed


class SentFault(Fault[Sent]):
    """A fault of the records in a response; `share` is of the records, always the same ones."""

    applies_to = "sent record"


class RecordFault(Fault[Record]):
    """A fault of a stored record: planted, not dialled, so that responses and truth agree."""

    applies_to = "stored record"


@dataclass(frozen=True, slots=True)
class ActiveFault:
    """A fault of one request."""

    fault: Fault[object]
    case: Case


def apply_faults(fault_type: type[Fault[T]], value: T, active: Iterable[ActiveFault]) -> T:
    """The value after all active faults of this type."""
    for active_fault in active:
        if isinstance(active_fault.fault, fault_type):
            value = active_fault.fault.apply(value, active_fault.case)
    return value
