"""Faults: functions that replace what the service would send by something worse."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import ClassVar, Generic, TypeVar

from wholesale_sandbox.answers import Answer, OrderForm, Pagination, Window
from wholesale_sandbox.business import Record

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Case:
    """What a fault may know of the request it applies to.

    `host` is what the client takes the service for (name and port). `seconds` is what the rule
    says: how long the slow faults take, how far the lagging ones lie behind, and what Retry-After
    asks for; `number`: the size, limit or difference that the rule names, if any. `chance` is
    drawn from the seed, the URL and the attempt; `picks` draws from the seed and the id alone.
    """

    chance: Random
    now: datetime
    host: str = ""
    seconds: float = 1.0
    number: int | None = None
    picks: Callable[[str], bool] = lambda record_id: True


@dataclass(frozen=True, slots=True)
class Fault(Generic[T]):
    """`does` is one line: what the client gets to see. `applies_to`: what it makes worse."""

    applies_to: ClassVar[str]

    name: str
    does: str
    apply: Callable[[T, Case], T]


class AnswerFault(Fault[Answer]):
    """Of a whole answer: its status, its bytes, its way over the network."""

    applies_to = "any answer"


class WindowFault(Fault[Window]):
    """Of a list: which records stand on which page."""

    applies_to = "page of a list"


class PaginationFault(Fault[Pagination]):
    """Of a list: what it says about its pages."""

    applies_to = "pagination of a list"


class RowsFault(Fault[list[bytes]]):
    """Of a list: the records on a page."""

    applies_to = "records of a page"


@dataclass(frozen=True, slots=True)
class Sent:
    """A record on its way out: what a page of a list holds, or an answer by itself.

    `form`: that of an order (§2.4), None for any other record. `fields`: None where the record is
    not sent. `whole`: all that is stored of it; `before`: what was, so many seconds ago.
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
        """What a list says of a record that has more to it: an order without its lines."""
        return self.form == "summary"

    @property
    def is_body(self) -> bool:
        """What holds all of a record, and is not just what its list says."""
        return self.form == "verbose" or not self.is_listed


class SentFault(Fault[Sent]):
    """Of the records in an answer; `share` is one of the records, and always of the same ones."""

    applies_to = "sent record"


class RecordFault(Fault[Record]):
    """Of a stored record: planted, not dialled, so that every answer and the truth agree."""

    applies_to = "stored record"


@dataclass(frozen=True, slots=True)
class ActiveFault:
    """A fault of one request."""

    fault: Fault[object]
    case: Case


def apply_faults(fault_type: type[Fault[T]], value: T, active: Iterable[ActiveFault]) -> T:
    """The value after those of the active faults that are of the type, one after the other."""
    for active_fault in active:
        if isinstance(active_fault.fault, fault_type):
            value = active_fault.fault.apply(value, active_fault.case)
    return value
