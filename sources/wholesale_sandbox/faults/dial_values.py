"""Values of dials: their types, and the names that they may hold."""

from collections.abc import Container, Iterable, Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from wholesale.api import ENDPOINT
from wholesale_sandbox.contract import RESOURCE
from wholesale_sandbox.faults.registry import DIALLED, PLANTED
from wholesale_sandbox.faults.schedule import FaultRule

EnvelopeField = Literal["current", "previous", "next", "limit", "total_pages", "total_count"]
# mixed: 2 insertions to 1 deletion to 4 edits; swap: a deletion and an insertion at once, so that
# the count never moves; silent: an edit that leaves updated_at as it was; note: one of a field
# that §2 does not know, likewise; backward: an edit whose updated_at goes back; move: a variant
# or a buyer user goes to another parent
DriftKind = Literal[
    "mixed", "insert", "delete", "edit", "swap", "silent", "note", "backward", "move"
]

Share = Annotated[float, Meta(ge=0, le=1)]
Amount = Annotated[float, Meta(ge=0)]
Count = Annotated[int, Meta(ge=1)]
Seconds = Annotated[int, Meta(ge=0)]
FailureStatus = Annotated[int, Meta(ge=400, le=599)]

_LISTS = ("*", *RESOURCE)
_KNOWN: Mapping[str, Container[str]] = {
    "list_shape": _LISTS,
    "list_order": _LISTS,
    "list_pagination": _LISTS,
    "list_entries": _LISTS,
    "drift_resources": RESOURCE,
    "fault_endpoints": ENDPOINT,
}


class DialError(ValueError):
    """An unknown dial, or a value that it does not accept."""


def convert(value: object, type: Any) -> Any:
    """Raises: DialError."""
    try:
        return msgspec.convert(value, type)
    except msgspec.ValidationError as error:
        raise DialError(f"{value!r} does not fit: {error}") from None


def check(name: str, value: Any) -> None:
    """Whether what a dial names is known. Raises: DialError."""
    if name in _KNOWN:
        check_known(f"dial {name}", value, _KNOWN[name])
    if name == "faults":
        for rule in value:
            _check_rule(rule)


def check_known(what: str, names: Iterable[str], known: Container[str]) -> None:
    for name in names:
        if name not in known:
            raise DialError(f"{what}: there is no {name}")


def _check_rule(rule: FaultRule) -> None:
    if rule.fault in PLANTED:
        raise DialError(
            f"dial faults: {rule.fault} is one of stored records; plant it, or POST it to /plants"
        )
    if rule.fault not in DIALLED:
        raise DialError(
            f"dial faults: there is no {rule.fault}; `wholesale sandbox --faults` shows them"
        )
    check_known("dial faults: resources", rule.resources, RESOURCE)
    check_known("dial faults: endpoints", rule.endpoints, ENDPOINT)
