"""Records: faults of the records in a response, and of those that are stored.

In:  a record as it would be sent, or as it is stored.
Out: one that is older, left out, cut off, spelled otherwise, or holds what no description has.
Knows nothing of the page that shows it.
Begin with `bodies`.
"""

from wholesale_sandbox.faults.records.bodies import BODY_FAULTS, NOTE
from wholesale_sandbox.faults.records.spellings import SPELLING_FAULTS
from wholesale_sandbox.faults.records.stored import RECORD_FAULTS, NoSuchField

__all__ = ["NOTE", "RECORD_FAULTS", "SENT_FAULTS", "NoSuchField"]

SENT_FAULTS = (*BODY_FAULTS, *SPELLING_FAULTS)
