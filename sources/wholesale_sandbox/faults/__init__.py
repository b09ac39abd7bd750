"""Faults: what goes wrong on purpose: a registry, dials, and scenarios that turn them.

In:  dials, plants, a seed.
Out: answers, pages and records made worse, drift while one reads.
Knows nothing of the routes; it changes what they would have said.
Begin with `registry`.
"""

from wholesale_sandbox.faults.dials import DialError, Dials, Failure
from wholesale_sandbox.faults.drift import Drift
from wholesale_sandbox.faults.fault import (
    AnswerFault,
    Fallen,
    PaginationFault,
    RowsFault,
    WindowFault,
    befall,
)
from wholesale_sandbox.faults.plants import Plant, PlantError, plant, plants_of
from wholesale_sandbox.faults.rules import Read

__all__ = [
    "AnswerFault",
    "DialError",
    "Dials",
    "Drift",
    "Failure",
    "Fallen",
    "PaginationFault",
    "Plant",
    "PlantError",
    "Read",
    "RowsFault",
    "WindowFault",
    "befall",
    "plant",
    "plants_of",
]
