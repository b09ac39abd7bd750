"""Connections: they break before or inside the answer, stay silent, or are slow."""

from collections.abc import Callable
from dataclasses import replace

from wholesale_sandbox.answers import (
    Answer,
    Deliver,
    closed,
    cut,
    dripping,
    late,
    reset,
    reset_inside,
    silent,
)
from wholesale_sandbox.faults.fault import AnswerFault, Case


def _by(deliver: Deliver) -> Callable[[Answer, Case], Answer]:
    return lambda answer, case: replace(answer, deliver=deliver)


CONNECTION_FAULTS: tuple[AnswerFault, ...] = (
    AnswerFault("reset", "the connection is reset before the answer", _by(reset)),
    AnswerFault(
        "reset-inside", "the connection is reset in the middle of the body", _by(reset_inside)
    ),
    AnswerFault("closed", "the connection is closed before the answer", _by(closed)),
    AnswerFault(
        "cut", "the body is shorter than announced, then the connection is closed", _by(cut)
    ),
    AnswerFault("no-answer", "nothing at all, until the client leaves", _by(silent)),
    AnswerFault(
        "late",
        "the first byte comes after `seconds`",
        lambda answer, case: replace(answer, deliver=late(case.seconds)),
    ),
    AnswerFault(
        "drip",
        "the body comes in 20 pieces, `seconds` apart",
        lambda answer, case: replace(answer, deliver=dripping(case.seconds)),
    ),
)
