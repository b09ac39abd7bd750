"""Prove: as of which moment the records of a list are all there were, and what it takes to know.

In:  what each step of a reading showed, as the `Ledger` has it, and what is stored.
Out: which step comes next; in the end a `Proof`, who is gone, and what speaks against the reading.
Knows nothing of HTTP, of JSON or of the destination: a `Listing` carries the steps out.
Begin with `course`.
"""

from wholesale.prove.absence import CONTRADICTED, CONTROLS, MOST_CONTROLS, no_keys
from wholesale.prove.course import Course
from wholesale.prove.early_stop import OVERLAP, EarlyStop, EarlyStopRefused, may_stop_early
from wholesale.prove.proof import Proof, ProofKind
from wholesale.prove.steps import Asked, Glance, Look, Sweep

__all__ = [
    "CONTRADICTED",
    "CONTROLS",
    "MOST_CONTROLS",
    "OVERLAP",
    "Asked",
    "Course",
    "EarlyStop",
    "EarlyStopRefused",
    "Glance",
    "Look",
    "Proof",
    "ProofKind",
    "Sweep",
    "may_stop_early",
    "no_keys",
]
