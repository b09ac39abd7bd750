"""Faults: what goes wrong on purpose: a registry, dials, and scenarios that set them.

In:  dials, plants, a seed.
Out: faulty responses, pages and records, and drift while a list is read.
Knows nothing of the routes; it changes their responses.
Begin with `registry`.
"""

from wholesale_sandbox.faults.dial_values import DialError
from wholesale_sandbox.faults.dials import Dials, NextFailure
from wholesale_sandbox.faults.drift import Drift
from wholesale_sandbox.faults.fault import (
    ActiveFault,
    PaginationFault,
    ResponseFault,
    RowsFault,
    Sent,
    SentFault,
    WindowFault,
    apply_faults,
)
from wholesale_sandbox.faults.plants import Plant, PlantError, plant, plants_of
from wholesale_sandbox.faults.schedule import Read

__all__ = [
    "ActiveFault",
    "DialError",
    "Dials",
    "Drift",
    "NextFailure",
    "PaginationFault",
    "Plant",
    "PlantError",
    "Read",
    "ResponseFault",
    "RowsFault",
    "Sent",
    "SentFault",
    "WindowFault",
    "apply_faults",
    "plant",
    "plants_of",
]
