"""Faults: what turns something that the service would send into something worse."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import ClassVar, Generic, TypeVar

from wholesale_sandbox.answers import Answer, Pagination, Window
from wholesale_sandbox.business import Record

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Case:
    """What a fault may know of the request it applies to.

    `host` is what the client takes the service for (name and port). `seconds` is what the rule
    says: how long the slow faults take, and what Retry-After asks for. `chance` is drawn from
    the seed, the URL and the attempt.
    """

    chance: Random
    now: datetime
    host: str = ""
    seconds: float = 1.0


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
