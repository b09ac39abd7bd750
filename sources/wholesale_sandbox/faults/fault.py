"""What a fault is: it turns something the service would send into something worse."""

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
    """What a fault may know of the request it befalls.

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
    """`does` is one line: what the client gets to see."""

    befalls: ClassVar[str]

    name: str
    does: str
    befall: Callable[[T, Case], T]


class AnswerFault(Fault[Answer]):
    """Of a whole answer: its status, its bytes, its way over the network."""

    befalls = "any answer"


class WindowFault(Fault[Window]):
    """Of a list: which records stand on which page."""

    befalls = "page of a list"


class PaginationFault(Fault[Pagination]):
    """Of a list: what it says about its pages."""

    befalls = "pagination of a list"


class RowsFault(Fault[list[bytes]]):
    """Of a list: the records on a page."""

    befalls = "records of a page"


class RecordFault(Fault[Record]):
    """Of a stored record: planted, not dialled, so that every answer and the truth agree."""

    befalls = "stored record"


@dataclass(frozen=True, slots=True)
class Fallen:
    """A fault that befalls a request."""

    fault: Fault[object]
    case: Case


def befall(kind: type[Fault[T]], value: T, fallen: Iterable[Fallen]) -> T:
    """The value after all faults of that kind that befell the request."""
    for one in fallen:
        if isinstance(one.fault, kind):
            value = one.fault.befall(value, one.case)
    return value
