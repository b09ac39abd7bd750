"""Connections: they break before or inside the answer, stay silent, or are slow."""

from dataclasses import replace

from wholesale_sandbox.answers import closed, cut, dripping, late, reset, reset_inside, silent
from wholesale_sandbox.faults.fault import AnswerFault

CONNECTION_FAULTS: tuple[AnswerFault, ...] = (
    AnswerFault(
        "reset",
        "the connection is reset before the answer",
        lambda answer, case: replace(answer, deliver=reset),
    ),
    AnswerFault(
        "reset-inside",
        "the connection is reset in the middle of the body",
        lambda answer, case: replace(answer, deliver=reset_inside),
    ),
    AnswerFault(
        "closed",
        "the connection is closed before the answer",
        lambda answer, case: replace(answer, deliver=closed),
    ),
    AnswerFault(
        "cut",
        "the body is shorter than announced, then the connection is closed",
        lambda answer, case: replace(answer, deliver=cut),
    ),
    AnswerFault(
        "no-answer",
        "nothing at all, until the client leaves",
        lambda answer, case: replace(answer, deliver=silent),
    ),
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
