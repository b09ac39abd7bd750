"""Connections: they break before or inside the response, stay silent, or are slow."""

from collections.abc import Callable
from dataclasses import replace

from wholesale_sandbox.faults.fault import Case, ResponseFault
from wholesale_sandbox.responses import (
    Deliver,
    Response,
    closed,
    cut,
    dripping,
    late,
    reset,
    reset_inside,
    silent,
)


def _by(deliver: Deliver) -> Callable[[Response, Case], Response]:
    return lambda response, case: replace(response, deliver=deliver)


CONNECTION_FAULTS: tuple[ResponseFault, ...] = (
    ResponseFault("reset", "the connection is reset before the response", _by(reset)),
    ResponseFault(
        "reset-inside", "the connection is reset in the middle of the body", _by(reset_inside)
    ),
    ResponseFault("closed", "the connection is closed before the response", _by(closed)),
    ResponseFault(
        "cut", "the body is shorter than announced, then the connection is closed", _by(cut)
    ),
    ResponseFault("no-answer", "nothing at all, until the client leaves", _by(silent)),
    ResponseFault(
        "late",
        "the first byte comes after `seconds`",
        lambda response, case: replace(response, deliver=late(case.seconds)),
    ),
    ResponseFault(
        "drip",
        "the body comes in 20 pieces, `seconds` apart",
        lambda response, case: replace(response, deliver=dripping(case.seconds)),
    ),
)
